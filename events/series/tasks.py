"""The background tasks of series."""

from __future__ import annotations

from datetime import time
from typing import Any

from django_tasks import task

from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.permissions import deletable_q
from calendar_site.tasks.schedule import daily
from events.derived.renderings import save_renderings
from events.models import Event
from events.series.bulk_saves import MAX_TRASHED_AT_ONCE
from events.series.propagation import load_author, update_deleted, update_outdated
from events.series.services import RENDERED_AT_ONCE, extend_all_series, extend_to_horizon
from events.series.trashing import trash_events


@task()
def extend_one_series(series_id: int) -> None:
    """Create the occurrences of a series up to the horizon."""
    extend_to_horizon(series_id)


@task()
def update_outdated_events(series_id: int) -> None:
    """Give the events of a series that has changed its new values."""
    while update_outdated(series_id):
        pass


@task()
def update_events_of_deleted(values: dict[str, Any], outdated: list[dict[str, Any]]) -> None:
    """Give outdated events of a deleted series its last values."""
    update_deleted(values, outdated)


@task()
def render_events(ids: list[int]) -> None:
    """Render events, in several writes."""
    for start in range(0, len(ids), RENDERED_AT_ONCE):
        with write_lock():
            save_renderings(ids[start : start + RENDERED_AT_ONCE])


@task()
def trash_single_events(ids: list[int], user_id: int | None) -> None:
    """Move events that left their series to the trash, in several writes, if the user may still do so."""
    user = load_author(user_id)
    if not user.is_authenticated:
        # The account was deleted. Events that nobody wanted must not stay public.
        user = load_author(None)
    for start in range(0, len(ids), MAX_TRASHED_AT_ONCE):
        batch = Event.objects.filter(deletable_q(user, Event), pk__in=ids[start : start + MAX_TRASHED_AT_ONCE])
        trash_events(list(batch.values_list("pk", flat=True)), user)


@daily(at=time(3, 50))
@task()
def extend_series_daily() -> None:
    """Create the occurrences of all series up to the horizon."""
    extend_all_series()
