"""SQL that is run by the database driver, without Django's cursor (decision 0058)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import psycopg
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper


def run_sql(sql: str, values: tuple[Any, ...], *, keeps_plan: bool = False) -> list[tuple[Any, ...]]:
    """Return the rows of a SELECT as the database driver returns them. May run it again on a new connection.

    Calls the driver as Django's cursor does, whose layers take as long as a short query (decision 0058). PostgreSQL
    plans the SQL for these values; with `keeps_plan`, it uses the same plan again for SQL that it has run often.
    """
    # Not the proxy, which takes as long as all else here. Any, because django-stubs has no health checks.
    connection: Any = connections[DEFAULT_DB_ALIAS]
    if connection.execute_wrappers or connection.queries_logged:
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            return cursor.fetchall()
    # The first query of a request also checks the connection, which takes another query in Django.
    is_unchecked = connection.health_check_enabled and not connection.health_check_done
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    try:
        rows = _execute(connection, sql, values, keeps_plan=keeps_plan)
    except (OperationalError, InterfaceError):
        if not is_unchecked or connection.is_usable():
            raise
        connection.close()
        connection.ensure_connection()
        rows = _execute(connection, sql, values, keeps_plan=keeps_plan)
    connection.health_check_done = True
    return rows


def _execute(
    connection: BaseDatabaseWrapper, sql: str, values: tuple[Any, ...], *, keeps_plan: bool
) -> list[tuple[Any, ...]]:
    with connection.wrap_database_errors:
        if connection.vendor == "sqlite":
            return connection.connection.execute(_with_question_marks(sql), values).fetchall()
        # Its parameters go to the server apart from the SQL, in contrast to those of Django's cursor.
        with psycopg.Cursor(connection.connection) as cursor:
            return cursor.execute(sql, values, prepare=None if keeps_plan else False).fetchall()


@lru_cache(maxsize=1024)
def _with_question_marks(sql: str) -> str:
    """Return the SQL with the placeholders of SQLite."""
    return sql.replace("%s", "?").replace("%%", "%")
