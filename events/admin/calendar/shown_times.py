"""The times at which the calendar shows an event: those of the site, also for an event in another time zone."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from calendar_site.core.dates.conversion import parse_zone, resolve_local, site_zone
from calendar_site.core.dates.formatting import format_clock
from events.admin.time_display import city_of
from events.models import Event


class ShownTimes(NamedTuple):
    """Start and end on the clock of the site; `elsewhere` is the start where the event is, such as `20:00 Zurich`."""

    starts: datetime
    ends: datetime
    elsewhere: str = ""


def shown_times(event: Any, *, is_all_day: bool) -> ShownTimes:
    """Return the times of an event. Whole days are the same ones everywhere."""
    local = datetime.fromisoformat(event.start_local), datetime.fromisoformat(event.end_local)
    if is_all_day or event.time_zone == site_zone().name:
        return ShownTimes(*local)
    starts, ends = (moment.astimezone(site_zone().tz).replace(tzinfo=None) for moment in (event.start, event.end))
    if (starts, ends) == local:
        return ShownTimes(*local)
    return ShownTimes(starts, ends, f"{format_clock(local[0])} {city_of(event.time_zone)}")


def local_time(event: Event, shown: datetime) -> datetime:
    """Return a time on the clock of the site as one on the clock of the event."""
    zone = parse_zone(event.time_zone)
    return resolve_local(shown, site_zone().tz).astimezone(zone.tz).replace(tzinfo=None)


def local_step(event: Event, step: timedelta) -> timedelta:
    """Return the step on the clock of the event that moves it by `step` on the clock of the site."""
    shown = shown_times(event, is_all_day=event.all_day)
    return local_time(event, shown.starts + step) - datetime.fromisoformat(event.start_local)
