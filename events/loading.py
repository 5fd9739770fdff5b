"""All that an answer about events reads: rows come in, links are added by a fixed number of queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Model

from calendar_site.api.selection import Selection
from calendar_site.content import rules
from calendar_site.content.choices import Status
from calendar_site.content.loading import Extras, load_declared, load_images
from calendar_site.content.statements import Statement
from events.access import Reader, hides_fields
from events.models import Event, EventOrganizer, EventVenue, Ticket
from organizers.loading import OrganizerRow
from organizers.models import Organizer
from taxonomy.loading import CategoryRow, TagRow
from taxonomy.models import Category, Tag
from venues.loading import VenueRow
from venues.models import Venue


class EventRow(NamedTuple):
    """The columns of an event that an answer reads, in their order."""

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
    parent_id: int | None
    password: str
    image_id: int | None
    custom_values: dict[str, Any]


class TicketRow(NamedTuple):
    """The columns of a ticket that an answer reads, in their order."""

    id: int
    name: str
    price: Decimal
    currency: str
    url: str
    available_from: datetime | None
    available_until: datetime | None
    sold_out: bool


class LoadedEvent(NamedTuple):
    """An event's row with the rows of what it links to, as far as the reader may see them and wants them."""

    row: Any
    venues: list[Any]
    organizers: list[Any]
    categories: list[Any]
    tags: list[Any]
    tickets: list[Any]


class LoadedEvents(NamedTuple):
    """The events of one answer, the extras of theirs and of what they link to, and who of them shows no more."""

    events: list[LoadedEvent]
    extras: Extras
    # The ids of those whose fields are hidden from the reader.
    hidden: set[int]


def load_events(rows: Iterable[Any], reader: Reader, wanted: Selection) -> LoadedEvents:
    """The rows (EventRow, or instances) with their links. Eight queries at the most, none for no rows."""
    rows, user = list(rows), reader.user
    hidden = {row.id for row in rows if hides_fields(row, reader)}
    ids = [row.id for row in rows if row.id not in hidden]
    venues = _linked(EventVenue, Venue, VenueRow, ids, user, wanted.wants("venue"))
    organizers = _linked(EventOrganizer, Organizer, OrganizerRow, ids, user, wanted.wants("organizer"))
    due = _due_events(ids, wanted.wants("categories") or wanted.wants("tags"))
    categories = _terms(Event.categories.through, Category, CategoryRow, ids, due, wanted.wants("categories"))
    tags = _terms(Event.tags.through, Tag, TagRow, ids, due, wanted.wants("tags"))
    tickets = _tickets(ids, wanted.wants("tickets") or wanted.wants("ticketed"))
    events = [
        LoadedEvent(
            row,
            venues.get(row.id, []),
            organizers.get(row.id, []),
            categories.get(row.id, []),
            tags.get(row.id, []),
            tickets.get(row.id, []),
        )
        for row in rows
    ]
    extras = Extras(
        load_images(_answering("image", events, hidden, wanted)),
        load_declared(_answering("custom_fields", events, hidden, wanted)),
    )
    return LoadedEvents(events, extras, hidden)


def _answering(key: str, events: list[LoadedEvent], hidden: set[int], wanted: Selection) -> Iterator[Any]:
    """The rows of which `key` is part of the answer: events, and what they link to."""
    for event in events:
        if wanted.wants(key) and event.row.id not in hidden:
            yield event.row
        if wanted.within("venue").wants(key):
            yield from event.venues
        if wanted.within("organizer").wants(key):
            yield from event.organizers


def _tickets(ids: list[int], is_wanted: bool) -> dict[int, list[Any]]:
    if not ids or not is_wanted:
        return {}
    links = _links(Ticket, ("pk", *TicketRow._fields[1:]), ("event", "position", "pk"), len(ids))
    return _grouped(links, ids, TicketRow._make)


def _linked(
    link: type[Model], model: type[Model], make: Any, ids: list[int], user: Any, is_wanted: bool
) -> dict[int, list[Any]]:
    """The visible venues or organizers of each event, in the order they were given."""
    if not ids or not is_wanted:
        return {}
    column = model._meta.model_name
    links = _links(link, tuple(f"{column}__{name}" for name in make._fields), ("position", "pk"), len(ids))

    def visible(cells: list[Any]) -> Any:
        # Here, and not in the query, so that it has the same words for everybody.
        row = make(*cells)
        return row if row.status != Status.TRASH and rules.can_read(user, row, model) else None

    return _grouped(links, ids, visible)


def _terms(
    link: type[Model], model: type[Model], make: Any, ids: list[int], due: list[int], is_wanted: bool
) -> dict[int, list[Any]]:
    """The categories or tags of each event, by name, with their counts."""
    if not ids or not is_wanted:
        return {}
    column = str(model._meta.model_name)
    just_published: Counter[int] = Counter()
    if due:
        just_published.update(link._default_manager.filter(event__in=due).values_list(column, flat=True))
    # The count is kept in a column of another name.
    columns = tuple(f"{column}__{name}" for name in (*make._fields[:-1], "event_count"))
    links = _links(link, columns, (f"{column}__search_text", column), len(ids))
    return _grouped(links, ids, lambda cells: make(*cells[:-1], cells[-1] + just_published[cells[0]]))


def _due_events(ids: list[int], is_wanted: bool) -> list[int]:
    """Events published by the passing of time alone, which no count has seen yet."""
    return Event.objects.due_ids() if ids and is_wanted else []


@lru_cache(maxsize=512)
def _links(link: type[Model], columns: tuple[str, ...], order: tuple[str, ...], events: int) -> Statement:
    """What so many events have under `link`: the id of the event, then `columns`. Takes the ids of the events."""
    rows = link._default_manager.filter(event__in=range(1, events + 1)).order_by(*order)
    return Statement(rows.values_list("event", *columns))


def _grouped(links: Statement, ids: list[int], make: Any) -> dict[int, list[Any]]:
    """What `make` makes of the linked rows, by event, None left out. A row that many events share is made once."""
    made: dict[int, Any] = {}
    groups: dict[int, list[Any]] = {}
    for record in links.run(ids):
        event, pk = record[:2]
        if pk not in made:
            made[pk] = make(links.read(record)[1:])
        if made[pk] is not None:
            groups.setdefault(event, []).append(made[pk])
    return groups
