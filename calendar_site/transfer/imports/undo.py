"""Undoing a run as a whole: what it created is deleted, what it changed gets its former values.

Values that somebody has edited since stay, and records that somebody has edited since move to the trash.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from calendar_site.audit.models import ChangeKind
from calendar_site.audit.recorder import Action
from calendar_site.core.choices import Status
from calendar_site.core.commands import error_messages
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser
from calendar_site.transfer.imports.images import delete_unused_images
from calendar_site.transfer.imports.kinds import KINDS, can_edit, current_values, digest, last_revision
from calendar_site.transfer.imports.records import RecordKind
from calendar_site.transfer.models import ImportEntry, ImportRun, Outcome, SourceRecord

UNDONE = (Outcome.CREATED, Outcome.UPDATED, Outcome.JOINED, Outcome.CANCELLED, Outcome.TRASHED)
BATCH_SIZE = 20
RESTORED = Action(ChangeKind.RESTORED)


def undo_run(run: ImportRun, user: AnyUser) -> Iterator[int]:
    """Undo a run from its last change to its first, and yield how many changes of each batch were undone.

    Each batch is committed, so that an interrupted undo goes on. What cannot be undone is noted on its entry.
    """
    while entries := list(_open_entries(run)):
        with write_lock():
            for entry in entries:
                _undo_in_savepoint(entry, user)
            ImportEntry.objects.bulk_update(entries, ["is_undone", "reason"])
        yield len(entries)
    delete_unused_images(run, user)


def _open_entries(run: ImportRun) -> list[ImportEntry]:
    entries = ImportEntry.objects.filter(run=run, outcome__in=UNDONE, is_undone=False, record_id__isnull=False)
    return list(entries.order_by("-pk")[:BATCH_SIZE])


def _undo_in_savepoint(entry: ImportEntry, user: AnyUser) -> None:
    entry.is_undone = True
    try:
        with transaction.atomic():
            if note := _undo(entry, user):
                entry.reason = note
    except ValidationError as error:
        entry.reason = _("Could not be undone: %(reason)s") % {"reason": " ".join(error_messages(error))}
    except (PermissionDenied, ProtectedError):
        entry.reason = _("Could not be undone: you may not change this record.")


def _undo(entry: ImportEntry, user: AnyUser) -> str:
    """Undo one change, and return a note about what stays."""
    row = KINDS[entry.kind].model._default_manager.filter(pk=entry.record_id).first()
    link = SourceRecord.objects.filter(source=entry.run.source, kind=entry.kind, key=entry.key).first()
    note = ""
    if row is not None:
        if not can_edit(user, entry.kind, row):
            raise PermissionDenied
        is_created = entry.outcome == Outcome.CREATED
        note = _remove(entry, row, user) if is_created else _restore(entry, row, link, user)
    _undo_link(entry, link)
    return note


def _undo_link(entry: ImportEntry, link: SourceRecord | None) -> None:
    if link is None:
        return
    if entry.link_before is None:
        link.delete()
        return
    link.fields, link.status_before_absence = entry.link_before, ""
    link.save(update_fields=["fields", "status_before_absence"])


def _remove(entry: ImportEntry, row: Any, user: AnyUser) -> str:
    services = KINDS[entry.kind]
    is_edited = last_revision(entry.kind, row.pk) != entry.revision_after
    is_used = entry.kind not in (RecordKind.EVENT, RecordKind.SERIES) and row.events.exists()
    if is_used:
        return _("It stays, because other events have it.")
    if is_edited and services.trash is not None:
        if row.status != Status.TRASH:
            services.trash(row, user=user)
        return _("It was edited here since, and is in the trash.")
    if is_edited and entry.kind != RecordKind.SERIES:
        return _("It stays, because it was edited here since.")
    services.delete(services.model._default_manager.filter(pk=row.pk), user=user)
    return ""


def _restore(entry: ImportEntry, row: Any, link: SourceRecord | None, user: AnyUser) -> str:
    """Give the fields that the run changed their former values, apart from those that were edited since."""
    services = KINDS[entry.kind]
    before = services.model.history.filter(history_id=entry.revision_before).first()
    if before is None:
        return ""
    if entry.outcome == Outcome.TRASHED:
        if row.status == Status.TRASH:
            services.save(row, changes={"status": before.status}, user=user, action=RESTORED)
        return ""
    values = current_values(entry.kind, [row])[row.pk]
    is_edited = last_revision(entry.kind, row.pk) != entry.revision_after
    kept = {name for name in entry.fields if is_edited and _is_edited(link, values, name)}
    plan = services.plan(before, row, user)
    names = set(entry.fields) - kept
    changes = {name: value for name, value in plan.changes.items() if name in names}
    if changes:
        services.save(row, changes=changes, user=user, action=RESTORED)
    return _("Edited here since, and kept: %(fields)s") % {"fields": ", ".join(sorted(kept))} if kept else ""


def _is_edited(link: SourceRecord | None, values: Any, name: str) -> bool:
    known: list[str] | None = link.fields.get(name) if link else None
    return known is not None and known[1] != digest(values.get(name))
