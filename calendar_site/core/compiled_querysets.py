"""Querysets whose SQL is compiled once for each shape of their conditions, and then run with other values.

Two querysets have the same shape if they differ only in the numbers, texts and moments that they compare with. Building
and compiling a queryset takes several times as long as reading a page of rows (decision 0055).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Self

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Exists, F, Model, Q, QuerySet

from calendar_site.core.compiled_queries import CompiledQuery
from calendar_site.core.database_driver import run_sql
from calendar_site.core.search_index import IsOneOf, SearchLookup

# Different for each value of a shape, within the limits of all columns. No constant of a query has these values.
EXAMPLES: dict[type, Callable[[int], Any]] = {
    int: lambda number: 2_100_000_000 + number,
    float: lambda number: 2_100_000_000.5 + number,
    str: lambda number: f"example{number}value",
    datetime: lambda number: datetime(1, 1, 2, tzinfo=UTC) + timedelta(seconds=number),
    # Of `IsOneOf`: one parameter, whatever its length.
    list: lambda number: [2_100_000_000 + number],
}
# They belong to the shape.
CONSTANTS = (bool, type(None), Enum, F)
CONTAINERS = (list, tuple, set, frozenset)
# Drivers refuse larger numbers, where querysets find nothing.
MAX_NUMBER = 2**63 - 1
# Of methods whose arguments are names.
NAMES = ("order_by", "values")
EVERY = slice(None)


class NotCompilable(Exception):
    """It is not known how the SQL depends on a value."""


class Call(NamedTuple):
    """A call of a method of a queryset."""

    name: str
    arguments: tuple[Any, ...]
    named_arguments: dict[str, Any]

    def on(self, rows: Any) -> Any:
        return getattr(rows, self.name)(*self.arguments, **self.named_arguments)


NO_ROWS = Call("filter", (), {"pk__in": []})
CONDITIONS_AND_ORDERS = {"filter", "exclude", "order_by"}


class BoundSQL(NamedTuple):
    """SQL with the values of its parameters."""

    sql: str
    values: tuple[Any, ...]


class CompiledQuerySet:
    """Takes the place of the queryset `model.objects.all()`, and has the methods of its class.

    It records the calls of Django's `filter`, `exclude`, `order_by`, `values`, `annotate` and `none`, in which our own
    methods end. After any other call, and after a condition of unknown shape, it is an ordinary queryset. Subqueries
    are recorded if they begin with `rows_of(model)`, and EXISTS if it is written as `exists(rows)`. Ordinary querysets
    accept both in their conditions.
    """

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

    def rows_of(self, model: type[Model]) -> CompiledQuerySet:
        """Return all rows of another model, for a subquery."""
        return CompiledQuerySet(model)

    def _record(self, call: Call) -> Any:
        if self.calls and self.calls[-1] is NO_ROWS and call.name in CONDITIONS_AND_ORDERS:
            return self
        values: list[Any] = []
        try:
            shape = _shape_of_call(call, values)
        except NotCompilable:
            return call.on(self.queryset())
        return CompiledQuerySet(self.model, (*self.calls, call), (*self.shape, shape), (*self.compared_values, *values))

    # --- Results

    def queryset(self) -> QuerySet[Any]:
        """Return the ordinary queryset."""
        rows = self.model._default_manager.all()
        for call in self.calls:
            rows = _replaced_call(call, lambda value: value).on(rows)
        return rows

    def is_compiled(self, columns: tuple[str, ...] = ("pk",)) -> bool:
        """Return whether the SQL is compiled once for all values. Otherwise, results are those of `queryset()`."""
        return _compile_shape(Shape(self), columns, is_ordered=True) is not None

    def count(self) -> int:
        """Return the number of rows. One query."""
        return count_rows(self)

    def sql_of_ids(self) -> BoundSQL | None:
        """Return the SQL that selects the ids, None for an empty list."""
        query = _compile_shape(Shape(self), ("pk",), is_ordered=False)
        return query.bind(self.compared_values) if query else _sql_of_ids(self.queryset())

    def count_distinct(self, column: str) -> int:
        """Return the number of different values of a column. One query."""
        query = _compile_shape(Shape(self), (column,), is_ordered=False)
        return query.count_distinct(self.compared_values, column) if query else count_distinct(self.queryset(), column)

    def fetch(self, columns: tuple[str, ...], rows: slice = EVERY) -> list[Any]:
        """Return these columns of the rows. One query."""
        query = _compile_shape(Shape(self), columns, is_ordered=True)
        return query.fetch(self.compared_values, rows) if query else fetch_columns(self.queryset(), columns, rows)

    def fetch_first(self, columns: tuple[str, ...], limit: int, counted: AnyRows) -> FirstRows:
        """Return these columns of the first rows, and the number of all rows of `counted`. One query if compiled."""
        query, count = _compile_shape(Shape(self), columns, is_ordered=True), _sql_of_count(counted)
        if query and count:
            return query.fetch_first(self.compared_values, limit, count)
        return FirstRows(self.fetch(columns, slice(0, limit)), count_rows(counted))

    def fetch_instances(self) -> list[Any]:
        """Return the rows as model instances, with their annotations. One query."""
        columns = tuple(field.attname for field in self.model._meta.concrete_fields)
        annotations = tuple(name for call in self.calls if call.name == "annotate" for name in call.named_arguments)
        instances = []
        for cells in self.fetch(columns + annotations):
            instance = self.model.from_db(connection.alias, columns, cells[: len(columns)])
            vars(instance).update(zip(annotations, cells[len(columns) :], strict=True))
            instances.append(instance)
        return instances


AnyRows = CompiledQuerySet | QuerySet[Any]


class FirstRows(NamedTuple):
    """The first rows of a list, and the number of all its rows."""

    rows: list[Any]
    total: int


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
    query = _compile_shape(Shape(column.rows), (column.name,), is_ordered=True)
    if query is None:
        raise NotCompilable
    return query.first_value(column.rows.compared_values)


def fetch_instances(rows: AnyRows) -> list[Any]:
    """Return the rows as model instances. One query."""
    return rows.fetch_instances() if isinstance(rows, CompiledQuerySet) else list(rows)


@dataclass(frozen=True)
class CompiledExists:
    """EXISTS with a recorded subquery, or NOT EXISTS."""

    rows: CompiledQuerySet
    is_negated: bool = False
    # Of expressions that are conditions.
    conditional: ClassVar[bool] = True

    def __invert__(self) -> CompiledExists:
        return CompiledExists(self.rows, not self.is_negated)

    def resolve_expression(self, *arguments: Any, **options: Any) -> Any:
        """Let an ordinary queryset use the condition."""
        return self.expression(self.rows.queryset()).resolve_expression(*arguments, **options)

    def expression(self, rows: QuerySet[Any]) -> Any:
        return ~Exists(rows) if self.is_negated else Exists(rows)


def exists(rows: AnyRows) -> Any:
    """Return the condition that one of the rows exists, like `Exists`."""
    return CompiledExists(rows) if isinstance(rows, CompiledQuerySet) else Exists(rows)


@lru_cache(maxsize=1024)
def _own_member(model: type[Model], name: str) -> Any:
    """Return the attribute of our own queryset classes with this name, or None."""
    for owner in type(model._default_manager.all()).__mro__:
        if owner is QuerySet:
            return None
        if name in vars(owner):
            return vars(owner)[name]
    return None


# --- Shapes and values


def _shape_of_call(call: Call, values: list[Any]) -> Hashable:
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
    if isinstance(value, CompiledQuerySet):
        values += value.compared_values
        return value.model, value.shape
    raise NotCompilable


def _shape_of_child(child: Any, values: list[Any]) -> Hashable:
    """Return the shape of a part of a Q: a lookup with its value, or another condition."""
    return (child[0], _shape_of(child[1], values)) if type(child) is tuple else _shape_of(child, values)


def _replaced(value: Any, replace: Callable[[Any], Any]) -> Any:
    """Return what a queryset accepts in the place of a recorded argument, with other values.

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
    if isinstance(value, CompiledExists):
        return value.expression(_replaced(value.rows, replace))
    rows = value.model._default_manager.all()
    for call in value.calls:
        rows = _replaced_call(call, replace).on(rows)
    return rows


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

    def __init__(self, rows: CompiledQuerySet) -> None:
        self.rows = rows
        self.key = (rows.model, rows.shape)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shape) and self.key == other.key


@lru_cache(maxsize=1024)
def _compile_shape(shape: Shape, columns: tuple[str, ...], *, is_ordered: bool) -> ShapeQuery | None:
    """Return the compiled query for a shape, or None if one of its values cannot be found in the parameters."""
    examples: list[Any] = []

    def next_example(value: Any) -> Any:
        examples.append(EXAMPLES[type(value)](len(examples)))
        return examples[-1]

    rows = _replaced(shape.rows, next_example)
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
        constant = (None, _itself)
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
        found = run_sql(f"SELECT listed.*, ({count.sql}) FROM ({first}) AS listed", count.values + self._bind(values))  # noqa: S608
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
    yield example, _itself
    if isinstance(example, str):
        # Of `contains`.
        yield f"%{example}%", lambda text: f"%{ops.prep_for_like_query(text)}%"


def _key(parameter: Any) -> Hashable:
    return tuple(parameter) if isinstance(parameter, list) else parameter


def _itself(value: Any) -> Any:
    return value
