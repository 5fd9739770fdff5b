"""Importing the records of a source, in batches that are committed one by one.

A link remembers for each field the digests of what was read and of what was written. A field whose value here has
another digest was edited here, and belongs to the calendar. See docs/decisions/0092.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import DataError, IntegrityError, transaction
from django.utils.translation import gettext as _

from calendar_site.core.choices import Status
from calendar_site.core.commands import error_messages
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser
from calendar_site.transfer.imports.batches import AnyRecord, Batch, load, split
from calendar_site.transfer.imports.changes import EMPTY_VALUES, ChangeMaker, RecordChanges
from calendar_site.transfer.imports.images import FetchedImages, StoredImages, fetched_images
from calendar_site.transfer.imports.kinds import KINDS, can_create, can_edit, current_values, digest, last_revisions
from calendar_site.transfer.imports.matching import find_existing
from calendar_site.transfer.imports.old_paths import stored_path
from calendar_site.transfer.imports.records import ChangedOccurrence, ImportedRecord, RecordKind, RejectedRecord
from calendar_site.transfer.imports.report import make_entry, save_entries, set_revisions, time_in_words
from calendar_site.transfer.models import ImportEntry, ImportRun, Outcome, SourceRecord
from calendar_site.transfer.patterns import matches
from events.choices import EventStatus
from events.models import Event

REFUSED = (ValidationError, PermissionDenied, DataError, IntegrityError, ValueError)


class SkippedRecord(Exception):
    """The record is left out. The message says why."""


class Import:
    """One run of an import."""

    def __init__(self, run: ImportRun) -> None:
        self._run, self._source = run, run.source
        self._user: AnyUser = run.source.owner
        self._maker = ChangeMaker(run)
        # Why images are missing, by URL.
        self._missing_images: dict[str, str] = {}
        # The hosts of the pages that the records have at their source.
        self.hosts: set[str] = set()

    def add(self, records: Iterable[AnyRecord]) -> Iterator[int]:
        """Import the records, and yield how many of each batch were read once it is committed."""
        for batch in split(self._source, records):
            self.hosts |= {urlsplit(record.url).netloc for record in batch if isinstance(record, ImportedRecord)} - {""}
            if self._run.is_preview:
                self._write(batch, FetchedImages({}, {}, {}))
            else:
                accepted = [record for record in batch if isinstance(record, ImportedRecord)]
                with fetched_images(self._source, accepted, self._missing_images) as images:
                    self._write(batch, images)
            yield len(batch)

    def _write(self, records: list[AnyRecord], fetched: FetchedImages) -> None:
        accepted = [record for record in records if isinstance(record, ImportedRecord)]
        with write_lock():
            batch = load(self._run, accepted, StoredImages(self._run, fetched))
            for record in records:
                if isinstance(record, RejectedRecord):
                    self._reject(record, batch)
                else:
                    self._import_one(record, batch)
            batch.save_links()
            if self._run.is_preview:
                transaction.set_rollback(True)
            else:
                set_revisions(batch.entries)
                save_entries(self._run, batch.entries)
        if self._run.is_preview:
            save_entries(self._run, batch.entries)

    def _reject(self, rejected: RejectedRecord, batch: Batch) -> None:
        outcome = Outcome.SKIPPED if rejected.is_skipped else Outcome.REJECTED
        batch.entries.append(make_entry(self._run, rejected, outcome, rejected.reason))
        if rejected.key:
            # The source still has it.
            SourceRecord.objects.filter(source=self._source, key=rejected.key).update(seen_in=self._run)

    def _import_one(self, record: ImportedRecord, batch: Batch) -> None:
        """Import a record in a savepoint; a record that is refused changes nothing and is reported."""
        entries_before, written_before = len(batch.entries), len(batch.written)
        try:
            with transaction.atomic():
                self._import_record(record, batch)
        except REFUSED as error:
            del batch.entries[entries_before:], batch.written[written_before:]
            self._forget(record, batch)
            batch.entries.append(make_entry(self._run, record, Outcome.REJECTED, _reason(error)))
        except SkippedRecord as error:
            batch.entries.append(make_entry(self._run, record, Outcome.SKIPPED, str(error)))
        else:
            reasons = batch.images.reasons(record)
            missing = (_("The image is missing: %(reason)s") % {"reason": reason} for reason in reasons)
            self._add_notes(record, [*record.notes, *missing], batch)

    def _forget(self, record: ImportedRecord, batch: Batch) -> None:
        """Forget what the record has left in the batch, whose savepoint was rolled back."""
        batch.images.forget_stored()
        known = (record.kind, record.key)
        if known in batch.new_keys:
            batch.new_keys.discard(known)
            del batch.links[known]
        elif link := batch.links.get(known):
            # The source still has it.
            link.seen_in = self._run
            batch.written.append((link, set()))

    def _add_notes(self, record: ImportedRecord, notes: list[str], batch: Batch) -> None:
        batch.entries += [make_entry(self._run, record, Outcome.NOTE, note) for note in notes]

    # --- One record ---------------------------------------------------------------------------------

    def _import_record(self, record: ImportedRecord, batch: Batch) -> None:
        self._check_wanted(record)
        link = batch.links.get((record.kind, record.key))
        if link is None:
            self._import_new(record, batch)
            return
        row = batch.rows[record.kind].get(link.record_id)
        link.seen_in, link.content_key = self._run, record.content_key
        if row is None:
            batch.written.append((link, set()))
            raise SkippedRecord(_("It was deleted here."))
        if getattr(row, "status", "") == Status.TRASH and not link.status_before_absence:
            batch.written.append((link, set()))
            raise SkippedRecord(_("It is in the trash here."))
        self._update(record, link, row, batch)

    def _check_wanted(self, record: ImportedRecord) -> None:
        """Raise SkippedRecord for a title that the source's settings leave out, and ValidationError for a long key."""
        is_event = record.kind in (RecordKind.EVENT, RecordKind.SERIES)
        if is_event and matches(self._source.skip_pattern, record.title):
            raise SkippedRecord(_("The title is one to skip."))
        if len(record.key) > ImportEntry.MAX_TEXT:
            raise ValidationError(_("The identifier is too long."))

    def _import_new(self, record: ImportedRecord, batch: Batch) -> None:
        if record.occurrence is not None:
            if self._maker.is_previewed(RecordKind.SERIES, record.occurrence.series_key):
                batch.entries.append(make_entry(self._run, record, Outcome.UPDATED))
                return
            self._join(record, self._occurrence(record.occurrence, batch), batch, is_owned=True)
            return
        names = self._maker.names(record)
        made = self._maker.make(record, names, batch.images)
        parent = made.values.get("parent")
        row = find_existing(self._source, record, parent.pk if parent else None, self._user)
        if row is not None and record.id not in (None, row.pk):
            # Its id is to be kept.
            row = None
        if row is not None and can_edit(self._user, record.kind, row):
            batch.entries += made.entries
            self._join(record, row, batch)
        else:
            self._create(record, made, names, batch)

    def _create(self, record: ImportedRecord, made: RecordChanges, names: list[str], batch: Batch) -> None:
        if not can_create(self._user, record.kind):
            raise PermissionDenied
        model = KINDS[record.kind].model
        changes = made.values | self._maker.defaults_of_new(record)
        row = model(pk=record.id) if record.id else model()
        row = KINDS[record.kind].save(row, changes=changes, user=self._user)
        self._maker.remember_previewed(record)
        link = self._new_link(record, row.pk, batch)
        link.fields = {name: [self._maker.read_digest(record, name), ""] for name in names}
        batch.written.append((link, set(names)))
        batch.entries += made.entries
        self._add_notes(record, made.notes, batch)
        batch.entries.append(make_entry(self._run, record, Outcome.CREATED, time_in_words(record), row_id=row.pk))

    def _join(self, record: ImportedRecord, row: Any, batch: Batch, *, is_owned: bool = False) -> None:
        """Link the record to a row that the calendar has, and fill in the fields that are empty there.

        With `is_owned`, all of its fields come from the source.
        """
        link = self._new_link(record, row.pk, batch)
        self._maker.remember_previewed(record, row)
        values = current_values(record.kind, [row])[row.pk]
        batch.rows.setdefault(record.kind, {})[row.pk] = row
        batch.values.setdefault(record.kind, {})[row.pk] = values
        for name in self._maker.names(record):
            is_filled = values.get(name) not in EMPTY_VALUES
            if not is_owned and (is_filled or self._maker.is_empty(record, name)):
                owned = "" if is_filled else digest(values.get(name))
                link.fields[name] = [self._maker.read_digest(record, name), owned]
        self._update(record, link, row, batch, outcome=Outcome.UPDATED if is_owned else Outcome.JOINED)

    def _update(
        self,
        record: ImportedRecord,
        link: SourceRecord,
        row: Any,
        batch: Batch,
        *,
        outcome: Outcome = Outcome.UPDATED,
    ) -> None:
        """Write the fields that the source has changed, apart from those that were edited here."""
        link_before = None if (record.kind, record.key) in batch.new_keys else dict(link.fields)
        names, kept = self._changed_names(record, link, batch.values[record.kind][row.pk])
        made = self._maker.make(record, names, batch.images)
        changes = made.values | _return_from_absence(record, link, row)
        before = None
        if changes:
            if not can_edit(self._user, record.kind, row):
                raise PermissionDenied
            before = last_revisions(record.kind, [row.pk]).get(row.pk)
            KINDS[record.kind].save(row, changes=changes, user=self._user)
        for name in {*names, *kept}:
            # A conflict is reported once, and again when the source changes the field again.
            link.fields[name] = [self._maker.read_digest(record, name), link.fields.get(name, ["", ""])[1]]
        link.seen_in = self._run
        batch.written.append((link, names))
        batch.entries += made.entries
        self._add_notes(record, made.notes, batch)
        if kept and outcome == Outcome.UPDATED:
            self._add_entry(record, Outcome.KEPT, row, kept, batch)
        if changes or outcome == Outcome.JOINED:
            self._add_entry(record, outcome, row, list(changes), batch, link_before=link_before, revision_before=before)

    def _add_entry(
        self, record: ImportedRecord, outcome: Outcome, row: Any, names: list[str], batch: Batch, **values: Any
    ) -> None:
        names = sorted(names)
        entry = make_entry(self._run, record, outcome, ", ".join(names), row_id=row.pk, fields=names, **values)
        batch.entries.append(entry)

    def _changed_names(self, record: ImportedRecord, link: SourceRecord, values: Any) -> tuple[set[str], list[str]]:
        """Return the fields that the source has changed: those to write, and those that were edited here."""
        names: set[str] = set()
        kept: list[str] = []
        for name in self._maker.names(record):
            known = link.fields.get(name)
            if known is None:
                names.add(name)
            elif known[0] != self._maker.read_digest(record, name):
                if known[1] == digest(values.get(name)):
                    names.add(name)
                else:
                    kept.append(name)
        return names, kept

    def _occurrence(self, occurrence: ChangedOccurrence, batch: Batch) -> Event:
        """Return the event that an exception of a series changes. Raises ValidationError."""
        links = SourceRecord.objects.filter(source=self._source, kind=RecordKind.SERIES, key=occurrence.series_key)
        series = batch.links.get((RecordKind.SERIES, occurrence.series_key)) or links.first()
        if series is None:
            raise ValidationError(_("It is an exception of a series that the source does not have."))
        events = Event.objects.filter(series=series.record_id)
        found = events.filter(series_occurrence=occurrence.start).first()
        # Other programs name the day, or a time in another zone.
        found = found or events.filter(series_occurrence__startswith=occurrence.start[:10]).first()
        if found is None:
            raise ValidationError(_("The series has no event on %(date)s yet.") % {"date": occurrence.start})
        return found

    def _new_link(self, record: ImportedRecord, pk: int, batch: Batch) -> SourceRecord:
        link = SourceRecord.objects.create(
            source=self._source,
            kind=record.kind,
            key=record.key,
            record_id=pk,
            seen_in=self._run,
            content_key=record.content_key,
            url_path=stored_path(record.url),
        )
        batch.links[record.kind, record.key] = link
        batch.new_keys.add((record.kind, record.key))
        return link


def _return_from_absence(record: ImportedRecord, link: SourceRecord, row: Any) -> dict[str, Any]:
    """Return the changes for an event that had vanished from the source and is there again."""
    before, link.status_before_absence = link.status_before_absence, ""
    if not before:
        return {}
    if row.status == Status.TRASH:
        return {"status": before}
    if row.event_status == EventStatus.CANCELLED and record.values.get("event_status") != EventStatus.CANCELLED:
        return {"event_status": before}
    return {}


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return " ".join(error_messages(error))
    if isinstance(error, PermissionDenied):
        return str(error) or _("The owner of the source may not do this.")
    return str(error) if isinstance(error, ValueError) else _("The database does not accept a value.")
