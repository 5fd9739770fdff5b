"""The protocol of the rows of a list: a queryset, or recorded calls of one."""

from __future__ import annotations

from typing import Any, Protocol, Self

from django.db.models import Model


class ListRows(Protocol):
    """Rows of a list: a queryset of ours, or a `CompiledQuerySet` in its place.

    Methods of querysets that lists use are called with either as `self`. So they return rows by these methods alone,
    directly or by calling each other, and read them by the functions of `compiled_queries.querysets`, such as
    `fetch_columns()` and `count_rows()`.
    """

    @property
    def model(self) -> type[Model]: ...
    def filter(self, *conditions: Any, **lookups: Any) -> Self: ...
    def exclude(self, *conditions: Any, **lookups: Any) -> Self: ...
    def order_by(self, *names: Any) -> Self: ...
    def values(self, *names: str) -> Self: ...
    def annotate(self, **expressions: Any) -> Self: ...
    def none(self) -> Self: ...
    def all_of(self, model: type[Model]) -> ListRows:
        """Return all rows of another model, for a subquery that is compiled with these rows."""
        ...
