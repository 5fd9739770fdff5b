"""Loading the events of a calendar."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from django.db.models.functions import MD5, Length

from calendar_site.api.output.selection import Selection
from events.loading import EventRow, LoadedEvents, load_events
from events.models import Event, EventOrganizer, EventVenue
from events.protection.protected_fields import Reader
from events.querysets import EventQuerySet
from organizers.loading import OrganizerRow
from organizers.models import Organizer
from taxonomy.loading import CategoryRow
from taxonomy.models import Category
from venues.loading import VenueRow
from venues.models import Venue

ContentRow = TypeVar("ContentRow", VenueRow, OrganizerRow)

# The fields of the contract that calendars contain, apart from venues, organizers and categories.
KEYS = Selection.parse("image,series")

# The descriptions of a calendar, in characters. Beyond that they are left out: the page of the event has them.
MAX_DESCRIPTIONS = 2_000_000
# Calendars do not contain these, nor the descriptions of venues and organizers.
LEFT_OUT: dict[str, Any] = {"excerpt": "", "custom_values": {}}
WITHOUT_TEXTS: dict[str, Any] = {**LEFT_OUT, "description": ""}


class TextDigest(NamedTuple):
    """The length and the MD5 digest of a description, to compare it without reading it."""

    length: int
    md5: str


def read_rows(events: EventQuerySet, limit: int) -> list[EventRow]:
    """Return the rows of at most `limit` events, with descriptions up to MAX_DESCRIPTIONS. Two queries."""
    rows = list(events.annotate(length=Length("description")).values(*_columns(EventRow), "length")[:limit])
    descriptions = read_descriptions((row["id"], row.pop("length")) for row in rows)
    return [EventRow(**row, **LEFT_OUT, description=descriptions.get(row["id"], "")) for row in rows]


def read_rows_to_compare(events: EventQuerySet, limit: int) -> tuple[list[EventRow], dict[int, TextDigest]]:
    """Return the rows of at most `limit` events without texts, and digests of their descriptions by id. One query."""
    annotated = events.annotate(length=Length("description"), md5=MD5("description"))
    rows = list(annotated.values(*_columns(EventRow), "length", "md5")[:limit])
    digests = {row["id"]: TextDigest(row.pop("length"), row.pop("md5")) for row in rows}
    return [EventRow(**row, **WITHOUT_TEXTS) for row in rows], digests


def read_descriptions(lengths: Iterable[tuple[int, int]]) -> dict[int, str]:
    """Return the descriptions by id of the events with these ids and lengths. One query.

    Descriptions beyond MAX_DESCRIPTIONS are not read: those of all events may have hundreds of megabytes.
    """
    return dict(Event.objects.filter(pk__in=_fitting_ids(lengths)).values_list("pk", "description"))


def _columns(row_type: type[EventRow | VenueRow | OrganizerRow]) -> list[str]:
    """Return the columns that calendars contain, apart from texts."""
    return [name for name in row_type._fields if name not in WITHOUT_TEXTS]


def _fitting_ids(lengths: Iterable[tuple[int, int]]) -> list[int]:
    """Return the ids of the events whose descriptions have MAX_DESCRIPTIONS characters together, in their order."""
    ids, remaining = [], MAX_DESCRIPTIONS
    for pk, length in lengths:
        if 0 < length <= remaining:
            ids.append(pk)
            remaining -= length
    return ids


def load_calendar_events(rows: Sequence[EventRow], reader: Reader) -> LoadedEvents:
    """Load the records of these events that calendars contain. Nine queries at most."""
    loaded = load_events(rows, reader, KEYS)
    ids = [row.id for row in rows if row.id not in loaded.hidden]
    venues = _load_linked(EventVenue, Venue, VenueRow, ids, reader)
    organizers = _load_linked(EventOrganizer, Organizer, OrganizerRow, ids, reader)
    categories = _load_categories(ids)
    return loaded._replace(
        events=[
            event._replace(
                venues=venues.get(event.row.id, []),
                organizers=organizers.get(event.row.id, []),
                categories=categories.get(event.row.id, []),
            )
            for event in loaded.events
        ]
    )


def _load_categories(ids: list[int]) -> dict[int, list[CategoryRow]]:
    """Return the categories of each event, by name, without their descriptions. Two queries."""
    through: Any = Event.categories.through
    links = list(through._default_manager.filter(event__in=ids).values_list("event", "category")) if ids else []
    named = Category.objects.filter(pk__in={pk for _event, pk in links}).order_by("search_text", "pk")
    cells = named.values_list("pk", "name", "slug", "parent_id") if links else ()
    rows = [CategoryRow(pk, name, slug, "", parent, 0) for pk, name, slug, parent in cells]
    of_category: dict[int, list[int]] = {}
    for event, pk in links:
        of_category.setdefault(pk, []).append(event)
    linked: dict[int, list[CategoryRow]] = {}
    for row in rows:
        for event in of_category[row.id]:
            linked.setdefault(event, []).append(row)
    return linked


def _load_linked(
    link: Any, model: Any, row_type: type[ContentRow], ids: list[int], reader: Reader
) -> dict[int, list[ContentRow]]:
    """Return the venues or organizers of each event that the reader may see, in their order, without their texts.

    Two queries. A join would read past the long texts of a record again for each of its events.
    """
    pairs = link.objects.filter(event__in=ids).order_by("position", "pk").values_list("event", model._meta.model_name)
    links: list[tuple[int, int]] = list(pairs) if ids else []
    visible = model.objects.visible_to(reader.user).not_trashed().order_by()
    rows = visible.filter(pk__in={pk for _event, pk in links}).values(*_columns(row_type)) if links else []
    found = {row["id"]: row_type(**row, **WITHOUT_TEXTS) for row in rows}
    linked: dict[int, list[ContentRow]] = {}
    for event, pk in links:
        if pk in found:
            linked.setdefault(event, []).append(found[pk])
    return linked
