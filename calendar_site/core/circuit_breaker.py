"""A circuit breaker for a server that the service can do without."""

from __future__ import annotations

import threading
import time


class CircuitBreaker:
    """Lets no request wait for a server that has just failed. After `seconds`, one thread tries it again."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._lock = threading.Lock()
        self._is_open, self._next_attempt = False, 0.0

    def allows_attempt(self) -> bool:
        """Return whether to use the server now. Call `record_failure()` or `record_success()` after the attempt."""
        if not self._is_open:
            return True
        with self._lock:
            if time.monotonic() < self._next_attempt:
                return False
            self._next_attempt = time.monotonic() + self.seconds
            return True

    def record_failure(self) -> None:
        with self._lock:
            self._is_open, self._next_attempt = True, time.monotonic() + self.seconds

    def record_success(self) -> None:
        self._is_open = False
