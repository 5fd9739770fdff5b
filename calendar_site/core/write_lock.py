"""The write lock: one write at a time, on every database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from threading import BoundedSemaphore
from typing import TypeVar

from django.conf import settings
from django.db import OperationalError, connection, transaction

from calendar_site.core import metrics

Prepared = TypeVar("Prepared")
Written = TypeVar("Written")

logger = logging.getLogger(__name__)

# Identifies the lock within the database; any number that no other application uses.
ADVISORY_LOCK_ID = 0x43414C
# For `Retry-After`, in responses to clients that did not get the lock.
RETRY_AFTER_SECONDS = 2
# PostgreSQL's codes for a lock timeout and a deadlock.
LOCK_ERROR_CODES = {"55P03", "40P01"}

# The functions to call if the current write is rolled back; None outside of a write.
_rollback_callbacks: ContextVar[list[Callable[[], None]] | None] = ContextVar("rollback_callbacks", default=None)


class TooManyWaitingWrites(OperationalError):
    """The write lock is taken, and as many threads of this process wait for it as may."""


class WriteQueue:
    """The threads of this process that wait for the write lock. The others are left for reads.

    A burst of writes is over in less than a second. While one write has waited for longer than that, further ones are
    refused at once, because they would only occupy threads.
    """

    BURST_SECONDS = 1

    def __init__(self, places: int) -> None:
        self._places = BoundedSemaphore(places)
        # When the waiting writes arrived.
        self._arrivals: list[float] = []

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count this thread as waiting inside the block. Raises TooManyWaitingWrites."""
        arrival = time.monotonic()
        longest_wait = arrival - min(self._arrivals, default=arrival)
        if not self._places.acquire(timeout=max(0, self.BURST_SECONDS - longest_wait)):
            metrics.refused_writes.inc()
            raise TooManyWaitingWrites("Too many writes are waiting for the write lock.")
        self._arrivals.append(arrival)
        try:
            yield
        except OperationalError:
            metrics.refused_writes.inc()
            raise
        finally:
            metrics.write_lock_wait_seconds.observe(time.monotonic() - arrival)
            self._arrivals.remove(arrival)
            self._places.release()


# One thread for the write that has the lock, and one for reads.
write_queue = WriteQueue(places=max(1, settings.WEB_THREADS - 2))


@contextmanager
def write_lock() -> Iterator[None]:
    """Run the block in a transaction while no other write runs, so that the data that it has read cannot change.

    SQLite's IMMEDIATE transactions provide that by themselves; on PostgreSQL, an advisory lock does. Inside it, checks
    for unique slugs and names, counts and cycles of parents are safe. May be nested. Raises OperationalError if the
    lock is not available within WRITE_WAIT_SECONDS, or if too many threads are waiting for it.
    """
    if _rollback_callbacks.get() is not None:
        with transaction.atomic():
            yield
        return
    token = _rollback_callbacks.set([])
    has_failed = False
    try:
        with ExitStack() as stack:
            with write_queue.waiting():
                stack.enter_context(transaction.atomic())
                if connection.vendor == "postgresql":
                    _acquire_advisory_lock()
            try:
                yield
            except BaseException:
                has_failed = True
                raise
    except BaseException:
        # If COMMIT fails because the connection is lost, the write may have been committed: undo nothing then.
        if has_failed:
            _run_rollback_callbacks()
        raise
    finally:
        _rollback_callbacks.reset(token)


def _run_rollback_callbacks() -> None:
    """Call the callbacks of the current write. An error in one is logged, so that it does not hide the first error."""
    for callback in reversed(_rollback_callbacks.get() or []):
        try:
            callback()
        except Exception:
            logger.exception("A change outside the database could not be undone.")


def write_after(prepare: Callable[[], Prepared], write: Callable[[Prepared], Written]) -> Written:
    """Call `prepare` without the write lock, then `write` with its result inside; return the result of `write`.

    If another write has been committed in between, `prepare` is called again inside the lock, so that the data that it
    has read is up to date. Two queries more than `write_lock()`.
    """
    version = _database_version()
    prepared = prepare()
    with write_lock():
        if _database_version() != version:
            prepared = prepare()
        return write(prepared)


def _database_version() -> object:
    """Return a value that changes when another connection commits a change."""
    query = "SELECT pg_current_snapshot()::text" if connection.vendor == "postgresql" else "PRAGMA data_version"
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchone()


def _acquire_advisory_lock() -> None:
    with connection.cursor() as cursor:
        # Expressions are evaluated from left to right: the timeout is set before the lock is requested.
        cursor.execute(
            "SELECT set_config('lock_timeout', %s, true), pg_advisory_xact_lock(%s)",
            [f"{settings.WRITE_WAIT_SECONDS}s", ADVISORY_LOCK_ID],
        )


def is_lock_timeout(error: BaseException) -> bool:
    """Return whether the write lock was not available in time."""
    if isinstance(error, TooManyWaitingWrites):
        return True
    if not isinstance(error, OperationalError):
        return False
    # PostgreSQL has error codes, and messages in the language of the server; SQLite has messages only.
    return getattr(error.__cause__, "sqlstate", None) in LOCK_ERROR_CODES or "database is locked" in str(error)


def current_write() -> object:
    """Return an object that identifies the current write. Must run inside `write_lock()`."""
    return _callbacks_of_current_write("current_write")


def on_rollback(callback: Callable[[], None]) -> None:
    """Call `callback` if the current write is rolled back, to undo changes outside the database, such as new files.

    Rolling back only a savepoint does not call it. Must run inside `write_lock()`.
    """
    _callbacks_of_current_write("on_rollback").append(callback)


def _callbacks_of_current_write(caller: str) -> list[Callable[[], None]]:
    callbacks = _rollback_callbacks.get()
    if callbacks is None:
        raise RuntimeError(f"{caller}() is called outside of write_lock().")
    return callbacks
