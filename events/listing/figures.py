"""Numbers of venues and events, by which plans choose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.utils.functional import cached_property

from calendar_site.core.compiled_queries.querysets import count_each, fetch_columns
from calendar_site.core.search.geo import Circle
from events.listing.places import venue_ids_elsewhere, venue_ids_within
from events.listing.query import EventListQuery
from events.models import Event
from venues.models import Venue

# Half the circumference of the earth, in kilometers.
MAX_RADIUS = 20_038
WHOLE_EARTH = Circle(0, 0, MAX_RADIUS)
# The venues of fewer events are looked up, instead of the events of many venues.
MIN_MANY_EVENTS = 5000


class Figures:
    """The figures of a database, each of which is read when a plan first needs it."""

    def __init__(self, query: EventListQuery, events: Any, count_at_any_place: Callable[[int], int]) -> None:
        """`count_at_any_place` counts the events that the list would have without its place, up to a limit."""
        self._query, self._events = query, events
        self._count_at_any_place = count_at_any_place

    @property
    def is_sqlite(self) -> bool:
        return connection.vendor == "sqlite"

    @cached_property
    def newest_id(self) -> int:
        """The id of the newest event, which is about the number of events. One query."""
        newest = fetch_columns(self._events.all_of(Event).order_by("-pk"), ("pk",), slice(0, 1))
        return newest[0][0] if newest else 0

    @cached_property
    def has_most_venues(self) -> bool:
        """True if most venues are in the circle, so that finding the events elsewhere reads less. Two queries.

        One for a circle whose bounding box has few venues. Without a circle, true if most venues have coordinates.
        """
        venues = self._events.all_of(Venue).order_by()
        in_box, total = count_each(venues.filter(self._circle.box_q()), venues)
        return in_box * 2 > total and len(self.other_venue_ids) * 2 < total

    @cached_property
    def venue_ids(self) -> list[int]:
        """The ids of the venues within the circle. One query."""
        return venue_ids_within(self._events, self._circle, self._query.user)

    @cached_property
    def other_venue_ids(self) -> list[int]:
        """The ids of all other venues. One query."""
        return venue_ids_elsewhere(self._events, self._circle, self._query.user)

    @cached_property
    def long_starts(self) -> dict[int, str]:
        """The local starts of long events that end after `ends_after`, by id. One query."""
        starts: dict[int, str] = self._events.long_starts(self._query.days["ends_after"])
        return starts

    @cached_property
    def has_many_events(self) -> bool:
        """True if the list would have many events without its place. One query."""
        return self._count_at_any_place(MIN_MANY_EVENTS) >= MIN_MANY_EVENTS

    @property
    def _circle(self) -> Circle:
        return self._query.circle or WHOLE_EARTH
