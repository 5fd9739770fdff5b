"""The rows of the records that events link to, and the limits of their long texts in one response."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from typing import Any, NamedTuple, TypeVar

from django.db.models import F, Model, Value
from django.db.models.functions import Left, Length

from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.compiled_queries.queries import CompiledQuery, example_ids
from calendar_site.core.types import AnyUser
from events.models import Event
from organizers.loading import OrganizerRow
from organizers.models import Organizer
from taxonomy.loading import CategoryRow, TagRow
from taxonomy.models import Category, Tag
from venues.loading import VenueRow
from venues.models import Venue

# Longer descriptions and excerpts are read when it is known that a response includes them.
MAX_READ_TEXT = 4000

Row = TypeVar("Row", VenueRow, OrganizerRow, CategoryRow, TagRow)


class LinkedKind(NamedTuple):
    """A model of linked records."""

    # The relation of events to it.
    relation: str
    model: type[Model]
    row_type: Any
    # Descriptions and excerpts that one response repeats, in characters: 1 MB for all kinds together (D53).
    max_texts: int
    # Whether the records have a status and an order. Terms are ordered by name.
    is_content: bool
    long_texts: tuple[str, ...]
    # The length of the long texts of a row.
    text_length: Callable[[Any], int]


def _length_of_texts(row: VenueRow | OrganizerRow) -> int:
    return len(row.description) + len(row.excerpt)


def _length_of_description(row: CategoryRow | TagRow) -> int:
    return len(row.description)


_TEXTS, _DESCRIPTION = ("description", "excerpt"), ("description",)
VENUES = LinkedKind("venues", Venue, VenueRow, 500_000, True, _TEXTS, _length_of_texts)
ORGANIZERS = LinkedKind("organizers", Organizer, OrganizerRow, 300_000, True, _TEXTS, _length_of_texts)
CATEGORIES = LinkedKind("categories", Category, CategoryRow, 100_000, False, _DESCRIPTION, _length_of_description)
TAGS = LinkedKind("tags", Tag, TagRow, 100_000, False, _DESCRIPTION, _length_of_description)


def load_link_ids(kind: LinkedKind, events: list[int]) -> dict[int, list[int]]:
    """Return the ids of the records that each of these events links to, venues and organizers in their order.

    One query, none without events.
    """
    ids: dict[int, list[int]] = {pk: [] for pk in events}
    if events:
        for event, pk in _links_query(kind, len(events)).run_for(events):
            ids[event].append(pk)
    return ids


@lru_cache(maxsize=256)
def _links_query(kind: LinkedKind, count: int) -> CompiledQuery:
    field: Any = Event._meta.get_field(kind.relation)
    column = field.m2m_reverse_field_name()
    links = field.remote_field.through._default_manager.filter(event__in=example_ids(count))
    order = ("position", "pk") if kind.is_content else (column,)
    return CompiledQuery(links.order_by(*order).values_list("event", column))


def load_linked_rows(kind: LinkedKind, ids: Iterable[int], *, with_texts: bool = True) -> list[Any]:
    """Return the rows with these ids, terms by name. One query, none without ids.

    Long texts are cut to MAX_READ_TEXT + 1 characters; see `limit_texts()`. Without texts, they are "".
    """
    needed = sorted(set(ids))
    if not needed:
        return []
    size = padded_count(len(needed))
    query = _rows_query(kind, with_texts, size)
    return [kind.row_type(*cells) for cells in query.run_for(pad_ids(needed, size))]


@lru_cache(maxsize=128)
def _rows_query(kind: LinkedKind, with_texts: bool, count: int) -> CompiledQuery:
    columns: dict[str, Any] = {"published_events": F("event_count")}
    columns |= {name: Left(name, MAX_READ_TEXT + 1) if with_texts else Value("") for name in kind.long_texts}
    rows = kind.model._default_manager.filter(pk__in=example_ids(count))
    ordered = rows.order_by() if kind.is_content else rows.order_by("search_text", "pk")
    return CompiledQuery(ordered.values_list(*(columns.get(name, name) for name in kind.row_type._fields)))


def padded_count(count: int) -> int:
    """Return the next power of two, so that few queries are compiled."""
    return 1 << max(0, count - 1).bit_length()


def pad_ids(ids: list[int], size: int) -> list[int]:
    """Return `size` ids: these, and zeros, which no row has."""
    return ids + [0] * (size - len(ids))


def is_visible(kind: LinkedKind, row: Any, user: AnyUser) -> bool:
    """Return whether the user may see the record among those of an event."""
    return not kind.is_content or (row.status != Status.TRASH and permissions.can_read(user, row, kind.model))


def count_links(kind: LinkedKind, events: Sequence[int]) -> Counter[int]:
    """Return the number of links by term of these events. One query, none for no events."""
    if not events:
        return Counter()
    field: Any = Event._meta.get_field(kind.relation)
    links = field.remote_field.through._default_manager.filter(event__in=events)
    return Counter(links.values_list(field.m2m_reverse_field_name(), flat=True))


class TextLimits:
    """The numbers of characters that long texts of linked records may still have in one response."""

    def __init__(self) -> None:
        self.remaining = {kind.model: kind.max_texts for kind in (VENUES, ORGANIZERS, CATEGORIES, TAGS)}


def limit_texts(
    kind: LinkedKind, linked: Mapping[int, list[Row]], ids: Sequence[int], limits: TextLimits
) -> Mapping[int, list[Row]]:
    """Return the linked rows of each event with their whole texts, which the loader has cut.

    Beyond the limit, they are left empty: the records that a hundred events link to would otherwise make a response of
    gigabytes. No query if all texts are short, else two.
    """
    limit, names, length_of = limits.remaining[kind.model], kind.long_texts, kind.text_length
    rows = [row for event in ids for row in linked.get(event, ())]
    distinct = {row.id: row for row in rows}
    lengths = {pk: length_of(row) for pk, row in distinct.items()}
    long = [pk for pk, length in lengths.items() if length > MAX_READ_TEXT]
    if not long and (total := sum(lengths[row.id] for row in rows)) <= limit:
        limits.remaining[kind.model] -= total
        return linked
    cut = [pk for pk in long if any(len(getattr(distinct[pk], name)) > MAX_READ_TEXT for name in names)]
    described = kind.model._default_manager.order_by()
    whole_length = reduce(operator.add, map(Length, names))
    lengths |= dict(described.filter(pk__in=cut).values_list("pk", whole_length))
    shown: list[bool] = []
    for row in rows:
        shown.append(lengths[row.id] <= limit)
        limit -= lengths[row.id] if shown[-1] else 0
    limits.remaining[kind.model] = limit
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
