"""The service as it is really served: gunicorn with its configuration, on a database of its own."""

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
GUNICORN = [sys.executable, "-m", "gunicorn", "--config", "python:calendar_site.server"]
START_SECONDS = 60
STOP_SECONDS = 20


@contextlib.contextmanager
def own_database(url: str, label: str, folder: Path) -> Iterator[str]:
    """The URL of an empty database: beside the one that `url` names on PostgreSQL, else SQLite's in `folder`.

    One on a server is gone afterwards.
    """
    if not url.startswith(("postgres", "psql", "pgsql")):
        yield f"sqlite:///{folder / 'calendar.sqlite3'}"
        return
    parts = urlsplit(url)
    name = re.sub(r"\W", "_", f"{parts.path.strip('/')}_{label}")
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    with psycopg.connect(parts._replace(scheme="postgresql", path="/postgres").geturl(), autocommit=True) as server:
        server.execute(drop)
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield parts._replace(path=f"/{name}").geturl()
        finally:
            server.execute(drop)


@contextlib.contextmanager
def served(environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen]:
    """The server's process, answering on the PORT of `environment`; stopped afterwards as an administrator would."""
    with (
        log.open("w") as output,
        subprocess.Popen(GUNICORN, cwd=ROOT, env={**os.environ, **environment}, stdout=output, stderr=output) as server,  # noqa: S603
    ):
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
