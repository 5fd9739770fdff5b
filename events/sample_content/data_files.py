"""Reading the data files: venues, organizers, terms, and events with dates around a given day."""

from __future__ import annotations

import calendar
import tomllib
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, TypedDict

from django.utils.text import slugify

from calendar_site.core.dates.conversion import Zone, from_local, parse_zone
from calendar_site.core.text.html import sanitize_html

DATA = Path(__file__).parent / "data"
PICTURES = Path(__file__).parent / "pictures"
CITY_ZONE = "America/Halifax"
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

# A table of a data file.
Table = dict[str, Any]


class ScheduleData(TypedDict):
    """The dates of an event, as `save_event` takes them."""

    start: datetime
    end: datetime
    time_zone: str
    all_day: bool


def read_records(name: str) -> list[Table]:
    """Return the records of the data file `name`, such as `venues`, in their order."""
    records: list[Table] = _load_toml(DATA / f"{name}.toml")[name]
    return records


def read_picture(name: str) -> bytes:
    """Return the JPEG of the picture with this name."""
    return (PICTURES / f"{slugify(name)}.jpg").read_bytes()


def events_around(day: date) -> Iterator[tuple[Table, ScheduleData]]:
    """Yield every event of the data files with its schedule around `day`.

    A series yields one event per occurrence, each with its own title and description, and with the pictures in turn.
    """
    for path in sorted((DATA / "events").glob("*.toml")):
        content = _load_toml(path)
        for event in content.get("events", []):
            yield event, event_schedule(event, _date_in_week(day, event["week"], event["day"]))
        for series in content.get("series", []):
            for number, (title, text) in enumerate(series["occurrences"]):
                yield (
                    _occurrence(series, number, title, text),
                    event_schedule(series, _date_in_series(day, series, number)),
                )


def series_around(day: date) -> Iterator[tuple[Table, ScheduleData]]:
    """Yield every series that repeats by a rule, with the schedule of its first event around `day`."""
    for path in sorted((DATA / "events").glob("*.toml")):
        for series in _load_toml(path).get("repeating", []):
            yield series, event_schedule(series, _date_in_series(day, series, 0))


def _load_toml(path: Path) -> Table:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _occurrence(series: Table, number: int, title: str, text: str) -> Table:
    return {
        **series,
        "title": f"{series['title']}: {title}",
        "description": f"{sanitize_html(text)}\n{sanitize_html(series['description'])}",
        "picture": series["pictures"][number % len(series["pictures"])],
    }


# --- Dates. The data files contain weeks and weekdays, so that a Saturday market is on a Saturday.


def _date_in_week(day: date, week: int, weekday: str) -> date:
    """Return the weekday in the week of `day` plus `week` weeks, which may be negative; weeks begin on Monday."""
    return day + timedelta(weeks=week, days=WEEKDAYS.index(weekday) - day.weekday())


def _date_in_month(day: date, month: int, weekday: str, nth: int) -> date:
    """Return the `nth` such weekday in the month of `day` plus `month` months, which may be negative."""
    year, index = divmod(day.year * 12 + day.month - 1 + month, 12)
    first, _length = calendar.monthrange(year, index + 1)
    return date(year, index + 1, 1 + (WEEKDAYS.index(weekday) - first) % 7 + 7 * (nth - 1))


def _date_in_series(day: date, series: Table, number: int) -> date:
    """Return the date of an occurrence: the `nth` weekday of every month, or a weekday `every` so many weeks.

    Counts months or weeks from `first`, relative to `day`.
    """
    if series["every"] == "month":
        return _date_in_month(day, series["first"] + number, series["day"], series["nth"])
    return _date_in_week(day, series["first"] + number * series["every"], series["day"])


def event_schedule(event: Table, first_day: date) -> ScheduleData:
    """Return the schedule of an event that starts on `first_day`.

    `days` is its duration. `time` is when it starts on the first day and ends on the last one, or on the day after if
    that is not later. Without `time` it is an all-day event.
    """
    zone = parse_zone(event.get("zone", CITY_ZONE))
    last_day = first_day + timedelta(days=event.get("days", 1) - 1)
    start_time, end_time = event.get("time", "00:00-00:00").split("-")
    all_day = "time" not in event
    if not all_day and first_day == last_day and end_time <= start_time:
        last_day += timedelta(days=1)
    return {
        "start": _moment(first_day, start_time, zone),
        "end": _moment(last_day, end_time, zone),
        "time_zone": zone.name,
        "all_day": all_day,
    }


def event_tickets(event: Table, schedule: ScheduleData) -> list[Table]:
    """Return the tickets of an event.

    `on_sale` has the days before the start on which the sale begins and ends; negative ones are after the start.
    """
    tickets = []
    for ticket in event.get("tickets", []):
        fields = {name: value for name, value in ticket.items() if name != "on_sale"}
        if "on_sale" in ticket:
            first, last = (schedule["start"] - timedelta(days=days) for days in ticket["on_sale"])
            fields |= {"available_from": first, "available_until": last}
        tickets.append(fields)
    return tickets


def _moment(day: date, time: str, zone: Zone) -> datetime:
    return from_local(f"{day} {time}:00", zone)
