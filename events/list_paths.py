"""How the lists of events are found and counted: by which index, and by which tally.

Whatever the way, a list has the same events: those of `EventParameters`. See decision records 0051, 0069, 0070
and 0078.
"""

from __future__ import annotations

from typing import Any

from django.utils.functional import cached_property

from calendar_site.api.lists.pagination import Page
from calendar_site.core.compiled_queries.querysets import count_distinct, count_each, count_rows
from events.derived import tallies, totals
from events.derived_models import (
    IndexedCategory,
    IndexedOrganizer,
    IndexedTag,
    IndexedTicketed,
    IndexedVenue,
    IndexedVenueCount,
)
from events.filtersets import LINK_FILTERS, EventParameters
from events.protection.protected_fields import filters_by_hidden_fields
from events.querysets import USUAL_VALUES, EventQuerySet

# Parameters whose conditions links can answer. A list with any other parameter reads events: slower, but never wrong.
LINK_PARAMETERS = {
    "page", "per_page", "order", "orderby", "status", "timezone", "strict_dates", "start_date", "end_date",
    "starts_before", "starts_after", "ends_before", "ends_after", "venue", "organizer", "tags", "categories",
    "ticketed", "featured", "post_parent", "series", "event_status", "attendance_mode", "geoloc", "geoloc_lng",
    "geoloc_radius",
}  # fmt: skip
# The same for totals, which need no distance.
LINK_PARAMETERS_OF_TOTAL = LINK_PARAMETERS | {"geoloc_lat"}
# Orders by columns that links do not have.
ORDERS_OF_EVENTS = {"title", "modified"}
INDEXED_LINKS: dict[str, Any] = {
    "venue": IndexedVenue,
    "organizer": IndexedOrganizer,
    "tags": IndexedTag,
    "categories": IndexedCategory,
    "ticketed": IndexedTicketed,
}
# Parameters of lists whose totals the tally of days has, and those that do not change the total.
TALLIED_PARAMETERS = {
    "page", "per_page", "start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after",
    "strict_dates", "featured", "order", "orderby", "timezone", "geoloc_lng", "geoloc_radius",
}  # fmt: skip
PLACES = {"geoloc", "geoloc_lat"}
# An index finds the few events of a parent or series.
FEW_BY_INDEX = {"post_parent", "series"}
# The links of so few venues are read without asking how many events there are.
FEW_VENUES = 500
# The venues of so few events are looked up, instead of the events of many venues.
FEW_EVENTS = 5000
# Orders that an index of events has, and that do not begin with events of the past.
INDEXED_ORDERS = {("title", "asc"), ("title", "desc"), ("modified", "desc")}


class EventFilterSet(EventParameters):
    """The list of events, found in the way that reads the fewest rows."""

    def filter_queryset(self, queryset: EventQuerySet) -> EventQuerySet:
        return super().filter_queryset(self._rows(queryset))

    def rows_of_page(self, page: Page) -> Any:
        if self.sort_order in INDEXED_ORDERS and self.queryset.is_faster_by_order(page.rows.stop, page.total):
            return self._filtered(uses_window=False)
        if self._can_read_by_end and self.is_dense(page):
            since, _until = self.bounds()
            return self._filtered(uses_window=False).found_by_end(since)
        if self._merges_links and self.is_dense(page):
            return self._filtered(leading_parameter="")
        name = self._parameter_of_page(page)
        if name:
            links = self._filtered(is_ordered=False, leading_parameter=name)
            events = self.queryset.filter(pk__in=links.values("event_id"))
            return self.in_order(events.with_distance(self.circle, self.user) if self.has_circle else events)
        return self.qs

    def is_dense(self, page: Page) -> bool:
        """Return whether the page is found sooner by reading the events of all lists in the same order."""
        return bool(self.queryset.is_dense(page.rows.stop, page.total))

    def _parameter_of_page(self, page: Page) -> str:
        """Return the parameter whose links find the events of a page that needs more columns than links have.

        These are a column that the list is ordered by, or the distance. "" for none. Two queries for places.
        """
        is_ordered_by_event = self.sort_order[0] in ORDERS_OF_EVENTS and self._linked_parameter
        if not (self.has_circle or is_ordered_by_event) or FEW_BY_INDEX & self.data.keys():
            return ""
        return "" if self._is_found_in_order(page) else self.leading_parameter_of_total

    def _is_found_in_order(self, page: Page) -> bool:
        """Return whether an index has the order of the list, and finds the page sooner than the links."""
        has_index = self.sort_order in INDEXED_ORDERS or self.sort_order[0] == "start_date"
        return has_index and self.is_dense(page)

    @property
    def _can_read_by_end(self) -> bool:
        """Return whether the index of the end has the list in its order, and begins with events of the list."""
        key, order = self.sort_order
        excludes_first = order == "desc" and "starts_before" in self.data
        return key == "end_date" and not (excludes_first or self.ignores_dates_and_places or self.leading_parameter)

    @property
    def _merges_links(self) -> bool:
        """Return whether the list is ordered by the start, and read from the links of several records."""
        name = self.leading_parameter
        return self._has_many_links(name) and self.sort_order[0] == "start_date"

    def _filtered(self, rows: Any = None, **choices: Any) -> Any:
        """Return the events of the list, found in another way: with other values of these attributes.

        If given, only those of `rows`, which are events or links.
        """
        usual = {name: getattr(self, name) for name in choices}
        self.__dict__.update(choices)
        try:
            return super().filter_queryset(self._rows(self.queryset) if rows is None else rows)
        finally:
            self.__dict__.update(usual)

    def count(self) -> int:
        """Return the number of events: of long lists by the tally of days, of others by links if these are fewer."""
        names = self._untallied_parameters
        first_unusual = next((name for name in names if not self._has_usual_value(name)), "")
        if not first_unusual:
            total = self._count_by_tally(frozenset(names))
            # Less the events with another value, each only for the first parameter that excludes it.
            unusual = sum(self._count_unusual(name, frozenset(names[at:])) for at, name in enumerate(names))
            # An event may have been published between the queries.
            return max(total - unusual, 0)
        if first_unusual == "geoloc" and not self.get("geoloc"):
            return self._count_elsewhere(frozenset({"geoloc"}))
        name = self.leading_parameter_of_total
        is_repeated = self._has_many_links(name)
        if name == self.leading_parameter and not is_repeated and not self.has_circle:
            is_tallied = self.filters.keys() - {name} <= TALLIED_PARAMETERS - {"featured"}
            return self._count_term_by_tally(name) if is_tallied and name in tallies.TERMS else count_rows(self.qs)
        rows = self._filtered(is_ordered=False, leading_parameter=name)
        return count_distinct(rows, "event_id") if is_repeated else count_rows(rows)

    def _count_by_tally(self, left_out: frozenset[str]) -> int:
        return totals.count_by_tally(
            self._filtered(left_out=left_out, is_ordered=False) if left_out else self.qs,
            self.queryset,
            lambda events: self._filtered(events, left_out=left_out, is_ordered=False),
            self.user,
            totals.Days.surely_within(*self.bounds(), has_earlier="ends_after" in self.data),
            featured=self.get("featured"),
            hides_protected=filters_by_hidden_fields(self.filters),
        )

    def _count_term_by_tally(self, name: str) -> int:
        ids, (since, until) = self.linked_ids(name), self.bounds()
        days = totals.Days.surely_within(since, until)
        few = totals.count_few(self.qs, days, totals.MIN_TALLIED_OF_TERM, name, *ids)
        if few is not None:
            return few
        return totals.count_term_by_tally(
            self.qs,
            totals.TermLinks(
                name,
                ids[0],
                links=self._links(name, self.queryset),
                events=LINK_FILTERS[name](self.queryset, ids),
            ),
            lambda rows: self._filtered(rows, is_ordered=False),
            self.user,
            days,
            until,
        )

    @property
    def _untallied_parameters(self) -> list[str]:
        """Return the parameters that the tally of days does not know, that of a place last."""
        # All events within a circle have coordinates.
        superfluous = {"geoloc"} if self.has_circle else set()
        names = [name for name in self.filters if name not in TALLIED_PARAMETERS | superfluous]
        # It takes a query to know whether most venues have a place.
        return sorted(names, key=PLACES.__contains__)

    def _has_usual_value(self, name: str) -> bool:
        """Return whether nearly all events have a value that the parameter asks for. One query for places."""
        if name == "ticketed":
            return self.get(name) is False
        if name == "geoloc":
            return self.get(name) is self.has_most_venues
        if name == "geoloc_lat":
            return self.has_most_venues
        return name in USUAL_VALUES and USUAL_VALUES[name] in self.get(name)

    def _count_unusual(self, name: str, left_out: frozenset[str]) -> int:
        """Return the number of events that do not have what a parameter asks for, without the parameters `left_out`."""
        if name in PLACES and self.has_most_venues:
            return self._count_elsewhere(left_out)
        if name in ("geoloc", "ticketed"):
            links = self._filtered(left_out=left_out, is_ordered=False, leading_parameter=name)
            return count_distinct(links, "event_id")
        others = [value for value in self.filters[name].schema["items"]["enum"] if value not in self.get(name)]
        rows = self._filtered(left_out=left_out, is_ordered=False)
        return count_rows(rows.with_value_among(name, others)) if others else 0

    def _count_elsewhere(self, left_out: frozenset[str]) -> int:
        """Return the number of events without a visible venue in the circle, without the parameters `left_out`.

        Two queries, one of them for the ids of venues.
        """
        at_others = self.queryset.rows_of(IndexedVenue).of_these_only(self.other_venue_ids)
        without = self.queryset.rows_of(IndexedVenueCount).of_each([IndexedVenueCount.NONE])
        rows = (at_others, without)
        return sum(count_each(*(self._filtered(each, left_out=left_out, is_ordered=False) for each in rows)))

    def _rows(self, events: EventQuerySet) -> EventQuerySet:
        """Return the events, or the links that stand for them. For totals, an event may have several of them."""
        name = self.leading_parameter
        if name in INDEXED_LINKS:
            return self._links(name, events)
        if name == "geoloc_lat":
            return events.rows_of(IndexedVenue).of_many(self.venue_ids)
        if name == "geoloc":
            return events.rows_of(IndexedVenue).filter(linked_id__in=events.located_venues(self.user).values("pk"))
        return events

    def _links(self, name: str, events: EventQuerySet) -> Any:
        """Return the links to the records of a parameter of `INDEXED_LINKS`."""
        links, ids = events.rows_of(INDEXED_LINKS[name]), self.linked_ids(name)
        return links.of_any(ids) if self.is_ordered else links.of_each(ids)

    @cached_property
    def leading_parameter(self) -> str:
        """Return the parameter whose links are read instead of events, "" for none.

        The first in the order of `INDEXED_LINKS`, because venues usually have the fewest events.
        """
        if self.filters.keys() - LINK_PARAMETERS or self.sort_order[0] in ORDERS_OF_EVENTS:
            return ""
        return self._linked_parameter

    @cached_property
    def leading_parameter_of_total(self) -> str:
        """Return the parameter whose links are counted instead of events, "" for none. Two queries for places."""
        if self.filters.keys() - LINK_PARAMETERS_OF_TOTAL:
            return ""
        name = self._linked_parameter
        if self._has_few_venues and name != "venue":
            return "geoloc_lat"
        if name or not (self.get("geoloc") or self.has_circle):
            return name
        others = self._filtered(left_out=frozenset({"geoloc", "geoloc_lat"}), is_ordered=False, leading_parameter="")
        if count_rows(others, FEW_EVENTS) < FEW_EVENTS:
            return ""
        return "geoloc_lat" if self.has_circle else "geoloc"

    @property
    def _has_few_venues(self) -> bool:
        """Return whether few venues are in the circle. Two queries."""
        return self.has_circle and not self.has_most_venues and len(self.venue_ids) <= FEW_VENUES

    @property
    def _linked_parameter(self) -> str:
        name = next((name for name in INDEXED_LINKS if name in self.data), "")
        is_ignored = name == "ticketed" and (not self.get(name) or FEW_BY_INDEX & self.data.keys())
        return "" if is_ignored else name

    def linked_ids(self, name: str) -> list[int]:
        """Return the ids of the records whose links a parameter of `INDEXED_LINKS` asks for."""
        return [IndexedTicketed.TICKETED] if name == "ticketed" else self.get(name)

    def _has_many_links(self, name: str) -> bool:
        """Return whether an event may have several of the links that stand for it if this parameter is leading."""
        return bool(name) and (name not in INDEXED_LINKS or len(self.linked_ids(name)) > 1)
