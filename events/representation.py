"""Events as the contract answers them: from loaded rows to dicts, without a query."""

from __future__ import annotations

from typing import Any

from calendar_site.api.links import Links
from calendar_site.api.records import custom_fields_of, global_ids, image_of, publication
from calendar_site.api.shapes import as_many, one_or_many
from calendar_site.content.dates import Zone, abbreviation, at_wall, details, parse_zone, rfc3339, utc_wire, wire
from calendar_site.content.html import as_text
from calendar_site.content.loading import Extras
from events.access import without_protected_fields
from events.loading import LoadedEvents
from organizers.representation import person, represent_organizer
from taxonomy.representation import represent_category, represent_tag
from venues.representation import place, represent_venue


def represent_events(loaded: LoadedEvents, links: Links) -> list[dict[str, Any]]:
    """The events of one answer; a venue or term that several of them share is shaped once."""
    events, extras, hidden = loaded
    venues = _once((row for event in events for row in event.venues), represent_venue, links, extras)
    organizers = _once((row for event in events for row in event.organizers), represent_organizer, links, extras)
    categories = _once((row for event in events for row in event.categories), represent_category, links)
    tags = _once((row for event in events for row in event.tags), represent_tag, links)
    records = []
    for event in events:
        record = represent_event(
            event.row,
            links,
            extras,
            venues=[venues[row.id] for row in event.venues],
            organizers=[organizers[row.id] for row in event.organizers],
            categories=[categories[row.id] for row in event.categories],
            tags=[tags[row.id] for row in event.tags],
            tickets=event.tickets,
        )
        records.append(without_protected_fields(record) if record["id"] in hidden else record)
    return records


def _once(rows: Any, represent: Any, *surroundings: Any) -> dict[int, dict[str, Any]]:
    shaped: dict[int, dict[str, Any]] = {}
    for row in rows:
        if row.id not in shaped:
            shaped[row.id] = represent(row, *surroundings)
    return shaped


def represent_event(
    row: Any,
    links: Links,
    extras: Extras,
    *,
    venues: list[dict[str, Any]],
    organizers: list[dict[str, Any]],
    categories: list[dict[str, Any]],
    tags: list[dict[str, Any]],
    tickets: list[Any],
) -> dict[str, Any]:
    """One event from its row and the answers of what it links to."""
    url = links.page("event", row.slug)
    zone = parse_zone(row.time_zone)
    utc_start, utc_end = utc_wire(row.start), utc_wire(row.end)
    return {
        "id": row.id,
        **global_ids(links, "event", row.id),
        **publication(row),
        "url": url,
        "rest_url": links.item("events", row.id),
        "title": row.title,
        "description": row.description,
        "excerpt": row.excerpt,
        "slug": row.slug,
        "image": image_of(row, links, extras),
        "all_day": row.all_day,
        "start_date": row.start_local,
        "start_date_details": details(row.start_local),
        "end_date": row.end_local,
        "end_date_details": details(row.end_local),
        "utc_start_date": utc_start,
        "utc_start_date_details": details(utc_start),
        "utc_end_date": utc_end,
        "utc_end_date_details": details(utc_end),
        "start": rfc3339(row.start, zone),
        "end": rfc3339(row.end, zone),
        "timezone": row.time_zone,
        "timezone_abbr": abbreviation(row.start, zone),
        "cost": row.cost,
        "cost_details": {
            "currency_symbol": row.cost_symbol,
            # Always "": the contract's clients know currencies by their symbol alone.
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
        "post_parent": row.parent_id or 0,
        "categories": categories,
        "tags": tags,
        "venue": one_or_many(venues),
        "organizer": organizers,
        "ticketed": bool(tickets),
        "tickets": [represent_ticket(ticket, zone) for ticket in tickets],
        "custom_fields": custom_fields_of(row, "event", extras),
    }


def represent_ticket(row: Any, zone: Zone) -> dict[str, Any]:
    """A ticket; its moments are on the clock of the event's zone, "" for none."""
    return {
        "name": row.name,
        "price": str(row.price),
        "currency": row.currency,
        "url": row.url,
        "available_from": wire(row.available_from.astimezone(zone.tz)) if row.available_from else "",
        "available_until": wire(row.available_until.astimezone(zone.tz)) if row.available_until else "",
        "sold_out": row.sold_out,
    }


def structured_event(event: dict[str, Any]) -> dict[str, Any]:
    """An event's answer as schema.org's Event, for `json_ld` and for pages; what it does not have is left out."""
    facts = {
        "description": as_text(event["excerpt"] or event["description"]),
        "image": event["image"] and [event["image"]["url"]],
        "location": one_or_many([_inner(place(venue)) for venue in as_many(event["venue"])]),
        "organizer": one_or_many([_inner(person(organizer)) for organizer in event["organizer"]]),
        "offers": [_offer(ticket, event) for ticket in event["tickets"]],
    }
    return {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": event["title"],
        "url": event["url"],
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "eventStatus": "https://schema.org/EventScheduled",
        "startDate": event["start"],
        "endDate": event["end"],
        **{name: value for name, value in facts.items() if value},
    }


def _offer(ticket: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    offer = {
        "@type": "Offer",
        "name": ticket["name"],
        "price": ticket["price"],
        "priceCurrency": ticket["currency"],
        "url": ticket["url"] or event["url"],
        "availability": f"https://schema.org/{'SoldOut' if ticket['sold_out'] else 'InStock'}",
    }
    zone = parse_zone(event["timezone"])
    for name, key in (("validFrom", "available_from"), ("validThrough", "available_until")):
        if ticket[key]:
            offer[name] = rfc3339(at_wall(ticket[key], zone), zone)
    return offer


def _inner(thing: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in thing.items() if name != "@context"}
