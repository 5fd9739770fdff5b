"""The days on which a recurrence rule takes place: those of each period that meet the conditions of the rule.

Unlike dateutil, which looks for a match until the year 9999, this reads only the days up to the last one asked for.
"""

from __future__ import annotations

from calendar import isleap, monthrange
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from functools import lru_cache, partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from events.recurrence.rules import Rule

WEEKDAYS = {"MO": 0, "TU": 1, "WE": 2, "TH": 3, "FR": 4, "SA": 5, "SU": 6}
# Without one of these parts, the first occurrence decides on the day.
_DAY_PARTS = {"BYWEEKNO", "BYYEARDAY", "BYMONTHDAY", "BYDAY"}

Condition = Callable[[date], bool]


def days_of_rule(rule: Rule, start: date, last: date) -> Iterator[date]:
    """Yield the days from `start` to `last`, in order. COUNT and UNTIL are left to the caller.

    The time depends on the number of days in between only, and not on how many of them match.
    """
    conditions = _conditions(rule, start)
    positions = [int(value) for value in rule.by.get("BYSETPOS", ())]
    for period in _periods(rule, start, last):
        days: Iterable[date] = map(date.fromordinal, period)
        for condition in conditions:
            days = filter(condition, days)
        if positions:
            days = _at_positions(list(days), positions)
        for day in days:
            if day > last:
                return
            if day >= start:
                yield day


def _periods(rule: Rule, start: date, last: date) -> Iterator[range]:
    """Yield the ordinals of all days in each day, week, month or year that the interval of the rule includes."""
    step = rule.interval
    if rule.frequency == "DAILY":
        for day in range(start.toordinal(), last.toordinal() + 1, step):
            yield range(day, day + 1)
    elif rule.frequency == "WEEKLY":
        for day in range(_week_begin(start, WEEKDAYS[rule.week_start]).toordinal(), last.toordinal() + 1, 7 * step):
            yield range(day, day + 7)
    elif rule.frequency == "MONTHLY":
        for number in range(start.year * 12 + start.month - 1, last.year * 12 + last.month, step):
            first = date(number // 12, number % 12 + 1, 1)
            yield range(first.toordinal(), first.toordinal() + monthrange(first.year, first.month)[1])
    else:
        for year in range(start.year, last.year + 1, step):
            first = date(year, 1, 1)
            yield range(first.toordinal(), first.toordinal() + _year_length(year))


def _at_positions(days: list[date], positions: Iterable[int]) -> list[date]:
    """Return the days at these positions of a period, which count from 1, or from -1 at its end."""
    found = {days[number - (number > 0)] for number in positions if abs(number) <= len(days)}
    return sorted(found)


# --- Conditions


def _conditions(rule: Rule, start: date) -> list[Condition]:
    """Return what must hold for a day, the quickest conditions first."""
    by = {name: values for name, values in rule.by.items() if name != "BYSETPOS"} | _implied_parts(rule, start)
    conditions: list[Condition] = []
    if "BYMONTH" in by:
        conditions.append(partial(_is_in_months, set(map(int, by["BYMONTH"]))))
    if "BYMONTHDAY" in by:
        conditions.append(partial(_is_day_of_month, set(map(int, by["BYMONTHDAY"]))))
    if "BYDAY" in by:
        conditions.append(
            _weekday_condition(by["BYDAY"], is_of_year=rule.frequency == "YEARLY" and "BYMONTH" not in by)
        )
    if "BYYEARDAY" in by:
        conditions.append(partial(_is_day_of_year, set(map(int, by["BYYEARDAY"]))))
    if "BYWEEKNO" in by:
        conditions.append(partial(_is_in_weeks, set(map(int, by["BYWEEKNO"])), WEEKDAYS[rule.week_start]))
    return conditions


def _implied_parts(rule: Rule, start: date) -> dict[str, tuple[str, ...]]:
    """Return the parts that a rule takes from its first day, because it has none for the day."""
    parts = _DAY_PARTS & rule.by.keys()
    weekday = (list(WEEKDAYS)[start.weekday()],)
    if parts == {"BYWEEKNO"}:
        return {"BYDAY": weekday}
    if parts or rule.frequency == "DAILY":
        return {}
    if rule.frequency == "WEEKLY":
        return {"BYDAY": weekday}
    days: dict[str, tuple[str, ...]] = {"BYMONTHDAY": (str(start.day),)}
    if rule.frequency == "YEARLY" and "BYMONTH" not in rule.by:
        days["BYMONTH"] = (str(start.month),)
    return days


def _is_in_months(months: set[int], day: date) -> bool:
    return day.month in months


def _is_day_of_month(numbers: set[int], day: date) -> bool:
    return day.day in numbers or day.day - monthrange(day.year, day.month)[1] - 1 in numbers


def _is_day_of_year(numbers: set[int], day: date) -> bool:
    number = day.timetuple().tm_yday
    return number in numbers or number - _year_length(day.year) - 1 in numbers


def _is_in_weeks(numbers: set[int], week_start: int, day: date) -> bool:
    # A week belongs to the year that contains most of it.
    begin = _week_begin(day, week_start)
    year = (begin + timedelta(days=3)).year
    first, following = _first_week(year, week_start), _first_week(year + 1, week_start)
    number = (begin - first).days // 7 + 1
    return number in numbers or number - (following - first).days // 7 - 1 in numbers


def _weekday_condition(values: Iterable[str], *, is_of_year: bool) -> Condition:
    """Return the condition for weekdays. `2MO` is the second Monday of the year, or else of the month."""
    weekdays = {WEEKDAYS[value] for value in values if len(value) == 2}
    ordinals = {(WEEKDAYS[value[-2:]], int(value[:-2])) for value in values if len(value) > 2}

    def is_included(day: date) -> bool:
        weekday = day.weekday()
        if weekday in weekdays or not ordinals:
            return weekday in weekdays
        if is_of_year:
            number, length = day.timetuple().tm_yday, _year_length(day.year)
        else:
            number, length = day.day, monthrange(day.year, day.month)[1]
        return (weekday, (number - 1) // 7 + 1) in ordinals or (weekday, -((length - number) // 7 + 1)) in ordinals

    return is_included


def _week_begin(day: date, week_start: int) -> date:
    return day - timedelta(days=(day.weekday() - week_start) % 7)


@lru_cache
def _first_week(year: int, week_start: int) -> date:
    """Return the first day of week 1, which contains 4 January."""
    return _week_begin(date(year, 1, 4), week_start)


def _year_length(year: int) -> int:
    return 366 if isleap(year) else 365
