"""Other events on the page of an event: the next dates of its series, similar events, the previous and the next one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from django.http import HttpRequest

from calendar_site.api.site_urls import urls_for
from calendar_site.core import clock
from calendar_site.core.clock import Moments
from calendar_site.core.dates.formatting import format_short_day, format_short_day_and_time
from calendar_site.website.calendar.filtered_calendar import FilteredCalendar
from calendar_site.website.records.links import RecordLink
from calendar_site.website.time_display import local_start
from events.calendar_periods import LIST
from events.loading import LoadedEvent
from events.models import Event, Series
from events.protection.protected_fields import Reader, hides_fields
from events.public_filters import after, find_events
from events.recurrence.schedules import Schedule
from events.recurrence.sentences import describe_schedule

NEXT_DATES = 5
SIMILAR_EVENTS = 4
# The next events of which those are taken that are not dates of the same series.
SIMILAR_READ = 12


class SeriesDates(NamedTuple):
    """The series of an event: a sentence such as “Every week on Tuesday”, and the next of its other events."""

    sentence: str
    next_events: list[RecordLink]
    url: str
    calendar_url: str


class RelatedEvents(NamedTuple):
    """Other events on the page of an event, without those that the reader may not see."""

    series: SeriesDates | None
    similar: list[RecordLink]
    previous: RecordLink | None
    next: RecordLink | None


def load_related_events(request: HttpRequest, loaded: LoadedEvent) -> RelatedEvents:
    """Return the events related to one whose fields the reader sees. Ten queries at most."""
    event = loaded.row
    series = _series_dates(request, loaded)
    listed = Event.objects.visible_to(request.user).listed().exclude(pk=event.id)
    later = listed.filter(start_local__gte=event.start_local).exclude(start_local=event.start_local, pk__lt=event.id)
    earlier = listed.filter(start_local__lte=event.start_local).exclude(start_local=event.start_local, pk__gt=event.id)
    return RelatedEvents(
        series=series,
        similar=_similar_events(request, loaded),
        previous=_first_link(request, earlier.order_by("-start_local", "-pk")[:1]),
        next=_first_link(request, later.order_by("start_local", "pk")[:1]),
    )


def _series_dates(request: HttpRequest, loaded: LoadedEvent) -> SeriesDates | None:
    event = loaded.row
    if event.series_id is None:
        return None
    series = Series.objects.visible_to(request.user).filter(pk=event.series_id).first()
    if series is None:
        return None
    dates = FilteredCalendar(urls_for(request), None, {"series": str(series.pk)})
    ids = _coming_ids(request, {"series": str(series.pk)}, NEXT_DATES + 1)
    return SeriesDates(
        sentence=describe_schedule(Schedule.of(series)),
        next_events=_links(request, [pk for pk in ids if pk != event.id][:NEXT_DATES]),
        url=dates.url(LIST),
        calendar_url=dates.calendar_url,
    )


def _similar_events(request: HttpRequest, loaded: LoadedEvent) -> list[RecordLink]:
    """Return the next events of the same categories, or with the same tags or at the same venues if it has none."""
    event = loaded.row
    shared: dict[str, Sequence[Any]] = {"categories": loaded.categories, "tags": loaded.tags, "venue": loaded.venues}
    parameter = next((name for name, records in shared.items() if records), "")
    if not parameter:
        return []
    ids = _coming_ids(request, {parameter: ",".join(str(record.id) for record in shared[parameter])}, SIMILAR_READ)
    series = {event.series_id} - {None}
    events = Event.objects.in_bulk(ids)
    others = [events[pk] for pk in ids if pk in events and pk != event.id and events[pk].series_id not in series]
    return list(_event_links(request, others[:SIMILAR_EVENTS]))


def _coming_ids(request: HttpRequest, filters: dict[str, str], limit: int) -> list[int]:
    now = clock.now_among(Moments.EVENT_END)
    return find_events(request.user, {**filters, **after(now)}).first_ids(limit)


def _links(request: HttpRequest, ids: list[int]) -> list[RecordLink]:
    events = Event.objects.in_bulk(ids)
    return list(_event_links(request, (events[pk] for pk in ids if pk in events)))


def _first_link(request: HttpRequest, events: Iterable[Event]) -> RecordLink | None:
    return next(_event_links(request, events), None)


def _event_links(request: HttpRequest, events: Iterable[Event]) -> Iterator[RecordLink]:
    urls = urls_for(request)
    reader = Reader(request.user)
    for event in events:
        starts = local_start(event)
        is_all_day = event.all_day and not hides_fields(event, reader)
        when = format_short_day(starts.date()) if is_all_day else format_short_day_and_time(starts)
        yield RecordLink(event.title, urls.page_url("event", event.slug), when)
