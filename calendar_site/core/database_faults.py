"""Telling an unavailable database from a bug, and reporting it without flooding the log."""

from __future__ import annotations

import logging
import threading
import time

import psycopg
from django.db import DatabaseError, InterfaceError, InternalError, OperationalError

logger = logging.getLogger(__name__)

# For `Retry-After`, in responses without the database.
RETRY_AFTER_SECONDS = 5
# PostgreSQL's codes, or their first two characters: connection errors, insufficient resources (disk full, too many
# connections), intervention of an operator (shutdown, statement timeout), and timeouts of idle transactions.
UNAVAILABLE_CODES = ("08", "53", "57", "25P03")
# PostgreSQL's code of a query that reached its time limit. One that conflicts with replayed changes has another code.
QUERY_CANCELED = "57014"
# SQLite has messages only.
UNAVAILABLE_MESSAGES = ("unable to open database file", "database or disk is full", "disk i/o error")


def is_unavailable(error: BaseException | None) -> bool:
    """Return whether the database cannot be reached, did not answer in time, or lacks resources."""
    # The driver counts the end of an idle transaction as an internal error.
    if not isinstance(error, OperationalError | InterfaceError | InternalError):
        return False
    if not isinstance(error.__cause__, psycopg.Error):
        return any(message in str(error).lower() for message in UNAVAILABLE_MESSAGES)
    # Without a code, the server has not answered.
    code = error.__cause__.sqlstate
    return code is None or code.startswith(UNAVAILABLE_CODES)


def was_canceled(error: BaseException) -> bool:
    """Return whether PostgreSQL canceled a query, because it reached its time limit or on request."""
    return getattr(error.__cause__, "sqlstate", None) == QUERY_CANCELED


def find_unavailability(error: BaseException | None) -> DatabaseError | None:
    """Return the error of an unavailable database that caused `error`, if any.

    The session backend reports every database error as another one.
    """
    while error is not None:
        if isinstance(error, DatabaseError) and is_unavailable(error):
            return error
        error = error.__cause__ or error.__context__
    return None


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


unavailable_database = RepeatedFault("The database is unavailable")
