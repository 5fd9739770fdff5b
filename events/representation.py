"""Events as the contract answers them: from loaded rows to dicts, without a query."""

from __future__ import annotations

from typing import Any

from calendar_site.api.links import Links
from calendar_site.api.records import global_ids, publication
from calendar_site.api.shapes import one_or_many
from calendar_site.content.dates import abbreviation, details, parse_zone, rfc3339, utc_wire
from calendar_site.content.html import as_text
from events.loading import LoadedEvent
from organizers.representation import person, represent_organizer
from taxonomy.representation import represent_category, represent_tag
from venues.representation import place, represent_venue


def represent_events(events: list[LoadedEvent], links: Links) -> list[dict[str, Any]]:
    """The events of one answer; a venue or term that several of them share is shaped once."""
    venues = _once((row for event in events for row in event.venues), represent_venue, links)
    organizers = _once((row for event in events for row in event.organizers), represent_organizer, links)
    categories = _once((row for event in events for row in event.categories), represent_category, links)
    tags = _once((row for event in events for row in event.tags), represent_tag, links)
    return [
        represent_event(
            event.row,
            links,
            venues=[venues[row.id] for row in event.venues],
            organizers=[organizers[row.id] for row in event.organizers],
            categories=[categories[row.id] for row in event.categories],
            tags=[tags[row.id] for row in event.tags],
        )
        for event in events
    ]


def _once(rows: Any, represent: Any, links: Links) -> dict[int, dict[str, Any]]:
    shaped: dict[int, dict[str, Any]] = {}
    for row in rows:
        if row.id not in shaped:
            shaped[row.id] = represent(row, links)
    return shaped


def represent_event(
    row: Any,
    links: Links,
    *,
    venues: list[dict[str, Any]],
    organizers: list[dict[str, Any]],
    categories: list[dict[str, Any]],
    tags: list[dict[str, Any]],
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
        "image": False,
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
    }


def structured_event(event: dict[str, Any]) -> dict[str, Any]:
    """An event's answer as schema.org's Event, for `json_ld` and for pages."""
    venues = event["venue"] if isinstance(event["venue"], list) else [event["venue"]]
    facts = {
        "description": as_text(event["excerpt"] or event["description"]),
        "location": one_or_many([_inner(place(venue)) for venue in venues]),
        "organizer": one_or_many([_inner(person(organizer)) for organizer in event["organizer"]]),
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


def _inner(thing: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in thing.items() if name != "@context"}
