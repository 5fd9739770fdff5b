"""Separate workers for writes, which then do not slow reads down (docs/speed.md).

The port on which a request arrives decides which workers respond to it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from calendar_site.configuration.listen_address import WRITE_PORT

if TYPE_CHECKING:
    import socket

    from calendar_site.serving.http_server import Worker

# Under full load, a worker for writes gets about a tenth of a processor that it shares with one for reads.
NICENESS = 10


def is_next_for_writes(workers: Iterable[Worker], worker_count: int, write_worker_count: int) -> bool:
    """Return whether the worker that joins `workers` is for writes. The first ones are for reads.

    `worker_count` is the number of workers that will stay: a reload starts new ones before it stops the oldest.
    """
    staying = sorted(workers, key=lambda worker: worker.age)[1 - worker_count :]
    return sum(not worker.is_for_writes for worker in staying) >= worker_count - write_worker_count


def keep_sockets_of_role(worker: Worker) -> None:
    """Let a worker listen on WRITE_PORT only, or on all other sockets.

    The others are closed in its process: otherwise they would stay open until its last request is finished.
    """
    kept = [listener for listener in worker.sockets if is_write_socket(listener) == worker.is_for_writes]
    for listener in worker.sockets:
        if listener not in kept:
            listener.close()
    worker.sockets = kept


def lower_priority() -> None:
    """Let the operating system prefer the workers for reads while processors are scarce."""
    os.nice(NICENESS)


def is_write_socket(listener: socket.socket) -> bool:
    """Return whether a socket listens on WRITE_PORT."""
    name = listener.getsockname()
    # The name of a Unix socket is its path.
    return isinstance(name, tuple) and name[1] == WRITE_PORT
