"""The write lock: one write at a time, but for parallel writes on PostgreSQL. See docs/decisions/0056."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from threading import BoundedSemaphore, local
from typing import TypeVar

from django.conf import settings
from django.db import IntegrityError, OperationalError, connection, transaction

from calendar_site.core.database.fair_lock import FairLock
from calendar_site.core.database.write_permits import release_permit
from calendar_site.core.observability import metrics

Prepared = TypeVar("Prepared")
Written = TypeVar("Written")

logger = logging.getLogger(__name__)

# Identifies the lock within the database; any number that no other application uses.
ADVISORY_LOCK_ID = 0x43414C
# For `Retry-After`, in responses to clients that did not get the lock.
RETRY_AFTER_SECONDS = 2
# PostgreSQL's codes for a deadlock and a lock timeout.
DEADLOCK_CODE = "40P01"
LOCK_ERROR_CODES = {"55P03", DEADLOCK_CODE}
# How often a process looks whether another one has released SQLite's lock.
POLL_SECONDS = 0.002
# For several short writes of other processes. A write that waits for longer lets others of its process be prepared.
PATIENCE_SECONDS = 0.02
# A thread that had the lock for so long in a row lets other processes have it for a moment. Otherwise, a loop of short
# writes would keep them waiting: SQLite gives its lock to whoever asks first, which is the thread that has released it.
MAX_SECONDS_IN_A_ROW = 0.1
PAUSE_SECONDS = 0.01
MAX_USER_VERSION = 2**31 - 1


class CurrentWrite:
    """The write that a thread runs. `write_lock()` describes `is_parallel`."""

    def __init__(self, *, is_parallel: bool, ends_with_errors: bool) -> None:
        self.is_parallel = is_parallel
        self.ends_with_errors = ends_with_errors
        # To call if the write is rolled back.
        self.rollback_callbacks: list[Callable[[], None]] = []
        # The keys that it has locked; None if no other write runs, so that it need not lock any.
        self.keys: set[int] | None = set() if is_parallel and connection.vendor == "postgresql" else None

    @contextmanager
    def nested(self) -> Iterator[None]:
        """Run a nested write, in a savepoint if this write may continue after an error in it."""
        if not self.ends_with_errors:
            with transaction.atomic():
                yield
            return
        self.ends_with_errors = False
        try:
            yield
        finally:
            self.ends_with_errors = True


# None outside of a write.
_current_write: ContextVar[CurrentWrite | None] = ContextVar("current_write", default=None)


class TooManyWaitingWrites(OperationalError):
    """The write lock is taken, and as many threads of this process wait for it as may."""


class WriteLockNotFree(OperationalError):
    """The write lock is taken, and the caller does not wait for it, or has waited for long enough."""


class WriteQueue:
    """The threads of this process that wait for the write lock. The others are left for reads.

    A burst of writes is over in less than a second. While one write has waited for longer than that, further ones are
    refused at once, because they would only occupy threads.
    """

    BURST_SECONDS = 1

    def __init__(self, max_waiting: int) -> None:
        self._free = BoundedSemaphore(max_waiting)
        # When the waiting writes arrived.
        self._arrivals: list[float] = []

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count this thread as waiting inside the block. Raises TooManyWaitingWrites."""
        arrival = time.monotonic()
        longest_wait = arrival - min(self._arrivals, default=arrival)
        if not self._free.acquire(timeout=max(0, self.BURST_SECONDS - longest_wait)):
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
            self._free.release()


# One thread for the write that has the lock, and one for reads.
write_queue = WriteQueue(max_waiting=max(1, settings.WEB_THREADS - 2))


# On SQLite, the threads of this process queue, so that only one of them polls for the lock of the database.
_thread_lock = FairLock()


class _Turns(local):
    """How long this thread has had SQLite's lock in a row, and when it released it."""

    seconds = 0.0
    released_at = 0.0

    def begin(self) -> float:
        """Pause if it is time for others, and return when the thread asks for the lock."""
        now = time.monotonic()
        if now - self.released_at >= PAUSE_SECONDS:
            self.seconds = 0
        elif self.seconds >= MAX_SECONDS_IN_A_ROW:
            time.sleep(PAUSE_SECONDS)
            self.seconds = 0
        return time.monotonic()

    def end(self, acquired_at: float) -> None:
        self.released_at = time.monotonic()
        self.seconds += self.released_at - acquired_at


_turns = _Turns()


@contextmanager
def write_lock(*, parallel: bool = False, wait: bool = True, ends_with_errors: bool = False) -> Iterator[None]:
    """Run the block in a transaction while no other write runs, so that the data that it has read cannot change.

    SQLite's IMMEDIATE transactions provide that by themselves; on PostgreSQL, an advisory lock does. Inside it, checks
    for unique slugs and names, counts and cycles of parents are safe. May be nested. Raises OperationalError if the
    lock is not available within WRITE_WAIT_SECONDS, if too many threads are waiting for it, and with `wait=False`, if
    it is not available at once.

    Parallel writes exclude only those that are not parallel. They may create records, but change no existing ones:
    then whatever they have read stays valid. They call `lock_keys()` for the names and slugs that they give.

    With `ends_with_errors`, the block handles no errors of the writes inside it, which therefore need no savepoint.
    """
    outer = _current_write.get()
    if outer is not None:
        if outer.is_parallel and not parallel:
            raise RuntimeError("A parallel write can contain only parallel writes.")
        with outer.nested():
            yield
        return
    write = CurrentWrite(is_parallel=parallel, ends_with_errors=ends_with_errors)
    token = _current_write.set(write)
    has_failed = False
    try:
        with ExitStack() as stack:
            with write_queue.waiting() if wait else nullcontext():
                _enter_transaction(stack, wait=wait)
                if connection.vendor == "postgresql":
                    _acquire_advisory_lock(parallel=parallel, wait=wait)
            if not wait:
                metrics.write_lock_wait_seconds.observe(0)
            try:
                if not parallel:
                    _mark_exclusive_write()
                yield
            except BaseException:
                has_failed = True
                raise
    except BaseException:
        # If COMMIT fails because the connection is lost, the write may have been committed: undo nothing then.
        if has_failed:
            _run_rollback_callbacks(write)
        raise
    finally:
        _current_write.reset(token)


def _enter_transaction(stack: ExitStack, *, wait: bool) -> None:
    """Begin a transaction that ends with `stack`; on SQLite, with the lock for writes."""
    if connection.vendor == "postgresql":
        stack.enter_context(transaction.atomic())
        return
    began = _turns.begin()
    timeout = settings.WRITE_WAIT_SECONDS if wait else 0
    deadline = began + timeout
    if not _thread_lock.acquire(timeout, patience=PATIENCE_SECONDS, when_waiting=release_permit):
        raise WriteLockNotFree("The write lock is taken.")
    stack.callback(_thread_lock.release)
    stack.callback(_turns.end, time.monotonic())
    if connection.in_atomic_block:
        stack.enter_context(transaction.atomic())
        return
    connection.ensure_connection()
    # SQLite itself would wait longer and longer between its attempts, so that other processes overtake this one.
    connection.connection.execute("PRAGMA busy_timeout = 0")
    try:
        while not _try_transaction(stack):
            now = time.monotonic()
            if now >= deadline:
                raise WriteLockNotFree("Another process has the write lock.")
            if now - began >= PATIENCE_SECONDS:
                release_permit()
            time.sleep(POLL_SECONDS)
    finally:
        connection.connection.execute(f"PRAGMA busy_timeout = {settings.WRITE_WAIT_SECONDS * 1000}")


def _try_transaction(stack: ExitStack) -> bool:
    """Begin a transaction that ends with `stack`, and return True, or False if SQLite's lock is taken."""
    try:
        stack.enter_context(transaction.atomic())
    except OperationalError as error:
        if not is_lock_timeout(error):
            raise
        return False
    return True


def _run_rollback_callbacks(write: CurrentWrite) -> None:
    """Call the callbacks of the write. An error in one is logged, so that it does not hide the first error."""
    for callback in reversed(write.rollback_callbacks):
        try:
            callback()
        except Exception:
            logger.exception("A change outside the database could not be undone.")


def write_after(
    prepare: Callable[[], Prepared], write: Callable[[Prepared], Written], *, parallel: bool = False
) -> Written:
    """Call `prepare` without waiting for the write lock, then `write` with its result inside; return its result.

    If another write has been committed in between, `prepare` is called again inside the lock, so that the data that it
    has read is up to date. Of parallel writes, only those that are not parallel count, because the others change no
    records. If a parallel write collides with another one after all, everything is repeated, alone.
    """
    try:
        return _write_prepared(prepare, write, parallel=parallel)
    except (IntegrityError, OperationalError) as error:
        if not parallel or not (isinstance(error, IntegrityError) or _sqlstate(error) == DEADLOCK_CODE):
            raise
        logger.info("A write is repeated, because it collided with another one: %s", type(error).__name__)
    with write_lock(ends_with_errors=True):
        return write(prepare())


def _write_prepared(
    prepare: Callable[[], Prepared], write: Callable[[Prepared], Written], *, parallel: bool
) -> Written:
    version = None
    if parallel and connection.vendor == "postgresql":
        # If the lock is free, no write that changes records can come between.
        with suppress(WriteLockNotFree), write_lock(parallel=True, wait=False, ends_with_errors=True):
            return write(prepare())
    else:
        version = _database_version(parallel=parallel)
    prepared = prepare()
    with write_lock(parallel=parallel, ends_with_errors=True):
        if version is None or _database_version(parallel=parallel) != version:
            prepared = prepare()
        return write(prepared)


def _database_version(*, parallel: bool) -> object:
    """Return a value that changes when another connection commits a change, or a write that is not parallel."""
    if connection.vendor == "postgresql":
        query = "SELECT pg_current_snapshot()::text"
    else:
        query = "PRAGMA user_version" if parallel else "PRAGMA data_version"
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchone()


def _mark_exclusive_write() -> None:
    """Change SQLite's `user_version`, in the transaction of a write that is not parallel."""
    if connection.vendor == "sqlite":
        ((version,),) = connection.connection.execute("PRAGMA user_version").fetchall()
        connection.connection.execute(f"PRAGMA user_version = {(version + 1) % MAX_USER_VERSION}")


def _acquire_advisory_lock(*, parallel: bool, wait: bool) -> None:
    if wait:
        release_permit()
    function = f"pg_{'' if wait else 'try_'}advisory_xact_lock{'_shared' if parallel else ''}"
    with connection.cursor() as cursor:
        # Expressions are evaluated from left to right: the timeout is set before the lock is requested.
        cursor.execute(
            f"SELECT set_config('lock_timeout', %s, true), {function}(%s)",
            [f"{settings.WRITE_WAIT_SECONDS}s", ADVISORY_LOCK_ID],
        )
        ((_timeout, is_acquired),) = cursor.fetchall()
    # The functions that wait return nothing.
    if is_acquired is False:
        raise WriteLockNotFree("The write lock is taken.")


def lock_keys(keys: Iterable[str]) -> None:
    """Wait until no other parallel write has any of these keys, and lock them until the current write ends.

    A key stands for a name or slug that the write is about to give to a record. Parallel writes lock keys in the order
    of their numbers; lock those of all new records with one call, so that two writes do not wait for each other. One
    query at most; none outside of a write, as when a form is validated.
    """
    write = _current_write.get()
    if write is None or write.keys is None:
        return
    numbers = sorted({_key_number(key) for key in keys} - write.keys)
    if numbers:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_xact_lock(%s, number) FROM unnest(%s::int[]) AS number", [ADVISORY_LOCK_ID, numbers]
            )
        write.keys.update(numbers)


def try_lock_key(key: str) -> bool:
    """Lock a key like `lock_keys()`, but do not wait: return False if another write has it."""
    write = _current_write.get()
    number = _key_number(key)
    if write is None or write.keys is None or number in write.keys:
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [ADVISORY_LOCK_ID, number])
        ((is_locked,),) = cursor.fetchall()
    if is_locked:
        write.keys.add(number)
    return bool(is_locked)


def _key_number(key: str) -> int:
    """Return the number of a key: 32 bits. Two keys with the same number only wait for each other."""
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=4).digest(), signed=True)


def is_lock_timeout(error: BaseException) -> bool:
    """Return whether the write lock was not available in time."""
    if isinstance(error, TooManyWaitingWrites | WriteLockNotFree):
        return True
    if not isinstance(error, OperationalError):
        return False
    # PostgreSQL has error codes, and messages in the language of the server; SQLite has messages only.
    return _sqlstate(error) in LOCK_ERROR_CODES or "database is locked" in str(error)


def _sqlstate(error: BaseException) -> str | None:
    return getattr(error.__cause__, "sqlstate", None)


def current_write() -> object:
    """Return an object that identifies the current write. Must run inside `write_lock()`."""
    return _require_write("current_write")


def on_rollback(callback: Callable[[], None]) -> None:
    """Call `callback` if the current write is rolled back, to undo changes outside the database, such as new files.

    Rolling back only a savepoint does not call it. Must run inside `write_lock()`.
    """
    _require_write("on_rollback").rollback_callbacks.append(callback)


def _require_write(caller: str) -> CurrentWrite:
    write = _current_write.get()
    if write is None:
        raise RuntimeError(f"{caller}() is called outside of write_lock().")
    return write
