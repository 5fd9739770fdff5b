"""The definitions of time zones that a calendar contains."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import icalendar


class Onset(NamedTuple):
    """A change of the clock. `clock` is its local time by the former offset, as RFC 5545 counts it."""

    clock: datetime
    offset_from: timedelta
    offset_to: timedelta
    name: str
    is_daylight: bool


def define_zone(name: str, tz: tzinfo, years: Iterable[int]) -> icalendar.Timezone:
    """Return the definition of a zone that is valid in these local years.

    Not the one of icalendar, which has daylight saving time begin an hour late.
    """
    parts: dict[tuple[bool, timedelta, timedelta, str], list[datetime]] = {}
    for year in sorted(set(years)):
        for onset in _onsets(tz, year):
            key = (onset.is_daylight, onset.offset_from, onset.offset_to, onset.name)
            parts.setdefault(key, []).append(onset.clock)
    zone = icalendar.Timezone()
    zone.add("TZID", name)
    for (is_daylight, offset_from, offset_to, label), clocks in parts.items():
        part = icalendar.TimezoneDaylight() if is_daylight else icalendar.TimezoneStandard()
        part.add("DTSTART", clocks[0])
        part.add("TZOFFSETFROM", offset_from)
        part.add("TZOFFSETTO", offset_to)
        part.add("TZNAME", label)
        if clocks[1:]:
            part.add("RDATE", clocks[1:])
        zone.add_component(part)
    return zone


@lru_cache(maxsize=1024)
def _onsets(tz: tzinfo, year: int) -> tuple[Onset, ...]:
    """Return the time at the beginning of a year, and the changes in it, in order."""
    # No day comes before the year 1, and none follows the year 9999.
    start = datetime(year, 1, 1 if year > MINYEAR else 2, tzinfo=tz).astimezone(UTC)
    days = [start + timedelta(days=number) for number in range(366 if year < MAXYEAR else 365)]
    found = [_onset(start, tz, start)]
    for day, following in pairwise(days):
        if day.astimezone(tz).utcoffset() != following.astimezone(tz).utcoffset():
            found.append(_change_between(day, following, tz))
    return tuple(found)


def _change_between(first: datetime, last: datetime, tz: tzinfo) -> Onset:
    """Return the change of the clock between two moments."""
    before = first
    while last - first > timedelta(seconds=1):
        middle = first + (last - first) // timedelta(seconds=2) * timedelta(seconds=1)
        if middle.astimezone(tz).utcoffset() == before.astimezone(tz).utcoffset():
            first = middle
        else:
            last = middle
    return _onset(last, tz, before)


def _onset(moment: datetime, tz: tzinfo, before: datetime) -> Onset:
    local, offset_from = moment.astimezone(tz), before.astimezone(tz).utcoffset() or timedelta()
    return Onset(
        (moment + offset_from).replace(tzinfo=None),
        offset_from,
        local.utcoffset() or timedelta(),
        local.tzname() or "",
        (local.dst() or timedelta()) > timedelta(),
    )
