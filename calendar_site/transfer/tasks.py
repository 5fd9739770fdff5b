"""Background tasks of imports: running and undoing them, and reading sources on their schedule."""

from __future__ import annotations

from datetime import time, timedelta
from typing import Any

from django.db.models import Max
from django_tasks import task

from calendar_site.accounts.models import User
from calendar_site.core import clock
from calendar_site.tasks.schedule import daily
from calendar_site.transfer.imports.runs import decide, execute, start_run, undo
from calendar_site.transfer.models import ImportRun, RunState, Source
from calendar_site.transfer.readers.registry import make_reader

PREVIEWS_KEPT = timedelta(days=7)
# An import that is older than this cannot be undone any more.
REPORTS_KEPT = timedelta(days=365)
OPEN = (RunState.WAITING, RunState.RUNNING)


@task()
def run_import(run_id: int) -> None:
    """Execute a run, or go on with one that was interrupted."""
    run = _runs().filter(pk=run_id, state__in=OPEN).first()
    if run is not None:
        execute(run, make_reader(run.source))


@task()
def undo_import(run_id: int, user_id: int) -> None:
    """Undo a run in the name of a user."""
    run = _runs().filter(pk=run_id, state=RunState.UNDOING).first()
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if run is not None and user is not None:
        undo(run, user)


@task()
def decide_import(run_id: int, accept: bool) -> None:
    """Finish a run that was held."""
    run = _runs().filter(pk=run_id, state=RunState.HELD).first()
    if run is not None:
        decide(run, accept=accept)


@task()
def read_source(source_id: int) -> None:
    """Read a source that is due, and plan the next reading."""
    source = _due_sources().filter(pk=source_id).first()
    if source is None:
        # Read in the meantime, or its interval was changed.
        return
    execute(start_run(source, user=None), make_reader(source, conditional=True))
    plan_reading(source)


def plan_reading(source: Source) -> None:
    """Queue the next reading of a source, if it has one."""
    if source.next_run_at is not None:
        read_source.using(run_after=source.next_run_at).enqueue(source.pk)


@daily(at=time(4, 10))
@task()
def read_overdue_sources() -> None:
    """Read the sources whose reading is not in the queue, such as after a restore."""
    for source in _due_sources():
        read_source.enqueue(source.pk)


@daily(at=time(4, 20))
@task()
def delete_old_reports() -> None:
    """Delete previews after a week, and the reports of imports after a year, apart from the last one of each source."""
    previews = ImportRun.objects.filter(is_preview=True, started_at__lt=clock.now() - PREVIEWS_KEPT)
    old = ImportRun.objects.filter(is_preview=False, started_at__lt=clock.now() - REPORTS_KEPT)
    last = ImportRun.objects.filter(is_preview=False).values("source").annotate(last=Max("pk")).values("last")
    previews.delete()
    old.exclude(pk__in=last).delete()


def _runs() -> Any:
    return ImportRun.objects.select_related("source__owner", "source__category", "source__venue")


def _due_sources() -> Any:
    due = Source.objects.filter(next_run_at__lte=clock.now(), interval_hours__isnull=False, owner__is_active=True)
    return due.select_related("owner", "category", "venue")
