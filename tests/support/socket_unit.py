"""Starting the service as systemd does with a socket unit: the sockets stay open while the service restarts."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from socket import socket

from tests.support.programs import ROOT
from tests.support.served_app import GUNICORN

# Becomes the program in its arguments, with the sockets as descriptors 3, 4 and so on.
LISTEN = """
import fcntl, os, sys
# Copies first: one of the sockets may already have such a number.
copies = [fcntl.fcntl(int(number), fcntl.F_DUPFD_CLOEXEC, 100) for number in sys.argv[1].split(",")]
for descriptor, copy in enumerate(copies, start=3):
    os.dup2(copy, descriptor)
os.execve(sys.argv[2], sys.argv[2:], {**os.environ, "LISTEN_FDS": str(len(copies)), "LISTEN_PID": str(os.getpid())})
"""


@contextlib.contextmanager
def started_on_sockets(
    listeners: Sequence[socket], environment: dict[str, str], log: Path
) -> Iterator[subprocess.Popen]:
    """Start the service, which inherits the sockets. Yield its process, which is killed at the end."""
    descriptors = [listener.fileno() for listener in listeners]
    with (
        log.open("a") as output,
        subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", LISTEN, ",".join(map(str, descriptors)), *GUNICORN],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=output,
            stderr=output,
            pass_fds=descriptors,
            process_group=0,
        ) as process,
    ):
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
