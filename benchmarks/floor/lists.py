"""Lists of venues, organizers, categories and tags."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.floor.database import fetch_rows, sql_moment
from benchmarks.floor.event_list import LONG_DURATION, MAX_UTC_OFFSET
from benchmarks.floor.records import category, organizer, organizer_columns, tag, venue, venue_columns
from benchmarks.floor.request import FloorRequest, envelope

Represent = Callable[[FloorRequest, tuple[Any, ...]], dict[str, Any]]


def venue_list(floor: FloorRequest) -> tuple[dict[str, str], dict[str, Any]]:
    return content_list(floor, "venues", "venues_venue v", venue_columns(), venue)


def organizer_list(floor: FloorRequest) -> tuple[dict[str, str], dict[str, Any]]:
    return content_list(floor, "organizers", "organizers_organizer o", organizer_columns(), organizer)


def content_list(
    floor: FloorRequest, collection: str, table: str, columns: str, represent: Represent
) -> tuple[dict[str, str], dict[str, Any]]:
    alias = table[-1]
    kind = collection.removesuffix("s")
    visible, values = floor.visible(alias)
    source = counted = f"{table} WHERE {visible}"
    if "only_with_upcoming" in floor.arguments:
        upcoming, parameters = with_upcoming(floor, kind, alias)
        source = counted = f"{source} AND {upcoming}"
        if not floor.sees_drafts:
            # It has the status and the publish date of the venue or organizer.
            counted = f"events_{kind}activity {alias} WHERE {visible} AND last_end > %s"
        values = values + parameters
    ((total,),) = fetch_rows(f"SELECT COUNT(*) FROM {counted}", values)
    found = fetch_rows(
        f"SELECT {columns} FROM {source} ORDER BY {alias}.published_at DESC, {alias}.id DESC LIMIT %s OFFSET %s",
        [*values, floor.per_page, (floor.page - 1) * floor.per_page],
    )
    return envelope(floor, collection, [represent(floor, row) for row in found], total, floor.arguments)


def with_upcoming(floor: FloorRequest, kind: str, alias: str) -> tuple[str, list[Any]]:
    """Return an SQL condition for venues or organizers with an event that has not ended, and its parameters."""
    after = sql_moment(floor.now)
    if not floor.sees_drafts:
        activity = f"events_{kind}activity"
        return f"EXISTS (SELECT 1 FROM {activity} WHERE linked_id = {alias}.id AND last_end > %s)", [after]
    recent = (floor.now - LONG_DURATION - MAX_UTC_OFFSET).isoformat(" ", "seconds")[:19]
    return (
        f"{alias}.id IN (SELECT l.linked_id FROM events_indexed{kind} l JOIN events_event e ON e.id = l.event_id"
        " WHERE l.status <> 'trash' AND l.\"end\" > %s AND (l.start_local >= %s OR e.is_long))",
        [after, recent],
    )


def category_list(floor: FloorRequest) -> tuple[dict[str, str], dict[str, Any]]:
    columns = "c.id, c.name, c.slug, c.description, c.event_count, c.parent_id"
    return term_list(floor, "categories", "taxonomy_category c", columns, category)


def tag_list(floor: FloorRequest) -> tuple[dict[str, str], dict[str, Any]]:
    return term_list(floor, "tags", "taxonomy_tag t", "t.id, t.name, t.slug, t.description, t.event_count", tag)


def term_list(
    floor: FloorRequest, collection: str, table: str, columns: str, represent: Represent
) -> tuple[dict[str, str], dict[str, Any]]:
    alias = table[-1]
    source = f"FROM {table} WHERE {alias}.event_count > 0"
    ((total,),) = fetch_rows(f"SELECT COUNT(*) {source}")
    found = fetch_rows(
        f"SELECT {columns} {source} ORDER BY {alias}.search_text, {alias}.id LIMIT %s OFFSET %s",
        [floor.per_page, (floor.page - 1) * floor.per_page],
    )
    return envelope(floor, collection, [represent(floor, row) for row in found], total, floor.arguments)
