"""Starting the service as in production: gunicorn with its configuration."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.support.programs import ROOT

GUNICORN = [sys.executable, "-m", "gunicorn", "--config", "python:calendar_site.server"]
START_SECONDS = 60
STOP_SECONDS = 20


@contextlib.contextmanager
def serve_app(environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen]:
    """Start the server and yield its process when it answers on the PORT of `environment`; stop it at the end."""
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
