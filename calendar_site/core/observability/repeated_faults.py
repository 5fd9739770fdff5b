"""Reporting a fault that every request meets, without flooding the log."""

from __future__ import annotations

import logging
import threading
import time

logger = logging.getLogger(__name__)


class RepeatedFault:
    """Logs a fault that every request meets, once in `interval` seconds, with the number of repetitions."""

    def __init__(self, message: str, interval: float = 10) -> None:
        self.message, self.interval = message, interval
        self._lock = threading.Lock()
        self._next, self._repetitions = 0.0, 0

    def log(self, error: BaseException) -> None:
        """Log the first line of the error, unless this fault has just been logged."""
        with self._lock:
            now = time.monotonic()
            if now < self._next:
                self._repetitions += 1
                return
            self._next, repetitions, self._repetitions = now + self.interval, self._repetitions, 0
        reason = str(error).strip().partition("\n")[0]
        repeated = f" ({repetitions} more requests since the last message)" if repetitions else ""
        logger.error("%s: %s%s", self.message, reason, repeated)
