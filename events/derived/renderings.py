"""The stored JSON of events.

A rendering is the record that `represent_event()` returns, as JSON with holes for the parts that depend on other rows
or on the time, and with the ids of the linked records. Services store it in the transaction of each write. Triggers
delete it when the event, its tickets or its links change in any other way; the response is then made without it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Self
from zlib import crc32

import orjson
from django.conf import settings
from django.db import connection
from django.db.models import Case, Exists, OuterRef, When

from calendar_site.api.output.json_templates import TEMPLATE_URLS, make_template
from calendar_site.api.output.loading import ContentRelations
from calendar_site.core.compiled_queries.queries import CompiledQuery, fetch_by_ids
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.dates.conversion import zone_database_version
from calendar_site.derived.registry import DerivedData
from calendar_site.derived.triggers import Trigger
from events.index_models import EventRendering
from events.linked_rows import CATEGORIES, ORGANIZERS, TAGS, VENUES, load_link_ids
from events.loading import EventRow, TicketRow, load_tickets
from events.models import Event, EventOrganizer, EventVenue, Ticket
from events.relations import LINKED_RELATIONS, EventRelations
from events.representation import represent_event

# The folder of the project.
ROOT = Path(__file__).resolve().parents[2]
# The code that makes a rendering, whose changes make stored ones outdated. A test compares it with the code that runs.
SOURCES = (
    "calendar_site/api/output/json_templates.py",
    "calendar_site/api/output/loading.py",
    "calendar_site/api/output/representation.py",
    "calendar_site/api/shapes.py",
    "calendar_site/api/site_urls.py",
    "calendar_site/core/dates/conversion.py",
    "events/derived/renderings.py",
    "events/loading.py",
    "events/linked_rows.py",
    "events/representation.py",
)
# In their order in the record.
HOLES = (
    "status", "image", "online_url", "post_parent", "categories", "tags", "venue", "organizer", "custom_fields",
    "series",
)  # fmt: skip
# Longer templates are read on their own.
MAX_JOINED_LENGTH = 20_000
BATCH_SIZE = 200
# So many events with the longest texts take little memory.
MADE_AT_ONCE = 25

_COLUMNS = ("event_id", "format", "head", "template", "length")
_SAVE = (
    f"INSERT INTO events_eventrendering ({', '.join(_COLUMNS)}) VALUES (%s, %s, %s, %s, %s) "
    f"ON CONFLICT (event_id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _COLUMNS[1:])}"
)
_NO_RELATIONS = ContentRelations({}, {})


class EventHead(NamedTuple):
    """The values of an event that decide who may read it and how the holes of its rendering are filled."""

    id: int
    author_id: int
    status: str
    published_at: datetime
    password: str
    image_id: int | None
    parent_id: int | None
    start: datetime
    attendance_mode: str
    online_url: str
    hide_online_url: bool
    custom_values: dict[str, Any]
    series_id: int | None
    series_occurrence: str
    venues: list[int]
    organizers: list[int]
    categories: list[int]
    tags: list[int]

    @classmethod
    def of(cls, row: EventRow, links: Mapping[str, Any]) -> Self:
        columns = [getattr(row, name) for name in cls._fields[: -len(LINKED_RELATIONS)]]
        return cls._make([*columns, links["venues"], links["organizers"], links["categories"], links["tags"]])

    @classmethod
    def parse(cls, text: str) -> Self:
        values = orjson.loads(text)
        values[3] = datetime.fromisoformat(values[3])
        values[7] = datetime.fromisoformat(values[7])
        return cls._make(values)

    def encode(self) -> str:
        return orjson.dumps(list(self)).decode()

    @property
    def has_links(self) -> bool:
        """Return whether any hole depends on linked records or custom fields."""
        return bool(
            self.venues or self.organizers or self.categories or self.tags or self.image_id or self.custom_values
        )

    def without_links(self) -> Self:
        return self._replace(image_id=None, custom_values={}, venues=[], organizers=[], categories=[], tags=[])


class Rendering(NamedTuple):
    """The rendering of an event; `template` is None if it is too long to be kept with others."""

    head: EventHead
    template: bytes | None
    length: int


def current_format() -> str:
    """Return the format of the renderings of this process."""
    return f"{_code_version()} {settings.SITE_TIME_ZONE} {zone_database_version()}"


@cache
def _code_version() -> str:
    """Return a hash of SOURCES, so that nobody has to raise a number when a rendering changes."""
    digest = hashlib.blake2b(digest_size=8)
    for name in SOURCES:
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def load_renderings(ids: list[int]) -> dict[int, Rendering]:
    """Return the renderings of these events, of which those that are not stored in the current format are made.

    One query for stored ones, and six for each MADE_AT_ONCE others.
    """
    known = current_format()
    renderings = {
        pk: Rendering(EventHead.parse(head), template and template.encode(), length)
        for pk, format_, head, template, length in _renderings_query(len(ids)).run((MAX_JOINED_LENGTH, *ids))
        if format_ == known
    }
    missing = [pk for pk in ids if pk not in renderings] if len(renderings) < len(ids) else []
    for start in range(0, len(missing), MADE_AT_ONCE):
        batch = missing[start : start + MADE_AT_ONCE]
        for pk, _format, head, template, length in _render(batch, _load_links(batch), with_tickets=batch):
            kept = template.encode() if length <= MAX_JOINED_LENGTH else None
            renderings[pk] = Rendering(EventHead.parse(head), kept, length)
    return renderings


def load_templates(ids: list[int]) -> dict[int, bytes]:
    """Return the templates of those of these events that exist, of any length. See `load_renderings`."""
    stored = EventRendering.objects.filter(pk__in=ids, format=current_format()).values_list("pk", "template")
    templates = {pk: template.encode() for pk, template in stored}
    missing = [pk for pk in ids if pk not in templates]
    if missing:
        made = _render(missing, _load_links(missing), with_tickets=missing)
        templates |= {pk: template.encode() for pk, _format, _head, template, _length in made}
    return templates


@lru_cache(maxsize=128)
def _renderings_query(count: int) -> CompiledQuery:
    joined = Case(When(length__lte=MAX_JOINED_LENGTH, then="template"))
    rows = EventRendering.objects.filter(pk__in=range(1, count + 1))
    return CompiledQuery(rows.values_list("pk", "format", "head", joined, "length"))


def save_renderings(ids: list[int], relations: Mapping[int, EventRelations] | None = None) -> None:
    """Render these events and store the results. Two queries for an event without tickets if `relations` are known."""
    if relations is None:
        rendered = _render(ids, _load_links(ids), with_tickets=ids)
    else:
        rendered = _render(ids, relations, with_tickets=[pk for pk in ids if relations[pk]["tickets"]])
    rows = list(rendered)
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(_SAVE, rows)


def _render(
    ids: list[int], links: Mapping[int, Mapping[str, Any]], with_tickets: list[int]
) -> Iterator[tuple[Any, ...]]:
    """Yield the columns of the renderings of these events."""
    rows = fetch_by_ids(Event, EventRow, ids)
    tickets = load_tickets(with_tickets) if with_tickets else {}
    for row in rows:
        template = _make_template(row, tickets.get(row.id, []))
        yield row.id, current_format(), EventHead.of(row, links[row.id]).encode(), template, len(template)


def _load_links(ids: list[int]) -> dict[int, dict[str, list[int]]]:
    """Return the ids of the records that each event links to, by relation. Four queries."""
    links = {kind.relation: load_link_ids(kind, ids) for kind in (VENUES, ORGANIZERS, CATEGORIES, TAGS)}
    return {pk: {relation: found[pk] for relation, found in links.items()} for pk in ids}


def _make_template(row: EventRow, tickets: list[TicketRow]) -> str:
    record = represent_event(
        row,
        TEMPLATE_URLS,
        _NO_RELATIONS,
        venues=[],
        organizers=[],
        categories=[],
        tags=[],
        tickets=tickets,
        parent_id=None,
        rrule=None,
    )
    return make_template(record, HOLES).decode()


# --- Derived data


def _triggers() -> list[Trigger]:
    delete = "DELETE FROM events_eventrendering WHERE event_id = {};".format
    columns = ", ".join(f'"{name}"' for name in EventRow._fields)
    triggers = [
        Trigger("rendering_update_event", Event._meta.db_table, f"UPDATE OF {columns}", delete("OLD.id")),
        Trigger("rendering_delete_event", Event._meta.db_table, "DELETE", delete("OLD.id")),
    ]
    for name, table, used in _dependent_tables():
        triggers += [
            Trigger(f"rendering_insert_{name}", table, "INSERT", delete("NEW.event_id")),
            Trigger(
                f"rendering_update_{name}",
                table,
                f"UPDATE OF {', '.join(used)}",
                delete("OLD.event_id") + delete("NEW.event_id"),
            ),
            Trigger(f"rendering_delete_{name}", table, "DELETE", delete("OLD.event_id")),
        ]
    return triggers


def _dependent_tables() -> Iterator[tuple[str, str, list[str]]]:
    """Yield the name, the table and the columns of everything in a rendering that is no column of events."""
    yield "ticket", Ticket._meta.db_table, [str(field.column) for field in Ticket._meta.concrete_fields]
    yield "venue", EventVenue._meta.db_table, ["id", "event_id", "position", "venue_id"]
    yield "organizer", EventOrganizer._meta.db_table, ["id", "event_id", "position", "organizer_id"]
    yield "category", Event.categories.through._meta.db_table, ["event_id", "category_id"]
    yield "tag", Event.tags.through._meta.db_table, ["event_id", "tag_id"]


def rebuild_renderings() -> None:
    EventRendering.objects.all().delete()
    save_missing_renderings()


def save_missing_renderings() -> int:
    """Render the events without a rendering in the current format, and return their number."""
    count, last = 0, 0
    # Looked up for each event: databases would read all of a set that they compare with, once for each batch.
    stored = EventRendering.objects.filter(pk=OuterRef("pk"), format=current_format())
    # PostgreSQL would read the renderings of all earlier events as well.
    while ids := list(_next_ids(last).filter(~Exists(stored.filter(pk__gt=last)))[:BATCH_SIZE]):
        with write_lock():
            save_renderings(ids)
        count, last = count + len(ids), ids[-1]
    return count


def _count_differences() -> int:
    """Count renderings that differ from new ones. A missing one is no difference, since responses are the same."""
    count, last = 0, 0
    while stored := list(EventRendering.objects.filter(pk__gt=last).order_by("pk").values_list(*_COLUMNS)[:BATCH_SIZE]):
        ids = [pk for pk, *_rest in stored]
        expected = set(_render(ids, _load_links(ids), with_tickets=ids))
        count += sum(values not in expected for values in stored)
        last = ids[-1]
    return count


def _next_ids(last: int) -> Any:
    return Event.objects.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)


RENDERINGS = DerivedData(
    "renderings of events", _triggers, rebuild_renderings, _count_differences, format=crc32(current_format().encode())
)
