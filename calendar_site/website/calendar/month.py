"""A month as a table: the days of its weeks, with the first events of each and the number of the others."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from calendar_site.core.dates.formatting import format_clock, format_day, format_day_of_year
from calendar_site.website.calendar.days import CalendarEvent, by_day
from calendar_site.website.calendar.filtered_calendar import FilteredCalendar, day_path
from calendar_site.website.record_display import status_note
from calendar_site.website.status_display import event_badges
from events.calendar_bars import Bar, place_bars
from events.calendar_periods import Period

# In a cell, bars and other events together.
MAX_ENTRIES = 5
MAX_BAR_ROWS = 3


class MonthEntry(NamedTuple):
    """An event in a cell. `day` is the day of its start, or the days of an event that takes several."""

    title: str
    url: str
    time: str
    day: str
    badges: list[tuple[str, str]]


class MonthBar(NamedTuple):
    """An event over several days of a week."""

    entry: MonthEntry
    row: int
    span: int
    begins_before: bool
    ends_after: bool


class MonthDay(NamedTuple):
    """A day in a month. `url` is that of its page, "" without events; `bar_rows` is the height of its bars."""

    day: date
    name: str
    is_outside: bool
    is_today: bool
    is_past: bool
    url: str
    total: int
    bar_rows: int
    bars: list[MonthBar]
    entries: list[MonthEntry]
    # The events in bars that began on an earlier day of the week.
    continued: list[MonthEntry]
    more: int


def make_month(
    events: Sequence[CalendarEvent], period: Period, today: date, calendar: FilteredCalendar
) -> list[list[MonthDay]]:
    """Return the weeks of a month. Events over several days are bars, as far as there is room for bars."""
    weeks = []
    lasting = [event for event in events if event.start < event.end]
    for week in period.weeks:
        inside = [day for day in week if day.month == period.day.month]
        bars = [bar for bar in place_bars(lasting, inside) if bar.row <= MAX_BAR_ROWS]
        in_bars = {bar.card.row.id for bar in bars}
        others = by_day((event for event in events if event.row.id not in in_bars), inside[0], inside[-1])
        weeks.append([_month_day(day, inside, bars, others.get(day, []), today, calendar) for day in week])
    return weeks


def _month_day(
    day: date,
    inside: list[date],
    bars: list[Bar[CalendarEvent]],
    others: list[CalendarEvent],
    today: date,
    calendar: FilteredCalendar,
) -> MonthDay:
    column = (day - inside[0]).days + 1
    covering = [bar for bar in bars if bar.column <= column < bar.column + bar.span] if day in inside else []
    beginning = [bar for bar in covering if bar.column == column]
    shown = others[: MAX_ENTRIES - len(covering)]
    total = len(covering) + len(others)
    return MonthDay(
        day=day,
        name=format_day(day),
        is_outside=day not in inside,
        is_today=day == today,
        is_past=day < today,
        url=calendar.url(day_path(day)) if total else "",
        total=total,
        bar_rows=max((bar.row for bar in covering), default=0),
        bars=[
            MonthBar(_entry(bar.card, calendar), bar.row, bar.span, bar.begins_before, bar.ends_after)
            for bar in beginning
        ],
        entries=[_entry(event, calendar) for event in shown],
        continued=[_entry(bar.card, calendar) for bar in covering if bar.column != column],
        more=len(others) - len(shown),
    )


def _entry(event: CalendarEvent, calendar: FilteredCalendar) -> MonthEntry:
    row = event.row
    is_one_day = event.start == event.end
    note = status_note(row)
    badges = [("note", note)] if note else []
    return MonthEntry(
        title=row.title,
        url=calendar.urls.page_url("event", row.slug),
        time="" if event.is_all_day or not is_one_day else format_clock(event.starts),
        day=format_day(event.start) if is_one_day else _days(event),
        badges=badges + event_badges(row, hides_fields=event.is_hidden),
    )


def _days(event: CalendarEvent) -> str:
    return f"{format_day_of_year(event.start)} – {format_day_of_year(event.end)}"
