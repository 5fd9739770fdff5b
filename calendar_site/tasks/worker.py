"""The worker: waits for tasks and runs them, one at a time."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

from django.db import DatabaseError, close_old_connections, connection
from django.db.models.functions import Now  # noqa: TID251 - one clock for all workers
from django.utils.crypto import get_random_string
from django_tasks.base import DEFAULT_TASK_BACKEND_ALIAS
from django_tasks_db.management.commands.db_worker import Worker

from calendar_site.tasks.models import BackgroundTask, WorkerHeartbeat
from calendar_site.tasks.retries import LEASE, recover_lost_tasks
from calendar_site.tasks.schedule import schedule_daily_tasks
from calendar_site.tasks.wake_up import wait_for_tasks

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = LEASE.total_seconds() / 4
# How often an idle worker looks for lost tasks and schedules daily ones.
UPKEEP_SECONDS = 30
# How long to wait if the database does not answer.
DATABASE_WAIT_SECONDS = 5


class TaskWorker:
    """Runs tasks with the worker of django-tasks-db, which it calls only if a task is due.

    That worker takes the write lock of SQLite each time it looks for a task, so it is not suitable for waiting. This
    one waits with a plain query, and writes nothing while no task is due.
    """

    def __init__(self) -> None:
        self._worker = Worker(
            queue_names=["*"],
            excluded_queue_names=[],
            interval=0,
            batch=True,
            backend_name=DEFAULT_TASK_BACKEND_ALIAS,
            startup_delay=False,
            max_tasks=None,
            worker_id=f"{socket.gethostname()[:40]}-{os.getpid()}-{get_random_string(6)}",
        )
        self._next_upkeep = 0.0

    def run_due_tasks(self) -> None:
        """Run the tasks that are due, and return when none is left."""
        self._keep_up()
        if BackgroundTask.objects.ready().exists():
            with _heartbeat(self._worker.worker_id):
                self._worker.run()
            # The next run of a daily task that has run just now.
            self._next_upkeep = 0

    def run(self, is_wanted: Callable[[], bool]) -> None:
        """Run tasks until SIGTERM or SIGINT, or until `is_wanted()` is False. The current task is finished first.

        A second signal ends the current task, which then counts as failed.
        """
        self._worker.configure_signals()
        logger.info("The worker %s waits for tasks.", self._worker.worker_id)
        while self._worker.running and is_wanted():
            try:
                close_old_connections()
                self.run_due_tasks()
            except DatabaseError as error:
                logger.error("The worker cannot use the database, and tries again: %s", error)
                time.sleep(DATABASE_WAIT_SECONDS)
            if self._worker.running:
                wait_for_tasks()

    def _keep_up(self) -> None:
        if time.monotonic() >= self._next_upkeep:
            recover_lost_tasks()
            schedule_daily_tasks()
            self._next_upkeep = time.monotonic() + UPKEEP_SECONDS


@contextmanager
def _heartbeat(worker_id: str) -> Iterator[None]:
    """Show other workers during the block that this one is alive, even if a task takes long."""
    WorkerHeartbeat.objects.create(worker_id=worker_id)
    is_over = Event()
    thread = Thread(target=_beat, args=(worker_id, is_over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
        WorkerHeartbeat.objects.filter(pk=worker_id).delete()


def _beat(worker_id: str, is_over: Event) -> None:
    try:
        while not is_over.wait(HEARTBEAT_SECONDS):
            # The next beat comes before the lease is over.
            with suppress(DatabaseError):
                WorkerHeartbeat.objects.filter(pk=worker_id).update(seen_at=Now())
    finally:
        connection.close()
