"""The periods that the calendar shows: a month, a week, a day, or a month as a list."""

from __future__ import annotations

from calendar import Calendar
from datetime import date, timedelta
from typing import NamedTuple

from django.utils.formats import get_format
from django.utils.text import capfirst

from calendar_site.core.dates.formatting import format_day, format_day_without_weekday, format_month

MONTH, WEEK, SINGLE_DAY, LIST = "month", "week", "day", "list"
VIEWS = (MONTH, WEEK, SINGLE_DAY, LIST)
# The views with a time grid, and the number of days by which they move.
GRID_DAYS = {WEEK: 7, SINGLE_DAY: 1}
# The days on which weeks begin somewhere, as Python counts them.
WEEKDAYS = {"monday": 0, "saturday": 5, "sunday": 6}
# The weeks around other months may have days that Python has no date for.
FIRST, LAST = date(1, 2, 1), date(9999, 11, 30)


class Period(NamedTuple):
    """A view of the calendar, and a day in it."""

    view: str
    day: date
    # The day on which weeks begin, "" for that of the language.
    first_weekday: str = ""

    @property
    def is_grid(self) -> bool:
        return self.view in GRID_DAYS

    @property
    def weeks(self) -> list[list[date]]:
        """The days of the month in whole weeks."""
        by_language = (int(get_format("FIRST_DAY_OF_WEEK")) - 1) % 7
        first_weekday = WEEKDAYS.get(self.first_weekday, by_language)
        return Calendar(first_weekday).monthdatescalendar(self.day.year, self.day.month)

    @property
    def week(self) -> list[date]:
        return next(week for week in self.weeks if self.day in week)

    @property
    def days(self) -> list[date]:
        """The columns of the time grid."""
        return [self.day] if self.view == SINGLE_DAY else self.week

    @property
    def days_inside(self) -> list[date]:
        """The days of the period, without those around a month that fill its weeks."""
        if self.is_grid:
            return self.days
        return [day for week in self.weeks for day in week if day.month == self.day.month]

    @property
    def first(self) -> date:
        if self.view == LIST:
            return self.day.replace(day=1)
        return self.days[0] if self.is_grid else self.weeks[0][0]

    @property
    def last(self) -> date:
        if self.view == LIST:
            return self.next.day - timedelta(days=1)
        return self.days[-1] if self.is_grid else self.weeks[-1][-1]

    @property
    def next(self) -> Period:
        if self.is_grid:
            return self._replace(day=self.day + timedelta(days=GRID_DAYS[self.view]))
        return self._replace(day=(self.day.replace(day=1) + timedelta(days=31)).replace(day=1))

    @property
    def previous(self) -> Period:
        if self.is_grid:
            return self._replace(day=self.day - timedelta(days=GRID_DAYS[self.view]))
        return self._replace(day=(self.day.replace(day=1) - timedelta(days=1)).replace(day=1))

    @property
    def name(self) -> str:
        if self.view == SINGLE_DAY:
            return capfirst(format_day(self.day))
        if self.view == WEEK:
            return f"{format_day_without_weekday(self.first)} – {format_day_without_weekday(self.last)}"
        return format_month(self.day)


def parse_period(view: str | None, day: str | None, today: date) -> Period:
    """Return the requested period: by default a month, and today instead of an invalid day."""
    try:
        requested = date.fromisoformat(day or "")
    except ValueError:
        requested = today
    return Period(view if view in VIEWS else MONTH, min(max(requested, FIRST), LAST))
