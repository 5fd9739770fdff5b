"""Lists of events on the HTML pages: a page of rows, under a heading for each day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from django.conf import settings
from django.core.paginator import Page
from django.http import HttpRequest
from django.utils.translation import gettext as _

from calendar_site.api.lists import pagination
from calendar_site.api.output.selection import Selection
from calendar_site.api.site_urls import urls_for
from calendar_site.core import clock
from calendar_site.core.compiled_queries.querysets import fetch_columns
from calendar_site.core.dates.conversion import site_zone
from calendar_site.core.dates.formatting import format_day, format_day_without_weekday
from calendar_site.website.default_images import default_image, default_images
from calendar_site.website.pagination import ROWS_PER_PAGE, get_page
from calendar_site.website.price_display import format_cost
from calendar_site.website.record_display import status_note, summarize
from calendar_site.website.responsive_images import thumbnail_url
from calendar_site.website.site import profile_of
from calendar_site.website.status_display import event_badges
from calendar_site.website.time_display import EventTime, format_event_time, local_end, local_start
from events.event_days import days_of_event
from events.listing.event_list import EventList
from events.loading import EventRow, LoadedEvent, LoadedEvents, load_events
from events.models import Event
from events.protection.protected_fields import Reader
from events.public_filters import after, ended_by, find_events, starting_before

# The fields that are loaded for a list, named as in the contract.
LISTED_KEYS = Selection.parse("image,venue.venue,venue.city")
LISTED_KEYS_WITH_CATEGORIES = Selection.parse("image,venue.venue,venue.city,categories.id")


class ListedVenue(NamedTuple):
    """A venue in a list of events."""

    name: str
    city: str


class ListedEvent(NamedTuple):
    """An event in a list, without the fields that are hidden from the reader.

    `until` is the last day of a long event that goes on, "" for others.
    """

    title: str
    url: str
    status_note: str
    badges: list[tuple[str, str]]
    time: EventTime
    until: str
    venues: list[ListedVenue]
    thumbnail_url: str
    # "" if lists do not show them.
    price: str
    text: str


class EventDay(NamedTuple):
    """The events under one heading. `date` is None for events that started before today."""

    heading: str
    date: date | None
    events: list[ListedEvent]


class PageOfEvents(NamedTuple):
    """One page of a list of events, by day."""

    page: Page[Any]
    days: list[EventDay]


class _PagedEvents:
    """The ids of a list of events, in the form that Django's paginator reads."""

    def __init__(self, events: EventList) -> None:
        self._events = events

    @cached_property
    def total(self) -> int:
        return self._events.count()

    def count(self) -> int:
        return self.total

    def __getitem__(self, place: slice) -> list[int]:
        page = pagination.Page(place.start // ROWS_PER_PAGE + 1, ROWS_PER_PAGE, self.total)
        return [pk for pk, *_others in fetch_columns(self._events.rows_of_page(page), ("pk",), place)]


def list_past_events(request: HttpRequest, filters: Mapping[str, str], now: datetime, parameter: str) -> PageOfEvents:
    """Return the page of the events that are over, which the query parameter requests; the last one comes first.

    Six queries at most: the count, the ids, the events, their links, their venues and their images.
    Raises Http404 if there is no such page, and InvalidFilter.
    """
    page, loaded = _load_page(request, find_events(request.user, {**filters, **ended_by(now)}), parameter)
    return PageOfEvents(page, list(_days(loaded.events, loaded, request)))


def list_parts(request: HttpRequest, rows: Any, parameter: str) -> PageOfEvents:
    """Return the page of the events in a queryset, which are parts of another one, as `list_past_events` does."""
    page = get_page(request, rows.values_list("pk", flat=True), parameter)
    loaded = load_listed(request, list(page.object_list))
    return PageOfEvents(page, list(_days(loaded.events, loaded, request)))


def list_upcoming_events(
    request: HttpRequest, filters: Mapping[str, str], since: datetime, until: datetime | None = None
) -> PageOfEvents:
    """Return the requested page of the events that are not over at a moment; see `list_past_events`.

    Events that started on an earlier day come first, under one heading. One query more, for long events. With `until`,
    only events that start before it.
    """
    parameters = {**filters, **after(since), **(starting_before(until) if until else {})}
    page, loaded = _load_page(request, find_events(request.user, parameters), "page")
    day = since.astimezone(site_zone().tz).date()
    started = [event for event in loaded.events if _started_before(event.row, day)]
    others = [event for event in loaded.events if not _started_before(event.row, day)]
    days = list(_days(others, loaded, request))
    if started:
        listed = [make_listed_event(event, loaded, request, is_ongoing=True) for event in started]
        days.insert(0, EventDay(_("Ongoing"), None, listed))
    return PageOfEvents(page, days)


def load_listed(request: HttpRequest, ids: Sequence[int]) -> LoadedEvents:
    """Load the events with these ids, in their order, for a list.

    Four queries at most, and two more for categories if any of them has an image.
    """
    keys = LISTED_KEYS_WITH_CATEGORIES if default_images(request) else LISTED_KEYS
    rows = Event.objects.filter(pk__in=ids).values_list(*EventRow._fields, named=True)
    places = {pk: place for place, pk in enumerate(ids)}
    ordered = sorted(map(EventRow._make, rows), key=lambda row: places[row.id])
    return load_events(ordered, Reader(request.user), keys)


def _load_page(request: HttpRequest, events: EventList, parameter: str) -> tuple[Page[Any], LoadedEvents]:
    page = get_page(request, _PagedEvents(events), parameter)
    return page, load_listed(request, list(page.object_list))


def _started_before(event: Event | EventRow, day: date) -> bool:
    if local_start(event).date() >= day:
        return False
    # The local date of an event in another time zone may be yesterday for the site before the event starts.
    return day > clock.today(site_zone().tz) or clock.has_passed(event.start)


def _days(events: Iterable[LoadedEvent], loaded: LoadedEvents, request: HttpRequest) -> Iterator[EventDay]:
    """Group events, which are ordered by day, under a heading for each day."""
    for day, group in groupby(events, key=lambda event: local_start(event.row).date()):
        yield EventDay(format_day(day), day, [make_listed_event(event, loaded, request) for event in group])


def make_listed_event(
    event: LoadedEvent, loaded: LoadedEvents, request: HttpRequest, *, is_ongoing: bool = False
) -> ListedEvent:
    """Return an event for a list, below the heading of its day, or among those that go on."""
    row, urls, shown = event.row, urls_for(request), profile_of(request).saved
    hides_fields = row.id in loaded.hidden
    return ListedEvent(
        title=row.title,
        url=urls.page_url("event", row.slug),
        status_note=status_note(row),
        badges=event_badges(row, hides_fields=hides_fields),
        time=format_event_time(row, hides_fields=hides_fields, shows_day=is_ongoing),
        until=_last_day(row) if is_ongoing else "",
        venues=[ListedVenue(venue.title, venue.city) for venue in event.venues] if shown.lists_venues else [],
        thumbnail_url=_thumbnail_url(event, loaded, request) if shown.lists_images and not hides_fields else "",
        price=format_cost(row) if shown.lists_prices and not hides_fields else "",
        text=summarize(row.excerpt or row.description) if shown.lists_texts and not hides_fields else "",
    )


def _thumbnail_url(event: LoadedEvent, loaded: LoadedEvents, request: HttpRequest) -> str:
    """Return the URL of the image of the event, else of its categories; "" without one."""
    image = loaded.relations.image_of(event.row) or default_image(event.categories, request)
    return thumbnail_url(image, urls_for(request))


def _last_day(row: Event | EventRow) -> str:
    """Return the last day of a long event, "" for a short one, whose times matter."""
    first, last = days_of_event(local_start(row), local_end(row))
    is_long = (last - first).days >= settings.LONG_EVENT_DAYS
    return format_day_without_weekday(last) if is_long else ""
