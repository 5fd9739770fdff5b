"""Queries that are compiled less often than they run.

Building and compiling a query costs several times what it costs to read a page of rows, so what is asked for again
and again in the same words is compiled once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Model, QuerySet


class Statement:
    """A compiled query; the values that it was built with are examples, in the order in which `run` takes others."""

    def __init__(self, rows: QuerySet) -> None:
        self._compiler = rows.query.get_compiler(connection=connection)
        self._sql, self.examples = self._compiler.as_sql()
        columns = [column for column, _sql, _alias in self._compiler.select]
        self._converters = self._compiler.get_converters(columns).items()

    def run(self, values: Iterable[Any]) -> list[tuple[Any, ...]]:
        """The rows as the database has them; see `read`."""
        return _fetch(self._sql, tuple(values))

    def read(self, row: tuple[Any, ...]) -> list[Any]:
        """A row as a queryset answers it. Apart, since of rows that repeat one is read."""
        cells = list(row)
        for place, (converters, expression) in self._converters:
            for convert in converters:
                cells[place] = convert(cells[place], expression, connection)
        return cells


def total(rows: QuerySet) -> int:
    """How many rows there are, as `count()`, whose way to its query costs more than most queries."""
    compiler = rows.order_by().values_list("pk").query.get_compiler(connection=connection)
    try:
        sql, values = compiler.as_sql()
    except EmptyResultSet:
        return 0
    ((amount,),) = _fetch(f"SELECT COUNT(*) FROM ({sql}) AS listed", values)  # noqa: S608
    return amount


def rows_by_id(model: type[Model], row_type: Any, ids: list[int]) -> list[Any]:
    """The rows of these ids in this order, as `row_type` names their columns. What has just gone is left out."""
    if not ids:
        return []
    statement = _rows_statement(model, row_type, len(ids))
    rows = {row.id: row for row in (row_type(*statement.read(record)) for record in statement.run(ids))}
    return [rows[pk] for pk in ids if pk in rows]


@lru_cache(maxsize=256)
def _rows_statement(model: type[Model], row_type: Any, amount: int) -> Statement:
    rows = model._default_manager.filter(pk__in=range(1, amount + 1)).order_by()
    return Statement(rows.values_list(*row_type._fields))


def _fetch(sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall()
