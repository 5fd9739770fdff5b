"""The rows of a plan: events, or links that stand for them, with the conditions and the order of a query."""

from __future__ import annotations

from typing import Any

from events.index_models import IndexedVenue
from events.listing import places
from events.listing.conditions import (
    LINKS,
    Index,
    ListContext,
    apply_condition,
    condition_of,
    linked_ids,
    within_window,
)
from events.listing.figures import Figures
from events.listing.plan import RowsPlan
from events.listing.query import EventListQuery
from events.querysets import with_index_of_end


def select_rows(query: EventListQuery, figures: Figures, plan: RowsPlan, events: Any) -> Any:
    """Return the rows of the list, found among `events` as the plan says."""
    rows = restrict(query, figures, plan, _source(query, figures, plan, events))
    if plan.looks_up_events:
        rows = events.filter(pk__in=rows.values("event_id"))
    return _in_order(rows, query) if plan.is_ordered or plan.looks_up_events else rows


def restrict(query: EventListQuery, figures: Figures, plan: RowsPlan, rows: Any) -> Any:
    """Return those of the rows that are in the list, unordered. `rows` are events, or links that stand for them."""
    context = ListContext(query, figures, plan.found_by)
    rows = rows.listed()
    if query.hides_protected_events:
        rows = rows.with_fields_visible_to(query.user)
    if "status" not in query.values:
        rows = rows.visible_to(query.user)
    for name, value in query.conditions.items():
        if name != plan.links and name not in plan.without:
            rows = apply_condition(condition_of(name, query), rows, value, context)
    return rows if query.ignores_dates_and_places else within_window(rows, context)


def links_of(query: EventListQuery, name: str, events: Any, *, once: bool) -> Any:
    """Return the links to the records of a parameter of `LINKS`, with `once` only one for each event."""
    links, ids = events.all_of(LINKS[name]), linked_ids(name, query.values[name])
    return links.one_of_each_event(ids) if once else links.to_any(ids)


def _source(query: EventListQuery, figures: Figures, plan: RowsPlan, events: Any) -> Any:
    """Return the events, or the links that the plan reads instead. Without an order, an event may have several."""
    if plan.links in LINKS:
        return links_of(query, plan.links, events, once=plan.is_ordered)
    if plan.links == "geoloc_lat":
        return events.all_of(IndexedVenue).to_any_of_many(figures.venue_ids)
    if plan.links == "geoloc":
        return events.all_of(IndexedVenue).filter(linked_id__in=places.located_venues(events, query.user).values("pk"))
    if plan.found_by is Index.END:
        events = with_index_of_end(events)
        # The index begins with events of the list.
        return events.filter(end__gte=query.since) if query.since else events
    return events


def _in_order(rows: Any, query: EventListQuery) -> Any:
    if query.circle:
        rows = places.with_distance(rows, query.circle, query.user)
        if query.has_default_order:
            # The nearest first among those that start at the same time.
            return rows.order_by("start_local", "distance", "pk")
    return query.order.apply(rows)
