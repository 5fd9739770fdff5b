"""A Redis server of its own, for tests that stop or freeze it."""

import contextlib
import shutil
import signal
import subprocess

from tests.support.served_app import wait_for


@contextlib.contextmanager
def redis_server(port, folder):
    """Run a Redis server of its own inside the block."""
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(folder)]
    log = folder / "redis.log"
    with (
        log.open("a") as output,
        subprocess.Popen([shutil.which("redis-server"), *options], stdout=output, stderr=output) as server,  # noqa: S603
    ):
        try:
            wait_for(port, server, log)
            yield server
        finally:
            server.send_signal(signal.SIGCONT)
            server.kill()
