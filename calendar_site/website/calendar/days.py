"""The events of some days, with the few columns that a month needs of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest

from calendar_site.website.time_display import takes_whole_days
from events.event_days import days_of_event
from events.models import Event
from events.protection.protected_fields import Reader, hides_fields
from events.public_filters import around, find_events


class CalendarRow(NamedTuple):
    """The columns of an event in a month."""

    id: int
    author_id: int
    status: str
    published_at: datetime
    title: str
    slug: str
    start_local: str
    end_local: str
    all_day: bool
    event_status: str
    sold_out: bool
    attendance_mode: str
    password: str


class CalendarEvent(NamedTuple):
    """An event in a calendar, from its first to its last day. The reader sees title and dates only if `is_hidden`."""

    row: CalendarRow
    starts: datetime
    start: date
    end: date
    is_all_day: bool
    is_hidden: bool

    @property
    def is_long(self) -> bool:
        """Return whether the event is listed once, as one that goes on, instead of on each of its days."""
        return (self.end - self.start).days >= settings.LONG_EVENT_DAYS


def load_days(request: HttpRequest, filters: Mapping[str, str], first: date, last: date) -> list[CalendarEvent]:
    """Return the events on these days on the clocks of their time zones, in the order of their starts.

    Two queries, and those of the filters. Raises InvalidFilter.
    """
    found = find_events(request.user, {**filters, **around(first, last)})
    rows = (
        Event.objects.filter(pk__in=found.first_ids()).order_by("start_local", "pk").values_list(*CalendarRow._fields)
    )
    reader = Reader(request.user)
    events = (_calendar_event(CalendarRow._make(row), reader) for row in rows.values_list(*CalendarRow._fields))
    return [event for event in events if event.start <= last and event.end >= first]


def by_day(events: Iterable[CalendarEvent], first: date, last: date) -> dict[date, list[CalendarEvent]]:
    """Return the events of each of these days that has any, in their order."""
    days = defaultdict(list)
    for event in events:
        day, end = max(event.start, first), min(event.end, last)
        while day <= end:
            days[day].append(event)
            day += timedelta(days=1)
    return days


def _calendar_event(row: CalendarRow, reader: Reader) -> CalendarEvent:
    starts, ends = datetime.fromisoformat(row.start_local), datetime.fromisoformat(row.end_local)
    is_hidden = hides_fields(row, reader)
    is_all_day = takes_whole_days(starts, ends) if is_hidden else row.all_day
    first, last = days_of_event(starts, ends, is_all_day=is_all_day)
    return CalendarEvent(row, starts, first, last, is_all_day, is_hidden)
