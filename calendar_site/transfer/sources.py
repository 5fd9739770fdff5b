"""Writes of sources, and what people should know about them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from django.core.files.uploadedfile import UploadedFile as FormFile
from django.db import transaction
from django.utils.translation import gettext as _

from calendar_site.accounts.models import User
from calendar_site.core import clock
from calendar_site.tasks.enqueue import enqueue, enqueue_later
from calendar_site.transfer.imports.runs import start_run
from calendar_site.transfer.models import ImportRun, RunState, Source, SourceRecord, UploadedFile

UNDOABLE = (RunState.FINISHED, RunState.FAILED, RunState.HELD)
MAX_FILE_BYTES = 10 * 1024 * 1024


@transaction.atomic
def save_source(source: Source, *, user: User, file: FormFile | None = None) -> Source:
    """Save a source with its file. A new one belongs to the user, whose rights its imports have."""
    if source._state.adding:
        source.owner = user
    # Other settings may read other events from the same file.
    source.etag = source.last_modified = ""
    source.next_run_at = None
    if source.interval_hours and source.url:
        source.next_run_at = clock.now() + timedelta(hours=source.interval_hours)
    source.save()
    if file is not None:
        content = file.read()
        UploadedFile.objects.update_or_create(
            source=source, defaults={"name": (file.name or "")[:255], "content": content}
        )
    if source.next_run_at:
        enqueue_later("calendar_site.transfer.tasks.read_source", source.pk, at=source.next_run_at)
    return source


@transaction.atomic
def queue_run(source: Source, *, user: User, is_preview: bool) -> ImportRun:
    """Start a run in the background."""
    run = start_run(source, user=user, is_preview=is_preview)
    enqueue("calendar_site.transfer.tasks.run_import", run.pk)
    return run


@transaction.atomic
def queue_undo(run: ImportRun, *, user: User) -> None:
    """Undo a finished run in the background."""
    if ImportRun.objects.filter(pk=run.pk, state__in=UNDOABLE, is_preview=False).update(state=RunState.UNDOING):
        enqueue("calendar_site.transfer.tasks.undo_import", run.pk, user.pk)


@transaction.atomic
def queue_decision(run: ImportRun, *, accept: bool) -> None:
    """Finish a run that is held, in the background."""
    enqueue("calendar_site.transfer.tasks.decide_import", run.pk, accept)


def give_back(run: ImportRun, kind: str, key: str, names: list[str]) -> None:
    """Let the source decide about fields again that were edited here: its next reading writes them."""
    link = SourceRecord.objects.filter(source=run.source, kind=kind, key=key).first()
    if link is not None:
        link.fields = {name: value for name, value in link.fields.items() if name not in names}
        link.save(update_fields=["fields"])
        # Also if the source itself has not changed.
        Source.objects.filter(pk=run.source_id).update(etag="", last_modified="")


def choose_columns(source: Source, columns: Mapping[str, str]) -> None:
    """Remember which column of a table has which field, for all of its imports."""
    source.options = {**source.options, "columns": dict(columns)}
    # The same file is read in another way.
    source.etag = source.last_modified = ""
    source.save(update_fields=["options", "etag", "last_modified"])


def warnings_about(source: Source) -> list[str]:
    """Return what people should know about a source. One query."""
    said: list[str] = []
    now = clock.now()
    if source.failures >= Source.MAX_FAILURES:
        said.append(_("The last %(count)s readings failed.") % {"count": source.failures})
    last = source.runs.filter(is_preview=False).order_by("-pk").first()
    if last is not None and last.state == RunState.HELD:
        said.append(_("An import is held until somebody decides."))
    if last is not None and last.coming_count == 0:
        said.append(_("It has no upcoming events."))
    if source.interval_hours and source.last_change_at and now - source.last_change_at > Source.QUIET:
        said.append(_("Nothing has changed for six months."))
    return said
