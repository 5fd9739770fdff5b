"""How many bytes of request bodies the process holds at once for the clients of one network.

Bodies are received before anybody is authenticated, so without a limit a client could fill the disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# In bodies of the maximum size.
MAX_HELD_BODIES = 8


class TooManyBytes(Exception):
    """The clients of a network send more at once than the process holds for them."""


class HeldBodies:
    """Counts the bytes of the bodies that are being received or processed, by network."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.held: Counter[str] = Counter()

    @contextmanager
    def of_request(self, network: str | None) -> Iterator[Callable[[int], None]]:
        """Yield a function that adds bytes to those of the request, which count until the end of the context.

        The function raises TooManyBytes. Without a network, it counts nothing: behind a proxy, all clients would count
        as one, and the proxy receives bodies before it passes them on.
        """
        added = 0

        def add(size: int) -> None:
            nonlocal added
            if network is None:
                return
            if self.held[network] + size > self.max_bytes:
                raise TooManyBytes
            added += size
            self.held[network] += size

        try:
            yield add
        finally:
            if network is not None:
                self.held[network] -= added
                if not self.held[network]:
                    del self.held[network]
