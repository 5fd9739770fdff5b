"""Starting the service as in production: gunicorn with its configuration."""

import contextlib
import http.client
import os
import re
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import psycopg

from tests.support.databases import copy_database, is_postgresql, temporary_database
from tests.support.programs import ROOT

GUNICORN = [sys.executable, "-m", "gunicorn", "--config", "python:calendar_site.serving.server"]
START_SECONDS = 60
STOP_SECONDS = 20
# How long a client waits for a response.
SECONDS = 20


class ServedApp(NamedTuple):
    """A running service, and how to send requests to it."""

    environment: dict[str, str]
    # The headers that authenticate an editor.
    signed_in: dict[str, str]
    process: subprocess.Popen
    log: Path

    @property
    def address(self) -> tuple[str, int]:
        return "127.0.0.1", int(self.environment["PORT"])

    def connect(self, seconds: float = SECONDS) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(*self.address, timeout=seconds)

    def request(self, method, path, body=None, seconds=SECONDS, **headers):
        """Return the response and its body, from a new connection."""
        with contextlib.closing(self.connect(seconds)) as connection:
            connection.request(method, path, body, {**self.signed_in, **headers})
            response = connection.getresponse()
            return response, response.read()


@contextlib.contextmanager
def prepared_environment(url: str, label: str, migrated: str, static: Path, folder: Path) -> Iterator[dict[str, str]]:
    """Yield the environment of a service with a copy of the database `migrated`, which is dropped at the end.

    The copy is beside `url`, and everything else in `folder`.
    """
    (folder / "static").symlink_to(static)
    with temporary_database(url, label, folder) as database:
        copy_database(migrated, database)
        yield {
            "DATABASE_URL": database,
            "DATA_DIR": str(folder),
            "DEBUG": "false",
            "HOST": "127.0.0.1",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "WEB_CLIENT_SECONDS": "1",
            "WEB_THREADS": "2",
            "WEB_WORKERS": "2",
            "WRITE_WAIT_SECONDS": "1",
        }


@contextlib.contextmanager
def write_lock_held(service: ServedApp) -> Iterator[None]:
    """Hold the write lock."""
    # Imported here: `.ci/against_server.py` imports this module before it has set the environment.
    from calendar_site.core.database.write_lock import ADVISORY_LOCK_ID

    url = service.environment["DATABASE_URL"]
    if not is_postgresql(url):
        with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
        return
    with psycopg.connect(re.sub("^[a-z]+:", "postgresql:", url)) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", [ADVISORY_LOCK_ID])
        yield


def worker_pids(service: ServedApp) -> list[int]:
    """Return the process ids of all workers that were ever started, in order."""
    return [int(pid) for pid in re.findall(r"Booting worker with pid: (\d+)", service.log.read_text())]


def wait_until(condition: Callable[[], object], seconds: float = SECONDS) -> bool:
    """Return whether the condition becomes true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


@contextlib.contextmanager
def serve_app(environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen]:
    """Start the server and yield its process when it answers on the PORT of `environment`; stop it at the end."""
    with start_server(environment, log) as server:
        try:
            wait_for(int(environment["PORT"]), server, log)
            yield server
        finally:
            server.terminate()
            try:
                server.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
                raise


@contextlib.contextmanager
def serve_app_in_group(environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen]:
    """Do what `serve_app` does, for tests that stop or kill processes: at the end, the whole group is killed."""
    with start_server(environment, log, process_group=0) as server:
        try:
            wait_for(int(environment["PORT"]), server, log)
            yield server
        finally:
            # Also orphaned workers, and stopped processes, which handle no other signal.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)


def start_server(environment: dict[str, str], log: Path, process_group: int | None = None) -> subprocess.Popen:
    """Start the server without waiting for it. Its output is appended to `log`."""
    with log.open("a") as output:
        return subprocess.Popen(  # noqa: S603
            GUNICORN,
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=output,
            stderr=output,
            process_group=process_group,
        )


def wait_for(port: int, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    sys.exit(f"The service did not start:\n{log.read_text()}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
