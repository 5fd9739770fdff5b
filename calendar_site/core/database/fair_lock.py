"""A lock for threads that is given to them in the order in which they ask for it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from threading import Event, Lock


class FairLock:
    """A lock that goes to the thread that has waited for longest.

    `threading.Lock` usually goes to the thread that has just released it, so that a loop of short writes would keep
    all others waiting.
    """

    def __init__(self) -> None:
        self._mutex = Lock()
        self._waiting: deque[Event] = deque()
        self._is_locked = False

    @property
    def waiting(self) -> int:
        """The number of threads that wait for the lock."""
        return len(self._waiting)

    def acquire(self, timeout: float, *, patience: float, when_waiting: Callable[[], None]) -> bool:
        """Return whether the thread gets the lock within `timeout` seconds.

        Calls `when_waiting` once if that takes longer than `patience`.
        """
        deadline = time.monotonic() + timeout
        with self._mutex:
            if not self._is_locked:
                self._is_locked = True
                return True
            turn = Event()
            self._waiting.append(turn)
        if not turn.wait(max(0, min(patience, timeout))):
            when_waiting()
            turn.wait(max(0, deadline - time.monotonic()))
        with self._mutex:
            if not turn.is_set():
                self._waiting.remove(turn)
            return turn.is_set()

    def release(self) -> None:
        """Pass the lock on to the first thread that waits."""
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._is_locked = False
