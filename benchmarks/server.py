"""The temporary database and the server of a benchmark."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 30
STOP_SECONDS = 15


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    (ROOT / "var").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="benchmark-", dir=ROOT / "var") as folder:
        # The settings expect this folder.
        (Path(folder) / "static").mkdir()
        yield Path(folder)


@contextlib.contextmanager
def temporary_database(url: str, folder: Path) -> Iterator[str]:
    """Yield the URL of an empty database: a file in `folder`, or a new one on the PostgreSQL server of `url`."""
    if not url.startswith(("postgres", "psql", "pgsql")):
        yield f"sqlite:///{folder / 'calendar.sqlite3'}"
        return
    parts = urlsplit(url)
    name = re.sub(r"\W", "_", f"{parts.path.strip('/')}_benchmark_{os.getpid()}")
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    with psycopg.connect(parts._replace(scheme="postgresql", path="/postgres").geturl(), autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield parts._replace(path=f"/{name}").geturl()
        finally:
            server.execute(drop)


@contextlib.contextmanager
def run_server(environment: dict[str, str], log: Path) -> Iterator[tuple[int, int]]:
    """Yield the port and the process id of a server with one worker, which serves the application and the floor."""
    port = free_port()
    gunicorn = str(Path(sys.executable).with_name("gunicorn"))
    command = [gunicorn, "--config", "python:calendar_site.server"]
    environment = environment | {
        "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "WEB_WORKERS": "1",
    }
    with (
        log.open("w") as output,
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output) as server,
    ):
        try:
            wait_for(port, server, log)
            yield port, server.pid
        finally:
            server.terminate()
            try:
                server.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()


def wait_for(port: int, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    sys.exit(f"The server did not start:\n{log.read_text()}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def worker_memory(server_pid: int) -> dict[str, float]:
    """Return the memory of the worker in megabytes, or {} if not on Linux.

    `Rss` is the resident memory, `Pss_Anon` the part of it that no file backs.
    """
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):
            if f"\nPPid:\t{server_pid}\n" in status.read_text():
                lines = status.with_name("smaps_rollup").read_text().splitlines()[1:]
                return {name: int(rest.split()[0]) / 1024 for name, rest in (line.split(":", 1) for line in lines)}
    return {}
