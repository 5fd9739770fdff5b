"""Running tasks again: those that have failed, and those whose worker was killed."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from django.dispatch import receiver
from django_tasks.base import TaskResultStatus
from django_tasks.signals import task_finished
from django_tasks_db.models import DBTaskResult

from calendar_site.core import clock
from calendar_site.tasks.models import BackgroundTask, WorkerHeartbeat

logger = logging.getLogger(__name__)

# Four delays, each four times as long as the one before: after 30 seconds, 2 minutes, 8 minutes and 32 minutes.
MAX_ATTEMPTS = 5
FIRST_DELAY = timedelta(seconds=30)
DELAY_FACTOR = 4
# A worker without a sign of life for this long was killed, or has lost the database.
LEASE = timedelta(seconds=60)


class WorkerLost(Exception):
    """The worker ended while it ran the task."""


@receiver(task_finished)
def retry_failed_task(sender: type, task_result: Any, **kwargs: Any) -> None:
    """Queue a failed task again, unless it has had all its attempts."""
    if task_result.status == TaskResultStatus.FAILED:
        _retry(task_result.db_result)


def recover_lost_tasks() -> int:
    """Queue the tasks of workers that were killed again, and return their number. Two queries if none are running."""
    # In this order: a worker is alive before it starts a task.
    running = list(BackgroundTask.objects.running())
    alive = set(WorkerHeartbeat.objects.alive(LEASE).values_list("pk", flat=True))
    lost = [task for task in running if task.worker_ids[-1] not in alive]
    for task in lost:
        logger.warning("The worker of task id=%s path=%s was lost.", task.id, task.task_path)
        if not _retry(task):
            task.set_failed(WorkerLost(f"The worker was lost in each of {MAX_ATTEMPTS} attempts."))
    return len(lost)


def _retry(task: DBTaskResult) -> bool:
    """Queue the task again after a delay. Return False if it has had all its attempts."""
    attempts = len(task.worker_ids)
    if attempts >= MAX_ATTEMPTS:
        return False
    delay = FIRST_DELAY * DELAY_FACTOR ** (attempts - 1)
    # Only this attempt: another worker may have done the same in the meantime.
    unchanged = BackgroundTask.objects.filter(pk=task.pk, status=task.status, started_at=task.started_at)
    unchanged.update(status=TaskResultStatus.READY, run_after=clock.now() + delay, started_at=None, finished_at=None)
    return True
