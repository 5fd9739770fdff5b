"""Lists of events, and single events."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.db import connection

from benchmarks.floor.database import fetch_rows, placeholders
from benchmarks.floor.records import event_columns
from benchmarks.floor.related import represent_events
from benchmarks.floor.request import FloorRequest, envelope
from calendar_site.core.search.geo import Circle, to_point
from events.representation import add_event_json_ld

MAX_UTC_OFFSET = timedelta(hours=15)
LONG_DURATION = timedelta(days=7)
# The tables that have the links of events with the columns of the window.
INDEXED = {"venue": "events_indexedvenue", "categories": "events_indexedcategory", "tags": "events_indexedtag"}
TERM_TABLES = {"categories": "taxonomy_category", "tags": "taxonomy_tag"}
# Fewer events are counted without the tally.
MIN_TALLIED = 2000
# With more, reading the texts of all events in the window is faster.
MAX_FOUND_ROWS = 2000


def event_list(floor: FloorRequest) -> tuple[dict[str, str], dict[str, Any]]:
    arguments = floor.arguments
    table, id_column = "events_event e", "e.id"
    conditions, values, effective = window(floor)
    condition, parameters = floor.visible("e")
    conditions += [condition, "NOT e.hide_from_listings"]
    values += parameters
    for number, (name, indexed) in enumerate((name, INDEXED[name]) for name in INDEXED if name in arguments):
        linked = linked_id(name, arguments[name])
        if number:
            conditions.append(f"EXISTS (SELECT 1 FROM {indexed} l WHERE l.event_id = e.event_id AND l.linked_id = %s)")
        else:
            table, id_column = f"{indexed} e", "e.event_id"
            conditions.append("NOT e.is_protected AND e.linked_id = %s")
        values.append(linked)
    if "search" in arguments:
        condition, parameters = contains_word(arguments["search"])
        conditions.append(condition)
        values += parameters
    if "geoloc_lat" in arguments:
        return events_near(floor, conditions, values, effective)
    source = f"FROM {table} WHERE {' AND '.join(conditions)}"
    is_tallied = not {*INDEXED, "search", "starts_before"} & arguments.keys()
    total = (count_by_tally if is_tallied else count)(floor, source, values, effective)
    if not total:
        if "search" in arguments:
            read_similar_words(arguments["search"])
        return envelope(floor, "events", [], 0, effective)
    found = fetch_rows(
        f"SELECT {event_columns()} FROM (SELECT {id_column} AS id {source} ORDER BY e.start_local, {id_column}"
        " LIMIT %s OFFSET %s) page JOIN events_event e ON e.id = page.id ORDER BY e.start_local, e.id",
        [*values, floor.per_page, (floor.page - 1) * floor.per_page],
    )
    return envelope(floor, "events", represent_events(floor, found), total, effective)


def linked_id(name: str, value: str) -> int:
    if name == "venue":
        return int(value)
    ((pk,),) = fetch_rows(f"SELECT id FROM {TERM_TABLES[name]} WHERE slug = %s", [value])
    return int(pk)


def count(floor: FloorRequest, source: str, values: list[Any], effective: dict[str, str]) -> int:
    ((total,),) = fetch_rows(f"SELECT COUNT(*) {source}", values)
    return int(total)


def count_by_tally(floor: FloorRequest, source: str, values: list[Any], effective: dict[str, str]) -> int:
    """Count the events of a window: those of its first and last days and long ones, and others by their tally."""
    ((few,),) = fetch_rows(f"SELECT COUNT(*) FROM (SELECT 1 {source} LIMIT {MIN_TALLIED}) few", values)
    if few < MIN_TALLIED:
        return int(few)
    first = add_to_local(effective["start_date"], MAX_UTC_OFFSET)[:10]
    last = add_to_local(effective["end_date"], -LONG_DURATION - MAX_UTC_OFFSET)[:10]
    statuses = "status <> 'trash'" if floor.sees_drafts else "status = 'publish'"
    ((total,),) = fetch_rows(
        f"SELECT SUM(count) FROM events_eventtally WHERE {statuses} AND day > %s AND day < %s", [first, last]
    )
    ((others,),) = fetch_rows(
        f"SELECT (SELECT COUNT(*) {source} AND e.start_local <= %s)"
        f" + (SELECT COUNT(*) {source} AND e.start_local >= %s)"
        f" + (SELECT COUNT(*) {source} AND e.is_long AND e.start_local > %s AND e.start_local < %s)",
        [*values, f"{first} 23:59:59", *values, last, *values, f"{first} 23:59:59", last],
    )
    return int(total) + int(others)


def contains_word(word: str) -> tuple[str, list[Any]]:
    """Return an SQL condition for events that contain the word, and its parameters. Uses the index for rare words."""
    condition, pattern = "e.search_text LIKE %s", f"%{word}%"
    if connection.vendor == "postgresql":
        found = fetch_rows(
            "WITH found AS MATERIALIZED (SELECT id FROM events_event WHERE search_text LIKE %s)"
            f" SELECT id FROM found LIMIT {MAX_FOUND_ROWS + 1}",
            [pattern],
        )
        indexed, ids = "e.id = ANY(%s)", [pk for (pk,) in found]
        parameters: list[Any] = [pattern, ids]
    else:
        trigrams = " AND ".join(f'"{word[start : start + 3]}"' for start in range(len(word) - 2))
        found = fetch_rows(
            f"SELECT rowid FROM events_event_search WHERE events_event_search MATCH %s LIMIT {MAX_FOUND_ROWS + 1}",
            [trigrams],
        )
        indexed, ids = "e.id IN (SELECT value FROM json_each(%s))", [pk for (pk,) in found]
        parameters = [pattern, orjson.dumps(ids).decode()]
    if len(ids) > MAX_FOUND_ROWS:
        return condition, [pattern]
    return f"{condition} AND {indexed}", parameters


def read_similar_words(word: str) -> None:
    """Read the words of titles that differ from a word by a character or two, without choosing one to suggest."""
    variants = [word, *{word[:position] + word[position + 1 :] for position in range(len(word))}]
    fetch_rows(
        f"SELECT word FROM derived_searchword WHERE kind = 'event' AND variant IN ({placeholders(variants)})", variants
    )


def events_near(
    floor: FloorRequest, conditions: list[str], values: list[Any], effective: dict[str, str]
) -> tuple[dict[str, str], dict[str, Any]]:
    latitude, longitude, radius = (float(floor.arguments[f"geoloc_{name}"]) for name in ("lat", "lng", "radius"))
    circle = Circle(latitude, longitude, radius)
    seen, parameters = floor.visible("v")
    x, y, z = to_point(latitude, longitude)
    degrees = math.degrees(circle.angle)
    distances = (
        "WITH near AS (SELECT v.id, "
        f"(v.geo_x - {x!r}) * (v.geo_x - {x!r}) + (v.geo_y - {y!r}) * (v.geo_y - {y!r})"
        f" + (v.geo_z - {z!r}) * (v.geo_z - {z!r}) AS distance"
        f" FROM venues_venue v WHERE {seen} AND v.geo_lat BETWEEN {latitude - degrees} AND {latitude + degrees}),"
        " found AS (SELECT l.event_id, MIN(near.distance) AS distance FROM near"
        " JOIN events_eventvenue l ON l.venue_id = near.id WHERE near.distance <= %s GROUP BY l.event_id) "
    )
    source = f"FROM found JOIN events_event e ON e.id = found.event_id WHERE {' AND '.join(conditions)}"
    parameters = [*parameters, circle.max_distance, *values]
    ((total,),) = fetch_rows(f"{distances} SELECT COUNT(*) {source}", parameters)
    found = fetch_rows(
        f"{distances} SELECT {event_columns()}, found.distance {source}"
        " ORDER BY e.start_local, found.distance, e.id LIMIT %s OFFSET %s",
        [*parameters, floor.per_page, (floor.page - 1) * floor.per_page],
    )
    records = represent_events(floor, [row[:-1] for row in found])
    records = [record | {"distance": circle.kilometers(row[-1])} for record, row in zip(records, found, strict=True)]
    return envelope(floor, "events", records, total, effective)


def window(floor: FloorRequest) -> tuple[list[str], list[Any], dict[str, str]]:
    """Return SQL conditions on the dates of events, their parameters, and the arguments with their defaults."""
    arguments = floor.arguments
    if "starts_before" in arguments and "ends_after" in arguments:
        before, after = (f"{arguments[name]} 23:59:59" for name in ("starts_before", "ends_after"))
        recent = add_to_local(after, -LONG_DURATION - MAX_UTC_OFFSET)
        running = fetch_rows(
            'SELECT e.id, e.start_local FROM events_event e WHERE e.is_long AND e."end" > %s AND e.start < %s',
            [after, add_to_local(after, -LONG_DURATION)],
        )
        apart = f" OR e.id IN ({placeholders(running)})" if running else ""
        return (
            [
                f'(e.start_local >= %s{apart}) AND e.start_local >= %s AND e."end" > %s',
                "e.start < %s AND e.start_local <= %s",
            ],
            [
                *[recent, *(pk for pk, _start in running)],
                *[min([recent, *(start for _pk, start in running)]), after],
                *[before, add_to_local(before, MAX_UTC_OFFSET)],
            ],
            arguments | {name: f"{arguments[name]} 00:00:00" for name in ("starts_before", "ends_after")},
        )
    today = floor.now.date()
    later = today.replace(year=today.year + 2, day=min(today.day, 28) if today.month == 2 else today.day)
    first = f"{arguments.get('start_date', today - timedelta(days=1))} 00:00:00"
    last = f"{arguments.get('end_date', later)} 23:59:59"
    return (
        ["e.start >= %s AND e.start_local >= %s", 'e."end" <= %s AND e.start_local <= %s'],
        [first, add_to_local(first, -MAX_UTC_OFFSET), last, add_to_local(last, MAX_UTC_OFFSET)],
        arguments | {"start_date": first, "end_date": last},
    )


def add_to_local(local: str, by: timedelta) -> str:
    return (datetime.fromisoformat(local) + by).isoformat(" ", "seconds")


def single_event(floor: FloorRequest, column: str, value: str) -> dict[str, Any]:
    found = fetch_rows(
        f"SELECT {event_columns()} FROM events_event e WHERE e.{column} = %s AND NOT (e.status = 'trash')",
        [int(value) if column == "id" else value],
    )
    (event,) = represent_events(floor, found)
    # Derived from the response without a query, so it is not implemented again.
    return add_event_json_ld(event)
