"""Evaluate the conditions of querysets in Python, for loaded rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.db import models
from django.db.models import F, Model, Q

# Lookups of a value that is not NULL.
_LOOKUPS: dict[str, Callable[[Any, Any], bool]] = {
    "exact": lambda value, other: bool(value == other),
    "gte": lambda value, other: bool(value >= other),
    "lte": lambda value, other: bool(value <= other),
    "in": lambda value, others: value in others,
    "range": lambda value, bounds: bool(bounds[0] <= value <= bounds[1]),
}


def evaluate(condition: Q, row: object) -> bool | None:
    """Return the result that the database would have for the condition on this row, None for unknown (SQL's NULL).

    The row is a model instance, or a row of values with the names of the columns. Knows the lookups `exact`, `gte`,
    `lte`, `in`, `range` and `isnull` of the row's own fields. Raises KeyError for others.
    """
    children = cast("list[Q | tuple[str, Any]]", condition.children)
    parts = [
        evaluate(part, row) if isinstance(part, Q) else _evaluate_lookup(part[0], part[1], row) for part in children
    ]
    # A part that decides alone (False for AND, True for OR) outweighs an unknown one.
    decisive = condition.connector == Q.OR
    result = decisive if decisive in parts else None if None in parts else not decisive
    return not result if condition.negated and result is not None else result


def _evaluate_lookup(name: str, other: Any, row: object) -> bool | None:
    field, _separator, lookup = name.partition("__")
    if lookup == "in" and not other:
        # An empty list contains no value, not even an unknown one.
        return False
    value = _value(field, row)
    if isinstance(other, F):
        other = _value(cast("Any", other).name, row)
    if lookup == "isnull":
        return bool((value is None) == other)
    if value is None or other is None:
        return None
    return _LOOKUPS[lookup or "exact"](value, other)


def _value(name: str, row: object) -> Any:
    if not isinstance(row, Model):
        return getattr(row, "id" if name == "pk" else name)
    field = row._meta.pk if name == "pk" else cast("models.Field", row._meta.get_field(name))
    return field.value_from_object(row)
