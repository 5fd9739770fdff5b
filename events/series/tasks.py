"""The background tasks of series."""

from __future__ import annotations

from datetime import time

from django_tasks import task

from calendar_site.tasks.schedule import daily
from events.series.services import extend_all_series, extend_to_horizon


@task()
def extend_one_series(series_id: int) -> None:
    """Create the occurrences of a series up to the horizon."""
    extend_to_horizon(series_id)


@daily(at=time(3, 50))
@task()
def extend_series_daily() -> None:
    """Create the occurrences of all series up to the horizon."""
    extend_all_series()
