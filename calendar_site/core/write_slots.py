"""The slots for writes in a worker process: how many writes are at work at the same time.

The threads of a process share one interpreter, and SQLite lets one write in. More of them at work would take longer
together, and keep reads waiting. See docs/decisions/0056.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar


class Slot:
    """The slot of one write."""

    def __init__(self, free_slots: asyncio.Semaphore) -> None:
        self._free_slots = free_slots
        self._loop = asyncio.get_running_loop()
        self._is_released = False

    def release(self) -> None:
        """Let the next write in. Call it in the thread of the write."""
        # The loop has ended if the process must stop before this write is complete.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.release_in_loop)

    def release_in_loop(self) -> None:
        """Let the next write in, unless this one has released its slot already. Call it in the event loop."""
        if not self._is_released:
            self._is_released = True
            self._free_slots.release()


# None outside of requests that may write, and after they have released their slot.
_current_slot: ContextVar[Slot | None] = ContextVar("current_slot", default=None)


class WriteSlots:
    """The slots of a process, and the threads that its writes may occupy: all but one, so that reads need not wait."""

    def __init__(self, *, slots: int, threads: int) -> None:
        self._free_slots = asyncio.Semaphore(slots)
        self._free_threads = asyncio.Semaphore(max(1, threads - 1))

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[Slot]:
        """Wait in the event loop for a thread and a slot, and occupy them inside the block."""
        async with self._free_threads:
            await self._free_slots.acquire()
            slot = Slot(self._free_slots)
            try:
                yield slot
            finally:
                slot.release_in_loop()


@contextmanager
def in_slot(slot: Slot) -> Iterator[None]:
    """Run the block, in a thread, as the write that has this slot."""
    token = _current_slot.set(slot)
    try:
        yield
    finally:
        _current_slot.reset(token)


def release_slot() -> None:
    """Let another write be at work from now on, because this one waits for something else than the interpreter.

    It does not take a slot again, so that it never waits for one while it has the write lock. No effect in commands
    and background tasks.
    """
    if slot := _current_slot.get():
        slot.release()
        _current_slot.set(None)
