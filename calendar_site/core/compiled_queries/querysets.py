"""Querysets whose SQL is compiled once for each shape of their conditions, and then run with other values.

Two querysets have the same shape if they differ only in the numbers, texts and moments that they compare with. Building
and compiling a queryset takes several times as long as reading a page of rows (docs/speed.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, Self

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Exists, Model, QuerySet, Subquery

from calendar_site.core.compiled_queries.query_shapes import (
    BoundSQL,
    Call,
    CompiledExists,
    CompiledSubquery,
    FirstRows,
    NotCompilable,
    RecordedCalls,
    Shape,
    compile_shape,
    shape_of_call,
)
from calendar_site.core.database.driver import run_sql

NO_ROWS = Call("filter", (), {"pk__in": []})
CONDITIONS_AND_ORDERS = {"filter", "exclude", "order_by"}
EVERY = slice(None)


class CompiledQuerySet(RecordedCalls):
    """Takes the place of the queryset `model.objects.all()`, and has the methods of its class.

    It records the calls of Django's `filter`, `exclude`, `order_by`, `values`, `annotate` and `none`, in which our own
    methods end. After any other call, and after a condition of unknown shape, it is an ordinary queryset. Subqueries
    are recorded if they begin with `all_of(model)`, EXISTS if it is written as `exists(rows)`, and the column of a
    subquery as `first_of(rows, column)`. Ordinary querysets accept all of them.
    """

    def __getattr__(self, name: str) -> Any:
        member = _own_member(self.model, name)
        if member is None:
            return getattr(self.queryset(), name)
        return member.__get__(self, type(self)) if hasattr(member, "__get__") else member

    def __iter__(self) -> Iterator[Any]:
        return iter(self.queryset())

    # --- The recorded methods

    def all(self) -> Self:
        return self

    def filter(self, *conditions: Any, **lookups: Any) -> Any:
        return self._record(Call("filter", conditions, lookups))

    def exclude(self, *conditions: Any, **lookups: Any) -> Any:
        return self._record(Call("exclude", conditions, lookups))

    def order_by(self, *names: Any) -> Any:
        return self._record(Call("order_by", names, {}))

    def values(self, *names: str) -> Any:
        return self._record(Call("values", names, {}))

    def annotate(self, **expressions: Any) -> Any:
        return self._record(Call("annotate", (), expressions))

    def none(self) -> Any:
        """Return no rows. Later conditions and orders are not recorded."""
        return self._record(NO_ROWS)

    def all_of(self, model: type[Model]) -> CompiledQuerySet:
        """Return all rows of another model, for a subquery."""
        return CompiledQuerySet(model)

    def _record(self, call: Call) -> Any:
        if self.calls and self.calls[-1] is NO_ROWS and call.name in CONDITIONS_AND_ORDERS:
            return self
        values: list[Any] = []
        try:
            shape = shape_of_call(call, values)
        except NotCompilable:
            return call.on(self.queryset())
        return CompiledQuerySet(self.model, (*self.calls, call), (*self.shape, shape), (*self.compared_values, *values))

    # --- Results

    def count(self) -> int:
        """Return the number of rows. One query."""
        return count_rows(self)

    def sql_of_ids(self) -> BoundSQL | None:
        """Return the SQL that selects the ids, None for an empty list."""
        query = compile_shape(Shape(self), ("pk",), is_ordered=False)
        return query.bind(self.compared_values) if query else _sql_of_ids(self.queryset())

    def count_distinct(self, column: str) -> int:
        """Return the number of different values of a column. One query."""
        query = compile_shape(Shape(self), (column,), is_ordered=False)
        return query.count_distinct(self.compared_values, column) if query else count_distinct(self.queryset(), column)

    def fetch(self, columns: tuple[str, ...], rows: slice = EVERY) -> list[Any]:
        """Return these columns of the rows. One query."""
        query = compile_shape(Shape(self), columns, is_ordered=True)
        return query.fetch(self.compared_values, rows) if query else fetch_columns(self.queryset(), columns, rows)

    def fetch_first(self, columns: tuple[str, ...], limit: int, counted: AnyRows) -> FirstRows:
        """Return these columns of the first rows, and the number of all rows of `counted`. One query if compiled."""
        query, count = compile_shape(Shape(self), columns, is_ordered=True), _sql_of_count(counted)
        if query and count:
            return query.fetch_first(self.compared_values, limit, count)
        return FirstRows(self.fetch(columns, slice(0, limit)), count_rows(counted))

    def fetch_instances(self) -> list[Any]:
        """Return the rows as model instances, with their annotations. One query."""
        columns = tuple(field.attname for field in self.model._meta.concrete_fields)
        annotations = self.annotations
        instances = []
        for cells in self.fetch(columns + annotations):
            instance = self.model.from_db(connection.alias, columns, cells[: len(columns)])
            vars(instance).update(zip(annotations, cells[len(columns) :], strict=True))
            instances.append(instance)
        return instances

    @property
    def annotations(self) -> tuple[str, ...]:
        return tuple(name for call in self.calls if call.name == "annotate" for name in call.named_arguments)


AnyRows = CompiledQuerySet | QuerySet[Any]


def count_rows(rows: AnyRows, at_most: int | None = None) -> int:
    """Return the number of rows, `at_most` if there are more. One query.

    Faster than `count()` of an ordinary queryset, which takes longer to build its query than most queries take to run.
    """
    (count,) = count_each(rows, at_most=at_most)
    return count


def count_each(*lists: AnyRows | BoundSQL, at_most: int | None = None) -> list[int]:
    """Return the number of rows of each list, `at_most` if there are more. One query for all of them.

    A `BoundSQL` selects a number itself, which `at_most` does not limit.
    """
    found = [rows if isinstance(rows, BoundSQL) else _sql_of_count(rows, at_most) for rows in lists]
    counts = [each for each in found if each]
    if not counts:
        return [0] * len(lists)
    sql = counts[0].sql if len(counts) == 1 else f"SELECT {', '.join(f'({count})' for count, _values in counts)}"
    (row,) = run_sql(sql, tuple(value for _sql, values in counts for value in values))
    numbers = iter(row)
    return [int(next(numbers)) if each else 0 for each in found]


def _sql_of_count(rows: AnyRows, at_most: int | None = None) -> BoundSQL | None:
    """Return the SQL that counts the rows, None for an empty list."""
    ids = rows.sql_of_ids() if isinstance(rows, CompiledQuerySet) else _sql_of_ids(rows)
    if ids is None:
        return None
    return BoundSQL(f"SELECT COUNT(*) FROM ({ids.sql}{limit_sql(at_most)}) AS listed", ids.values)  # noqa: S608


def _sql_of_ids(rows: QuerySet[Any]) -> BoundSQL | None:
    try:
        sql, values = rows.order_by().values_list("pk").query.get_compiler(connection=connection).as_sql()
    except EmptyResultSet:
        return None
    return BoundSQL(sql, tuple(values))


def count_distinct(rows: AnyRows, column: str) -> int:
    """Return the number of different values of a column. One query."""
    if isinstance(rows, CompiledQuerySet):
        return rows.count_distinct(column)
    return int(rows.order_by().values(column).distinct().count())


def limit_sql(at_most: int | None) -> str:
    return "" if at_most is None else f" LIMIT {at_most:d}"


def fetch_columns(rows: AnyRows, columns: tuple[str, ...], page: slice = EVERY) -> list[Any]:
    """Return these columns of the rows, or of those on a page. One query."""
    return rows.fetch(columns, page) if isinstance(rows, CompiledQuerySet) else list(rows.values_list(*columns)[page])


def fetch_first(rows: AnyRows, columns: tuple[str, ...], limit: int, counted: AnyRows) -> FirstRows:
    """Return these columns of the first rows, and how many rows `counted` has. Two queries for ordinary querysets."""
    if isinstance(rows, CompiledQuerySet):
        return rows.fetch_first(columns, limit, counted)
    return FirstRows(fetch_columns(rows, columns, slice(0, limit)), count_rows(counted))


class Column(NamedTuple):
    """A column of some rows, in their order."""

    rows: CompiledQuerySet
    name: str


def first_values(columns: Iterable[Column]) -> list[Any]:
    """Return the first value of each column, None where it has no row. One query. Raises NotCompilable."""
    firsts = [_first_value(column) for column in columns]
    sql = f"SELECT {', '.join(f'({bound.sql})' for bound, _convert in firsts)}"
    # Not with a plan that is kept: PostgreSQL would read a table in it that was small when it was made.
    (row,) = run_sql(sql, tuple(value for bound, _convert in firsts for value in bound.values))
    return [convert(value) for (_bound, convert), value in zip(firsts, row, strict=True)]


def _first_value(column: Column) -> tuple[BoundSQL, Callable[[Any], Any]]:
    """Return the SQL that selects the first value, and the function that converts it. Raises NotCompilable."""
    query = compile_shape(Shape(column.rows), (column.name,), is_ordered=True)
    if query is None:
        raise NotCompilable
    return query.first_value(column.rows.compared_values)


def fetch_instances(rows: AnyRows) -> list[Any]:
    """Return the rows as model instances. One query."""
    return rows.fetch_instances() if isinstance(rows, CompiledQuerySet) else list(rows)


def exists(rows: AnyRows) -> Any:
    """Return the condition that one of the rows exists, like `Exists`."""
    return CompiledExists(rows) if isinstance(rows, CompiledQuerySet) else Exists(rows)


def first_of(rows: AnyRows, column: str) -> Any:
    """Return the expression for a column of the first row, like `Subquery`."""
    return CompiledSubquery(rows, column) if isinstance(rows, CompiledQuerySet) else Subquery(rows.values(column)[:1])


def has_annotation(rows: AnyRows, name: str) -> bool:
    return name in (rows.annotations if isinstance(rows, CompiledQuerySet) else rows.query.annotations)


@lru_cache(maxsize=1024)
def _own_member(model: type[Model], name: str) -> Any:
    """Return the attribute of our own queryset classes with this name, or None."""
    for owner in type(model._default_manager.all()).__mro__:
        if owner is QuerySet:
            return None
        if name in vars(owner):
            return vars(owner)[name]
    return None
