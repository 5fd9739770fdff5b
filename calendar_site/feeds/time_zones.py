"""The definitions of time zones that a calendar contains (D49).

Outlook ignores `RDATE` in time zones. A zone whose law repeats every year has a yearly rule for each of its two
changes; any other one has a part for each change.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Sequence
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import icalendar

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
# In these years, which the last rule of each zone governs, each date falls on each weekday, in leap years too.
CYCLE = range(2038, 2066)
# The first days of the weeks by which a law may name a day: "the first Friday on or after the 23rd".
DAYS_OF_WEEK = 7
LAST_WEEK = -1


class Onset(NamedTuple):
    """A change of the clock. `clock` is its local time by the former offset, as RFC 5545 counts it."""

    clock: datetime
    offset_from: timedelta
    offset_to: timedelta
    name: str


class YearlyRule(NamedTuple):
    """The weekday in a month on which the clock changes every year.

    `week` is its number in the month, LAST_WEEK for the last one, or 0 for the first one on or after `first_day`.
    """

    month: int
    weekday: int
    week: int
    first_day: int = 0

    def matches(self, day: datetime) -> bool:
        return (self.month, self.weekday) == (day.month, day.weekday()) and (
            self.week in _weeks_of(day) if self.week else 0 <= day.day - self.first_day < DAYS_OF_WEEK
        )

    def to_rrule(self) -> str:
        name = WEEKDAYS[self.weekday]
        if self.week:
            return f"FREQ=YEARLY;BYDAY={self.week}{name};BYMONTH={self.month}"
        days = ",".join(str(self.first_day + number) for number in range(DAYS_OF_WEEK))
        return f"FREQ=YEARLY;BYDAY={name};BYMONTHDAY={days};BYMONTH={self.month}"


def define_zone(name: str, tz: tzinfo, years: Iterable[int]) -> icalendar.Timezone:
    """Return the definition of a zone that is valid from the first to the last of these local years.

    With yearly rules, it is valid ever after. Not the definition of icalendar, which has daylight saving time begin an
    hour late.
    """
    years = set(years)
    first, last = min(years), max(years)
    # The change before the first date as well, so that each date has one before it.
    before = _onsets_before(tz, first)
    onsets = [onset for year in range(before, last + 1) for onset in _onsets(tz, year)]
    zone = icalendar.Timezone()
    zone.add("TZID", name)
    rules = _rules_of(tz, onsets, range(before, max(last, before + 1) + 1))
    for index, onset in enumerate(onsets[:2] if rules else onsets):
        zone.add_component(_part(onset, rules[index] if rules else None))
    if not onsets:
        zone.add_component(_constant_part(tz, first))
    return zone


def _onsets_before(tz: tzinfo, year: int) -> int:
    """Return the latest year before the given one in which the clock changes, the given one if there is none near."""
    return next((other for other in range(year - 1, max(MINYEAR, year - 4), -1) if _onsets(tz, other)), year)


def _rules_of(tz: tzinfo, onsets: Sequence[Onset], years: range) -> tuple[YearlyRule, ...]:
    """Return the yearly rules of the first two onsets, if they give all onsets of these years; else none."""
    law = _law(tz)
    if len(law) != 2 or len(onsets) < 2:
        return ()
    for year in years:
        found = _onsets(tz, year)
        if len(found) != 2 or not all(_is_given(onset, law) for onset in found):
            return ()
    return tuple(rule for onset in onsets[:2] for known, rule in law if _is_same_change(onset, known))


def _is_given(onset: Onset, law: Sequence[tuple[Onset, YearlyRule]]) -> bool:
    return any(_is_same_change(onset, known) and rule.matches(onset.clock) for known, rule in law)


def _is_same_change(onset: Onset, other: Onset) -> bool:
    return onset._replace(clock=other.clock) == other and onset.clock.time() == other.clock.time()


@lru_cache(maxsize=64)
def _law(tz: tzinfo) -> tuple[tuple[Onset, YearlyRule], ...]:
    """Return the changes of each year by the present law, with their rules; none if they are not two regular ones."""
    by_year = [_onsets(tz, year) for year in CYCLE]
    if any(len(onsets) != 2 for onsets in by_year):
        return ()
    law = []
    for changes in zip(*by_year, strict=True):
        rule = _rule_of([onset.clock for onset in changes])
        if rule is None or not all(_is_same_change(onset, changes[0]) for onset in changes):
            return ()
        law.append((changes[0], rule))
    return tuple(law)


def _rule_of(days: Sequence[datetime]) -> YearlyRule | None:
    """Return the rule that gives all of these days, in years that have every calendar."""
    first = days[0]
    weeks = set.intersection(*({*_weeks_of(day)} for day in days))
    if weeks:
        rule = YearlyRule(first.month, first.weekday(), max(weeks))
    else:
        rule = YearlyRule(first.month, first.weekday(), 0, min(day.day for day in days))
    return rule if all(map(rule.matches, days)) else None


def _weeks_of(day: datetime) -> tuple[int, ...]:
    """Return the numbers by which a rule may name the week of a day in its month."""
    is_last = day.day + DAYS_OF_WEEK > monthrange(day.year, day.month)[1]
    number = (day.day - 1) // DAYS_OF_WEEK + 1
    return (number, LAST_WEEK) if is_last else (number,)


def _part(onset: Onset, rule: YearlyRule | None) -> icalendar.cal.Component:
    part = icalendar.TimezoneDaylight() if onset.offset_to > onset.offset_from else icalendar.TimezoneStandard()
    part.add("DTSTART", onset.clock)
    part.add("TZOFFSETFROM", onset.offset_from)
    part.add("TZOFFSETTO", onset.offset_to)
    part.add("TZNAME", onset.name)
    if rule is not None:
        part.add("RRULE", icalendar.vRecur.from_ical(rule.to_rrule()))
    return part


def _constant_part(tz: tzinfo, year: int) -> icalendar.TimezoneStandard:
    """Return the part of a zone whose clock does not change."""
    local = datetime(year, 1, 2, tzinfo=UTC).astimezone(tz)
    offset = local.utcoffset() or timedelta()
    part = icalendar.TimezoneStandard()
    part.add("DTSTART", datetime(min(year, 1970), 1, 1))
    part.add("TZOFFSETFROM", offset)
    part.add("TZOFFSETTO", offset)
    part.add("TZNAME", local.tzname() or "")
    return part


@lru_cache(maxsize=4096)
def _onsets(tz: tzinfo, year: int) -> tuple[Onset, ...]:
    """Return the changes of the clock in a year, in order."""
    # No day comes before the year 1, and none follows the year 9999.
    start = datetime(year, 1, 1 if year > MINYEAR else 2, tzinfo=tz).astimezone(UTC)
    days = [start + timedelta(days=number) for number in range(0, 366 if year < MAXYEAR else 365, 5)]
    end = datetime(year, 12, 31 if year < MAXYEAR else 30, 23, 59, tzinfo=tz).astimezone(UTC)
    found = []
    for day, following in pairwise([*(day for day in days if day < end), end]):
        found += _changes_between(day, following, tz)
    return tuple(found)


def _changes_between(first: datetime, last: datetime, tz: tzinfo) -> list[Onset]:
    """Return the change of the clock between two moments a few days apart, if there is one."""
    if first.astimezone(tz).utcoffset() == last.astimezone(tz).utcoffset():
        return []
    before = first
    while last - first > timedelta(seconds=1):
        middle = first + (last - first) // timedelta(seconds=2) * timedelta(seconds=1)
        if middle.astimezone(tz).utcoffset() == before.astimezone(tz).utcoffset():
            first = middle
        else:
            last = middle
    return [_onset(last, tz, before)]


def _onset(moment: datetime, tz: tzinfo, before: datetime) -> Onset:
    local, offset_from = moment.astimezone(tz), before.astimezone(tz).utcoffset() or timedelta()
    return Onset(
        (moment + offset_from).replace(tzinfo=None),
        offset_from,
        local.utcoffset() or timedelta(),
        local.tzname() or "",
    )
