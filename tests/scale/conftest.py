"""A primary with a streaming replica, PgBouncer, Redis, and two services behind nginx."""

import contextlib
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import Popen
from typing import NamedTuple

import pytest

from tests.support.nginx import nginx
from tests.support.pgbouncer import pgbouncer
from tests.support.postgresql_server import PostgreSQLServer
from tests.support.preparation import collected_static_files
from tests.support.python_starter import manage
from tests.support.redis_server import redis_server
from tests.support.served_app import ServedApp, free_port, serve_app_in_group

METRICS_TOKEN = "metrics"


class Site(NamedTuple):
    """A primary and its streaming replica, a Redis server, and the environment of services that use them."""

    primary: PostgreSQLServer
    replica: PostgreSQLServer
    redis_port: int
    environment: dict[str, str]
    # The headers that authenticate an editor.
    signed_in: dict[str, str]


@pytest.fixture(scope="session")
def site(shared_folder, tmp_path_factory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    (folder / "static").symlink_to(collected_static_files(shared_folder))
    redis_port = free_port()
    with contextlib.ExitStack() as stack:
        primary = stack.enter_context(PostgreSQLServer.started())
        primary.create_database()
        environment = {
            "DATA_DIR": str(folder),
            "DEBUG": "false",
            "METRICS_TOKEN": METRICS_TOKEN,
            "PROXY_COUNT": "1",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "THROTTLE_USER": "100000/min",
            "WEB_THREADS": "3",
            "WEB_WORKERS": "1",
        }
        # Commands do not go through the pooler.
        direct = {**environment, "DATABASE_URL": primary.url}
        manage(direct, "migrate", "--verbosity=0")
        made = manage(direct, "create_user", "editor", "--role=editor", "--application-password=tests")
        replica = stack.enter_context(primary.standby())
        urls = stack.enter_context(pgbouncer(calendar=primary, replica=replica))
        environment |= {
            "DATABASE_REPLICA_URL": urls["replica"],
            "DATABASE_TRANSACTION_POOLING": "true",
            "DATABASE_URL": urls["calendar"],
            "REDIS_URL": f"redis://127.0.0.1:{redis_port}/0",
        }
        yield Site(primary, replica, redis_port, environment, {"Authorization": f"Bearer {made.splitlines()[-1]}"})


@pytest.fixture
def redis(site, tmp_path) -> Iterator[Popen]:
    """The Redis server of the site, which a test may stop."""
    if not shutil.which("redis-server"):
        pytest.fail("These tests need redis-server.")
    with redis_server(site.redis_port, tmp_path) as process:
        yield process


@pytest.fixture
def start_machine(site, redis, tmp_path) -> Iterator[Callable[..., ServedApp]]:
    """Return a function that starts a service of the site with additional environment variables."""
    with contextlib.ExitStack() as stack:

        def start(**changed: str) -> ServedApp:
            environment = {**site.environment, "HOST": "127.0.0.1", "PORT": str(free_port()), **changed}
            log = Path(tmp_path, f"server-{environment['PORT']}.log")
            process = stack.enter_context(serve_app_in_group(environment, log))
            return ServedApp(environment, site.signed_in, process, log)

        yield start


@pytest.fixture
def machines(start_machine) -> tuple[ServedApp, ServedApp]:
    """Two services that share the database and its replica, Redis and the key."""
    return start_machine(), start_machine()


@pytest.fixture
def proxy(machines, tmp_path) -> Iterator[tuple[str, int]]:
    """The address of nginx in front of both."""
    with nginx([machine.address[1] for machine in machines], tmp_path) as address:
        yield address
