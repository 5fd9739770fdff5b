"""Conditions on the places of events, and the distances from a point. Rows are events, or links that stand for them."""

from __future__ import annotations

from typing import Any

from django.db.models import F, OuterRef, Q

from calendar_site.core.compiled_queries.querysets import exists, fetch_columns, first_of
from calendar_site.core.permissions import visible_q
from calendar_site.core.search.geo import Circle
from calendar_site.core.search.index import IsAmong
from calendar_site.core.types import AnyUser
from events.index_models import IndexedVenue
from events.models import EventVenue
from venues.models import Venue


def located_venues(rows: Any, user: AnyUser) -> Any:
    """Return the venues with coordinates that the user may see, unordered."""
    return rows.all_of(Venue).visible_to(user).filter(geo_lat__isnull=False).order_by()


def venue_ids_within(rows: Any, circle: Circle, user: AnyUser) -> list[int]:
    """Return the ids of the venues within the circle that the user may see. One query."""
    venues = located_venues(rows, user).filter(circle.box_q()).annotate(distance=circle.distance())
    return [pk for (pk,) in fetch_columns(venues.filter(distance__lte=circle.max_distance), ("pk",))]


def venue_ids_elsewhere(rows: Any, circle: Circle, user: AnyUser) -> list[int]:
    """Return the ids of all venues but those of `venue_ids_within`. One query."""
    venues = rows.all_of(Venue).annotate(distance=circle.distance()).order_by()
    # Where coordinates are NULL, the condition on the latitude makes this false, not NULL.
    is_within = visible_q(user, Venue) & Q(geo_lat__isnull=False, distance__lte=circle.max_distance)
    return [pk for (pk,) in fetch_columns(venues.exclude(is_within), ("pk",))]


def with_coordinates(rows: Any, user: AnyUser, has_coordinates: bool) -> Any:
    """Filter to events with a venue that has coordinates and that the user may see, or to those without one."""
    links = _visible_venue_links(rows, user).filter(venue__geo_lat__isnull=False)
    located = exists(links.filter(event=OuterRef(rows.id_column)))
    return rows.filter(located if has_coordinates else ~located)


def at_many_venues(rows: Any, ids: list[int]) -> Any:
    """Filter to events at any of these venues, by looking up the venues of each event."""
    return rows.filter(exists(_venue_links(rows, IsAmong(F("linked_id"), ids))))


def at_other_venues(rows: Any, ids: list[int]) -> Any:
    """Filter to events at any venue but these, by looking up the venues of each event."""
    return rows.filter(exists(_venue_links(rows, ~Q(IsAmong(F("linked_id"), ids)))))


def with_distance(rows: Any, circle: Circle, user: AnyUser) -> Any:
    """Annotate `distance`, which grows with the distance of the nearest venue that the user may see."""
    links = (
        _visible_venue_links(rows, user)
        .annotate(distance=circle.distance("venue__"))
        .filter(event=OuterRef(rows.id_column), distance__lte=circle.max_distance)
    )
    return rows.annotate(distance=first_of(links.order_by("distance"), "distance"))


def _venue_links(rows: Any, condition: Any) -> Any:
    return rows.all_of(IndexedVenue).filter(condition, event_id=OuterRef(rows.id_column))


def _visible_venue_links(rows: Any, user: AnyUser) -> Any:
    """Return the links of events to venues that the user may see."""
    return rows.all_of(EventVenue).filter(visible_q(user, Venue, "venue__")).order_by()
