"""The JSON of the records that events link to, of which each process keeps a copy.

A copy is valid for one version of the linked records (`events.derived.linked_records_version`), and for every host and
reader: it has placeholders for URLs, and the caller leaves out records that the reader may not see. The event counts of
terms change with most writes and are read for each response.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Model, Value

from calendar_site.api.output.json_templates import TEMPLATE_URLS, make_template
from calendar_site.api.output.loading import ContentRelations, load_content_relations
from calendar_site.api.output.representation import represent_image
from calendar_site.api.site_urls import SiteURLs
from calendar_site.core import clock, permissions
from calendar_site.core.choices import Status
from calendar_site.core.clock import Moments
from calendar_site.core.compiled_queries.queries import CompiledQuery, example_ids
from calendar_site.core.types import AnyUser
from calendar_site.custom_fields.loading import all_custom_fields
from calendar_site.custom_fields.models import CustomField
from calendar_site.media.loading import load_images
from events.derived.renderings import EventHead, current_format
from events.index_models import LinkedRecordsVersion
from events.linked_rows import (
    CATEGORIES,
    ORGANIZERS,
    TAGS,
    VENUES,
    LinkedKind,
    count_links,
    is_visible,
    load_linked_rows,
    pad_ids,
    padded_count,
)
from events.models import Event
from organizers.representation import represent_organizer
from taxonomy.models import Category, Tag
from taxonomy.representation import represent_category, represent_tag_of_event
from venues.representation import represent_venue

# The limit of the templates that a process keeps.
MAX_KEPT_CHARACTERS = 8_000_000
# The memory of a copy without its template.
RECORD_OVERHEAD = 2000

COUNT = "count"
# The kinds of rows of `_state_query()`.
VERSION, DUE_EVENT, CATEGORY, TAG = range(4)
# A parameter of a query that is compiled once. No event is published at this time.
EXAMPLE_MOMENT = datetime(2, 1, 1, tzinfo=UTC)


_REPRESENTATIONS: dict[LinkedKind, Callable[[Any, SiteURLs, ContentRelations], Any]] = {
    VENUES: represent_venue,
    ORGANIZERS: represent_organizer,
    CATEGORIES: lambda row, urls, _relations: represent_category(row, urls),
    TAGS: lambda row, urls, _relations: represent_tag_of_event(row, urls),
}


class LinkedRecord(NamedTuple):
    """A copy of a linked record."""

    # Its long texts may be cut; see `limit_texts()`. The count of a term is not up to date.
    row: Any
    # With a hole for the count of a term. Empty if the JSON is made for each response: of records that are scheduled.
    template: bytes
    # Whether everybody may read it, now and until it is changed.
    is_public: bool

    def is_visible_to(self, user: AnyUser, kind: LinkedKind) -> bool:
        return self.is_public or is_visible(kind, self.row, user)


@dataclass
class LinkedRecords:
    """Copies of one version of the linked records."""

    key: str
    records: dict[tuple[type[Model], int], LinkedRecord] = field(default_factory=dict)
    images: dict[int, bytes] = field(default_factory=dict)
    _custom_fields: dict[str, list[CustomField]] | None = None
    _size: int = 0

    @property
    def is_full(self) -> bool:
        return self._size > MAX_KEPT_CHARACTERS

    def load(self, kind: LinkedKind, ids: Iterable[int]) -> dict[int, LinkedRecord]:
        """Return the records with these ids that exist. Three queries at most, none for records with a copy."""
        ids = set(ids)
        known = self.records
        found = {pk: known[kind.model, pk] for pk in ids if (kind.model, pk) in known}
        if len(found) < len(ids):
            rows = load_linked_rows(kind, ids - found.keys())
            relations = load_content_relations(rows) if kind.is_content else ContentRelations({}, {})
            for row in rows:
                found[row.id] = known[kind.model, row.id] = record = _copy(kind, row, relations)
                self._size += len(record.template) + RECORD_OVERHEAD
        return found

    def load_image_templates(self, heads: list[EventHead]) -> dict[int, bytes]:
        """Return the JSON of the images of events. One query, none for images with a copy."""
        missing = [head for head in heads if head.image_id and head.image_id not in self.images]
        for pk, image in load_images(missing).items():
            self.images[pk] = template = make_template(represent_image(image, TEMPLATE_URLS))
            self._size += len(template) + RECORD_OVERHEAD
        return self.images

    @property
    def custom_fields(self) -> dict[str, list[CustomField]]:
        """All custom fields by resource. One query the first time."""
        if self._custom_fields is None:
            self._custom_fields = all_custom_fields()
        return self._custom_fields


def _copy(kind: LinkedKind, row: Any, relations: ContentRelations) -> LinkedRecord:
    # The status of a scheduled record changes without a write.
    is_constant = not kind.is_content or row.status != Status.FUTURE
    is_public = is_constant and (not kind.is_content or permissions.is_published(row))
    return LinkedRecord(row, make_linked_template(kind, row, relations) if is_constant else b"", is_public)


def make_linked_template(kind: LinkedKind, row: Any, relations: ContentRelations) -> bytes:
    return make_template(_REPRESENTATIONS[kind](row, TEMPLATE_URLS, relations), [] if kind.is_content else [COUNT])


class LinkedState(NamedTuple):
    """The data read for each response: copies of the current version, and the counts of terms in the order of names."""

    copies: LinkedRecords
    category_counts: dict[int, int]
    tag_counts: dict[int, int]


def load_linked_state(categories: Iterable[int], tags: Iterable[int]) -> LinkedState:
    """Return the copies of linked records, and the event counts of these terms in the order of records.

    One query, and two more if events are due.
    """
    ids = {CATEGORY: sorted(set(categories)), TAG: sorted(set(tags))}
    sizes = {kind: padded_count(len(ids[kind])) for kind in ids}
    padded = [pk for kind in ids for pk in pad_ids(ids[kind], sizes[kind])]
    version, due = "", []
    counts: dict[int, dict[int, int]] = {CATEGORY: {}, TAG: {}}
    for kind, pk, count, text in _run_state_query(sizes[CATEGORY], sizes[TAG], padded):
        if kind == VERSION:
            version = text
        elif kind == DUE_EVENT:
            due.append(pk)
        else:
            counts[kind][pk] = count
    if due:
        for kind, linked in ((CATEGORY, CATEGORIES), (TAG, TAGS)):
            just_published = count_links(linked, due)
            counts[kind] = {pk: count + just_published[pk] for pk, count in counts[kind].items()}
    return LinkedState(_copies_of(version), counts[CATEGORY], counts[TAG])


def _run_state_query(category_count: int, tag_count: int, ids: list[int]) -> list[tuple[Any, ...]]:
    to_database = connection.ops.adapt_datetimefield_value
    values: dict[Any, Any] = dict(zip(example_ids(len(ids)), ids, strict=True))
    values[to_database(EXAMPLE_MOMENT)] = to_database(clock.now_among(Moments.PUBLICATION))
    query = _state_query(category_count, tag_count)
    return query.run(values.get(value, value) for value in query.examples)


@lru_cache(maxsize=128)
def _state_query(category_count: int, tag_count: int) -> CompiledQuery:
    """Return the query for the version, the events that are due, and id and count of terms, by name."""
    examples = example_ids(category_count + tag_count)
    version = LinkedRecordsVersion.objects.order_by().values_list(Value(VERSION), "pk", Value(0), "version")
    due = Event.objects.due_at(EXAMPLE_MOMENT).found_by_terms()
    categories = Category.objects.filter(pk__in=examples[:category_count])
    tags = Tag.objects.filter(pk__in=examples[category_count:])
    terms = (
        rows.order_by().values_list(Value(kind), "pk", "event_count", "search_text")
        for kind, rows in ((CATEGORY, categories), (TAG, tags))
    )
    due_ids = due.values_list(Value(DUE_EVENT), "pk", Value(0), Value(""))
    return CompiledQuery(version.union(due_ids, *terms, all=True).order_by("version", "pk"))


# The copies of the last version that this process has seen.
_kept = LinkedRecords("")


def _copies_of(version: str) -> LinkedRecords:
    """Return the copies of a version, which are empty if the version is new or the copies take too much memory."""
    global _kept
    key = f"{version} {current_format()}"
    copies = _kept
    if copies.key != key or copies.is_full:
        copies = LinkedRecords(key)
    if connection.in_atomic_block or not version:
        # Copies of records of a transaction are not kept: if it is rolled back, SQLite uses their ids again.
        return LinkedRecords(key, dict(copies.records), dict(copies.images))
    _kept = copies
    return copies
