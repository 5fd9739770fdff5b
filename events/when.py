"""When an event happens, in words."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from calendar_site.content.dates import site_zone
from calendar_site.content.days import clock, day, day_and_clock


class When(NamedTuple):
    """Start and end in words and as machines read them; `end` is "" where the start says it all.

    `zone` is "" for an event in the site's zone.
    """

    start: str
    start_machine: str
    end: str
    end_machine: str
    is_all_day: bool
    zone: str


def when(event: dict[str, Any], *, names_day: bool = True) -> When:
    """When an event (as the API answers it) happens, on its own clock.

    Without `names_day`, for lists that are grouped by day, the day of the start is left out where the event is
    over on that day or in the night after it.
    """
    start, end = datetime.fromisoformat(event["start_date"]), datetime.fromisoformat(event["end_date"])
    if _is_all_day(event, start, end):
        return _whole_days(start.date(), end.date(), names_day, _zone(event))
    first = day_and_clock(start)
    if start.date() == end.date():
        last = clock(end)
    elif end.date() - start.date() == timedelta(days=1) and end.time() < start.time():
        # Translators: these two stand behind the “to” of “18:00 to 02:00 the next day”.
        last = _("midnight") if end.time() == time() else _("%(clock)s the next day") % {"clock": clock(end)}
    else:
        return When(first, event["start"], day_and_clock(end), event["end"], False, _zone(event))
    return When(
        first if names_day else clock(start),
        event["start"],
        # By the moment: the clock may show the same time twice.
        "" if event["start"] == event["end"] else last,
        event["end"],
        False,
        _zone(event),
    )


def moment_in_words(moment: datetime, zone_note: str) -> str:
    """A moment on the clock that it is on, with what is to be said of its zone."""
    words = day_and_clock(moment)
    return f"{words} ({zone_note})" if zone_note else words


def zone_note(name: str, abbreviation: str) -> str:
    """The zone where it is not the site's, with its short name at some moment; else ""."""
    if name == site_zone().name:
        return ""
    words = name.replace("_", " ")
    return words if abbreviation == name else f"{words}, {abbreviation}"


def _is_all_day(event: dict[str, Any], start: datetime, end: datetime) -> bool:
    """Of an event that hides it the dates tell: they are shown in any case."""
    if event["all_day"] is None:
        return start.time() == time() and end.time() == time(23, 59, 59)
    return event["all_day"]


def _whole_days(first: date, last: date, names_day: bool, zone: str) -> When:
    if first != last:
        return When(day(first), first.isoformat(), day(last), last.isoformat(), True, zone)
    return When(day(first) if names_day else "", first.isoformat(), "", "", True, zone)


def _zone(event: dict[str, Any]) -> str:
    return zone_note(event["timezone"], event["timezone_abbr"])
