"""Rules about rows, written once: each is a condition for the database and a test of a loaded row."""

from __future__ import annotations

from collections.abc import Container, Mapping
from datetime import datetime
from functools import reduce
from operator import or_
from typing import NamedTuple, Self

from django.db.models import Q

# Values by Django lookups on columns of the row itself: `author_id`, `status__in`, `published_at__lte`.
Lookups = Mapping[str, object]


class RowCondition(NamedTuple):
    """Rows that meet all lookups of `included` and none of `excluded`."""

    included: Lookups = {}
    excluded: Lookups = {}

    def as_q(self, prefix: str) -> Q:
        condition = Q(**{prefix + lookup: value for lookup, value in self.included.items()})
        for lookup, value in self.excluded.items():
            condition &= ~Q(**{prefix + lookup: value})
        # Every row, but not the empty Q, which OR passes over.
        return condition or ~Q(pk__in=[])

    def matches(self, row: object) -> bool:
        return all(_meets(row, *item) for item in self.included.items()) and not any(
            _meets(row, *item) for item in self.excluded.items()
        )

    def without(self, column: str, value: object) -> Self:
        listed = self.included.get(f"{column}__in")
        if isinstance(listed, Container) and value not in listed:
            # There is no such row among them. Indexes were chosen for queries that do not exclude it once more.
            return self
        return self._replace(excluded={**self.excluded, column: value})


class RowRule(tuple[RowCondition, ...]):
    """Rows that meet any of these conditions. No condition: no row. One without lookups: every row.

    `as_q` and `matches` read the same lookups, so that lists and checks of one row cannot disagree.
    """

    def as_q(self, prefix: str = "") -> Q:
        """Return the rule as a condition for querysets; `prefix` is the path to the rows, such as `venue__`."""
        return reduce(or_, (condition.as_q(prefix) for condition in self)) if self else Q(pk__in=[])

    def matches(self, row: object) -> bool:
        """Return whether a row meets the rule: a model instance, or a row of values with the names of the columns."""
        return any(condition.matches(row) for condition in self)

    def without(self, column: str, value: object) -> Self:
        """Return the rule for the same rows except those with this value in the column."""
        return type(self)(condition.without(column, value) for condition in self)


NO_ROW = RowRule()
EVERY_ROW = RowRule([RowCondition()])


def _meets(row: object, lookup: str, value: object) -> bool:
    column, _separator, test = lookup.partition("__")
    actual = getattr(row, column)
    match test, value:
        case "", _:
            return bool(actual == value)
        case "in", Container():
            return actual in value
        case "lte", datetime():
            return bool(actual <= value)
    raise NotImplementedError(f"Rules about rows have no lookup {lookup} with such a value.")
