"""Starting the service as systemd does with a socket unit: the socket stays open while the service restarts."""

import contextlib
import os
import signal
import subprocess
import sys

from tests.support.programs import ROOT
from tests.support.served_app import GUNICORN

# Becomes the program in its arguments, with the socket as descriptor 3.
LISTEN = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.execve(sys.argv[2], sys.argv[2:], {**os.environ, "LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())})
"""


@contextlib.contextmanager
def started_on_socket(listener, environment, log):
    """Start the service, which inherits the socket as descriptor 3. Yield its process, which is killed at the end."""
    with (
        log.open("a") as output,
        subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", LISTEN, str(listener.fileno()), *GUNICORN],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=output,
            stderr=output,
            pass_fds=[listener.fileno()],
            process_group=0,
        ) as process,
    ):
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
