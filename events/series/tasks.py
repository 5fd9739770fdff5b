"""The background tasks of series."""

from __future__ import annotations

from datetime import time

from django_tasks import task

from calendar_site.tasks.schedule import daily
from events.models import Series
from events.series.services import extend_all_series, extend_series


@task()
def extend_one_series(series_id: int) -> None:
    """Create the occurrences of a series up to the horizon."""
    series = Series.objects.filter(pk=series_id).first()
    while series is not None and extend_series(series):
        series = Series.objects.filter(pk=series_id).first()


@daily(at=time(3, 50))
@task()
def extend_series_daily() -> None:
    """Create the occurrences of all series up to the horizon."""
    extend_all_series()
