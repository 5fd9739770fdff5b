"""The schedule of an event, derived from its dates, time zone and all-day flag."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from calendar_site.core.dates.conversion import (
    Zone,
    day_end,
    day_start,
    from_local,
    in_utc,
    parse_zone,
    site_zone,
    to_wire,
)
from events.models import END_BEFORE_START, Event
from events.scheduled_querysets import LONG_DURATION

SCHEDULE_FIELDS = ("start", "end", "time_zone", "all_day")


def set_schedule(event: Event, changes: Mapping[str, Any]) -> None:
    """Set the event's moments, local times and zone from the SCHEDULE_FIELDS among `changes`.

    `start` and `end` are aware. A date that is missing keeps its local time, so that a change of zone alone moves the
    moment. An end before the start is moved to the start; an all-day event lasts from the start of its first day to
    23:59:59 of its last.
    """
    if not any(name in changes for name in SCHEDULE_FIELDS):
        return
    zone = parse_zone(changes["time_zone"]) if changes.get("time_zone") else zone_of(event)
    start = _moment(changes.get("start"), event.start, event.start_local, event.time_zone, zone)
    end = _moment(changes.get("end"), event.end, event.end_local, event.time_zone, zone)
    event.all_day = changes.get("all_day", event.all_day)
    end = max(start, end, key=in_utc)
    if event.all_day:
        start, end = day_start(start), day_end(end)
    event.time_zone = zone.name
    event.start, event.end = in_utc(start), in_utc(end)
    event.start_local, event.end_local = to_wire(start), to_wire(end)
    event.is_long = event.end - event.start > LONG_DURATION


def order_error(start: datetime, end: datetime, *, is_all_day: bool = False) -> str:
    """Return the error if `end` is before `start`, "" if not. All-day events compare dates, in one time zone.

    The times are both aware, or both on the same clock without a time zone.
    """
    if is_all_day:
        is_wrong = end.date() < start.date()
    elif start.tzinfo is None:
        is_wrong = end < start
    else:
        is_wrong = in_utc(end) < in_utc(start)
    return str(END_BEFORE_START) if is_wrong else ""


def zone_of(event: Event) -> Zone:
    """Return the event's zone, or the site's if it has none yet."""
    return parse_zone(event.time_zone) if event.time_zone else site_zone()


def _moment(changed: datetime | None, kept: datetime | None, wall: str, old_zone: str, zone: Zone) -> datetime:
    if changed is not None:
        return changed.astimezone(zone.tz)
    if kept is not None and old_zone == zone.name:
        return kept.astimezone(zone.tz)
    return from_local(wall, zone)
