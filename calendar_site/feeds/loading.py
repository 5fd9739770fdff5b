"""Loading the events of a calendar."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models.functions import MD5, Length

from calendar_site.api.output.selection import Selection
from events.loading import EventRow, LoadedEvents, load_events
from events.models import Event
from events.protection.protected_fields import Reader
from events.querysets import EventQuerySet
from organizers.loading import OrganizerRow
from venues.loading import VenueRow

# The fields of the contract that calendars contain.
KEYS = Selection.parse("image,series,venue.venue,organizer.organizer,categories.name")

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
    return load_events(rows, reader, KEYS, with_texts=False)
