"""Days as lists: those of a week with the first events of each, or a single day with all of them in pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from django.http import HttpRequest

from calendar_site.core.dates.formatting import format_day
from calendar_site.website.calendar.days import CalendarEvent, by_day
from calendar_site.website.calendar.filtered_calendar import FilteredCalendar, day_path
from calendar_site.website.event_lists import ListedEvent, load_listed, make_listed_event

# In a week, of each day, and of those that go on.
MAX_EVENTS = 10


class CalendarDay(NamedTuple):
    """A day with its events. `more` of them are on the page of the day only, whose URL is "" without events."""

    day: date
    heading: str
    is_today: bool
    url: str
    events: list[ListedEvent]
    more: int


class DayLists(NamedTuple):
    """The lists of some days. Long events are listed once, as events that go on, instead of on each of their days."""

    ongoing: list[ListedEvent]
    more_ongoing: int
    days: list[CalendarDay]


def make_week(
    request: HttpRequest, events: Sequence[CalendarEvent], days: list[date], today: date, calendar: FilteredCalendar
) -> DayLists:
    """Return the days of a week. Four queries at most."""
    ongoing = [event for event in events if event.is_long]
    others = by_day((event for event in events if not event.is_long), days[0], days[-1])
    shown = [*ongoing[:MAX_EVENTS], *(event for group in others.values() for event in group[:MAX_EVENTS])]
    listed = _load(request, shown)
    return DayLists(
        ongoing=_listed(ongoing[:MAX_EVENTS], listed),
        more_ongoing=len(ongoing[MAX_EVENTS:]),
        days=[
            CalendarDay(
                day=day,
                heading=format_day(day),
                is_today=day == today,
                url=calendar.url(day_path(day)) if day in others else "",
                events=_listed(others.get(day, [])[:MAX_EVENTS], listed),
                more=len(others.get(day, [])[MAX_EVENTS:]),
            )
            for day in days
        ],
    )


def in_order_of_day(events: Iterable[CalendarEvent]) -> list[CalendarEvent]:
    """Return the events of a day as its page lists them: first those that go on for long."""
    return sorted(events, key=lambda event: not event.is_long)


def make_day(request: HttpRequest, events: Sequence[CalendarEvent], day: date, today: date) -> DayLists:
    """Return these events of a day. Four queries at most."""
    listed = _load(request, events)
    short = _listed([event for event in events if not event.is_long], listed)
    ongoing = _listed([event for event in events if event.is_long], listed)
    return DayLists(ongoing, 0, [CalendarDay(day, format_day(day), day == today, "", short, 0)] if short else [])


def _load(request: HttpRequest, events: Iterable[CalendarEvent]) -> dict[int, ListedEvent]:
    by_id = {event.row.id: event for event in events}
    loaded = load_listed(request, list(by_id))
    return {
        event.row.id: make_listed_event(event, loaded, request, is_ongoing=by_id[event.row.id].is_long)
        for event in loaded.events
    }


def _listed(events: Iterable[CalendarEvent], listed: Mapping[int, ListedEvent]) -> list[ListedEvent]:
    """Return the events for a list, without those that have been deleted meanwhile."""
    return [listed[event.row.id] for event in events if event.row.id in listed]
