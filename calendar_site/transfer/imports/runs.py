"""Runs of imports: starting one, executing it, deciding about one that is held, and undoing one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from calendar_site.audit.models import Channel
from calendar_site.audit.recorder import recorded_via
from calendar_site.core import clock
from calendar_site.core.types import AnyUser
from calendar_site.transfer.imports.absence import apply_absence, coming_links, must_be_held, vanished_links
from calendar_site.transfer.imports.engine import Import
from calendar_site.transfer.imports.errors import NotModified, SourceError
from calendar_site.transfer.imports.kinds import KINDS
from calendar_site.transfer.imports.old_links import rewrite_old_links
from calendar_site.transfer.imports.pairs import find_pairs
from calendar_site.transfer.imports.records import ImportedRecord, RejectedRecord
from calendar_site.transfer.imports.undo import undo_run
from calendar_site.transfer.models import ImportEntry, ImportRun, Outcome, RunState, Source, SourceRecord
from calendar_site.transfer.sequences import set_sequences

# After a failure, the next attempt is twice as late as the one before, up to this.
MAX_BACKOFF_HOURS = 24 * 7
MAX_SHOWN_CLASHES = 5
Progress = Callable[[ImportRun], None]


class SourceReader(Protocol):
    """Reads a source. `fetch` gets all of it, so that nothing is written if a part is missing."""

    # Whether a record that is missing from the source does not exist there any more.
    is_complete: bool

    def fetch(self, folder: Path) -> None:
        """Load the whole source into a new folder. Raises SourceError and NotModified."""
        ...

    def total(self) -> int | None:
        """Return the number of records, if it is known."""
        ...

    def records(self) -> Iterator[ImportedRecord | RejectedRecord]:
        """Yield the records. Raises SourceError."""
        ...


def start_run(source: Source, *, user: AnyUser | None, is_preview: bool = False) -> ImportRun:
    """Return a new run, or the one of the source that was interrupted, which then goes on."""
    interrupted = ImportRun.objects.filter(
        source=source, is_preview=is_preview, state__in=(RunState.WAITING, RunState.RUNNING)
    )
    if not is_preview and (run := interrupted.first()):
        return run
    author: Any = user if user and user.pk else None
    return ImportRun.objects.create(source=source, user=author, is_preview=is_preview, started_at=clock.now())


def execute(run: ImportRun, reader: SourceReader, *, progress: Progress = lambda run: None) -> ImportRun:
    """Execute a run, and return it in its final state. A source that cannot be read fails the run."""
    _set_state(run, RunState.RUNNING)
    with recorded_via(Channel.IMPORT), tempfile.TemporaryDirectory() as folder:
        try:
            reader.fetch(Path(folder))
            _import(run, reader, progress)
        except NotModified:
            _succeed(run, RunState.FINISHED, _("The source has not changed since it was read last."))
        except SourceError as error:
            _fail(run, str(error))
    return run


def _import(run: ImportRun, reader: SourceReader, progress: Progress) -> None:
    run.total = reader.total()
    if run.source.options.get("keep_ids"):
        _check_ids(run.source, reader)
    run.read_count = 0
    engine = Import(run)
    for count in engine.add(reader.records()):
        run.read_count += count
        run.save(update_fields=["read_count", "total"])
        progress(run)
    if not run.read_count:
        raise SourceError(_("The source has no events."))
    if not run.is_preview:
        if run.source.options.get("keep_ids"):
            set_sequences(services.model for services in KINDS.values())
        rewrite_old_links(run, engine.hosts)
        find_pairs(run)
    if reader.is_complete and not run.is_preview:
        if must_be_held(run):
            _succeed(run, RunState.HELD, _held_message(run))
            return
        apply_absence(run)
    _succeed(run, RunState.FINISHED, "")


def _held_message(run: ImportRun) -> str:
    count = vanished_links(run).count()
    return ngettext(
        "%(count)s upcoming event is not in the source any more. Decide what happens to it.",
        "%(count)s upcoming events are not in the source any more. Decide what happens to them.",
        count,
    ) % {"count": count}


def decide(run: ImportRun, *, accept: bool) -> ImportRun:
    """Finish a run that is held: cancel or trash the vanished events, as the source says, or keep them this time."""
    if run.state == RunState.HELD:
        with recorded_via(Channel.IMPORT):
            if accept:
                apply_absence(run)
        _succeed(run, RunState.FINISHED, "")
    return run


def undo(run: ImportRun, user: AnyUser, *, progress: Progress = lambda run: None) -> ImportRun:
    """Undo a run, and stop reading its source by itself, because the next run would import everything again."""
    _set_state(run, RunState.UNDOING)
    with recorded_via(Channel.IMPORT):
        for _count in undo_run(run, user):
            progress(run)
    Source.objects.filter(pk=run.source_id).update(next_run_at=None, interval_hours=None, etag="", last_modified="")
    _set_state(run, RunState.UNDONE)
    return run


def count_outcomes(run: ImportRun) -> dict[str, int]:
    """Return the numbers of a run by outcome. One query."""
    counts: dict[str, int] = {}
    for outcome, count in ImportEntry.objects.filter(run=run).values_list("outcome", "count"):
        counts[outcome] = counts.get(outcome, 0) + count
    touched = sum(counts.get(name, 0) for name in Outcome.values if name != Outcome.NOTE)
    counts[Outcome.UNCHANGED] = max(0, run.read_count - touched)
    return {str(name): counts[name] for name in Outcome if counts.get(name)}


def _check_ids(source: Source, reader: SourceReader) -> None:
    """Raise SourceError if ids that are to be kept belong to other records."""
    clashes: list[str] = []
    wanted: dict[str, dict[int, ImportedRecord]] = {}
    for record in reader.records():
        if isinstance(record, ImportedRecord) and record.id is not None:
            wanted.setdefault(record.kind, {})[record.id] = record
    for kind, records in wanted.items():
        model = KINDS[kind].model
        for start in range(0, len(records), 500):
            ids = list(records)[start : start + 500]
            taken = set(model._default_manager.filter(pk__in=ids).values_list("pk", flat=True))
            own = SourceRecord.objects.filter(source=source, kind=kind, record_id__in=taken)
            taken -= {link.record_id for link in own if records[link.record_id].key == link.key}
            clashes += [f"{model._meta.verbose_name} {pk}" for pk in sorted(taken)]
    if clashes:
        raise SourceError(
            _("These IDs are taken here: %(ids)s. Import into an empty calendar, or do not keep the IDs.")
            % {"ids": ", ".join(clashes[:MAX_SHOWN_CLASHES]) + ("…" if len(clashes) > MAX_SHOWN_CLASHES else "")}
        )


def _set_state(run: ImportRun, state: RunState) -> None:
    run.state = state
    run.save(update_fields=["state"])


def _succeed(run: ImportRun, state: RunState, message: str) -> None:
    source, now = run.source, clock.now()
    run.state, run.message, run.finished_at = state, message, now
    run.coming_count = coming_links(source).count()
    run.save()
    if run.is_preview:
        return
    source.failures, source.last_success_at = 0, now
    changed = (Outcome.CREATED, Outcome.UPDATED, Outcome.CANCELLED, Outcome.TRASHED)
    if run.entries.filter(outcome__in=changed).exists():
        source.last_change_at = now
    source.next_run_at = now + timedelta(hours=source.interval_hours) if source.interval_hours else None
    _save_progress(source)


def _fail(run: ImportRun, message: str) -> None:
    source, now = run.source, clock.now()
    run.state, run.message, run.finished_at = RunState.FAILED, message, now
    run.save()
    if run.is_preview:
        return
    source.failures += 1
    # What was fetched was of no use, so it must be fetched again.
    source.etag = source.last_modified = ""
    if source.interval_hours:
        hours = min(source.interval_hours * 2**source.failures, MAX_BACKOFF_HOURS)
        source.next_run_at = now + timedelta(hours=hours)
    _save_progress(source)


def _save_progress(source: Source) -> None:
    # Not the settings, which somebody may be changing.
    names = ["failures", "last_success_at", "last_change_at", "next_run_at", "etag", "last_modified"]
    source.save(update_fields=names)
