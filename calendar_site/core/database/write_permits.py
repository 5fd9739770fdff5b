"""Permits for writes in a worker process, which limit how many writes are at work at the same time.

The threads of a process share one interpreter, and SQLite lets one write in. More of them at work would take longer
together, and keep reads waiting. See docs/decisions/0056.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar


class WritePermit:
    """The permit of one write."""

    def __init__(self, free_permits: asyncio.Semaphore) -> None:
        self._free_permits = free_permits
        self._loop = asyncio.get_running_loop()
        self._is_released = False

    def release(self) -> None:
        """Let the next write in. Call it in the thread of the write."""
        # The loop has ended if the process must stop before this write is complete.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.release_in_loop)

    def release_in_loop(self) -> None:
        """Let the next write in, unless this one has released its permit already. Call it in the event loop."""
        if not self._is_released:
            self._is_released = True
            self._free_permits.release()


# None outside of requests that may write, and after they have released their permit.
_current_permit: ContextVar[WritePermit | None] = ContextVar("current_permit", default=None)


class WritePermits:
    """The permits of a process, and the threads for its writes: all but one, so that reads need not wait."""

    def __init__(self, *, permits: int, threads: int) -> None:
        self._free_permits = asyncio.Semaphore(permits)
        self._free_threads = asyncio.Semaphore(max(1, threads - 1))

    @asynccontextmanager
    async def permit(self) -> AsyncIterator[WritePermit]:
        """Wait in the event loop for a thread and a permit, and occupy them inside the block."""
        async with self._free_threads:
            await self._free_permits.acquire()
            permit = WritePermit(self._free_permits)
            try:
                yield permit
            finally:
                permit.release_in_loop()


@contextmanager
def with_permit(permit: WritePermit) -> Iterator[None]:
    """Run the block, in a thread, as the write that has this permit."""
    token = _current_permit.set(permit)
    try:
        yield
    finally:
        _current_permit.reset(token)


def release_permit() -> None:
    """Let another write be at work from now on, because this one waits for something else than the interpreter.

    It does not take a permit again, so that it never waits for one while it has the write lock. No effect in commands
    and background tasks.
    """
    if permit := _current_permit.get():
        permit.release()
        _current_permit.set(None)
