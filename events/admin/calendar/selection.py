"""The events that the calendar shows: of each day as many as the page has room for."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Value, Window
from django.db.models.functions import Greatest, RowNumber, Substr

from calendar_site.core.dates.conversion import site_zone
from events.models import Event

# On a page.
MAX_EVENTS = 1000
DAY_LENGTH = len("2027-03-10")


class EventsOfDays(NamedTuple):
    events: list[Event]
    # The number of events without room, by the first day on which they take place in the period.
    left_out: dict[date, int]


def select_events(found: Any, first: date, last: date) -> EventsOfDays:
    """Return the events on these days in the order of their local starts.

    If there are more than the page has room for, return the first ones of each day, so that no day is empty. One query
    and those of the prefetched relations; then two more.
    """
    found = found.on_days(first, last).ordered_by_local_start()
    events = list(found[: MAX_EVENTS + 1])
    if len(events) <= MAX_EVENTS:
        return EventsOfDays(events, {})
    by_day = found.annotate(first_day=Greatest(Substr("start_local", 1, DAY_LENGTH), Value(first.isoformat())))
    counts = dict(by_day.order_by().values_list("first_day").annotate(Count("pk")))
    limit = _limit_per_day(counts.values())
    place = Window(RowNumber(), partition_by="first_day", order_by=("start_local", "pk"))
    left_out = {date.fromisoformat(day): count - limit for day, count in counts.items() if count > limit}
    return EventsOfDays(list(by_day.annotate(place=place).filter(place__lte=limit)), left_out)


def select_other_zones(found: Any, first: date, last: date) -> list[Event]:
    """Return the events of other time zones on these days and beside them: on the site's clock, they may be here.

    One query and those of the prefetched relations.
    """
    day = timedelta(days=1)
    rows = found.on_days(first - day, last + day).exclude(time_zone=site_zone().name).filter(all_day=False)
    return list(rows.ordered_by_local_start()[:MAX_EVENTS])


def _limit_per_day(counts: Iterable[int]) -> int:
    """Return how many events of each day are shown: what quiet days leave free is for the other ones."""
    room, limit = MAX_EVENTS, 0
    remaining = sorted(counts)
    while remaining:
        limit = room // len(remaining)
        if remaining[0] > limit:
            break
        room -= remaining.pop(0)
    return max(limit, 1)
