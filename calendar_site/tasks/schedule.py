"""Tasks that run every day, without cron: the next run of each is always in the queue."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import NamedTuple

from django_tasks.base import Task, TaskResultStatus

from calendar_site.core import clock
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.dates.conversion import site_zone
from calendar_site.tasks.models import BackgroundTask

DailyTask = Task[[], None]


class _Schedule(NamedTuple):
    task: DailyTask
    at: time


_schedules: dict[str, _Schedule] = {}


def daily(*, at: time) -> Callable[[DailyTask], DailyTask]:
    """Run a task every day at this time in the time zone of the site. If no worker runs then, it runs once later."""

    def register(task: DailyTask) -> DailyTask:
        _schedules[task.module_path] = _Schedule(task, at)
        return task

    return register


def daily_tasks() -> list[DailyTask]:
    """Return the tasks that run every day, in the order of their time."""
    return [schedule.task for schedule in sorted(_schedules.values(), key=lambda schedule: schedule.at)]


def schedule_daily_tasks() -> None:
    """Queue the next run of each daily task that is not in the queue. One query if there is none.

    Several workers may call this at the same time: the write lock ensures that each run is queued once, and the queue
    that one worker runs it.
    """
    if not _unscheduled():
        return
    with write_lock():
        for schedule in _unscheduled():
            schedule.task.using(run_after=next_run(schedule.at, clock.now())).enqueue()


def next_run(at: time, now: datetime) -> datetime:
    """Return the first moment after `now` at this time in the time zone of the site."""
    zone = site_zone().tz
    today = now.astimezone(zone).date()
    first = datetime.combine(today, at, zone)
    return first if first > now else datetime.combine(today + timedelta(days=1), at, zone)


def _unscheduled() -> list[_Schedule]:
    queued = BackgroundTask.objects.filter(
        task_path__in=_schedules, status__in=(TaskResultStatus.READY, TaskResultStatus.RUNNING)
    )
    paths = set(queued.values_list("task_path", flat=True))
    return [schedule for path, schedule in _schedules.items() if path not in paths]
