"""Queries that are compiled once and run many times.

Building and compiling a query takes several times as long as reading a page of rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

from calendar_site.core.database.driver import run_sql
from calendar_site.core.types import HasId

Row = TypeVar("Row", bound=HasId)
Instance = TypeVar("Instance", bound=Model)


class CompiledQuery:
    """The SQL of a queryset, to be run with other parameters.

    `examples` are the parameters that the queryset was built with: `run` takes others in the same order. Choices,
    such as a status, are part of the SQL.
    """

    def __init__(self, rows: QuerySet[Any, Any]) -> None:
        self._compiler = rows.query.get_compiler(connection=connection)
        self.sql, self.examples = _write_choices(*self._compiler.as_sql())
        columns = [column for column, _sql, _alias in self._compiler.select]
        self._converters = self._compiler.get_converters(columns).items()

    def run(self, values: Iterable[Any], *, keeps_plan: bool = True) -> list[tuple[Any, ...]]:
        """Return the rows as the database driver returns them; see `convert_row` and `run_sql`."""
        return run_sql(self.sql, tuple(values), keeps_plan=keeps_plan)

    def run_for(self, ids: list[int]) -> list[list[Any]]:
        """Return the rows as a queryset would, for these ids instead of `example_ids(len(ids))`."""
        by_example = dict(zip(example_ids(len(ids)), ids, strict=True))
        rows = self.run(by_example.get(value, value) for value in self.examples)
        return [self.convert_row(row) for row in rows]

    def convert_row(self, row: tuple[Any, ...]) -> list[Any]:
        """Return a row as a queryset would. Separate from `run`, so that callers convert repeated rows only once."""
        cells = list(row)
        for index, (converters, expression) in self._converters:
            for convert in converters:
                cells[index] = convert(cells[index], expression, connection)
        return cells


def _write_choices(sql: str, parameters: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """Write the choices among the parameters into the SQL.

    With a status as a parameter, the plan that PostgreSQL keeps cannot use an index of the rows with one status, and
    SQLite prepares the query again for each request.
    """
    texts = [f"'{value.value}'" if _is_choice(value) else "%s" for value in parameters]
    others = tuple(value for value in parameters if not _is_choice(value))
    return sql.replace("%%", "%%%%") % tuple(texts), others


def _is_choice(value: Any) -> bool:
    return isinstance(value, Enum) and isinstance(value.value, str) and value.value.isidentifier()


def example_ids(count: int) -> range:
    """Return placeholder ids: negative numbers, which no row and no other parameter of a query has."""
    return range(-1, -count - 1, -1)


def fetch_by_ids(model: type[Model], row_type: type[Row], ids: list[int]) -> list[Row]:
    """Return the rows with these ids in this order, without rows that have been deleted since. One query.

    `row_type` is a NamedTuple whose fields are the columns to read.
    """
    if not ids:
        return []
    query = _rows_query(model, row_type, len(ids))
    rows = {row.id: row for row in (row_type(*query.convert_row(record)) for record in query.run(ids))}
    return [rows[pk] for pk in ids if pk in rows]


@lru_cache(maxsize=256)
def _rows_query(model: type[Model], row_type: Any, count: int) -> CompiledQuery:
    rows = model._default_manager.filter(pk__in=range(1, count + 1)).order_by()
    return CompiledQuery(rows.values_list(*row_type._fields))


def fetch_instances_by_id(model: type[Instance], ids: Iterable[int]) -> dict[int, Instance]:
    """Return the instances with these ids by id, like `in_bulk()`. One query, none without ids."""
    known = sorted(set(ids))
    if not known:
        return {}
    fields = [field.attname for field in model._meta.concrete_fields]
    rows = _instances_query(model, len(known)).run_for(known)
    found = (model.from_db(connection.alias, fields, row) for row in rows)
    return {row.pk: row for row in found}


@lru_cache(maxsize=256)
def _instances_query(model: type[Model], count: int) -> CompiledQuery:
    rows = model._default_manager.filter(pk__in=example_ids(count)).order_by()
    return CompiledQuery(rows.values_list(*(field.attname for field in model._meta.concrete_fields)))
