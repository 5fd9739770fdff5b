"""The background tasks of series."""

from __future__ import annotations

from datetime import time

from django.contrib.auth import get_user_model
from django_tasks import task

from calendar_site.tasks.schedule import daily
from events.series.propagation import update_outdated
from events.series.services import extend_all_series, extend_to_horizon
from events.series.trashing import MAX_TRASHED_AT_ONCE, trash_events


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
def trash_later(ids: list[int], user_id: int | None) -> None:
    """Move events that left their series to the trash, in several writes."""
    # The permissions were checked when the task was enqueued; the account may be gone.
    user = get_user_model().objects.filter(pk=user_id or 0).first() or get_user_model()(is_superuser=True)
    for start in range(0, len(ids), MAX_TRASHED_AT_ONCE):
        trash_events(ids[start : start + MAX_TRASHED_AT_ONCE], user)


@daily(at=time(3, 50))
@task()
def extend_series_daily() -> None:
    """Create the occurrences of all series up to the horizon."""
    extend_all_series()
