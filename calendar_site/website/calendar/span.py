"""The months for which a calendar has pages. Links beyond them would lead crawlers through empty months for ever."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from django.http import HttpRequest

from calendar_site.core import clock
from calendar_site.core.dates.conversion import site_zone
from events.calendar_periods import FIRST, LAST
from events.models import Event
from events.querysets import with_index_of_end


class CalendarSpan(NamedTuple):
    """The days from the month before the first event to the month after the last one."""

    first: date
    last: date

    def overlaps(self, first: date, last: date) -> bool:
        """Return whether a period has a day in the span."""
        return first <= self.last and last >= self.first


def load_span(request: HttpRequest) -> CalendarSpan:
    """Return the span of the events that the user sees, which includes this month. Two queries."""
    today = clock.today(site_zone().tz)
    events = Event.objects.visible_to(request.user).listed()
    starts = events.order_by("start_local").values_list("start_local", flat=True)[:1]
    ends = with_index_of_end(events).order_by("-end").values_list("end_local", flat=True)[:1]
    days = [today, *(date.fromisoformat(text[:10]) for text in [*starts, *ends])]
    return CalendarSpan(_month_before(min(days)), _end_of_month_after(max(days)))


def _month_before(day: date) -> date:
    return (max(day, FIRST).replace(day=1) - timedelta(days=1)).replace(day=1)


def _end_of_month_after(day: date) -> date:
    first = min(day, LAST.replace(day=1) - timedelta(days=1)).replace(day=1)
    for _month in range(2):
        first = (first + timedelta(days=31)).replace(day=1)
    return first - timedelta(days=1)
