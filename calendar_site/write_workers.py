"""Separate worker processes for writes, which then do not slow reads down (decision 0073).

The port on which a request arrives decides which processes respond to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from calendar_site.listen_address import WRITE_PORT

if TYPE_CHECKING:
    import socket

    from calendar_site.http_server import Worker


def is_next_for_writes(workers: Iterable[Worker], total: int, write_workers: int) -> bool:
    """Return whether the worker that joins `workers` is for writes. The first ones are for reads.

    `total` is the number of workers that will stay: a reload starts new ones before it stops the oldest.
    """
    staying = sorted(workers, key=lambda worker: worker.age)[1 - total :]
    return sum(not worker.is_for_writes for worker in staying) >= total - write_workers


def sockets_of(worker: Worker, sockets: Sequence[socket.socket]) -> list[socket.socket]:
    """Return the sockets on which a worker listens: those on WRITE_PORT, or all others."""
    return [one for one in sockets if is_for_writes(one) == worker.is_for_writes]


def is_for_writes(listening: socket.socket) -> bool:
    name = listening.getsockname()
    # The name of a Unix socket is its path.
    return isinstance(name, tuple) and name[1] == WRITE_PORT
