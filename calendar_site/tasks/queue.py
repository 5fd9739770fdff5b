"""The state of the queue, for monitoring."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Case, Count, F, Min, Q, When
from django_tasks_db.models import get_date_max

from calendar_site.core import clock
from calendar_site.tasks.models import BackgroundTask


class QueueState(NamedTuple):
    """Numbers of tasks. `delay_seconds` is how long the oldest one has been due: it grows if no worker runs."""

    due: int
    later: int
    running: int
    failed: int
    delay_seconds: float


def get_queue_state() -> QueueState:
    """Return the state of the queue. One query."""
    now, status = clock.now(), BackgroundTask.Status
    # This date stands for "immediately".
    due_since = Case(When(run_after=get_date_max(), then=F("enqueued_at")), default=F("run_after"))
    is_due = Q(status=status.READY, due_since__lte=now)
    counts = BackgroundTask.objects.annotate(due_since=due_since).aggregate(
        due=Count("pk", filter=is_due),
        later=Count("pk", filter=Q(status=status.READY, due_since__gt=now)),
        running=Count("pk", filter=Q(status=status.RUNNING)),
        failed=Count("pk", filter=Q(status=status.FAILED)),
        oldest=Min("due_since", filter=is_due),
    )
    oldest = counts.pop("oldest")
    return QueueState(**counts, delay_seconds=(now - oldest).total_seconds() if oldest else 0.0)
