"""Writers take turns: one write at a time, on every database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.conf import settings
from django.db import OperationalError, connection, transaction

# Any number that no other user of the database takes for an advisory lock.
WRITE_LOCK = 0x43414C
# Seconds after which those whose turn did not come should ask again.
COME_BACK_AFTER = 2
# PostgreSQL's codes for a lock that did not come in time, and for two who wait for each other.
LOCK_FAULTS = {"55P03", "40P01"}

# What is to be done if the write under way comes to nothing; None outside of one.
_undone: ContextVar[list[Callable[[], None]] | None] = ContextVar("undone", default=None)


@contextmanager
def writing() -> Iterator[None]:
    """A transaction in which no other writer is at work, so that what it reads stays true until it ends.

    SQLite's IMMEDIATE transactions give that by themselves; on PostgreSQL an advisory lock does. Slugs,
    counts, known names and circles of parents need no further care inside it. Raises OperationalError
    where the turn does not come within WRITE_WAIT_SECONDS.
    """
    if _undone.get() is not None:
        with transaction.atomic():
            yield
        return
    token = _undone.set([])
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                _wait_for_turn()
            yield
    except BaseException:
        for undo in reversed(_undone.get() or []):
            undo()
        raise
    finally:
        _undone.reset(token)


def _wait_for_turn() -> None:
    with connection.cursor() as cursor:
        # The limit is set first: a row's expressions are evaluated from left to right.
        cursor.execute(
            "SELECT set_config('lock_timeout', %s, true), pg_advisory_xact_lock(%s)",
            [f"{settings.WRITE_WAIT_SECONDS}s", WRITE_LOCK],
        )


def is_lock_timeout(error: BaseException) -> bool:
    """Whether this says that a writer's turn did not come."""
    if not isinstance(error, OperationalError):
        return False
    # PostgreSQL has a code for each fault, and words in the language of the server; SQLite has words.
    return getattr(error.__cause__, "sqlstate", None) in LOCK_FAULTS or "database is locked" in str(error)


def current_write() -> object:
    """The write under way: one object for all that it does, another for the next. Must run inside `writing()`."""
    return _write_under_way("current_write")


def if_undone(undo: Callable[[], None]) -> None:
    """Calls `undo` if the write under way is rolled back: for what no database takes back, such as files.

    A part of it that is rolled back alone, its error being caught, does not count. Must run inside `writing()`.
    """
    _write_under_way("if_undone").append(undo)


def _write_under_way(asked_by: str) -> list[Callable[[], None]]:
    undone = _undone.get()
    if undone is None:
        raise RuntimeError(f"{asked_by}() is called outside of writing().")
    return undone
