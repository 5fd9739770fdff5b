"""The programme: the events of some days with short texts, on a page to be printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import NamedTuple

from django.http import Http404, HttpRequest

from calendar_site.core.dates.formatting import format_day, format_day_without_weekday
from calendar_site.website.calendar.days import CalendarEvent
from calendar_site.website.event_lists import ListedEvent, load_listed, make_listed_event
from calendar_site.website.price_display import format_cost
from calendar_site.website.record_display import summarize
from events.loading import LoadedEvent, LoadedEvents

DEFAULT_DAYS, MAX_DAYS = 7, 62
# On one page, in the order of the days.
MAX_EVENTS = 300


class ProgrammeEntry(NamedTuple):
    """An event in a programme."""

    event: ListedEvent
    text: str
    cost: str


class ProgrammeDay(NamedTuple):
    """A day of a programme. `heading` is "" for events that began before the first day."""

    heading: str
    entries: list[ProgrammeEntry]


class ProgrammeSpan(NamedTuple):
    first: date
    last: date

    @property
    def name(self) -> str:
        if self.first == self.last:
            return format_day_without_weekday(self.first)
        return f"{format_day_without_weekday(self.first)} – {format_day_without_weekday(self.last)}"


def parse_days(text: str) -> int:
    """Return the number of days of a programme. Raises Http404."""
    if not text:
        return DEFAULT_DAYS
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:4]) <= MAX_DAYS and len(text) <= 2):
        raise Http404
    return int(text)


def span_from(first: date, days: int) -> ProgrammeSpan:
    return ProgrammeSpan(first, first + timedelta(days=days - 1))


def make_programme(request: HttpRequest, events: Sequence[CalendarEvent], span: ProgrammeSpan) -> list[ProgrammeDay]:
    """Return the days of a programme, each event once: on its first day, or before all days. Four queries at most."""
    included = {event.row.id: event for event in events[:MAX_EVENTS]}
    loaded = load_listed(request, list(included))
    entries = list(_entries(request, loaded, included, span))
    return [
        ProgrammeDay(format_day(day) if day >= span.first else "", [entry for _day, entry in group])
        for day, group in groupby(entries, key=lambda pair: max(pair[0], span.first - timedelta(days=1)))
    ]


def _entries(
    request: HttpRequest, loaded: LoadedEvents, included: dict[int, CalendarEvent], span: ProgrammeSpan
) -> Iterator[tuple[date, ProgrammeEntry]]:
    for event in loaded.events:
        start = included[event.row.id].start
        listed = make_listed_event(event, loaded, request, is_ongoing=start < span.first)
        yield start, _entry(event, listed, is_hidden=event.row.id in loaded.hidden)


def _entry(event: LoadedEvent, listed: ListedEvent, *, is_hidden: bool) -> ProgrammeEntry:
    if is_hidden:
        return ProgrammeEntry(listed, "", "")
    return ProgrammeEntry(listed, summarize(event.row.excerpt or event.row.description), format_cost(event.row))
