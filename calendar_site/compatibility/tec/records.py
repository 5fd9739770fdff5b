"""The records of `tec/v1`, made of the records of the contract."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from html import escape
from typing import Any
from urllib.parse import urlencode

from calendar_site.api.shapes import to_list
from calendar_site.compatibility.addresses import OriginalURLs
from calendar_site.compatibility.kinds import EVENTS, ORGANIZERS, VENUES, Kind
from calendar_site.compatibility.posts import terms_of_event, to_post
from calendar_site.core import clock
from calendar_site.core.dates.conversion import Zone, from_local, parse_zone, site_zone
from calendar_site.core.dates.formatting import format_day, format_day_and_time, format_time

Record = Mapping[str, Any]

VENUE_KEYS = ("address", "country", "city", "state", "province", "zip", "phone", "website")
ORGANIZER_KEYS = ("phone", "website", "email")
MAPS = "https://www.google.com/maps/dir/"
# The original has no values for these.
UNKNOWN = dict.fromkeys(("starts_this_week", "ends_this_week", "this_week_duration", "happens_this_week"))


def tec_record(record: Record, kind: Kind, urls: OriginalURLs) -> dict[str, Any]:
    """Return a record of the contract in the shape of `tec/v1`."""
    if kind is EVENTS:
        return tec_event(record, urls)
    return tec_venue(record, urls) if kind is VENUES else tec_organizer(record, urls)


def tec_venue(venue: Record, urls: OriginalURLs) -> dict[str, Any]:
    place = ", ".join(filter(None, (venue[name] for name in ("address", "city", "zip", "country"))))
    return {
        **to_post(venue, VENUES, urls),
        **{name: venue[name] for name in VENUE_KEYS},
        "state_province": venue["stateprovince"],
        "directions_link": f"{MAPS}?{urlencode({'api': 1, 'destination': place})}" if place else "",
    }


def tec_organizer(organizer: Record, urls: OriginalURLs) -> dict[str, Any]:
    return {**to_post(organizer, ORGANIZERS, urls), **{name: organizer[name] for name in ORGANIZER_KEYS}}


def tec_event(event: Record, urls: OriginalURLs) -> dict[str, Any]:
    """Return an event with its venues and organizers, which depends on the current time."""
    zone = parse_zone(event["timezone"])
    start, end = (
        from_local(event["utc_start_date"], parse_zone("UTC")),
        from_local(event["utc_end_date"], parse_zone("UTC")),
    )
    has_started, has_ended = clock.has_passed(start), clock.has_passed(end)
    first, last = (datetime.fromisoformat(event[name]) for name in ("start_date", "end_date"))
    days = (last.date() - first.date()).days + 1
    details = _schedule(first, last, is_all_day=bool(event["all_day"]))
    return {
        **to_post(event, EVENTS, urls),
        **terms_of_event(event),
        "start_date": event["start_date"],
        "start_date_utc": event["utc_start_date"],
        "end_date": event["end_date"],
        "end_date_utc": event["utc_end_date"],
        "dates": {**_dates("start", event, start, zone), **_dates("end", event, end, zone)},
        "timezone": event["timezone"],
        "duration": int((end - start).total_seconds()),
        "multiday": days if days > 1 else False,
        "is_past": has_ended,
        "is_now": has_started and not has_ended,
        "all_day": bool(event["all_day"]),
        **UNKNOWN,
        "displays_on": [],
        "featured": bool(event["featured"]),
        "sticky": bool(event["sticky"]),
        "cost": event["cost"],
        "organizer_names": [organizer["organizer"] for organizer in event["organizer"]],
        "organizers": [tec_organizer(organizer, urls) for organizer in event["organizer"]],
        "venues": [tec_venue(venue, urls) for venue in to_list(event["venue"])],
        "schedule_details": details,
        "short_schedule_details": details,
    }


def _dates(name: str, event: Record, moment: datetime, zone: Zone) -> dict[str, Any]:
    """Return a start or an end in the zone of the event, in UTC, and in the zone of the site."""
    local = {"date": f"{event[f'{name}_date']}.000000", "timezone_type": 3, "timezone": zone.name}
    site = site_zone()
    return {
        name: local,
        f"{name}_utc": {"date": f"{event[f'utc_{name}_date']}.000000", "timezone_type": 3, "timezone": "UTC"},
        f"{name}_site": {
            "date": f"{moment.astimezone(site.tz):%Y-%m-%d %H:%M:%S}.000000",
            "timezone_type": 3,
            "timezone": site.name,
        },
        f"{name}_display": local,
    }


def _schedule(start: datetime, end: datetime, *, is_all_day: bool) -> str:
    """Return when an event is as HTML, in the language of the request."""
    if is_all_day:
        texts = [format_day(start.date()), *([format_day(end.date())] if end.date() != start.date() else [])]
    elif start.date() == end.date():
        texts = [format_day_and_time(start), *([format_time(end)] if end != start else [])]
    else:
        texts = [format_day_and_time(start), format_day_and_time(end)]
    classes = ("tribe-event-date-start", "tribe-event-date-end" if start.date() != end.date() else "tribe-event-time")
    return " - ".join(f'<span class="{name}">{escape(text)}</span>' for name, text in zip(classes, texts, strict=False))
