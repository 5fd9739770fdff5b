"""Measure normal requests beside many clients that send or read slowly, and the memory that these clients cost.

Each row of the printed table has a server of its own, with one worker, the production configuration and the sample
content on SQLite. Everything is on this machine and is removed afterwards.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from load import TIMEOUT_SECONDS, Measurement, get_request, measure
from server import ROOT, run_server, temporary_folder, worker_memory

EVENTS = "/cal/events/v1/events"
# Served as a file of the documentation. Larger than what the system buffers for a connection.
LARGE_FILE = "/docs/large.bin"
LARGE_FILE_BYTES = 8_000_000
NORMAL_CONNECTIONS = 4
# The first requests of a process load modules and fill caches.
WARM_UP_REQUESTS = 300
# Until the server has read what all slow clients have sent, and sent what the system buffers.
SETTLE_SECONDS = 2
# The service closes connections after WEB_CLIENT_SECONDS, which is 15 by default.
CLIENT_SECONDS = 60

STARTS = {
    "none": "",
    "header, a byte per second": f"GET {EVENTS} HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    "body, a byte per second": f"POST {EVENTS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n",
    "response, a byte per second": f"GET {LARGE_FILE} HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


class Result(NamedTuple):
    """The normal requests beside slow clients, and how much memory of the worker each slow client took."""

    slow_part: str
    normal: Measurement
    kilobytes_per_client: float
    clients_at_the_end: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=500, choices=range(1, 1001), metavar="1-1000")
    parser.add_argument("--only", default="", help="only rows whose name contains this text")
    parser.add_argument("--seconds", type=int, default=10, choices=range(1, 31), metavar="1-30", help="for each row")
    arguments = parser.parse_args()
    # SIGTERM cleans up as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    with temporary_folder() as folder:
        environment = prepare(folder)
        print(
            f"| {arguments.clients} slow clients | requests/s | median ms | 99 % ms | KB per client | still connected |"
        )
        print("| --- | --: | --: | --: | --: | --: |")
        for slow_part in STARTS:
            if arguments.only not in slow_part:
                continue
            clients = 0 if slow_part == "none" else arguments.clients
            print(format_row(run(slow_part, clients, arguments.seconds, environment)), flush=True)


def prepare(folder: Path) -> dict[str, str]:
    """Create a database with the sample content and a large file. Return the environment of the server."""
    docs = folder / "docs"
    docs.mkdir()
    (docs / "index.html").touch()
    (docs / "large.bin").write_bytes(b"x" * LARGE_FILE_BYTES)
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{folder / 'calendar.sqlite3'}",
        "DATA_DIR": str(folder),
        "DEBUG": "false",
        "PYTHONPATH": str(ROOT),
        "SECRET_KEY": secrets.token_urlsafe(50),
        "WEB_CLIENT_SECONDS": str(CLIENT_SECONDS),
    }
    for command in ("migrate", "set_up"):
        subprocess.run(
            [sys.executable, "manage.py", command], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=True
        )
    return environment


def run(slow_part: str, clients: int, seconds: int, environment: dict[str, str]) -> Result:
    log = Path(environment["DATA_DIR"], "server.log")
    with run_server(environment, log) as (port, server), contextlib.ExitStack() as stack:
        request = get_request(port, EVENTS)
        measure(port, request, Measurement(), connections=NORMAL_CONNECTIONS, max_requests=WARM_UP_REQUESTS)
        before = worker_memory(server)
        connections = [stack.enter_context(connect(port, STARTS[slow_part])) for _ in range(clients)]
        if "response" in slow_part:
            # The server has begun all responses.
            for connection in connections:
                connection.recv(1)
        time.sleep(SETTLE_SECONDS)
        after = worker_memory(server)
        for connection in connections:
            connection.setblocking(False)
        normal = Measurement()
        with in_background(connections) as lost:
            measure(port, request, normal, connections=NORMAL_CONNECTIONS, seconds=seconds)
    kilobytes = (after.get("Rss", 0) - before.get("Rss", 0)) * 1024 / clients if clients else 0
    return Result(slow_part, normal, kilobytes, clients - len(lost))


def connect(port: int, start: str) -> socket.socket:
    connection = socket.socket()
    # So that the response waits in the server, and not in the system.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    connection.settimeout(TIMEOUT_SECONDS)
    connection.sendall(start.encode())
    return connection


@contextlib.contextmanager
def in_background(connections: list[socket.socket]) -> Iterator[set[socket.socket]]:
    """Let each client send or read a byte every second. Yield the set of those that the server has disconnected."""
    lost: set[socket.socket] = set()
    stopped = threading.Event()

    def trickle() -> None:
        while not stopped.wait(1):
            lost.update(connection for connection in connections if not send_or_read_byte(connection))

    thread = threading.Thread(target=trickle)
    thread.start()
    try:
        yield lost
    finally:
        stopped.set()
        thread.join()


def send_or_read_byte(connection: socket.socket) -> bool:
    """Read a byte if there is one, otherwise send one. Return whether the connection is still open."""
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        pass
    except OSError:
        return False
    try:
        connection.sendall(b" ")
    except OSError:
        return False
    return True


def format_row(result: Result) -> str:
    normal = result.normal
    times = f"{normal.latency(0.5) * 1000:.1f} | {normal.latency(0.99) * 1000:.1f}"
    memory = f"{result.kilobytes_per_client:.0f}" if result.slow_part != "none" else "–"
    connected = f"{result.clients_at_the_end}" if result.slow_part != "none" else "–"
    return f"| {result.slow_part} | {normal.rate:.0f} | {times} | {memory} | {connected} |"


if __name__ == "__main__":
    main()
