"""The temporary database and the server of a benchmark, and the CPU time and memory of its processes."""

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


def create_database(url: str) -> None:
    """Create the PostgreSQL database of the URL, if it does not exist. SQLite creates files by itself."""
    parts = urlsplit(url)
    if not parts.scheme.startswith(("postgres", "psql", "pgsql")):
        return
    name = parts.path.strip("/")
    with psycopg.connect(parts._replace(scheme="postgresql", path="/postgres").geturl(), autocommit=True) as server:
        if not server.execute("SELECT FROM pg_database WHERE datname = %s", [name]).fetchall():
            server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))


@contextlib.contextmanager
def run_server(environment: dict[str, str], log: Path, *, workers: int = 1) -> Iterator[tuple[int, int]]:
    """Yield the port and the process id of a server, which serves the application and the floor."""
    port = free_port()
    gunicorn = str(Path(sys.executable).with_name("gunicorn"))
    command = [gunicorn, "--config", "python:calendar_site.serving.server"]
    environment = environment | {
        "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "WEB_WORKERS": str(workers),
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


def worker_pids(server_pid: int) -> list[int]:
    """Return the process ids of the workers, or [] if not on Linux."""
    pids = []
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):
            if f"\nPPid:\t{server_pid}\n" in status.read_text():
                pids.append(int(status.parent.name))
    return pids


def worker_memory(server_pid: int) -> dict[str, float]:
    """Return the memory of a worker in megabytes, or {} if not on Linux.

    `Rss` is the resident memory, `Pss_Anon` the part of it that no file backs.
    """
    for pid in worker_pids(server_pid):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
        return {name: int(rest.split()[0]) / 1024 for name, rest in (line.split(":", 1) for line in lines)}
    return {}


def cpu_seconds(pids: list[int]) -> float:
    """Return the CPU time that the processes have taken so far, or 0 if not on Linux."""
    total = 0
    for pid in pids:
        # Nanoseconds, in contrast to /proc/…/stat. One file for each thread.
        for schedule in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError):
                total += int(schedule.read_text().split()[0])
    return total / 1e9


def backend_pids(database: str) -> list[int]:
    """Return the processes of the PostgreSQL server for connections to the database; [] for SQLite."""
    parts = urlsplit(database)
    if not parts.scheme.startswith(("postgres", "psql", "pgsql")):
        return []
    with psycopg.connect(parts._replace(scheme="postgresql", path="/postgres").geturl(), autocommit=True) as server:
        rows = server.execute("SELECT pid FROM pg_stat_activity WHERE datname = %s", [parts.path.strip("/")])
        return [pid for (pid,) in rows.fetchall()]
