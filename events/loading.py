"""All SQL of a response about events: the links of a page of rows, by a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, Protocol

from django.utils.functional import cached_property

from calendar_site.api.output.loading import ContentRelations
from calendar_site.api.output.selection import Selection
from calendar_site.core.compiled_queries.queries import CompiledQuery, example_ids
from calendar_site.core.types import AnyUser
from calendar_site.custom_fields.loading import load_custom_fields
from calendar_site.media.loading import load_images
from events.linked_rows import (
    CATEGORIES,
    ORGANIZERS,
    TAGS,
    VENUES,
    LinkedKind,
    TextLimits,
    count_links,
    is_visible,
    limit_texts,
    load_link_ids,
    load_linked_rows,
)
from events.models import Event, Series, Ticket
from events.protection.blank_values import without_values
from events.protection.protected_fields import KEPT_COLUMNS, Reader, hides_fields, shows_online_url
from organizers.loading import OrganizerRow
from taxonomy.loading import CategoryRow, TagRow
from venues.loading import VenueRow


class HasParent(Protocol):
    """An event, or a row of its columns."""

    @property
    def parent_id(self) -> int | None: ...


class HasSeries(Protocol):
    """An event, or a row of its columns."""

    @property
    def series_id(self) -> int | None: ...
    @property
    def series_occurrence(self) -> str: ...


class EventRow(NamedTuple):
    """The columns of an event that responses need."""

    id: int
    author_id: int
    status: str
    published_at: datetime
    modified_at: datetime
    title: str
    slug: str
    description: str
    excerpt: str
    start: datetime
    end: datetime
    start_local: str
    end_local: str
    time_zone: str
    all_day: bool
    cost: str
    cost_symbol: str
    cost_position: str
    cost_values: list[str]
    website: str
    show_map: bool
    show_map_link: bool
    hide_from_listings: bool
    sticky: bool
    featured: bool
    event_status: str
    event_status_reason: str
    previous_start: datetime | None
    sold_out: bool
    attendance_mode: str
    online_url: str
    hide_online_url: bool
    accessibility: list[str]
    parent_id: int | None
    password: str
    image_id: int | None
    custom_values: dict[str, Any]
    series_id: int | None
    series_occurrence: str
    uid: str


class TicketRow(NamedTuple):
    """The columns of a ticket that responses need."""

    id: int
    name: str
    price: Decimal
    currency: str
    url: str
    available_from: datetime | None
    available_until: datetime | None
    sold_out: bool


class LoadedEvent(NamedTuple):
    """An event with its linked rows, if the reader may see them and the response includes them."""

    row: Event | EventRow
    venues: list[VenueRow]
    organizers: list[OrganizerRow]
    categories: list[CategoryRow]
    tags: list[TagRow]
    tickets: list[TicketRow]
    # None for an event without a parent, or with one that the reader may not see (D32).
    parent_id: int | None
    # The recurrence rule of its series; None for an event without one, or with one that the reader may not see.
    rrule: str | None


class LoadedEvents(NamedTuple):
    """The events of one response, with the relations of all their rows."""

    events: list[LoadedEvent]
    relations: ContentRelations
    # The ids of the events whose fields are hidden from the reader.
    hidden: set[int]
    # The ids of those whose online URL the reader may not see.
    without_online_url: set[int]


def load_events(
    rows: Iterable[Event | EventRow], reader: Reader, selection: Selection, *, with_texts: bool = True
) -> LoadedEvents:
    """Load the records that the events link to. 16 queries at most, and two for each kind of records with long texts.

    Without texts, linked records have neither descriptions nor excerpts.
    """
    rows, user = list(rows), reader.user
    hidden = {row.id for row in rows if hides_fields(row, reader)}
    ids = [row.id for row in rows if row.id not in hidden]
    links = _LinkedRows(ids, user, with_texts) if ids else None
    venues = links.load_content(VENUES) if links and selection.includes("venue") else {}
    organizers = links.load_content(ORGANIZERS) if links and selection.includes("organizer") else {}
    categories = (
        links.load_terms(CATEGORIES, _counts(selection, "categories"))
        if links and selection.includes("categories")
        else {}
    )
    tags = links.load_terms(TAGS, _counts(selection, "tags")) if links and selection.includes("tags") else {}
    tickets: dict[int, list[TicketRow]] = {}
    if ids and (selection.includes("tickets") or selection.includes("ticketed")):
        tickets = load_tickets(ids)
    parents = visible_parents(rows, user) if selection.includes("post_parent") else set()
    rules = load_rules(rows, user) if selection.includes("series") else {}
    events = [
        LoadedEvent(
            _without_hidden_columns(row) if row.id in hidden else row,
            venues.get(row.id, []),
            organizers.get(row.id, []),
            categories.get(row.id, []),
            tags.get(row.id, []),
            tickets.get(row.id, []),
            row.parent_id if row.parent_id in parents else None,
            rules.get(row.series_id or 0),
        )
        for row in rows
    ]
    relations = ContentRelations(
        load_images(_rows_with("image", events, hidden, selection)),
        load_custom_fields(_rows_with("custom_fields", events, hidden, selection)),
    )
    without_online_url = {row.id for row in rows if not shows_online_url(row, reader)}
    return LoadedEvents(events, relations, hidden, without_online_url)


def _without_hidden_columns(row: Event | EventRow) -> EventRow:
    """Return the columns of an event without the values that its password hides: None, "" or empty lists."""
    columns = {name: getattr(row, name) for name in EventRow._fields}
    return EventRow(**without_values(columns, KEPT_COLUMNS, EventRow))


def visible_parents(rows: Iterable[HasParent], user: AnyUser) -> set[int]:
    """Return the ids of the parents of the events that the user may see. One query, none without parents."""
    ids = {row.parent_id for row in rows if row.parent_id}
    return set(Event.objects.visible_to(user).filter(pk__in=ids).values_list("pk", flat=True)) if ids else set()


def load_rules(rows: Iterable[HasSeries], user: AnyUser) -> dict[int, str]:
    """Return the recurrence rules of the series of these events that the user may see, by their ids.

    One query, none without series.
    """
    ids = {row.series_id for row in rows if row.series_id}
    if not ids:
        return {}
    return dict(Series.objects.visible_to(user).filter(pk__in=ids).order_by().values_list("pk", "rrule"))


def _rows_with(
    key: str, events: list[LoadedEvent], hidden: set[int], selection: Selection
) -> Iterator[Event | EventRow | VenueRow | OrganizerRow]:
    """Yield the rows whose records have `key` in the response: events and linked records."""
    for event in events:
        if selection.includes(key) and event.row.id not in hidden:
            yield event.row
        if selection.within("venue").includes(key):
            yield from event.venues
        if selection.within("organizer").includes(key):
            yield from event.organizers


def _counts(selection: Selection, key: str) -> bool:
    """Return whether the response includes the event counts of terms."""
    return selection.within(key).includes("count")


class _LinkedRows:
    """The records that some events link to, each of which is read once."""

    def __init__(self, events: list[int], user: AnyUser, with_texts: bool) -> None:
        self._events, self._user, self._with_texts = events, user, with_texts
        self._limits = TextLimits()

    def load_content(self, kind: LinkedKind) -> Mapping[int, list[Any]]:
        """Return the venues or organizers of each event that the user may see, in the order of the links."""
        links = load_link_ids(kind, self._events)
        rows = {row.id: row for row in self._load(kind, links) if is_visible(kind, row, self._user)}
        return self._limit(kind, {pk: [rows[other] for other in ids if other in rows] for pk, ids in links.items()})

    def load_terms(self, kind: LinkedKind, with_counts: bool) -> Mapping[int, list[Any]]:
        """Return the terms of each event, by name.

        Their counts include scheduled events whose publication date has come; no write has counted them yet.
        """
        links = load_link_ids(kind, self._events)
        rows = self._load(kind, links)
        just_published = count_links(kind, self._due) if rows and with_counts else {}
        counted = {
            row.id: row._replace(published_events=row.published_events + just_published.get(row.id, 0)) for row in rows
        }
        places = {pk: place for place, pk in enumerate(counted)}
        return self._limit(
            kind,
            {
                pk: [counted[other] for other in sorted(places.keys() & ids, key=places.__getitem__)]
                for pk, ids in links.items()
            },
        )

    @cached_property
    def _due(self) -> list[int]:
        return Event.objects.due_ids_found_by_terms()

    def _load(self, kind: LinkedKind, links: Mapping[int, list[int]]) -> list[Any]:
        return load_linked_rows(kind, chain.from_iterable(links.values()), with_texts=self._with_texts)

    def _limit(self, kind: LinkedKind, linked: Mapping[int, list[Any]]) -> Mapping[int, list[Any]]:
        return limit_texts(kind, linked, self._events, self._limits) if self._with_texts else linked


def load_tickets(ids: list[int]) -> dict[int, list[TicketRow]]:
    """Return the tickets of each event, in their order. One query."""
    query = _tickets_query(len(ids))
    tickets: dict[int, list[TicketRow]] = {}
    for event, *cells in query.run_for(ids):
        tickets.setdefault(event, []).append(TicketRow(*cells))
    return tickets


@lru_cache(maxsize=64)
def _tickets_query(count: int) -> CompiledQuery:
    rows = Ticket.objects.filter(event__in=example_ids(count)).order_by("event", "position", "pk")
    return CompiledQuery(rows.values_list("event", *TicketRow._fields))
