"""Events as the contract represents them: loaded rows become records, without a query."""

from __future__ import annotations

import re
from typing import NotRequired, TypedDict, TypeVar, cast

from calendar_site.api.output.loading import ContentRelations
from calendar_site.api.output.representation import (
    JSONLD,
    ContentRecord,
    represent_custom_fields,
    represent_global_ids,
    represent_image_of,
    represent_publication,
    without_context,
)
from calendar_site.api.shapes import single_or_list, to_list
from calendar_site.api.site_urls import SiteURLs
from calendar_site.core.dates.conversion import (
    Zone,
    date_details,
    from_local,
    parse_zone,
    to_rfc3339,
    to_utc_wire,
    to_wire,
    zone_abbreviation,
)
from calendar_site.core.text.html import html_to_text
from calendar_site.core.types import HasId
from events.choices import AttendanceMode, EventStatus
from events.costs import FREE
from events.loading import EventRow, HasSeries, TicketRow
from events.models import Event
from events.protection.blank_values import without_values
from events.protection.protected_fields import KEPT_KEYS
from organizers.representation import (
    OrganizerRecord,
    add_organization_json_ld,
    organization_json_ld,
)
from taxonomy.representation import TermRecord
from venues.representation import VenueRecord, add_place_json_ld, place_json_ld

# The names of schema.org. An event that hides its fields has neither status nor mode.
EVENT_STATUSES_JSON_LD: dict[str | None, str] = {
    None: "EventScheduled",
    EventStatus.SCHEDULED: "EventScheduled",
    EventStatus.CANCELLED: "EventCancelled",
    EventStatus.POSTPONED: "EventPostponed",
    EventStatus.RESCHEDULED: "EventRescheduled",
    EventStatus.MOVED_ONLINE: "EventMovedOnline",
}
ATTENDANCE_MODES_JSON_LD: dict[str | None, str] = {
    None: "OfflineEventAttendanceMode",
    AttendanceMode.IN_PERSON: "OfflineEventAttendanceMode",
    AttendanceMode.ONLINE: "OnlineEventAttendanceMode",
    AttendanceMode.MIXED: "MixedEventAttendanceMode",
}
CURRENCY_CODE = re.compile("[A-Z]{3}")

Row = TypeVar("Row", bound=HasId)
Record = TypeVar("Record")


class CostDetails(TypedDict):
    currency_symbol: str
    currency_code: str
    currency_position: str
    values: list[str]


class TicketRecord(TypedDict):
    """A ticket; its dates are in the time zone of the event, "" for none."""

    name: str
    price: str
    currency: str
    url: str
    available_from: str
    available_until: str
    sold_out: bool


class EventSeriesRecord(TypedDict):
    """The series of an event, and the local start that it gave the event."""

    id: int
    rrule: str
    occurrence: str


class EventRecord(ContentRecord):
    """An event. Values that its password hides are None, "" or []."""

    rest_url: str
    title: str
    all_day: bool | None
    start_date: str
    start_date_details: dict[str, str]
    end_date: str
    end_date_details: dict[str, str]
    utc_start_date: str
    utc_start_date_details: dict[str, str]
    utc_end_date: str
    utc_end_date_details: dict[str, str]
    start: str
    end: str
    timezone: str
    timezone_abbr: str
    cost: str
    cost_details: CostDetails
    website: str
    show_map: bool | None
    show_map_link: bool | None
    hide_from_listings: bool | None
    sticky: bool | None
    featured: bool | None
    event_status: str | None
    event_status_reason: str
    # In the time zone of the event, "" for none.
    previous_start_date: str
    sold_out: bool | None
    attendance_mode: str | None
    # "" for none, and for readers who may not see it yet.
    online_url: str
    hide_online_url: bool | None
    accessibility: list[str]
    post_parent: int
    categories: list[TermRecord]
    tags: list[TermRecord]
    # A list unless there is a single one (D13).
    venue: VenueRecord | list[VenueRecord]
    organizer: list[OrganizerRecord]
    ticketed: bool | None
    tickets: list[TicketRecord]
    # None for an event that does not repeat.
    series: EventSeriesRecord | None
    # Only in a list of events near a point.
    distance: NotRequired[float]


def blank_protected_fields(record: EventRecord) -> EventRecord:
    """Return the record of an event without the values that its password hides."""
    return cast("EventRecord", without_values(record, KEPT_KEYS, EventRecord))


def represent_event(
    row: Event | EventRow,
    urls: SiteURLs,
    relations: ContentRelations,
    *,
    venues: list[VenueRecord],
    organizers: list[OrganizerRecord],
    categories: list[TermRecord],
    tags: list[TermRecord],
    tickets: list[TicketRow],
    parent_id: int | None,
    rrule: str | None,
) -> EventRecord:
    """Return the record of a row with the records that it links to."""
    url = urls.page_url("event", row.slug)
    zone = parse_zone(row.time_zone)
    utc_start, utc_end = to_utc_wire(row.start), to_utc_wire(row.end)
    return {
        "id": row.id,
        **represent_global_ids(urls, "event", row.id),
        **represent_publication(row),
        "url": url,
        "rest_url": urls.record_url("events", row.id),
        "title": row.title,
        "description": row.description,
        "excerpt": row.excerpt,
        "slug": row.slug,
        "image": represent_image_of(row, urls, relations),
        "all_day": row.all_day,
        "start_date": row.start_local,
        "start_date_details": date_details(row.start_local),
        "end_date": row.end_local,
        "end_date_details": date_details(row.end_local),
        "utc_start_date": utc_start,
        "utc_start_date_details": date_details(utc_start),
        "utc_end_date": utc_end,
        "utc_end_date_details": date_details(utc_end),
        "start": to_rfc3339(row.start, zone),
        "end": to_rfc3339(row.end, zone),
        "timezone": row.time_zone,
        "timezone_abbr": zone_abbreviation(row.start, zone),
        "cost": row.cost,
        "cost_details": {
            "currency_symbol": row.cost_symbol,
            # Clients of the contract know currencies by their symbol.
            "currency_code": "",
            "currency_position": row.cost_position,
            "values": row.cost_values,
        },
        "website": row.website or url,
        "show_map": row.show_map,
        "show_map_link": row.show_map_link,
        "hide_from_listings": row.hide_from_listings,
        "sticky": row.sticky,
        "featured": row.featured,
        "event_status": row.event_status,
        "event_status_reason": row.event_status_reason,
        "previous_start_date": to_wire(row.previous_start.astimezone(zone.tz)) if row.previous_start else "",
        "sold_out": row.sold_out,
        "attendance_mode": row.attendance_mode,
        "online_url": row.online_url,
        "hide_online_url": row.hide_online_url,
        "accessibility": row.accessibility,
        "post_parent": parent_id or 0,
        "categories": categories,
        "tags": tags,
        "venue": single_or_list(venues),
        "organizer": organizers,
        "ticketed": bool(tickets),
        "tickets": [represent_ticket(ticket, zone) for ticket in tickets],
        "custom_fields": represent_custom_fields(row, "event", relations),
        "series": represent_series_of(row, rrule),
    }


def represent_series_of(event: HasSeries, rrule: str | None) -> EventSeriesRecord | None:
    """Return the series of an event. `rrule` is its rule, None if the reader may not see the series."""
    if event.series_id is None or rrule is None:
        return None
    return {"id": event.series_id, "rrule": rrule, "occurrence": event.series_occurrence}


def represent_ticket(row: TicketRow, zone: Zone) -> TicketRecord:
    return {
        "name": row.name,
        "price": str(row.price),
        "currency": row.currency,
        "url": row.url,
        "available_from": to_wire(row.available_from.astimezone(zone.tz)) if row.available_from else "",
        "available_until": to_wire(row.available_until.astimezone(zone.tz)) if row.available_until else "",
        "sold_out": row.sold_out,
    }


def event_json_ld(event: EventRecord) -> JSONLD:
    """Return an event as schema.org's Event, for `json_ld` and for pages, without missing values."""
    image = event["image"]
    optional: JSONLD = {
        "description": html_to_text(event["excerpt"] or event["description"]),
        "image": [image["url"]] if image else None,
        "location": single_or_list(_locations_json_ld(event)),
        "organizer": single_or_list([without_context(organization_json_ld(row)) for row in event["organizer"]]),
        "offers": single_or_list(
            [_ticket_json_ld(ticket, event) for ticket in event["tickets"]] or _cost_json_ld(event)
        ),
    }
    if event["previous_start_date"]:
        zone = parse_zone(event["timezone"])
        optional["previousStartDate"] = to_rfc3339(from_local(event["previous_start_date"], zone), zone)
    return {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": event["title"],
        "url": event["url"],
        "eventAttendanceMode": f"https://schema.org/{ATTENDANCE_MODES_JSON_LD[event['attendance_mode']]}",
        "eventStatus": f"https://schema.org/{EVENT_STATUSES_JSON_LD[event['event_status']]}",
        "startDate": event["start"],
        "endDate": event["end"],
        **{name: value for name, value in optional.items() if value},
    }


def _locations_json_ld(event: EventRecord) -> list[JSONLD]:
    """Return the places of an event, and the page on which people attend it online."""
    locations: list[JSONLD] = []
    if event["attendance_mode"] != AttendanceMode.ONLINE:
        for venue in to_list(event["venue"]):
            place = venue.copy()
            place["accessibility"] = list(dict.fromkeys([*venue["accessibility"], *event["accessibility"]]))
            locations.append(without_context(place_json_ld(place)))
    if event["attendance_mode"] not in (None, AttendanceMode.IN_PERSON):
        # Required in a VirtualLocation: the page of the event shows the URL as soon as everybody may see it.
        locations.append({"@type": "VirtualLocation", "url": event["online_url"] or event["url"]})
    return locations


def add_event_json_ld(event: EventRecord) -> dict[str, object]:
    """Return the event with its `json_ld`, and with those of its venues and organizers (D29)."""
    return {
        **event,
        "venue": single_or_list([add_place_json_ld(venue) for venue in to_list(event["venue"])]),
        "organizer": [add_organization_json_ld(organizer) for organizer in event["organizer"]],
        "json_ld": event_json_ld(event),
    }


def _cost_json_ld(event: EventRecord) -> list[JSONLD]:
    """Return an offer for each amount of the cost, with its currency if it is written as a code, such as CHF."""
    details = event["cost_details"]
    values = ("0" if value == FREE.lower() else value for value in details["values"])
    amounts = [value for value in values if value.replace(".", "", 1).isdecimal()]
    symbol = details["currency_symbol"]
    currency = {"priceCurrency": symbol} if CURRENCY_CODE.fullmatch(symbol) else {}
    return [
        {"@type": "Offer", "price": amount, **currency, "url": event["website"], **_offer_details(event)}
        for amount in amounts
    ]


def _offer_details(event: EventRecord, *, is_sold_out: bool = False) -> JSONLD:
    """Return what all offers of an event have: unless a ticket says otherwise, they are valid once it is published."""
    published = from_local(event["date_utc"], parse_zone("UTC"))
    return {
        "category": "primary",
        "availability": f"https://schema.org/{'SoldOut' if is_sold_out or event['sold_out'] else 'InStock'}",
        "validFrom": to_rfc3339(published, parse_zone(event["timezone"])),
    }


def _ticket_json_ld(ticket: TicketRecord, event: EventRecord) -> JSONLD:
    offer = {
        "@type": "Offer",
        "name": ticket["name"],
        "price": ticket["price"],
        "priceCurrency": ticket["currency"],
        "url": ticket["url"] or event["url"],
        **_offer_details(event, is_sold_out=ticket["sold_out"]),
    }
    zone = parse_zone(event["timezone"])
    if ticket["available_from"]:
        offer["validFrom"] = to_rfc3339(from_local(ticket["available_from"], zone), zone)
    if ticket["available_until"]:
        offer["validThrough"] = to_rfc3339(from_local(ticket["available_until"], zone), zone)
    return offer
