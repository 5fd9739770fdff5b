"""Lists of events on the HTML pages: a page of rows, under a heading for each day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from itertools import groupby
from typing import Any, NamedTuple

from django.core.paginator import Page
from django.http import HttpRequest
from django.utils.translation import gettext as _

from calendar_site.api.output.selection import Selection
from calendar_site.api.site_urls import SiteURLs, urls_for
from calendar_site.core import clock
from calendar_site.core.dates.conversion import site_zone
from calendar_site.core.dates.formatting import format_day
from calendar_site.website.pagination import get_page
from calendar_site.website.record_display import status_note
from calendar_site.website.responsive_images import thumbnail_url
from calendar_site.website.status_display import event_badges
from calendar_site.website.time_display import EventTime, format_event_time, local_start
from events.loading import EventRow, LoadedEvent, LoadedEvents, load_events
from events.models import Event
from events.protection.protected_fields import Reader
from events.querysets import EventQuerySet

# The fields that are loaded for a list, named as in the contract.
LISTED_KEYS = Selection.parse("image,venue.venue,venue.city")


class ListedVenue(NamedTuple):
    """A venue in a list of events."""

    name: str
    city: str


class ListedEvent(NamedTuple):
    """An event in a list, without the fields that are hidden from the reader."""

    title: str
    url: str
    status_note: str
    badges: list[tuple[str, str]]
    time: EventTime
    venues: list[ListedVenue]
    thumbnail_url: str


class EventDay(NamedTuple):
    """The events under one heading. `date` is None for events that started before today."""

    heading: str
    date: date | None
    events: list[ListedEvent]


class PageOfEvents(NamedTuple):
    """One page of a list of events, by day."""

    page: Page[Any]
    days: list[EventDay]


def list_events(request: HttpRequest, events: EventQuerySet, parameter: str) -> PageOfEvents:
    """Return the page of ordered events that the query parameter requests.

    Five queries at most: the count, the events, their links, their venues and their images.
    Raises Http404 if there is no such page.
    """
    page, loaded = _load_page(request, events, parameter)
    return PageOfEvents(page, list(_days(loaded.events, loaded, urls_for(request))))


def list_upcoming_events(request: HttpRequest, events: EventQuerySet, now: datetime) -> PageOfEvents:
    """Return the requested page of the events that are not over; see `list_events`.

    Events that started on an earlier day come first, under one heading. One query more, for long events.
    """
    page, loaded = _load_page(request, events.upcoming(now), "page")
    urls = urls_for(request)
    started = [event for event in loaded.events if _started_before_today(event.row)]
    others = [event for event in loaded.events if not _started_before_today(event.row)]
    days = list(_days(others, loaded, urls))
    if started:
        listed = [_listed_event(event, loaded, urls, shows_day=True) for event in started]
        days.insert(0, EventDay(_("Ongoing"), None, listed))
    return PageOfEvents(page, days)


def _load_page(request: HttpRequest, events: EventQuerySet, parameter: str) -> tuple[Page[Any], LoadedEvents]:
    page = get_page(request, events.values_list(*EventRow._fields, named=True), parameter)
    return page, load_events(page.object_list, Reader(request.user), LISTED_KEYS)


def _started_before_today(event: Event | EventRow) -> bool:
    # Check both: the local date of an event in another time zone may be yesterday for the site before the event starts.
    return local_start(event).date() < clock.today(site_zone().tz) and clock.has_passed(event.start)


def _days(events: Iterable[LoadedEvent], loaded: LoadedEvents, urls: SiteURLs) -> Iterator[EventDay]:
    """Group events, which are ordered by day, under a heading for each day."""
    for day, group in groupby(events, key=lambda event: local_start(event.row).date()):
        yield EventDay(format_day(day), day, [_listed_event(event, loaded, urls, shows_day=False) for event in group])


def _listed_event(event: LoadedEvent, loaded: LoadedEvents, urls: SiteURLs, *, shows_day: bool) -> ListedEvent:
    row = event.row
    hides_fields = row.id in loaded.hidden
    # The image of a protected event may be loaded for another event.
    image = None if hides_fields else loaded.relations.image_of(row)
    return ListedEvent(
        title=row.title,
        url=urls.page_url("event", row.slug),
        status_note=status_note(row),
        badges=event_badges(row, hides_fields=hides_fields),
        time=format_event_time(row, hides_fields=hides_fields, shows_day=shows_day),
        venues=[ListedVenue(venue.title, venue.city) for venue in event.venues],
        thumbnail_url=thumbnail_url(image, urls),
    )
