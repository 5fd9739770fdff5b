"""When an event happens: what follows from its dates, zone and whole-day mark."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from calendar_site.content.dates import Zone, at_wall, day_end, day_start, parse_zone, site_zone, wire
from events.models import Event
from events.querysets import LONG

GIVEN = ("start", "end", "time_zone", "all_day")


def set_schedule(event: Event, fields: dict[str, Any]) -> None:
    """Sets the event's moments, wall clocks and zone from those of GIVEN that are among `fields`.

    `start` and `end` are aware. A date that is not given keeps its wall clock, so that a change of zone alone
    moves the moments. An end before the start is moved to the start; an all-day event goes from the start
    of its first day to 23:59:59 of its last.
    """
    if not any(name in fields for name in GIVEN):
        return
    zone = parse_zone(fields["time_zone"]) if fields.get("time_zone") else zone_of(event)
    start = _moment(fields.get("start"), event.start, event.start_local, event.time_zone, zone)
    end = _moment(fields.get("end"), event.end, event.end_local, event.time_zone, zone)
    event.all_day = fields.get("all_day", event.all_day)
    # In UTC: of two moments in one zone Python compares the wall clocks, which an hour in autumn shows twice.
    end = max(start, end, key=lambda moment: moment.astimezone(UTC))
    if event.all_day:
        start, end = day_start(start), day_end(end)
    event.time_zone = zone.name
    event.start, event.end = start, end
    event.start_local, event.end_local = wire(start), wire(end)
    event.is_long = end - start > LONG


def zone_of(event: Event) -> Zone:
    """The event's zone; the site's for one that has none yet."""
    return parse_zone(event.time_zone) if event.time_zone else site_zone()


def _moment(given: datetime | None, kept: datetime | None, wall: str, old_zone: str, zone: Zone) -> datetime:
    if given is not None:
        return given.astimezone(zone.tz)
    if kept is not None and old_zone == zone.name:
        return kept.astimezone(zone.tz)
    return at_wall(wall, zone)
