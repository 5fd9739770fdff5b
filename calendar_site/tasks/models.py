"""The queued tasks, and the workers that run them."""

from __future__ import annotations

from datetime import timedelta
from typing import Self

from django.db import models
from django.db.models.functions import Now  # noqa: TID251 - one clock for all workers
from django.utils.translation import gettext_lazy as _
from django_tasks_db.models import DBTaskResult, DBTaskResultQuerySet

from calendar_site.core import clock


class BackgroundTaskQuerySet(DBTaskResultQuerySet):
    def run_again(self) -> int:
        """Queue failed tasks again, with all their attempts, and return their number."""
        ready = BackgroundTask.Status.READY
        return self.failed().update(
            status=ready, run_after=clock.now(), worker_ids=[], started_at=None, finished_at=None
        )


class BackgroundTask(DBTaskResult):
    """A task that waits, runs, or has finished. The table is that of django-tasks-db."""

    class Status(models.TextChoices):
        READY = "READY", _("waiting")
        RUNNING = "RUNNING", _("running")
        FAILED = "FAILED", _("failed")
        SUCCESSFUL = "SUCCESSFUL", _("finished")

    objects = BackgroundTaskQuerySet.as_manager()  # type: ignore[misc]

    class Meta:
        proxy = True
        verbose_name = _("background task")
        verbose_name_plural = _("background tasks")
        default_permissions = ("view", "change")

    def __str__(self) -> str:
        return self.task_name

    @property
    def attempts(self) -> int:
        """How often a worker has started the task: each attempt adds the id of the worker."""
        return len(self.worker_ids)


class WorkerHeartbeatQuerySet(models.QuerySet["WorkerHeartbeat"]):
    def alive(self, within: timedelta) -> Self:
        """Filter to workers that have shown within this time that they run. The clock is that of the database."""
        return self.filter(seen_at__gt=Now() - within)


class WorkerHeartbeat(models.Model):
    """A worker that is running tasks. It updates its row meanwhile, and deletes it when no task is left."""

    worker_id = models.CharField(max_length=64, primary_key=True)
    seen_at = models.DateTimeField(db_default=Now())

    objects = WorkerHeartbeatQuerySet.as_manager()

    def __str__(self) -> str:
        return self.worker_id
