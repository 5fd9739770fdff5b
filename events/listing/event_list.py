"""The list of events that a query asks for: the way into this package."""

from __future__ import annotations

from typing import Any

from calendar_site.api.lists.pagination import Page
from calendar_site.core.compiled_queries.querysets import CompiledQuerySet, count_rows, fetch_columns
from events.listing.figures import Figures
from events.listing.plan import RowsPlan, plan_page, plan_rows, plan_total
from events.listing.query import PLACE_PARAMETERS, EventListQuery
from events.listing.rows import select_rows
from events.listing.totals import EventCounter
from events.models import Event


class EventList:
    """The events that a query asks for, with their number. Each is found as the plan says that reads the least."""

    def __init__(self, query: EventListQuery, events: Any = None) -> None:
        """`events` are all events, by default as a queryset whose SQL is compiled once (docs/speed.md)."""
        self.query = query
        self._events = CompiledQuerySet(Event) if events is None else events
        self._figures = Figures(query, self._events, self._count_at_any_place)
        self._found: dict[RowsPlan, Any] = {}

    @property
    def rows(self) -> Any:
        """All rows, in their order: events, or links that stand for them."""
        return self._find(plan_rows(self.query))

    def rows_of_page(self, page: Page) -> Any:
        """Return the rows of the whole list, as they are found soonest for this page."""
        return self._find(plan_page(self.query, self._figures, page))

    def first_ids(self, limit: int | None = None) -> list[int]:
        """Return the ids of the first events, by default of all, in their order. One query."""
        # A link that stands for an event may have further columns, by which it is found.
        return [pk for pk, *_others in fetch_columns(self.rows, ("pk",), slice(0, limit))]

    def count(self) -> int:
        """Return the number of events."""
        counter = EventCounter(self.query, self._figures, self._events, self._find)
        return counter.count(plan_total(self.query, self._figures))

    def _find(self, plan: RowsPlan) -> Any:
        if plan not in self._found:
            self._found[plan] = select_rows(self.query, self._figures, plan, self._events)
        return self._found[plan]

    def _count_at_any_place(self, limit: int) -> int:
        anywhere = RowsPlan(is_ordered=False, without=frozenset(PLACE_PARAMETERS))
        return count_rows(self._find(anywhere), limit)
