"""Upcoming events that have vanished from their source. Events of the past always stay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from calendar_site.core import clock
from calendar_site.core.choices import Status
from calendar_site.core.commands import error_messages
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.permissions import can_delete, can_edit
from calendar_site.transfer.imports.kinds import current_values, digest, last_revision
from calendar_site.transfer.imports.records import RecordKind
from calendar_site.transfer.models import Absence, ImportEntry, ImportRun, Outcome, Source, SourceRecord
from events.choices import EventStatus
from events.models import Event
from events.services import save_event, trash_event

# More than so many, and more than this share of the upcoming events of the source, are a decision for people.
MAX_VANISHED = 5
MAX_SHARE = 0.3
BATCH_SIZE = 20


def coming_links(source: Source) -> QuerySet[SourceRecord]:
    """Return the links of the events of a source that have not ended and are not in the trash."""
    coming = Event.objects.filter(end__gt=clock.now()).exclude(status=Status.TRASH)
    return SourceRecord.objects.filter(source=source, kind=RecordKind.EVENT, record_id__in=coming.values("pk"))


def vanished_links(run: ImportRun) -> QuerySet[SourceRecord]:
    """Return the links of upcoming events that the run, which has read the whole source, has not seen."""
    return coming_links(run.source).exclude(seen_in=run).filter(status_before_absence="").order_by("pk")


def must_be_held(run: ImportRun) -> bool:
    """Return whether so many events have vanished that somebody has to decide. Two queries."""
    if run.source.absence == Absence.KEEP:
        return False
    vanished = vanished_links(run).count()
    return vanished > MAX_VANISHED and vanished > MAX_SHARE * coming_links(run.source).count()


def apply_absence(run: ImportRun) -> int:
    """Cancel or trash the vanished events, as the source says, and return their number.

    An event whose status somebody has changed here stays as it is.
    """
    if run.source.absence == Absence.KEEP:
        return 0
    count = 0
    ids = list(vanished_links(run).values_list("pk", flat=True))
    for start in range(0, len(ids), BATCH_SIZE):
        with write_lock():
            links = SourceRecord.objects.filter(pk__in=ids[start : start + BATCH_SIZE])
            count += len(_apply(run, links))
    return count


def _apply(run: ImportRun, links: Iterable[SourceRecord]) -> list[ImportEntry]:
    links = list(links)
    events = Event.objects.in_bulk([link.record_id for link in links])
    entries = [
        entry for link in links if link.record_id in events for entry in [_end(run, link, events[link.record_id])]
    ]
    return ImportEntry.objects.bulk_create([entry for entry in entries if entry is not None])


def _end(run: ImportRun, link: SourceRecord, event: Event) -> ImportEntry | None:
    """Cancel or trash one event. Return the entry of the report, None if there is nothing to do."""
    entry = ImportEntry(
        run=run,
        kind=RecordKind.EVENT,
        key=link.key,
        title=event.title,
        record_id=event.pk,
        link_before=dict(link.fields),
    )
    name = "status" if run.source.absence == Absence.TRASH else "event_status"
    if event.event_status == EventStatus.CANCELLED or _is_edited(link, event, name):
        return None
    entry.revision_before = last_revision(RecordKind.EVENT, event.pk)
    user: Any = run.source.owner
    try:
        if run.source.absence == Absence.TRASH:
            if not can_delete(user, event):
                raise PermissionDenied
            link.status_before_absence = event.status
            trash_event(event, user=user)
            entry.outcome = Outcome.TRASHED
        else:
            if not can_edit(user, event):
                raise PermissionDenied
            link.status_before_absence = event.event_status
            save_event(event, changes={"event_status": EventStatus.CANCELLED}, user=user)
            entry.outcome = Outcome.CANCELLED
    except PermissionDenied:
        entry.outcome, entry.reason = Outcome.REJECTED, _("The owner of the source may not do this.")
        return entry
    except ValidationError as error:
        entry.outcome, entry.reason = Outcome.REJECTED, " ".join(error_messages(error))
        return entry
    link.save(update_fields=["status_before_absence"])
    entry.fields = [name]
    entry.reason = _("The source does not contain it any more.")
    entry.revision_after = last_revision(RecordKind.EVENT, event.pk)
    return entry


def _is_edited(link: SourceRecord, event: Event, name: str) -> bool:
    known = link.fields.get(name)
    return bool(known) and known[1] != digest(current_values(RecordKind.EVENT, [event])[event.pk].get(name))
