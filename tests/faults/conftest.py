"""The service on a database of its own for each test, on SQLite or the PostgreSQL server of DATABASE_URL."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.preparation import collected_static_files, migrated_database
from tests.support.python_starter import manage
from tests.support.served_app import ServedApp, free_port, prepared_environment, serve_app_in_group

ROLES = ("administrator", "editor", "author", "contributor", "subscriber")


@pytest.fixture(scope="session")
def database_with_users(shared_folder, tmp_path_factory) -> Iterator[tuple[str, dict[str, dict[str, str]]]]:
    """The URL of a database to copy, and by role the headers that authenticate a user of that role."""
    url, folder = os.environ.get("DATABASE_URL", ""), tmp_path_factory.mktemp("users")
    static, migrated = collected_static_files(shared_folder), migrated_database(url, shared_folder)
    with prepared_environment(url, "faults_users", migrated, static, folder) as environment:
        headers = {}
        for role in ROLES:
            made = manage(environment, "create_user", role, f"--role={role}", "--application-password=tests")
            headers[role] = {"Authorization": f"Bearer {made.splitlines()[-1]}"}
        yield environment["DATABASE_URL"], headers


@pytest.fixture
def user_headers(database_with_users) -> dict[str, dict[str, str]]:
    """By role, the headers that authenticate a user of that role."""
    return database_with_users[1]


@pytest.fixture
def service_environment(database_with_users, shared_folder, tmp_path) -> Iterator[dict[str, str]]:
    """The environment of a service with a fresh database, which contains a user of each role."""
    url, folder = os.environ.get("DATABASE_URL", ""), tmp_path / "service"
    folder.mkdir()
    static = collected_static_files(shared_folder)
    with prepared_environment(url, "faults", database_with_users[0], static, folder) as environment:
        yield environment


@pytest.fixture
def start_service(service_environment, user_headers, tmp_path) -> Iterator[Callable[..., ServedApp]]:
    """Return a function that starts the service with additional environment variables.

    Requests are those of an editor. All services that a test starts share its database, and are killed at its end with
    all their processes, before the database is dropped.
    """
    with contextlib.ExitStack() as stack:

        def start(**changed: str) -> ServedApp:
            environment = {**service_environment, "PORT": str(free_port()), **changed}
            log = Path(tmp_path, f"server-{environment['PORT']}.log")
            process = stack.enter_context(serve_app_in_group(environment, log))
            return ServedApp(environment, user_headers["editor"], process, log)

        yield start
