"""The times of an event, as lists show them."""

from __future__ import annotations

from datetime import datetime, time, timedelta, tzinfo
from typing import Any

from django.utils.translation import gettext as _

from calendar_site.core.dates.conversion import is_site_time, parse_zone
from calendar_site.core.dates.formatting import format_clock, format_short_day, format_short_day_and_time

# The default start of an event for which only the day is given.
DEFAULT_START_TIME = time(19, 0)
DEFAULT_DURATION = timedelta(hours=2)


def format_event_times(event: Any, *, is_all_day: bool) -> str:
    """Return start and end in the time zone of the event, which is named if the site has another time then."""
    text = format_span(*map(datetime.fromisoformat, (event.start_local, event.end_local)), is_all_day=is_all_day)
    zone = parse_zone(event.time_zone)
    return text if is_site_time(zone, event.start, event.end) else f"{text} ({zone.name})"


def format_span(start: datetime, end: datetime, *, is_all_day: bool = False) -> str:
    """Return a span in one time zone, with the common parts of both ends written once."""
    is_one_day = start.date() == end.date()
    if is_all_day:
        first, last = format_short_day(start), format_short_day(end)
        return _("%(days)s, all day") % {"days": first if is_one_day else f"{first} – {last}"}
    if start == end:
        return format_short_day_and_time(start)
    return f"{format_short_day_and_time(start)} – {format_clock(end) if is_one_day else format_short_day_and_time(end)}"


def format_span_in_zone(start: datetime, end: datetime, tz: tzinfo) -> str:
    """Return the span in another time zone, with its days only if they differ there."""
    there = start.astimezone(tz), end.astimezone(tz)
    if any(moment.date() != start.date() for moment in (*there, end)):
        return format_span(*there)
    first, last = map(format_clock, there)
    return first if start == end else f"{first} – {last}"


def city_of(zone_name: str) -> str:
    """Return the city of a time zone, such as `Zurich`."""
    return zone_name.rpartition("/")[2].replace("_", " ")
