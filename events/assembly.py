"""Pages of events as JSON, assembled from the renderings of events and the copies of linked records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, zip_longest
from typing import NamedTuple

import orjson

from calendar_site.api.output.json_templates import HOLE, TemplateFiller
from calendar_site.api.output.list_budget import ListBudget
from calendar_site.api.output.loading import ContentRelations, load_content_relations
from calendar_site.api.output.representation import current_status, represent_custom_fields
from calendar_site.api.output.selection import Selection
from calendar_site.api.shapes import single_or_list
from calendar_site.api.site_urls import SiteURLs
from calendar_site.core.compiled_queries.queries import fetch_by_ids
from events.derived.renderings import EventHead, Rendering, load_renderings, load_templates
from events.linked_records import (
    CATEGORIES,
    MAX_KEPT_DESCRIPTION,
    ORGANIZERS,
    TAGS,
    VENUES,
    LinkedKind,
    LinkedRecord,
    LinkedRecords,
    LinkedState,
    load_linked_state,
    make_linked_template,
)
from events.loading import (
    DescriptionLimits,
    EventRow,
    limit_descriptions,
    load_events,
    load_rules,
    text_lengths,
    visible_parents,
)
from events.models import Event
from events.protection.protected_fields import Reader, hides_fields, shows_online_url
from events.representation import blank_protected_fields, represent_events, represent_series_of

# How much JSON is put together at once, in characters, so that a page of long events takes little memory.
CHUNK_LENGTH = 1_000_000


# How much text of events is loaded at once if they have no renderings.
BATCH_LENGTH = 8_000_000
# As many events with the longest texts take little memory.
MAX_LONG_EVENTS = 25


def represent_in_chunks(
    ids: list[int],
    reader: Reader,
    urls: SiteURLs,
    distances: Mapping[int, float],
    selection: Selection,
    budget: ListBudget,
) -> Iterator[bytes]:
    """Yield the JSON of these events, with the selected keys, separated by commas. Slower than `assemble_events()`."""
    limits = DescriptionLimits()
    for batch in _batches(ids):
        rows = fetch_by_ids(Event, EventRow, batch)
        records = represent_events(load_events(rows, reader, selection, limits), urls)
        if distances:
            records = [{**record, "distance": distances[record["id"]]} for record in records]
        if records:
            yield b",".join(budget.fit_all(selection.apply(records)))


def _batches(ids: list[int]) -> Iterator[list[int]]:
    """Yield all ids in parts whose texts take little memory. One query, none for few ids."""
    if len(ids) <= MAX_LONG_EVENTS:
        yield ids
        return
    lengths = text_lengths(ids)
    batch: list[int] = []
    total = 0
    for pk in ids:
        length = lengths.get(pk, 0)
        if batch and total + length > BATCH_LENGTH:
            yield batch
            batch, total = [], 0
        batch.append(pk)
        total += length
    yield batch


class _Fillings(NamedTuple):
    """The JSON for the holes of the events of a page. That of linked records is by event, in their order."""

    images: Mapping[int, bytes]
    custom_fields: ContentRelations
    parents: set[int]
    # The rules of series, by their ids.
    rules: Mapping[int, str]
    categories: Mapping[int, list[bytes]]
    tags: Mapping[int, list[bytes]]
    venues: Mapping[int, list[bytes]]
    organizers: Mapping[int, list[bytes]]
    hidden: set[int]
    without_online_url: set[int]

    def fill(self, head: EventHead, template: bytes) -> bytes:
        """Return the template of the record without holes."""
        parts = template.split(HOLE)
        pk = head.id
        parent = head.parent_id if head.parent_id in self.parents else 0
        venue = single_or_list(self.venues[pk])
        values = (
            b'"%b"' % current_status(head).encode(),
            self.images.get(head.image_id or 0, b"false"),
            b'""' if pk in self.without_online_url else orjson.dumps(head.online_url),
            b"%d" % parent,
            _json_list(self.categories[pk]),
            _json_list(self.tags[pk]),
            venue if isinstance(venue, bytes) else _json_list(venue),
            _json_list(self.organizers[pk]),
            orjson.dumps(represent_custom_fields(head, "event", self.custom_fields)),
            orjson.dumps(represent_series_of(head, self.rules.get(head.series_id or 0))),
        )
        return b"".join(chain.from_iterable(zip_longest(parts, values, fillvalue=b"")))


def _json_list(items: list[bytes]) -> bytes:
    return b"[%b]" % b",".join(items)


def assemble_events(
    ids: list[int],
    reader: Reader,
    urls: SiteURLs,
    distances: Mapping[int, float] | None = None,
    budget: ListBudget | None = None,
) -> Iterator[bytes] | None:
    """Return the JSON of these events, separated by commas, in chunks; None if an event has no rendering.

    Everything that is shared by several chunks is loaded at once, and long texts for each chunk. Three queries, and one
    each for custom fields, parents, series, linked records and images, if there are any without a copy in this process.
    """
    renderings = load_renderings(ids)
    if len(renderings) < len(ids):
        return None
    heads = [renderings[pk].head for pk in ids]
    hidden = {head.id for head in heads if hides_fields(head, reader)}
    fillings = _load_fillings([head.without_links() if head.id in hidden else head for head in heads], hidden, reader)
    filled = [renderings[pk] for pk in ids]
    return _fill_in_chunks(filled, fillings, distances or {}, TemplateFiller(urls), budget or ListBudget())


def _load_fillings(heads: list[EventHead], hidden: set[int], reader: Reader) -> _Fillings:
    copies, category_counts, tag_counts = LinkedState(LinkedRecords(""), {}, {})
    if any(head.has_links for head in heads):
        copies, category_counts, tag_counts = load_linked_state(
            chain.from_iterable(head.categories for head in heads), chain.from_iterable(head.tags for head in heads)
        )
    limits = DescriptionLimits(MAX_KEPT_DESCRIPTION)
    categories = _counted_terms(
        CATEGORIES, {head.id: head.categories for head in heads}, category_counts, copies, limits
    )
    tags = _counted_terms(TAGS, {head.id: head.tags for head in heads}, tag_counts, copies, limits)
    has_custom_values = any(head.custom_values for head in heads)
    return _Fillings(
        images=copies.load_image_templates(heads),
        custom_fields=ContentRelations({}, copies.custom_fields if has_custom_values else {}),
        parents=visible_parents(heads, reader.user),
        rules=load_rules(heads, reader.user),
        categories=categories,
        tags=tags,
        venues=_visible_content(VENUES, {head.id: head.venues for head in heads}, reader, copies, limits),
        organizers=_visible_content(ORGANIZERS, {head.id: head.organizers for head in heads}, reader, copies, limits),
        hidden=hidden,
        without_online_url={head.id for head in heads if not shows_online_url(head, reader)},
    )


def _visible_content(
    kind: LinkedKind, links: Mapping[int, list[int]], reader: Reader, copies: LinkedRecords, limits: DescriptionLimits
) -> dict[int, list[bytes]]:
    """Return the JSON of the venues or organizers of each event that the reader may see, in the order of the links."""
    records = copies.load(kind, chain.from_iterable(links.values()))
    visible = {pk for pk, record in records.items() if record.is_visible_to(reader.user, kind.model)}
    ordered = {event: [records[pk] for pk in ids if pk in visible] for event, ids in links.items()}
    return _linked_json(kind, ordered, limits)


def _counted_terms(
    kind: LinkedKind,
    links: Mapping[int, list[int]],
    counts: Mapping[int, int],
    copies: LinkedRecords,
    limits: DescriptionLimits,
) -> dict[int, list[bytes]]:
    """Return the JSON of the terms of each event, with these counts and in their order."""
    records = copies.load(kind, counts)
    places = {pk: place for place, pk in enumerate(counts) if pk in records}
    ordered = {
        event: [records[pk] for pk in sorted(places.keys() & ids, key=places.__getitem__)]
        for event, ids in links.items()
    }
    return _linked_json(kind, ordered, limits, counts)


def _linked_json(
    kind: LinkedKind,
    links: Mapping[int, list[LinkedRecord]],
    limits: DescriptionLimits,
    counts: Mapping[int, int] | None = None,
) -> dict[int, list[bytes]]:
    """Return the JSON of the linked records of each event, without the descriptions beyond the limit."""
    templates = {id(record.row): record.template for records in links.values() for record in records if record.template}
    rows = limit_descriptions(
        kind.model, {event: [record.row for record in records] for event, records in links.items()}, [*links], limits
    )
    others = {id(row): row for group in rows.values() for row in group if id(row) not in templates}
    relations = load_content_relations(others.values()) if kind.is_content else ContentRelations({}, {})
    templates |= {key: make_linked_template(kind, row, relations) for key, row in others.items()}
    if counts is not None:
        ids = {id(row): row.id for group in rows.values() for row in group}
        templates = {key: templates[key].replace(HOLE, b"%d" % counts[pk]) for key, pk in ids.items()}
    return {event: [templates[id(row)] for row in group] for event, group in rows.items()}


def _fill_in_chunks(
    renderings: list[Rendering],
    fillings: _Fillings,
    distances: Mapping[int, float],
    filler: TemplateFiller,
    budget: ListBudget,
) -> Iterator[bytes]:
    chunk: list[bytes] = []
    length = 0
    long_templates: dict[int, bytes] = {}
    for index, (head, template, _) in enumerate(renderings):
        if template is None:
            if head.id not in long_templates:
                long_templates = load_templates(_next_long_ids(renderings[index:]))
            template = long_templates[head.id]
        record = fillings.fill(head, template)
        if head.id in fillings.hidden:
            record = orjson.dumps(blank_protected_fields(orjson.loads(filler.fill(record))))
        if distances:
            record = b'%b,"distance":%b}' % (record[:-1], orjson.dumps(distances[head.id]))
        if budget.is_measured:
            record = budget.fit(filler.fill(record))
        else:
            budget.use(len(record))
        chunk.append(record)
        length += len(record)
        if length > CHUNK_LENGTH:
            yield _join(chunk, length, filler, budget)
            chunk, length = [], 0
    if chunk:
        yield _join(chunk, length, filler, budget)


def _join(chunk: list[bytes], length: int, filler: TemplateFiller, budget: ListBudget) -> bytes:
    """Return the JSON of the records, and add the length of their URLs to what they have used."""
    filled = filler.fill(b",".join(chunk))
    budget.use(len(filled) - length)
    return filled


def _next_long_ids(renderings: list[Rendering]) -> list[int]:
    """Return the ids of the first events whose templates are read on their own, up to CHUNK_LENGTH; one at least."""
    ids: list[int] = []
    length = 0
    for rendering in renderings:
        if rendering.template is None:
            length += rendering.length
            if ids and length > CHUNK_LENGTH:
                break
            ids.append(rendering.head.id)
    return ids
