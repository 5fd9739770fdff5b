"""The records that events link to: one query for each kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.floor.database import fetch_rows, placeholders
from benchmarks.floor.records import (
    category,
    event,
    organizer,
    organizer_columns,
    tag,
    ticket,
    venue,
    venue_columns,
)
from benchmarks.floor.request import FloorRequest


def represent_events(floor: FloorRequest, found: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    ids = [row[0] for row in found]
    if not ids:
        return []
    among = f"l.event_id IN ({placeholders(ids)})"
    seen, values = floor.visible("v")
    venues = group_by_event(
        f"SELECT l.event_id, {venue_columns()} FROM events_eventvenue l JOIN venues_venue v ON v.id = l.venue_id"
        f" WHERE {among} AND {seen} ORDER BY l.position, l.id",
        [*ids, *values],
        lambda row: venue(floor, row),
    )
    seen, values = floor.visible("o")
    organizers = group_by_event(
        f"SELECT l.event_id, {organizer_columns()} FROM events_eventorganizer l"
        f" JOIN organizers_organizer o ON o.id = l.organizer_id WHERE {among} AND {seen} ORDER BY l.position, l.id",
        [*ids, *values],
        lambda row: organizer(floor, row),
    )
    categories = group_by_event(
        "SELECT l.event_id, c.id, c.name, c.slug, c.description, c.event_count, c.parent_id"
        " FROM events_event_categories l JOIN taxonomy_category c ON c.id = l.category_id"
        f" WHERE {among} ORDER BY c.search_text, c.id",
        ids,
        lambda row: category(floor, row),
    )
    tags = group_by_event(
        "SELECT l.event_id, t.id, t.name, t.slug, t.description, t.event_count"
        f" FROM events_event_tags l JOIN taxonomy_tag t ON t.id = l.tag_id WHERE {among} ORDER BY t.search_text, t.id",
        ids,
        lambda row: {**tag(floor, row), "parent": 0},
    )
    tickets = group_by_event(
        f"SELECT l.event_id, l.id, l.name, l.price, l.currency, l.url, l.sold_out"
        f" FROM events_ticket l WHERE {among} ORDER BY l.event_id, l.position, l.id",
        ids,
        ticket,
    )
    return [event(floor, row, venues, organizers, categories, tags, tickets) for row in found]


def group_by_event(
    sql: str, values: list[Any], represent: Callable[[tuple[Any, ...]], dict[str, Any]]
) -> dict[int, list[Any]]:
    """Return related records by event. A record of several events is represented only once."""
    represented: dict[int, dict[str, Any]] = {}
    groups: dict[int, list[Any]] = {}
    for row in fetch_rows(sql, values):
        record = represented.get(row[1])
        if record is None:
            record = represented[row[1]] = represent(row[1:])
        groups.setdefault(row[0], []).append(record)
    return groups
