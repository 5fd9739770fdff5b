"""The map: the places of the next events, also as a list, which needs no script."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest

from calendar_site.api.site_urls import urls_for
from calendar_site.core import clock
from calendar_site.core.clock import Moments
from calendar_site.website.calendar.filtered_calendar import FilteredCalendar
from calendar_site.website.event_lists import ListedEvent, load_listed, make_listed_event
from events.public_filters import after, find_events
from venues.models import Venue

MAX_EVENTS = 300
# At each place. The page of the venue has the others.
MAX_EVENTS_AT_PLACE = 3


class MapPlace(NamedTuple):
    """A venue with its next events, the first ones in full."""

    id: int
    name: str
    address: str
    url: str
    events: list[ListedEvent]
    more: int


class EventMap(NamedTuple):
    """The places in the order of their next events.

    `markers` are their names, coordinates and numbers of events for the script. `elsewhere` events are at no place
    with coordinates, and `is_cut` says that later events are left out.
    """

    places: list[MapPlace]
    markers: list[dict[str, Any]]
    elsewhere: int
    is_cut: bool


def make_map(request: HttpRequest, calendar: FilteredCalendar) -> EventMap:
    """Return the places of the next events. Eight queries at most. Raises InvalidFilter."""
    now = clock.now_among(Moments.EVENT_END)
    found = find_events(request.user, {**calendar.filters, **after(now)}).first_ids(MAX_EVENTS + 1)
    loaded, urls = load_listed(request, found[:MAX_EVENTS]), urls_for(request)
    events: dict[int, list[ListedEvent]] = {}
    for event in loaded.events:
        listed = make_listed_event(event, loaded, request, is_ongoing=True)
        for venue in event.venues:
            events.setdefault(venue.id, []).append(listed)
    columns = ("id", "title", "slug", "address", "city", "geo_lat", "geo_lng")
    rows = Venue.objects.filter(pk__in=events, geo_lat__isnull=False, geo_lng__isnull=False).values_list(
        *columns, named=True
    )
    venues: dict[int, Any] = {row.id: row for row in rows}
    placed = [venues[pk] for pk in events if pk in venues]
    return EventMap(
        places=[
            MapPlace(
                id=venue.id,
                name=venue.title,
                address=", ".join(filter(None, (venue.address, venue.city))),
                url=urls.page_url("venue", venue.slug),
                events=events[venue.id][:MAX_EVENTS_AT_PLACE],
                more=len(events[venue.id][MAX_EVENTS_AT_PLACE:]),
            )
            for venue in placed
        ],
        markers=[
            {
                "id": venue.id,
                "name": venue.title,
                "lat": venue.geo_lat,
                "lng": venue.geo_lng,
                "count": len(events[venue.id]),
            }
            for venue in placed
        ],
        elsewhere=sum(not any(venue.id in venues for venue in event.venues) for event in loaded.events),
        is_cut=len(found) > MAX_EVENTS,
    )


def tile_options() -> dict[str, str]:
    """Return the template of tile URLs and the attribution of the street map, "" without one."""
    return {"tiles": settings.MAP_TILES_URL, "attribution": settings.MAP_TILES_ATTRIBUTION}
