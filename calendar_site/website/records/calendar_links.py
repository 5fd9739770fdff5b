"""Links that add a single event to a calendar on the web. Each of these services has its own parameters."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from calendar_site.website.rendering import ProgramLink
from calendar_site.website.time_display import local_end, local_start
from events.choices import EventStatus
from events.loading import EventRow, LoadedEvent
from events.models import Event
from venues.address_display import format_address

OUTLOOK_HOSTS = {"Outlook.com": "outlook.live.com", "Microsoft 365": "outlook.office.com"}


class _Entry(NamedTuple):
    """An event as these services read it. The days of an event that takes whole days include the last one."""

    title: str
    text: str
    place: str
    start: datetime
    end: datetime
    days: tuple[date, date] | None


def takes_place(event: Event | EventRow) -> bool:
    """Return whether an event takes place at its time. Others belong in no calendar."""
    return event.event_status not in (EventStatus.CANCELLED, EventStatus.POSTPONED)


def links_to_add(event: LoadedEvent, summary: str, page_url: str) -> list[ProgramLink]:
    """Return the links for an event, none if it does not take place at its time."""
    row = event.row
    if not takes_place(row):
        return []
    venue = event.venues[0] if event.venues else None
    place = ", ".join(filter(None, (venue.title, format_address(venue)))) if venue else ""
    days = (local_start(row).date(), local_end(row).date()) if row.all_day else None
    text = f"{summary}\n\n{page_url}" if summary else page_url
    entry = _Entry(row.title, text, place, row.start, row.end, days)
    outlook = [
        ProgramLink(name, f"https://{host}/calendar/0/action/compose?{_outlook_query(entry)}")
        for name, host in OUTLOOK_HOSTS.items()
    ]
    return [
        ProgramLink("Google Calendar", f"https://calendar.google.com/calendar/render?{_google_query(entry)}"),
        *outlook,
    ]


def _google_query(entry: _Entry) -> str:
    if entry.days:
        first, last = entry.days
        dates = f"{first:%Y%m%d}/{last + timedelta(days=1):%Y%m%d}"
    else:
        dates = "/".join(f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}" for moment in (entry.start, entry.end))
    parameters = {
        "action": "TEMPLATE",
        "text": entry.title,
        "dates": dates,
        "details": entry.text,
        "location": entry.place,
    }
    return urlencode(parameters)


def _outlook_query(entry: _Entry) -> str:
    if entry.days:
        first, last = entry.days
        times = {"startdt": first.isoformat(), "enddt": (last + timedelta(days=1)).isoformat(), "allday": "true"}
    else:
        times = {
            name: f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
            for name, moment in (("startdt", entry.start), ("enddt", entry.end))
        }
    return urlencode({"rru": "addevent", "subject": entry.title, **times, "body": entry.text, "location": entry.place})
