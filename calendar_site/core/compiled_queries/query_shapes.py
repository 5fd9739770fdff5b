"""The shapes of recorded calls of querysets, and the queries that are compiled once for each (docs/speed.md).

A shape is everything but the numbers, texts and moments that the calls compare with.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Exists, F, Model, Q, QuerySet, Subquery, Value
from django.db.models.expressions import CombinedExpression

from calendar_site.core.compiled_queries.queries import CompiledQuery
from calendar_site.core.database.driver import run_sql
from calendar_site.core.search.index import IsOneOf, SearchLookup

# Different for each value of a shape, within the limits of all columns. No constant of a query has these values.
EXAMPLES: dict[type, Callable[[int], Any]] = {
    int: lambda number: 2_100_000_000 + number,
    float: lambda number: 2_100_000_000.5 + number,
    str: lambda number: f"example{number}value",
    datetime: lambda number: datetime(1, 1, 2, tzinfo=UTC) + timedelta(seconds=number),
    # The values of `IsOneOf`: one parameter, whatever its length.
    list: lambda number: [2_100_000_000 + number],
}
# They belong to the shape.
CONSTANTS = (bool, type(None), Enum, F)
CONTAINERS = (list, tuple, set, frozenset)
# Drivers refuse larger numbers, where querysets find nothing.
MAX_NUMBER = 2**63 - 1
# Methods whose arguments are names.
NAMES = ("order_by", "values")


class NotCompilable(Exception):
    """It is not known how the SQL depends on a value."""


class Call(NamedTuple):
    """A call of a method of a queryset."""

    name: str
    arguments: tuple[Any, ...]
    named_arguments: dict[str, Any]

    def on(self, rows: Any) -> Any:
        return getattr(rows, self.name)(*self.arguments, **self.named_arguments)


def _unchanged(value: Any) -> Any:
    return value


class RecordedCalls:
    """The calls of the methods of a queryset of all rows of a model."""

    def __init__(
        self,
        model: type[Model],
        calls: tuple[Call, ...] = (),
        shape: tuple[Hashable, ...] = (),
        values: tuple[Any, ...] = (),
    ) -> None:
        self.model = model
        self.calls = calls
        # The shape and the values of all calls.
        self.shape = shape
        self.compared_values = values

    def queryset(self, replace: Callable[[Any], Any] = _unchanged) -> QuerySet[Any]:
        """Return the ordinary queryset. `replace` is called for each value, in the order of `compared_values`."""
        rows = self.model._default_manager.all()
        for call in self.calls:
            rows = _replaced_call(call, replace).on(rows)
        return rows


@dataclass(frozen=True)
class CompiledExists:
    """EXISTS with a recorded subquery, or NOT EXISTS."""

    rows: RecordedCalls
    is_negated: bool = False
    # Django reads this attribute of expressions that are conditions.
    conditional: ClassVar[bool] = True

    def __invert__(self) -> CompiledExists:
        return CompiledExists(self.rows, not self.is_negated)

    def resolve_expression(self, *arguments: Any, **options: Any) -> Any:
        """Let an ordinary queryset use the condition."""
        return self.expression(self.rows.queryset()).resolve_expression(*arguments, **options)

    def expression(self, rows: QuerySet[Any]) -> Any:
        return ~Exists(rows) if self.is_negated else Exists(rows)


@dataclass(frozen=True)
class CompiledSubquery:
    """A column of the first row of a recorded subquery."""

    rows: RecordedCalls
    column: str

    def resolve_expression(self, *arguments: Any, **options: Any) -> Any:
        """Let an ordinary queryset use the column."""
        return self.expression(self.rows.queryset()).resolve_expression(*arguments, **options)

    def expression(self, rows: QuerySet[Any]) -> Subquery:
        return Subquery(rows.values(self.column)[:1])


class BoundSQL(NamedTuple):
    """SQL with the values of its parameters."""

    sql: str
    values: tuple[Any, ...]


class FirstRows(NamedTuple):
    """The first rows of a list, and the number of all its rows."""

    rows: list[Any]
    total: int


# --- Shapes and values


def shape_of_call(call: Call, values: list[Any]) -> Hashable:
    """Return the shape of a call, and append its values."""
    if call.name in NAMES:
        if not all(isinstance(name, str) for name in call.arguments):
            raise NotCompilable
        return call.name, call.arguments
    lookups = call.named_arguments
    return (
        call.name,
        *[_shape_of(argument, values) for argument in call.arguments],
        *lookups,
        *[_shape_of(value, values) for value in lookups.values()],
    )


def _shape_of(value: Any, values: list[Any]) -> Hashable:
    kind: Any = type(value)
    # The most frequent ones first.
    if isinstance(value, Q):
        return value.connector, value.negated, *[_shape_of_child(child, values) for child in value.children]
    if isinstance(value, CONTAINERS):
        return kind, *[_shape_of(item, values) for item in value]
    if kind in EXAMPLES:
        if kind is int and abs(value) > MAX_NUMBER:
            raise NotCompilable
        values.append(value)
        return kind
    if isinstance(value, CONSTANTS):
        return value
    if isinstance(value, SearchLookup):
        values.append(value.value)
        return value.shape
    if isinstance(value, CompiledExists):
        return value.is_negated, _shape_of(value.rows, values)
    if isinstance(value, CompiledSubquery):
        return kind, value.column, _shape_of(value.rows, values)
    # Django knows the type of the result; an explicit one would have to be kept.
    if kind is CombinedExpression and "output_field" not in vars(value):
        return kind, value.connector, _shape_of(value.lhs, values), _shape_of(value.rhs, values)
    if kind is Value and "output_field" not in vars(value):
        return kind, _shape_of(value.value, values)
    if isinstance(value, RecordedCalls):
        values += value.compared_values
        return value.model, value.shape
    raise NotCompilable


def _shape_of_child(child: Any, values: list[Any]) -> Hashable:
    """Return the shape of a part of a Q: a lookup with its value, or another condition."""
    return (child[0], _shape_of(child[1], values)) if type(child) is tuple else _shape_of(child, values)


def _replaced(value: Any, replace: Callable[[Any], Any]) -> Any:
    """Return what a queryset accepts instead of a recorded argument, with other values.

    Replaces the values in the order in which `_shape_of` appends them.
    """
    if isinstance(value, SearchLookup):
        return value.with_value(replace(value.value))
    if isinstance(value, CONTAINERS):
        return [_replaced(item, replace) for item in value]
    if type(value) in EXAMPLES:
        return replace(value)
    if isinstance(value, CONSTANTS):
        return value
    if isinstance(value, Q):
        children = [
            (child[0], _replaced(child[1], replace)) if type(child) is tuple else _replaced(child, replace)
            for child in value.children
        ]
        return Q.create(children, value.connector, value.negated)
    if isinstance(value, CompiledExists | CompiledSubquery):
        return value.expression(value.rows.queryset(replace))
    if isinstance(value, CombinedExpression):
        return CombinedExpression(_replaced(value.lhs, replace), value.connector, _replaced(value.rhs, replace))
    if isinstance(value, Value):
        return Value(_replaced(value.value, replace))
    return value.queryset(replace)


def _replaced_call(call: Call, replace: Callable[[Any], Any]) -> Call:
    if call.name in NAMES:
        return call
    return Call(
        call.name,
        tuple(_replaced(argument, replace) for argument in call.arguments),
        {name: _replaced(value, replace) for name, value in call.named_arguments.items()},
    )


# --- Compiling


class Shape:
    """The shape of a queryset, as the key of the cache of compiled queries."""

    def __init__(self, rows: RecordedCalls) -> None:
        self.rows = rows
        self.key = (rows.model, rows.shape)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shape) and self.key == other.key


@lru_cache(maxsize=1024)
def compile_shape(shape: Shape, columns: tuple[str, ...], *, is_ordered: bool) -> ShapeQuery | None:
    """Return the compiled query for a shape, or None if one of its values cannot be found in the parameters."""
    examples: list[Any] = []

    def next_example(value: Any) -> Any:
        examples.append(EXAMPLES[type(value)](len(examples)))
        return examples[-1]

    rows = shape.rows.queryset(next_example)
    try:
        return ShapeQuery(rows.values_list(*columns) if is_ordered else rows.order_by().values_list(*columns), examples)
    except NotCompilable:
        return None


class ShapeQuery:
    """The compiled query of a shape. Its parameters are made from the values of a queryset of that shape."""

    def __init__(self, rows: QuerySet[Any], examples: list[Any]) -> None:
        """Compile the rows, which have been built with the examples. Raises NotCompilable."""
        try:
            self._query: CompiledQuery | None = CompiledQuery(rows)
        except EmptyResultSet:
            # Whatever the values: the condition cannot be true.
            self._query = None
            return
        places = {
            _key(parameter): (number, make)
            for number, example in enumerate(examples)
            for parameter, make in _parameters_of(example)
        }
        constant = (None, _unchanged)
        self._parameters = [(value, *places.get(_key(value), constant)) for value in self._query.examples]
        if {number for _parameter, number, _make in self._parameters} - {None} != set(range(len(examples))):
            # A value was changed in an unknown way, or is a part of the SQL.
            raise NotCompilable

    def bind(self, values: tuple[Any, ...]) -> BoundSQL | None:
        """Return the SQL with these values, None if it selects nothing."""
        return BoundSQL(self._query.sql, self._bind(values)) if self._query else None

    def first_value(self, values: tuple[Any, ...]) -> tuple[BoundSQL, Callable[[Any], Any]]:
        """Return the SQL that selects the only column of the first row, and the function that converts its value."""
        if self._query is None:
            raise NotCompilable
        convert_row = self._query.convert_row
        return BoundSQL(f"{self._query.sql} LIMIT 1", self._bind(values)), lambda value: convert_row((value,))[0]

    def count_distinct(self, values: tuple[Any, ...], column: str) -> int:
        if self._query is None:
            return 0
        # SQLite sorts, which takes two thirds of the time of DISTINCT.
        sql = f"SELECT {column} FROM ({self._query.sql}) AS listed GROUP BY {column}"  # noqa: S608
        ((total,),) = run_sql(f"SELECT COUNT(*) FROM ({sql}) AS different", self._bind(values))  # noqa: S608
        return int(total)

    def fetch(self, values: tuple[Any, ...], rows: slice) -> list[list[Any]]:
        if self._query is None:
            return []
        # In the SQL, not as parameters: plans of PostgreSQL depend on them.
        limit = "" if rows.stop is None else f" LIMIT {rows.stop - rows.start:d} OFFSET {rows.start:d}"
        found = run_sql(self._query.sql + limit, self._bind(values))
        return [self._query.convert_row(row) for row in found]

    def fetch_first(self, values: tuple[Any, ...], limit: int, count: BoundSQL) -> FirstRows:
        """Return the first rows, and the number that `count` selects."""
        if self._query is None:
            return FirstRows([], 0)
        first = f"{self._query.sql} LIMIT {limit:d}"
        sql = f"SELECT listed.*, ({count.sql}) FROM ({first}) AS listed"  # noqa: S608
        # The best plan hardly depends on the current time; see `run_sql`.
        keeps_plan = all(isinstance(value, datetime) for value in values)
        found = run_sql(sql, count.values + self._bind(values), keeps_plan=keeps_plan)
        # An empty first page means an empty list. `counted` may have read the clock just before these rows did.
        total = max(found[0][-1], len(found)) if found else 0
        return FirstRows([self._query.convert_row(row[:-1]) for row in found], total)

    def _bind(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(
            parameter if number is None else make(values[number]) for parameter, number, make in self._parameters
        )


def _parameters_of(example: Any) -> Iterable[tuple[Any, Callable[[Any], Any]]]:
    """Yield the parameters that the ORM makes from an example, each with the function that it does so by."""
    ops: Any = connection.ops
    if isinstance(example, datetime):
        yield ops.adapt_datetimefield_value(example), ops.adapt_datetimefield_value
        return
    if isinstance(example, list):
        yield IsOneOf.parameter(example), IsOneOf.parameter
        return
    yield example, _unchanged
    if isinstance(example, str):
        # The parameter of `contains`.
        yield f"%{example}%", lambda text: f"%{ops.prep_for_like_query(text)}%"


def _key(parameter: Any) -> Hashable:
    return tuple(parameter) if isinstance(parameter, list) else parameter
