"""The places for writes in a worker process: how many writes are at work at the same time.

The threads of a process share one interpreter, and SQLite lets one write in. More of them at work would take longer
together, and keep reads waiting. See docs/decisions/0056.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar


class Place:
    """The place of one write."""

    def __init__(self, free_places: asyncio.Semaphore) -> None:
        self._free_places = free_places
        self._loop = asyncio.get_running_loop()
        self._is_left = False

    def leave(self) -> None:
        """Let the next write in. Call it in the thread of the write."""
        self._loop.call_soon_threadsafe(self.leave_in_loop)

    def leave_in_loop(self) -> None:
        """Let the next write in, unless this one has left its place already. Call it in the event loop."""
        if not self._is_left:
            self._is_left = True
            self._free_places.release()


# None outside of requests that may write, and after they have left their place.
_current_place: ContextVar[Place | None] = ContextVar("current_place", default=None)


class WritePlaces:
    """The places of a process, and the threads that its writes may occupy: all but one, so that reads need not wait."""

    def __init__(self, *, places: int, threads: int) -> None:
        self._free_places = asyncio.Semaphore(places)
        self._free_threads = asyncio.Semaphore(max(1, threads - 1))

    @asynccontextmanager
    async def place(self) -> AsyncIterator[Place]:
        """Wait in the event loop for a thread and a place, and occupy them inside the block."""
        async with self._free_threads:
            await self._free_places.acquire()
            place = Place(self._free_places)
            try:
                yield place
            finally:
                place.leave_in_loop()


@contextmanager
def at_place(place: Place) -> Iterator[None]:
    """Run the block, in a thread, as the write that has this place."""
    token = _current_place.set(place)
    try:
        yield
    finally:
        _current_place.reset(token)


def leave_place() -> None:
    """Let another write be at work from now on, because this one waits for something else than the interpreter.

    It does not take its place again, so that it never waits for one while it has the write lock. No effect in commands
    and background tasks.
    """
    if place := _current_place.get():
        place.leave()
        _current_place.set(None)
