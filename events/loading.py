"""All SQL of a response about events: the links of a page of rows, by a fixed number of queries."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from functools import lru_cache, reduce
from typing import Any, Literal, NamedTuple, Protocol, TypedDict, TypeVar

from django.db.models import Model
from django.db.models.functions import Left, Length

from calendar_site.api.output.loading import ContentRelations
from calendar_site.api.output.selection import Selection
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.compiled_queries.queries import CompiledQuery
from calendar_site.core.types import AnyUser
from calendar_site.custom_fields.loading import load_custom_fields
from calendar_site.media.loading import load_images
from events.models import Event, EventOrganizer, EventVenue, Series, Ticket
from events.protection.blank_values import without_values
from events.protection.protected_fields import KEPT_COLUMNS, Reader, hides_fields, shows_online_url
from organizers.loading import OrganizerRow
from organizers.models import Organizer
from taxonomy.loading import CategoryRow, TagRow
from taxonomy.models import Category, Tag
from venues.loading import VenueRow
from venues.models import Venue

# Descriptions and excerpts of linked records that one response repeats, in characters: 1 MB together (D53).
MAX_DESCRIPTIONS: dict[type[Model], int] = {Venue: 500_000, Organizer: 300_000, Category: 100_000, Tag: 100_000}
LONG_TEXTS: dict[type[Model], tuple[str, ...]] = {
    Venue: ("description", "excerpt"),
    Organizer: ("description", "excerpt"),
    Category: ("description",),
    Tag: ("description",),
}
TEXT_LENGTHS: dict[type[Model], Callable[[Any], int]] = {
    Venue: lambda row: len(row.description) + len(row.excerpt),
    Organizer: lambda row: len(row.description) + len(row.excerpt),
    Category: lambda row: len(row.description),
    Tag: lambda row: len(row.description),
}
# Longer descriptions are read once for a response, instead of once for each link.
MAX_JOINED_DESCRIPTION = 1000

Row = TypeVar("Row")
DescribedRow = TypeVar("DescribedRow", VenueRow, OrganizerRow, CategoryRow, TagRow)
ContentRow = TypeVar("ContentRow", VenueRow, OrganizerRow)
TermRow = TypeVar("TermRow", CategoryRow, TagRow)

_LINKS: tuple[tuple[Literal["venues", "organizers", "categories", "tags"], type[Model], str, tuple[str, ...]], ...] = (
    ("venues", EventVenue, "venue", ("position", "pk")),
    ("organizers", EventOrganizer, "organizer", ("position", "pk")),
    ("categories", Event.categories.through, "category", ("category",)),
    ("tags", Event.tags.through, "tag", ("tag",)),
)


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


class LinkIds(TypedDict):
    """The ids of the records that an event links to; venues and organizers in their order."""

    venues: list[int]
    organizers: list[int]
    categories: list[int]
    tags: list[int]


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


class DescriptionLimits:
    """The numbers of characters that descriptions and excerpts of linked records may still have in one response.

    Texts of more than `cut_after` characters are cut when they come from the database.
    """

    def __init__(self, cut_after: int = MAX_JOINED_DESCRIPTION) -> None:
        self.cut_after = cut_after
        self.remaining = dict(MAX_DESCRIPTIONS)


class LoadedEvents(NamedTuple):
    """The events of one response, with the relations of all their rows."""

    events: list[LoadedEvent]
    relations: ContentRelations
    # The ids of the events whose fields are hidden from the reader.
    hidden: set[int]
    # The ids of those whose online URL the reader may not see.
    without_online_url: set[int]


def load_events(
    rows: Iterable[Event | EventRow], reader: Reader, selection: Selection, limits: DescriptionLimits | None = None
) -> LoadedEvents:
    """Load the records that the events link to. Ten queries at most, none for no rows.

    `limits` are those of a response whose events are loaded in several parts.
    """
    limits = limits or DescriptionLimits()
    rows, user = list(rows), reader.user
    hidden = {row.id for row in rows if hides_fields(row, reader)}
    ids = [row.id for row in rows if row.id not in hidden]
    venues: dict[int, list[VenueRow]] = {}
    organizers: dict[int, list[OrganizerRow]] = {}
    categories: dict[int, list[CategoryRow]] = {}
    tags: dict[int, list[TagRow]] = {}
    tickets: dict[int, list[TicketRow]] = {}
    if ids and selection.includes("venue"):
        venues = _load_linked(EventVenue, Venue, VenueRow, ids, user, limits)
    if ids and selection.includes("organizer"):
        organizers = _load_linked(EventOrganizer, Organizer, OrganizerRow, ids, user, limits)
    if ids and (selection.includes("categories") or selection.includes("tags")):
        due = Event.objects.due_ids_found_by_terms()
        if selection.includes("categories"):
            categories = _load_terms(Event.categories.through, Category, CategoryRow, ids, due, limits)
        if selection.includes("tags"):
            tags = _load_terms(Event.tags.through, Tag, TagRow, ids, due, limits)
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


def load_link_ids(ids: list[int]) -> dict[int, LinkIds]:
    """Return the ids of the records that each event links to, whether or not anybody may see them. Four queries."""
    links: dict[int, LinkIds] = {pk: {"venues": [], "organizers": [], "categories": [], "tags": []} for pk in ids}
    for name, link, column, order in _LINKS:
        for event, pk in _run_links_query(_links_query(link, (column,), order, len(ids)), ids):
            links[event][name].append(pk)
    return links


def load_tickets(ids: list[int]) -> dict[int, list[TicketRow]]:
    links = _links_query(Ticket, ("pk", *TicketRow._fields[1:]), ("event", "position", "pk"), len(ids))
    return _group(links, ids, TicketRow._make)


def _load_linked(
    link: type[Model],
    model: type[Model],
    row_type: type[ContentRow],
    ids: list[int],
    user: AnyUser,
    limits: DescriptionLimits,
) -> dict[int, list[ContentRow]]:
    """Return the venues or organizers of each event that the user may see, in the order of the links."""
    column = model._meta.model_name
    columns = tuple(f"{column}__{name}" for name in row_type._fields)
    links = _links_query(link, columns, ("position", "pk"), len(ids))

    def make_visible(cells: list[Any]) -> ContentRow | None:
        # Not a condition of the query, which is compiled once for all users.
        row = row_type._make(cells)
        return row if row.status != Status.TRASH and permissions.can_read(user, row, model) else None

    return limit_descriptions(model, _group(links, ids, make_visible), ids, limits)


def _load_terms(
    link: type[Model],
    model: type[Model],
    row_type: type[TermRow],
    ids: list[int],
    due: list[int],
    limits: DescriptionLimits,
) -> dict[int, list[TermRow]]:
    """Return the terms of each event, by name, with their counts.

    `due` are scheduled events whose publication date has come; no write has counted them yet.
    """
    column = str(model._meta.model_name)
    just_published = count_links(link, due)
    # The last field is the count, which is stored in a column of another name.
    fields = (*row_type._fields[:-1], "event_count")  # type: ignore[attr-defined] # it has them
    columns = tuple(f"{column}__{name}" for name in fields)
    links = _links_query(link, columns, (f"{column}__search_text", column), len(ids))

    def make(cells: list[Any]) -> TermRow:
        pk, count = cells[0], cells[-1]
        return row_type._make([*cells[:-1], count + just_published[pk]])

    return limit_descriptions(model, _group(links, ids, make), ids, limits)


def count_links(link: type[Model], ids: list[int]) -> Counter[int]:
    """Return the number of links by term of these events. One query, none for no events."""
    column = "category" if link is Event.categories.through else "tag"
    return Counter(link._default_manager.filter(event__in=ids).values_list(column, flat=True) if ids else ())


def limit_descriptions(
    model: type[Model], linked: dict[int, list[DescribedRow]], ids: list[int], limits: DescriptionLimits
) -> dict[int, list[DescribedRow]]:
    """Return the linked rows of each event with their whole descriptions and excerpts, which the join has cut.

    Beyond the limit, both are left empty: the records that a hundred events link to would otherwise make a response of
    gigabytes. No query if all texts are short, else two.
    """
    limit, names, length_of = limits.remaining[model], LONG_TEXTS[model], TEXT_LENGTHS[model]
    rows = [row for event in ids for row in linked.get(event, ())]
    distinct = {row.id: row for row in rows}
    lengths = {pk: length_of(row) for pk, row in distinct.items()}
    long = [pk for pk, length in lengths.items() if length > limits.cut_after]
    if not long and (total := sum(lengths[row.id] for row in rows)) <= limit:
        limits.remaining[model] -= total
        return linked
    cut = [pk for pk in long if any(len(getattr(distinct[pk], name)) > limits.cut_after for name in names)]
    described = model._default_manager.order_by()
    whole_length = reduce(operator.add, map(Length, names))
    lengths |= dict(described.filter(pk__in=cut).values_list("pk", whole_length))
    shown: list[bool] = []
    for row in rows:
        shown.append(lengths[row.id] <= limit)
        limit -= lengths[row.id] if shown[-1] else 0
    limits.remaining[model] = limit
    read = {row.id for row, is_shown in zip(rows, shown, strict=True) if is_shown} & set(cut)
    no_texts: Any = dict.fromkeys(names, "")
    texts: dict[int, Any] = {row.pop("pk"): row for row in described.filter(pk__in=read).values("pk", *names)}
    whole = {row.id: row._replace(**texts.get(row.id, {})) for row in rows}
    empty = {row.id: row._replace(**no_texts) for row in rows}
    is_shown_next = iter(shown)
    return {
        event: [(whole if next(is_shown_next) else empty)[row.id] for row in linked[event]]
        for event in ids
        if event in linked
    }


@lru_cache(maxsize=512)
def _links_query(
    link: type[Model], columns: tuple[str, ...], order: tuple[str, ...], event_count: int
) -> CompiledQuery:
    """Return the query for the links of `event_count` events: event id, then `columns`, long texts cut.

    Its last parameters are the ids.
    """
    rows = link._default_manager.filter(event__in=range(1, event_count + 1)).order_by(*order)
    long_texts = tuple(name for name in columns if name.endswith(("__description", "__excerpt")))
    cells = [Left(name, MAX_JOINED_DESCRIPTION + 1) if name in long_texts else name for name in columns]
    return CompiledQuery(rows.values_list("event", *cells))


def _run_links_query(query: CompiledQuery, ids: list[int]) -> list[tuple[Any, ...]]:
    return query.run((*query.examples[: -len(ids)], *ids))


def _group(links: CompiledQuery, ids: list[int], make: Callable[[list[Any]], Row | None]) -> dict[int, list[Row]]:
    """Return the rows that `make` returns for the links, by event. A row that many events share is made once."""
    made: dict[int, Row | None] = {}
    groups: dict[int, list[Row]] = {}
    for record in _run_links_query(links, ids):
        event, pk = record[:2]
        if pk not in made:
            made[pk] = make(links.convert_row(record)[1:])
        row = made[pk]
        if row is not None:
            groups.setdefault(event, []).append(row)
    return groups
