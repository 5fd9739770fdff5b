"""Telling an unavailable database from a bug."""

from __future__ import annotations

import psycopg
from django.db import DatabaseError, InterfaceError, InternalError, OperationalError

from calendar_site.core.observability.repeated_faults import RepeatedFault

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


unavailable_database = RepeatedFault("The database is unavailable")
