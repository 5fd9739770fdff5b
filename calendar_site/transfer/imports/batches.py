"""The records that are written together, and what is known about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from calendar_site.transfer.imports.images import StoredImages, image_urls, known_images
from calendar_site.transfer.imports.kinds import KINDS, current_values, digest
from calendar_site.transfer.imports.records import ImportedRecord, RejectedRecord
from calendar_site.transfer.models import ImportEntry, ImportRun, Source, SourceRecord

# Others may write after each batch.
BATCH_SIZE = 20
AnyRecord = ImportedRecord | RejectedRecord


@dataclass
class Batch:
    """The state of the records that are written together."""

    links: dict[tuple[str, str], SourceRecord]
    rows: dict[str, dict[int, Any]]
    # What the rows have in each field, before they are written.
    values: dict[str, dict[int, Mapping[str, Any]]]
    images: StoredImages
    # The keys of links that are new in this batch.
    new_keys: set[tuple[str, str]] = field(default_factory=set)
    entries: list[ImportEntry] = field(default_factory=list)
    # The links of written records, whose new values are read at the end, with the names of the written fields.
    written: list[tuple[SourceRecord, set[str]]] = field(default_factory=list)

    def save_links(self) -> None:
        """Save the links with the digests of what was written. One query for each kind, and one for all links."""
        ids: dict[str, set[int]] = {}
        for link, names in self.written:
            if names:
                ids.setdefault(link.kind, set()).add(link.record_id)
        values = {
            kind: current_values(kind, KINDS[kind].model._default_manager.filter(pk__in=pks))
            for kind, pks in ids.items()
        }
        for link, names in self.written:
            now = values.get(link.kind, {}).get(link.record_id, {})
            link.fields |= {name: [link.fields[name][0], digest(now.get(name))] for name in names}
        links = {link.pk: link for link, _names in self.written}
        fields = ["key", "content_key", "fields", "seen_in", "status_before_absence"]
        SourceRecord.objects.bulk_update(links.values(), fields)


def split(source: Source, records: Iterable[AnyRecord]) -> Iterator[list[AnyRecord]]:
    """Yield the records in batches, in none of which a key occurs twice.

    A record whose images have to be fetched is a batch of its own, because images take much memory.
    """
    batch: list[AnyRecord] = []
    keys: set[tuple[str, str]] = set()
    for record in records:
        urls = set(image_urls(record)) if isinstance(record, ImportedRecord) else set()
        is_heavy = bool(urls) and len(known_images(source, urls)) < len(urls)
        if batch and (is_heavy or len(batch) >= BATCH_SIZE or (record.kind, record.key) in keys):
            yield batch
            batch, keys = [], set()
        batch.append(record)
        keys.add((record.kind, record.key))
        if is_heavy:
            yield batch
            batch, keys = [], set()
    if batch:
        yield batch


def load(run: ImportRun, records: list[ImportedRecord], images: StoredImages) -> Batch:
    """Return a batch with the known links of the records, and their rows."""
    keys = {record.key for record in records}
    known = SourceRecord.objects.filter(source=run.source, key__in=keys)
    links = {(link.kind, link.key): link for link in known}
    links |= _links_by_content(run, records, links)
    rows: dict[str, dict[int, Any]] = {}
    for kind in {record.kind for record in records}:
        ids = [link.record_id for (of_kind, _key), link in links.items() if of_kind == kind]
        rows[kind] = KINDS[kind].model._default_manager.in_bulk(ids) if ids else {}
    values = {str(kind): current_values(kind, found.values()) for kind, found in rows.items()}
    return Batch(links, rows, values, images)


def _links_by_content(
    run: ImportRun, records: list[ImportedRecord], known: Mapping[tuple[str, str], SourceRecord]
) -> dict[tuple[str, str], SourceRecord]:
    """Return the links of records whose keys have changed, with their new keys."""
    found: dict[tuple[str, str], SourceRecord] = {}
    for record in records:
        if not record.matches_content or (record.kind, record.key) in known:
            continue
        links = SourceRecord.objects.filter(
            source=run.source, kind=record.kind, content_key=record.content_key
        ).exclude(pk__in=[link.pk for link in found.values()])
        # Not `exclude(seen_in=run)`, which leaves out links that no run has seen.
        link = next((link for link in links if link.seen_in_id != run.pk), None)
        if link is not None:
            link.key = record.key
            found[record.kind, record.key] = link
    return found
