"""The report of a run: what happened to each record, and to the others that say the same."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from calendar_site.core.dates.conversion import parse_zone, site_zone
from calendar_site.core.dates.formatting import format_day, format_day_and_time
from calendar_site.core.text.plain_text import shorten
from calendar_site.transfer.imports.kinds import last_revisions
from calendar_site.transfer.imports.records import ImportedRecord, RejectedRecord
from calendar_site.transfer.models import ImportEntry, ImportRun, Outcome

WITH_RAW = (Outcome.REJECTED, Outcome.SKIPPED)
CHANGED = (Outcome.CREATED, Outcome.UPDATED, Outcome.JOINED)


def make_entry(
    run: ImportRun,
    record: ImportedRecord | RejectedRecord,
    outcome: Outcome,
    reason: str = "",
    *,
    row_id: int | None = None,
    **values: Any,
) -> ImportEntry:
    """Return an unsaved line of the report."""
    return ImportEntry(
        run=run,
        outcome=outcome,
        kind=record.kind,
        key=record.key[: ImportEntry.MAX_TEXT],
        title=shorten(record.title, ImportEntry.MAX_TEXT),
        reason=reason,
        line=record.line,
        raw=record.raw[: ImportEntry.MAX_RAW].replace("\0", "") if outcome in WITH_RAW else "",
        record_id=row_id,
        **values,
    )


def time_in_words(record: ImportedRecord) -> str:
    """Return when the event of a record begins, in its time zone, such as `Friday 4 March 2027, 19:00`; else ""."""
    start = record.values.get("start")
    if not isinstance(start, datetime):
        return ""
    zone = parse_zone(record.values.get("time_zone") or site_zone().name)
    local = start.astimezone(zone.tz)
    if record.values.get("all_day"):
        return format_day(local)
    text = format_day_and_time(local)
    return text if zone.name == site_zone().name else f"{text} ({zone.name})"


def set_revisions(entries: list[ImportEntry]) -> None:
    """Set the revisions after the changes of these entries. One query for each kind of record."""
    changed = [entry for entry in entries if entry.outcome in CHANGED and entry.record_id]
    for kind in {entry.kind for entry in changed}:
        of_kind = [entry for entry in changed if entry.kind == kind]
        revisions = last_revisions(kind, [entry.record_id for entry in of_kind if entry.record_id])
        for entry in of_kind:
            entry.revision_after = revisions.get(entry.record_id or 0)


def save_entries(run: ImportRun, entries: list[ImportEntry]) -> None:
    """Save the entries. One without a record that says the same as an earlier one of the run only counts there."""
    new: dict[Any, ImportEntry] = {}
    for position, entry in enumerate(entries):
        if entry.record_id is not None:
            new[position] = entry
            continue
        same = (entry.outcome, entry.kind, entry.reason)
        if same in new:
            new[same].count += 1
        elif not _count_again(run, entry):
            new[same] = entry
    ImportEntry.objects.bulk_create(new.values())


def _count_again(run: ImportRun, entry: ImportEntry) -> bool:
    known = ImportEntry.objects.filter(
        run=run, outcome=entry.outcome, kind=entry.kind, reason=entry.reason, record_id=None
    ).first()
    if known is None:
        return False
    known.count += 1
    known.save(update_fields=["count"])
    return True
