"""The lock of `migrate`: of two processes that migrate a database at the same time, the second one waits."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connections

from calendar_site.core.database.sqlite_file import database_file

# Any number that identifies no other lock of this service.
ADVISORY_LOCK_ID = 0x4D4947


@contextmanager
def migration_lock(database: str, say: Callable[[str], object]) -> Iterator[None]:
    """Hold the lock. Calls `say` before it waits for another process."""
    if connections[database].vendor == "postgresql":
        with _advisory_lock(database, say):
            yield
    elif path := database_file():
        with file_lock(path.with_name(f"{path.name}-migrate"), say):
            yield
    else:
        yield


@contextmanager
def file_lock(path: Path, say: Callable[[str], object]) -> Iterator[None]:
    """Lock the file, which stays. The system releases the lock of a process that ends. Calls `say` before it waits."""
    # Readable for its owner only, as the database is.
    with os.fdopen(os.open(path, os.O_CREAT | os.O_RDWR, 0o600)) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another process is preparing this database. Waiting for it …")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def _advisory_lock(database: str, say: Callable[[str], object]) -> Iterator[None]:
    with connections[database].cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [ADVISORY_LOCK_ID])
        if not cursor.fetchone()[0]:
            say("Another process is preparing this database. Waiting for it …")
            cursor.execute("SELECT pg_advisory_lock(%s)", [ADVISORY_LOCK_ID])
    try:
        yield
    finally:
        with connections[database].cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [ADVISORY_LOCK_ID])
