"""Events as rows of a CSV file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import QuerySet

from calendar_site.core.types import AnyUser
from events.admin.prefetches import visible_links
from events.models import EventOrganizer

COLUMNS = (
    "id",
    "title",
    "slug",
    "status",
    "start",
    "end",
    "timezone",
    "all_day",
    "venues",
    "organizers",
    "categories",
    "tags",
    "cost",
    "website",
    "event_status",
    "attendance_mode",
    "sold_out",
    "accessibility",
    "author",
)
# Spreadsheets treat text that begins with one of these as a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
CHUNK_SIZE = 500


def export_rows(events: QuerySet, user: AnyUser) -> Iterator[list[str]]:
    """Yield a row for each event of a list of the admin, read a few hundred at a time."""
    linked = events.prefetch_related(visible_links(EventOrganizer, "organizer", user), "categories", "tags")
    for event in linked.select_related("author").iterator(chunk_size=CHUNK_SIZE):
        yield [_safe(value) for value in _values(event)]


def _values(event: Any) -> list[Any]:
    always = [event.pk, event.title, event.slug, event.status, event.start_local, event.end_local, event.time_zone]
    if not event.has_visible_fields:
        return [*always, *[""] * (len(COLUMNS) - len(always) - 1), event.author]
    return [
        *always,
        "yes" if event.all_day else "no",
        _names(link.venue for link in event.visible_venues),
        _names(link.organizer for link in event.visible_organizers),
        _names(event.categories.all()),
        _names(event.tags.all()),
        event.cost,
        event.website,
        event.event_status,
        event.attendance_mode,
        "yes" if event.sold_out else "no",
        "; ".join(event.accessibility),
        event.author,
    ]


def _names(rows: Iterable[Any]) -> str:
    return "; ".join(map(str, rows))


def _safe(value: Any) -> str:
    text = str(value)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
