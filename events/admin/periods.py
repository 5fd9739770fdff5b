"""The days that a page of the calendar shows: a month, a week, or a month as a list."""

from __future__ import annotations

from calendar import Calendar
from datetime import date, timedelta
from typing import NamedTuple

from django.utils.formats import get_format

from calendar_site.content.days import bare_day, month

MONTH, WEEK, LIST = "month", "week", "list"
VIEWS = (MONTH, WEEK, LIST)
# Beyond these the weeks around a month may leave what Python takes for a date.
FIRST, LAST = date(1, 2, 1), date(9999, 11, 30)


class Period(NamedTuple):
    """A view of the days around one of them."""

    view: str
    day: date

    @property
    def weeks(self) -> list[list[date]]:
        """The days in whole weeks, which begin as the language's weeks do."""
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
            return f"{bare_day(self.first)} – {bare_day(self.last)}"
        return month(self.day)


def read_period(view: str | None, day: str | None, today: date) -> Period:
    """The period that is asked for; what cannot be read is a month, and today."""
    try:
        wanted = date.fromisoformat(day or "")
    except ValueError:
        wanted = today
    return Period(view if view in VIEWS else MONTH, min(max(wanted, FIRST), LAST))
