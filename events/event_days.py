"""The days on which an event takes place, the same in the calendars of pages and admin."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import NamedTuple

# The end of the night that began on the day before.
END_OF_NIGHT = time(6)


class EventDays(NamedTuple):
    """The first and the last day of an event, on the clock of its time zone."""

    first: date
    last: date


def days_of_event(starts: datetime, ends: datetime, *, is_all_day: bool = False) -> EventDays:
    """Return the days of an event with these local times.

    An event that ends at midnight is over when the day begins, and one that ends in the night belongs to its evening.
    """
    first, last = starts.date(), max(starts, ends - timedelta(seconds=1)).date()
    is_one_night = ends - starts < timedelta(days=1) and ends.time() <= END_OF_NIGHT
    return EventDays(first, first if is_one_night and not is_all_day else last)
