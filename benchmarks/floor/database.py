"""SQL for both databases."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import connection


def fetch_rows(sql: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        sql = sql.replace("%s", "?")
    return connection.connection.execute(sql, list(values)).fetchall()


def utc(column: str) -> str:
    """Return SQL that formats a moment as a wire date in UTC."""
    if connection.vendor == "sqlite":
        return f"substr({column}, 1, 19)"
    return f"to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')"


def sql_moment(moment: datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(" ")


def placeholders(values: list[Any]) -> str:
    return ", ".join(["%s"] * len(values))
