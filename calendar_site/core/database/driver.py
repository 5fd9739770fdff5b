"""SQL that is run by the database driver, without Django's cursor (docs/speed.md)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import psycopg
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections


def run_sql(sql: str, values: tuple[Any, ...], *, keeps_plan: bool = False) -> list[tuple[Any, ...]]:
    """Return the rows as the database driver returns them.

    Calls the driver as Django's cursor does, whose layers take as long as a short query (docs/speed.md). PostgreSQL
    plans the SQL for these values; with `keeps_plan`, it uses the same plan again for SQL that it has run often.
    """
    # Not the proxy, which takes as long as all else here.
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.execute_wrappers or connection.queries_logged:
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            return cursor.fetchall()
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    with connection.wrap_database_errors:
        if connection.vendor == "sqlite":
            return connection.connection.execute(_with_question_marks(sql), values).fetchall()
        # Its parameters go to the server apart from the SQL, in contrast to those of Django's cursor.
        with psycopg.Cursor(connection.connection) as cursor:
            return cursor.execute(sql, values, prepare=None if keeps_plan else False).fetchall()


def run_as_health_check(sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the rows of SQL that keeps its plan. As the first query of a request, it replaces Django's health check.

    If the connection was lost, the SQL runs again on a new one. Therefore only for SQL that takes hardly longer than
    Django's own check, SELECT 1.
    """
    # Any, because django-stubs has no health checks.
    connection: Any = connections[DEFAULT_DB_ALIAS]
    if connection.connection is None or not connection.health_check_enabled or connection.health_check_done:
        return run_sql(sql, values, keeps_plan=True)
    connection.health_check_done = True
    try:
        return run_sql(sql, values, keeps_plan=True)
    except (OperationalError, InterfaceError):
        if connection.is_usable():
            raise
        connection.close()
        return run_sql(sql, values, keeps_plan=True)


@lru_cache(maxsize=1024)
def _with_question_marks(sql: str) -> str:
    """Return the SQL with the placeholders of SQLite."""
    return sql.replace("%s", "?").replace("%%", "%")
