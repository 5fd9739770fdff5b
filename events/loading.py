"""All that an answer about events reads: rows come in, links are added by a fixed number of queries."""

from __future__ import annotations

from collections import Counter, namedtuple
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import Model

from calendar_site.api.selection import Selection
from calendar_site.content.querysets import visible_q
from events.models import Event, EventOrganizer, EventVenue
from organizers.loading import COLUMNS as ORGANIZER_COLUMNS
from organizers.loading import OrganizerRow
from organizers.models import Organizer
from taxonomy.loading import CATEGORY_COLUMNS, TAG_COLUMNS, CategoryRow, TagRow
from venues.loading import COLUMNS as VENUE_COLUMNS
from venues.loading import VenueRow
from venues.models import Venue

COLUMNS = (
    "id",
    "author_id",
    "status",
    "published_at",
    "modified_at",
    "title",
    "slug",
    "description",
    "excerpt",
    "start",
    "end",
    "start_local",
    "end_local",
    "time_zone",
    "all_day",
    "cost",
    "cost_symbol",
    "cost_position",
    "cost_values",
    "website",
    "show_map",
    "show_map_link",
    "hide_from_listings",
    "sticky",
    "featured",
    "parent_id",
)
EventRow = namedtuple("EventRow", COLUMNS)


class LoadedEvent(NamedTuple):
    """An event's row with the rows of what it links to, as far as the reader may see them and wants them."""

    row: Any
    venues: list[Any]
    organizers: list[Any]
    categories: list[Any]
    tags: list[Any]


def load_events(rows: Iterable[Any], user: Any, wanted: Selection) -> list[LoadedEvent]:
    """The rows (of COLUMNS, or instances) with their links. Five queries at the most, none for no rows."""
    rows = list(rows)
    ids = [row.id for row in rows]
    venues = _linked(EventVenue, "venue", Venue, VENUE_COLUMNS, VenueRow, ids, user, wanted.wants("venue"))
    organizers = _linked(
        EventOrganizer, "organizer", Organizer, ORGANIZER_COLUMNS, OrganizerRow, ids, user, wanted.wants("organizer")
    )
    due = _due_events(ids, wanted.wants("categories") or wanted.wants("tags"))
    categories = _terms("categories", "category", CATEGORY_COLUMNS, CategoryRow, ids, due, wanted.wants("categories"))
    tags = _terms("tags", "tag", TAG_COLUMNS, TagRow, ids, due, wanted.wants("tags"))
    return [
        LoadedEvent(row, *(found.get(row.id, []) for found in (venues, organizers, categories, tags))) for row in rows
    ]


def _linked(
    link: type[Model],
    column: str,
    model: type[Model],
    columns: tuple[str, ...],
    make: Any,
    ids: list[int],
    user: Any,
    is_wanted: bool,
) -> dict[int, list[Any]]:
    """The visible venues or organizers of each event, in the order they were given."""
    if not ids or not is_wanted:
        return {}
    links = link._default_manager.filter(visible_q(user, model, f"{column}__"), event__in=ids)
    return _grouped(links.values_list("event", *(f"{column}__{name}" for name in columns)), make)


def _terms(
    field: str, column: str, columns: tuple[str, ...], make: Any, ids: list[int], due: list[int], is_wanted: bool
) -> dict[int, list[Any]]:
    """The categories or tags of each event, by name, with their counts."""
    if not ids or not is_wanted:
        return {}
    links = Event._meta.get_field(field).remote_field.through._default_manager
    extra = Counter(links.filter(event__in=due).values_list(column, flat=True)) if due else Counter()
    found = (
        links.filter(event__in=ids)
        .order_by(f"{column}__name_key", column)
        .values_list("event", *(f"{column}__{name}" for name in (*columns, "event_count")))
    )
    return _grouped(((*record[:-1], record[-1] + extra[record[1]]) for record in found), make)


def _due_events(ids: list[int], is_wanted: bool) -> list[int]:
    """Events published by the passing of time alone, which no count has seen yet."""
    return list(Event.objects.due().values_list("pk", flat=True)) if ids and is_wanted else []


def _grouped(records: Iterable[tuple[Any, ...]], make: Any) -> dict[int, list[Any]]:
    """Rows by the event in the first column. A row that many events share is made once."""
    made: dict[int, Any] = {}
    groups: dict[int, list[Any]] = {}
    for event, pk, *rest in records:
        row = made.get(pk)
        if row is None:
            row = made[pk] = make(pk, *rest)
        groups.setdefault(event, []).append(row)
    return groups
