"""All public events as one calendar, without the limits of feeds."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import BinaryIO

import icalendar

from calendar_site.core.dates.conversion import parse_zone
from calendar_site.core.text.html_lines import html_to_lines
from calendar_site.transfer.formats.content import image_url, page_url, public_events, site_root, venues_of
from events.choices import EventStatus
from events.models import Event
from events.uids import AFTER_ID

STATUSES = {EventStatus.CANCELLED: "CANCELLED", EventStatus.POSTPONED: "TENTATIVE"}
HEAD = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//event-calendar//export//EN\r\n"
END = b"END:VCALENDAR\r\n"


def write_ics(file: BinaryIO) -> int:
    """Write the calendar, and return the number of its events."""
    file.write(HEAD)
    for name in _zone_names():
        file.write(icalendar.Timezone.from_tzid(name).to_ical())
    count = 0
    for event in public_events():
        file.write(_component(event).to_ical())
        count += 1
    file.write(END)
    return count


def _zone_names() -> list[str]:
    """Return the zones of events that have rules. Fixed offsets have none, and are written in UTC."""
    names = Event.objects.order_by("time_zone").values_list("time_zone", flat=True).distinct()
    return [name for name in names if "/" in name]


def _component(event: Event) -> icalendar.Event:
    component = icalendar.Event()
    component.add("UID", _uid(event))
    component.add("DTSTAMP", event.modified_at)
    component.add("CREATED", event.published_at)
    component.add("LAST-MODIFIED", event.modified_at)
    start, end = _times(event)
    component.add("DTSTART", start)
    component.add("DTEND", end)
    component.add("SUMMARY", event.title)
    component.add("URL", page_url("event", event.slug))
    if event.description:
        component.add("DESCRIPTION", html_to_lines(event.description))
    if event.event_status in STATUSES:
        component.add("STATUS", STATUSES[EventStatus(event.event_status)])
    if names := [row.name for row in event.categories.all()]:
        component.add("CATEGORIES", names)
    for venue in venues_of(event)[:1]:
        parts = (venue.title, venue.address, venue.city, venue.zip, venue.country)
        component.add("LOCATION", ", ".join(filter(None, parts)))
        if venue.geo_lat is not None and venue.geo_lng is not None:
            component.add("GEO", (venue.geo_lat, venue.geo_lng))
    if event.image:
        component.add("ATTACH", image_url(event), parameters={"FMTTYPE": event.image.media_type})
    return component


def _uid(event: Event) -> str:
    host = site_root().partition("://")[2]
    if not event.uid:
        return f"{event.pk}@{host}"
    if not event.uid.startswith(AFTER_ID):
        return event.uid
    return f"{event.pk}{event.uid}" if "@" in event.uid else f"{event.pk}{event.uid}@{host}"


def _times(event: Event) -> tuple[date, date]:
    """Return the start and the end: days of an all-day event, the second one excluded; otherwise moments."""
    if event.all_day:
        first, last = (date.fromisoformat(text[:10]) for text in (event.start_local, event.end_local))
        return first, last + timedelta(days=1)
    if "/" not in event.time_zone:
        return event.start, event.end
    tz = parse_zone(event.time_zone).tz
    start: datetime = event.start.astimezone(tz)
    return start, event.end.astimezone(tz)
