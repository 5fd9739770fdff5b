"""All public events as an array of schema.org events."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, BinaryIO

from calendar_site.core.dates.conversion import parse_zone
from calendar_site.transfer.formats.content import image_url, organizers_of, page_url, public_events, venues_of
from events.choices import AttendanceMode, EventStatus
from events.models import Event

STATUSES = {
    EventStatus.CANCELLED: "EventCancelled",
    EventStatus.POSTPONED: "EventPostponed",
    EventStatus.RESCHEDULED: "EventRescheduled",
    EventStatus.MOVED_ONLINE: "EventMovedOnline",
}
MODES = {
    AttendanceMode.IN_PERSON: "OfflineEventAttendanceMode",
    AttendanceMode.ONLINE: "OnlineEventAttendanceMode",
    AttendanceMode.MIXED: "MixedEventAttendanceMode",
}


def write_jsonld(file: BinaryIO) -> int:
    """Write the array, with an event in each line, and return the number of events."""
    count = 0
    file.write(b"[")
    for event in public_events():
        file.write(b",\n" if count else b"\n")
        file.write(json.dumps(_node(event), ensure_ascii=False).encode())
        count += 1
    file.write(b"\n]\n")
    return count


def _node(event: Event) -> dict[str, Any]:
    status = STATUSES.get(EventStatus(event.event_status), "EventScheduled")
    node: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Event",
        "@id": page_url("event", event.slug),
        "url": event.website or page_url("event", event.slug),
        "name": event.title,
        "description": event.description,
        "startDate": _moment(event, event.start, event.start_local),
        "endDate": _moment(event, event.end, event.end_local),
        "eventStatus": f"https://schema.org/{status}",
        "eventAttendanceMode": f"https://schema.org/{MODES[AttendanceMode(event.attendance_mode)]}",
        "location": _places(event),
        "organizer": [{"@type": "Organization", "name": row.title} for row in organizers_of(event)],
        "keywords": [row.name for row in event.tags.all()],
        "image": image_url(event),
    }
    if event.cost_values:
        node["offers"] = [{"@type": "Offer", "price": value} for value in event.cost_values]
    return {name: value for name, value in node.items() if value}


def _moment(event: Event, moment: datetime, local: str) -> str:
    return local[:10] if event.all_day else moment.astimezone(parse_zone(event.time_zone).tz).isoformat()


def _places(event: Event) -> list[dict[str, Any]]:
    places: list[dict[str, Any]] = [_place(venue) for venue in venues_of(event)]
    if event.online_url and not event.hide_online_url:
        places.append({"@type": "VirtualLocation", "url": event.online_url})
    return places


def _place(venue: Any) -> dict[str, Any]:
    address = {
        "@type": "PostalAddress",
        "streetAddress": venue.address,
        "addressLocality": venue.city,
        "addressRegion": venue.state_province,
        "postalCode": venue.zip,
        "addressCountry": venue.country,
    }
    place: dict[str, Any] = {"@type": "Place", "name": venue.title}
    place["address"] = {name: value for name, value in address.items() if value}
    if venue.geo_lat is not None and venue.geo_lng is not None:
        place["geo"] = {"@type": "GeoCoordinates", "latitude": venue.geo_lat, "longitude": venue.geo_lng}
    return place
