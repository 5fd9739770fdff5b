"""The periods that the calendar shows: a month, a week, or a month as a list."""

from __future__ import annotations

from calendar import Calendar
from datetime import date, timedelta
from typing import NamedTuple

from django.utils.formats import get_format

from calendar_site.core.date_format import format_day_without_weekday, format_month

MONTH, WEEK, LIST = "month", "week", "list"
VIEWS = (MONTH, WEEK, LIST)
# The weeks around other months may have days that Python has no date for.
FIRST, LAST = date(1, 2, 1), date(9999, 11, 30)


class Period(NamedTuple):
    """A view of the calendar, and a day in it."""

    view: str
    day: date

    @property
    def weeks(self) -> list[list[date]]:
        """The days in whole weeks, which begin as the weeks of the language do."""
        first_weekday = (int(get_format("FIRST_DAY_OF_WEEK")) - 1) % 7
        weeks = Calendar(first_weekday).monthdatescalendar(self.day.year, self.day.month)
        return [week for week in weeks if self.day in week] if self.view == WEEK else weeks

    @property
    def first(self) -> date:
        return self.day.replace(day=1) if self.view == LIST else self.weeks[0][0]

    @property
    def last(self) -> date:
        return self.next.day - timedelta(days=1) if self.view == LIST else self.weeks[-1][-1]

    @property
    def next(self) -> Period:
        if self.view == WEEK:
            return Period(self.view, self.day + timedelta(days=7))
        return Period(self.view, (self.day.replace(day=1) + timedelta(days=31)).replace(day=1))

    @property
    def previous(self) -> Period:
        if self.view == WEEK:
            return Period(self.view, self.day - timedelta(days=7))
        return Period(self.view, (self.day.replace(day=1) - timedelta(days=1)).replace(day=1))

    @property
    def name(self) -> str:
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
