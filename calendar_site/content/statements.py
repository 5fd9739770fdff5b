"""Queries that are compiled less often than they run.

Building and compiling a query costs several times what it costs to read a page of rows. What is asked for again and
again in the same words is compiled once; a list is compiled once for its total and its page.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
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


class Listing:
    """An ordered list of which nobody reads more than the total and a page of ids."""

    def __init__(self, rows: QuerySet) -> None:
        self._sql, self._values = "", ()
        # Conditions that nothing can meet have no SQL.
        with suppress(EmptyResultSet):
            self._sql, self._values = rows.values_list("pk").query.get_compiler(connection=connection).as_sql()

    def total(self) -> int:
        """Costs a query, which needs no order: databases see that and leave it out."""
        if not self._sql:
            return 0
        ((total,),) = _fetch(f"SELECT COUNT(*) FROM ({self._sql}) AS listed", self._values)  # noqa: S608
        return total

    def ids(self, places: slice) -> list[int]:
        """The ids at these places, in order. Costs a query."""
        if not self._sql:
            return []
        limits = (places.stop - places.start, places.start)
        return [pk for (pk,) in _fetch(f"{self._sql} LIMIT %s OFFSET %s", (*self._values, *limits))]


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
