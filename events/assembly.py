"""Pages of events as JSON, assembled from the renderings of events and the copies of linked records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, zip_longest
from typing import Any, NamedTuple, cast

import orjson

from calendar_site.api.output.json_templates import HOLE, TemplateFiller
from calendar_site.api.output.list_budget import ListBudget
from calendar_site.api.output.loading import ContentRelations, load_content_relations
from calendar_site.api.output.representation import current_status, represent_custom_fields
from calendar_site.api.output.selection import Selection
from calendar_site.api.shapes import single_or_list
from calendar_site.api.site_urls import SiteURLs
from events.derived.renderings import HOLES, EventHead, Rendering, load_renderings, load_templates
from events.linked_record_cache import (
    CATEGORIES,
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
    TextLimits,
    limit_texts,
    load_rules,
    visible_parents,
)
from events.protection.protected_fields import Reader, hides_fields, shows_online_url
from events.representation import EventRecord, blank_protected_fields, represent_series_of

# How much JSON is put together at once, in characters, so that a page of long events takes little memory.
CHUNK_LENGTH = 1_000_000


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
        return b"".join(chain.from_iterable(zip_longest(template.split(HOLE), self.values(head), fillvalue=b"")))

    def values(self, head: EventHead) -> tuple[bytes, ...]:
        """Return the JSON for each of HOLES."""
        pk = head.id
        venue = single_or_list(self.venues[pk])
        return (
            b'"%b"' % current_status(head).encode(),
            self.images.get(head.image_id or 0, b"false"),
            b'""' if pk in self.without_online_url else orjson.dumps(head.online_url),
            b"%d" % (head.parent_id if head.parent_id in self.parents else 0),
            _json_list(self.categories[pk]),
            _json_list(self.tags[pk]),
            venue if isinstance(venue, bytes) else _json_list(venue),
            _json_list(self.organizers[pk]),
            orjson.dumps(represent_custom_fields(head, "event", self.custom_fields)),
            orjson.dumps(represent_series_of(head, self.rules.get(head.series_id or 0))),
        )


def _json_list(items: list[bytes]) -> bytes:
    return b"[%b]" % b",".join(items)


def assemble_events(
    ids: list[int],
    reader: Reader,
    urls: SiteURLs,
    selection: Selection,
    distances: Mapping[int, float] | None = None,
    budget: ListBudget | None = None,
) -> Iterator[bytes]:
    """Yield the JSON of these events with the selected keys, separated by commas, in chunks. Leave out missing events.

    Everything that is shared by several chunks is loaded at once, and long texts for each chunk. Three queries, and one
    each for custom fields, parents, series, linked records and images, if there are any without a copy in this process.
    """
    renderings = load_renderings(ids)
    known = [renderings[pk] for pk in ids if pk in renderings]
    heads = [rendering.head for rendering in known]
    hidden = {head.id for head in heads if hides_fields(head, reader)}
    heads = [head.without_links() if head.id in hidden else head for head in heads]
    fillings = _load_fillings(heads, hidden, reader, selection)
    writer = _Writer(fillings, TemplateFiller(urls), selection, distances or {})
    return _fill_in_chunks(known, writer, budget or ListBudget())


def load_record(pk: int, reader: Reader, urls: SiteURLs) -> EventRecord | None:
    """Return the whole record of an event, None if it has been deleted."""
    found = b"".join(assemble_events([pk], reader, urls, Selection()))
    return cast("EventRecord", orjson.loads(found)) if found else None


def _load_fillings(heads: list[EventHead], hidden: set[int], reader: Reader, selection: Selection) -> _Fillings:
    """Load what fills the holes of the selected keys."""

    category_links = _links(heads, "categories", selection.includes("categories"))
    tag_links = _links(heads, "tags", selection.includes("tags"))
    venue_links = _links(heads, "venues", selection.includes("venue"))
    organizer_links = _links(heads, "organizers", selection.includes("organizer"))
    pictured = [head for head in heads if head.image_id] if selection.includes("image") else []
    has_custom_values = selection.includes("custom_fields") and any(head.custom_values for head in heads)
    copies, category_counts, tag_counts = LinkedState(LinkedRecords(""), {}, {})
    links = (category_links, tag_links, venue_links, organizer_links)
    if pictured or has_custom_values or any(any(of_kind.values()) for of_kind in links):
        copies, category_counts, tag_counts = load_linked_state(
            chain.from_iterable(category_links.values()), chain.from_iterable(tag_links.values())
        )
    limits = TextLimits()
    return _Fillings(
        images=copies.load_image_templates(pictured),
        custom_fields=ContentRelations({}, copies.custom_fields if has_custom_values else {}),
        parents=visible_parents(heads, reader.user) if selection.includes("post_parent") else set(),
        rules=load_rules(heads, reader.user) if selection.includes("series") else {},
        categories=_counted_terms(CATEGORIES, category_links, category_counts, copies, limits),
        tags=_counted_terms(TAGS, tag_links, tag_counts, copies, limits),
        venues=_visible_content(VENUES, venue_links, reader, copies, limits),
        organizers=_visible_content(ORGANIZERS, organizer_links, reader, copies, limits),
        hidden=hidden,
        without_online_url={head.id for head in heads if not shows_online_url(head, reader)},
    )


def _links(heads: list[EventHead], name: str, is_selected: bool) -> dict[int, list[int]]:
    """Return the ids of the linked records of each event, none if they are not selected."""
    return {head.id: getattr(head, name) if is_selected else [] for head in heads}


def _visible_content(
    kind: LinkedKind, links: Mapping[int, list[int]], reader: Reader, copies: LinkedRecords, limits: TextLimits
) -> dict[int, list[bytes]]:
    """Return the JSON of the venues or organizers of each event that the reader may see, in the order of the links."""
    records = copies.load(kind, chain.from_iterable(links.values()))
    visible = {pk for pk, record in records.items() if record.is_visible_to(reader.user, kind)}
    ordered = {event: [records[pk] for pk in ids if pk in visible] for event, ids in links.items()}
    return _linked_json(kind, ordered, limits)


def _counted_terms(
    kind: LinkedKind,
    links: Mapping[int, list[int]],
    counts: Mapping[int, int],
    copies: LinkedRecords,
    limits: TextLimits,
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
    limits: TextLimits,
    counts: Mapping[int, int] | None = None,
) -> dict[int, list[bytes]]:
    """Return the JSON of the linked records of each event, without the descriptions beyond the limit."""
    templates = {id(record.row): record.template for records in links.values() for record in records if record.template}
    rows = limit_texts(
        kind, {event: [record.row for record in records] for event, records in links.items()}, [*links], limits
    )
    others = {id(row): row for group in rows.values() for row in group if id(row) not in templates}
    relations = load_content_relations(others.values()) if kind.is_content else ContentRelations({}, {})
    templates |= {key: make_linked_template(kind, row, relations) for key, row in others.items()}
    if counts is not None:
        ids = {id(row): row.id for group in rows.values() for row in group}
        templates = {key: templates[key].replace(HOLE, b"%d" % counts[pk]) for key, pk in ids.items()}
    return {event: [templates[id(row)] for row in group] for event, group in rows.items()}


class _Writer(NamedTuple):
    """Writes the JSON of the events of a response."""

    fillings: _Fillings
    filler: TemplateFiller
    selection: Selection
    distances: Mapping[int, float]

    def write(self, head: EventHead, template: bytes) -> bytes:
        """Return the JSON of an event with the selected keys, with placeholders for URLs."""
        if self.selection.tree:
            return orjson.dumps(self._select(head, template))
        record = self.fillings.fill(head, template)
        if head.id in self.fillings.hidden:
            record = orjson.dumps(blank_protected_fields(orjson.loads(self.filler.fill(record))))
        if self.distances:
            record = b'%b,"distance":%b}' % (record[:-1], orjson.dumps(self.distances[head.id]))
        return record

    def _select(self, head: EventHead, template: bytes) -> dict[str, Any]:
        """Return the selected keys. Only their holes are filled, and those that are selected whole are not parsed."""
        record = orjson.loads(self.filler.fill(template.replace(HOLE, b"null")))
        for key, value in zip(HOLES, self.fillings.values(head), strict=True):
            if key in self.selection.tree:
                is_whole = not self.selection.tree[key]
                record[key] = orjson.Fragment(value) if is_whole else orjson.loads(self.filler.fill(value))
        if head.id in self.fillings.hidden:
            record = blank_protected_fields(record)
        if self.distances:
            record["distance"] = self.distances[head.id]
        selected: dict[str, Any] = self.selection.apply(record)
        return selected


def _fill_in_chunks(renderings: list[Rendering], writer: _Writer, budget: ListBudget) -> Iterator[bytes]:
    chunk: list[bytes] = []
    length = 0
    long_templates: dict[int, bytes] = {}
    read: set[int] = set()
    for index, (head, template, _) in enumerate(renderings):
        if template is None:
            if head.id not in read:
                ids = _next_long_ids(renderings[index:])
                read, long_templates = set(ids), load_templates(ids)
            template = long_templates.get(head.id)
            if template is None:
                # Deleted meanwhile.
                continue
        record = writer.write(head, template)
        if budget.is_measured:
            record = budget.fit(writer.filler.fill(record))
        else:
            budget.use(len(record))
        chunk.append(record)
        length += len(record)
        if length > CHUNK_LENGTH:
            yield _join(chunk, length, writer.filler, budget)
            chunk, length = [], 0
    if chunk:
        yield _join(chunk, length, writer.filler, budget)


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
