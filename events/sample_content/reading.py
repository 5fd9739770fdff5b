"""What the data files say: places, people, terms and events, the events placed around a day."""

from __future__ import annotations

import calendar
import tomllib
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from calendar_site.content.dates import Zone, at_wall, parse_zone
from calendar_site.content.html import sanitise

DATA = Path(__file__).parent / "data"
CITY_ZONE = "America/Halifax"
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def read(name: str) -> list[dict[str, Any]]:
    """The records of one data file without dates, such as `venues`, in the order they are written."""
    return _file(DATA / f"{name}.toml")[name]


def events_around(day: date) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Every event of the data files with its schedule around `day`, as `save_event` takes it.

    The events of a series come one by one, each with a title and a description of its own.
    """
    for path in sorted((DATA / "events").glob("*.toml")):
        content = _file(path)
        for event in content.get("events", []):
            yield event, schedule(event, _date_in_week(day, event["week"], event["day"]))
        for series in content.get("series", []):
            for number, (title, text) in enumerate(series["occurrences"]):
                yield _occurrence(series, title, text), schedule(series, _date_in_series(day, series, number))


def _file(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _occurrence(series: dict[str, Any], title: str, text: str) -> dict[str, Any]:
    return {
        **series,
        "title": f"{series['title']}: {title}",
        "description": f"{sanitise(text)}\n{sanitise(series['description'])}",
    }


# --- Dates. They are written as weeks and weekdays, so that a Saturday market is on a Saturday. ---


def _date_in_week(day: date, week: int, weekday: str) -> date:
    """The weekday in the week of `day` (0), or as many weeks later or earlier; weeks begin on Monday."""
    return day + timedelta(weeks=week, days=WEEKDAYS.index(weekday) - day.weekday())


def _date_in_month(day: date, month: int, weekday: str, nth: int) -> date:
    """The `nth` such weekday in the month of `day` (0), or as many months later or earlier."""
    year, index = divmod(day.year * 12 + day.month - 1 + month, 12)
    first, _length = calendar.monthrange(year, index + 1)
    return date(year, index + 1, 1 + (WEEKDAYS.index(weekday) - first) % 7 + 7 * (nth - 1))


def _date_in_series(day: date, series: dict[str, Any], number: int) -> date:
    """A series comes in every month, on the `nth` of its weekdays, or `every` so many weeks, from the `first` on."""
    if series["every"] == "month":
        return _date_in_month(day, series["first"] + number, series["day"], series["nth"])
    return _date_in_week(day, series["first"] + number * series["every"], series["day"])


def schedule(event: dict[str, Any], first: date) -> dict[str, Any]:
    """Start, end, zone and whole-day mark of an event that begins on the date `first`.

    `days` is how many days it lasts; `time` is when it begins on the first and ends on the last of them, on
    the morning after where that is no later than it begins. Without `time` it lasts whole days.
    """
    zone = parse_zone(event.get("zone", CITY_ZONE))
    last = first + timedelta(days=event.get("days", 1) - 1)
    begins, ends = event.get("time", "00:00-00:00").split("-")
    all_day = "time" not in event
    if not all_day and first == last and ends <= begins:
        last += timedelta(days=1)
    return {
        "start": _moment(first, begins, zone),
        "end": _moment(last, ends, zone),
        "time_zone": zone.name,
        "all_day": all_day,
    }


def _moment(day: date, time: str, zone: Zone) -> datetime:
    return at_wall(f"{day} {time}:00", zone)
