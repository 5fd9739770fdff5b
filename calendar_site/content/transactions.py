"""Writers take turns: one write at a time, on every database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection, transaction

# Any number that no other user of the database takes for an advisory lock.
WRITE_LOCK = 0x43414C


@contextmanager
def writing() -> Iterator[None]:
    """A transaction in which no other writer is at work, so that what it reads stays true until it ends.

    SQLite's IMMEDIATE transactions give that by themselves; on PostgreSQL an advisory lock does. Slugs,
    counts, known names and circles of parents need no further care inside it. Raises OperationalError
    where the turn does not come within WRITE_WAIT_SECONDS.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                # The limit is set first: a row's expressions are evaluated from left to right.
                cursor.execute(
                    "SELECT set_config('lock_timeout', %s, true), pg_advisory_xact_lock(%s)",
                    [f"{settings.WRITE_WAIT_SECONDS}s", WRITE_LOCK],
                )
        yield
