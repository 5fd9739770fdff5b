"""Daily tasks: when they run, and what the clean-up deletes."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.test import override_settings
from django.utils import timezone

from calendar_site.tasks.models import BackgroundTask
from calendar_site.tasks.schedule import daily_tasks, next_run
from events.models import Event
from tests.factories import EventFactory
from tests.support.background_tasks import run_daily_tasks, run_worker

pytestmark = pytest.mark.django_db


def test_every_daily_task_is_in_the_queue_once_at_its_next_time():
    run_worker()
    run_worker()

    queued = BackgroundTask.objects.all()
    assert sorted(task.task_path for task in queued) == sorted(task.module_path for task in daily_tasks())
    assert all(timezone.now() < task.run_after <= timezone.now() + timedelta(days=1) for task in queued)


def test_a_daily_task_that_has_run_is_queued_for_the_next_day():
    run_daily_tasks()
    run_worker()

    states = BackgroundTask.objects.order_by("status").values_list("status", flat=True)
    assert list(states) == ["READY"] * len(daily_tasks()) + ["SUCCESSFUL"] * len(daily_tasks())


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (datetime(2026, 7, 1, 0, 59, tzinfo=UTC), datetime(2026, 7, 1, 1, tzinfo=UTC)),
        (datetime(2026, 7, 1, 1, 0, tzinfo=UTC), datetime(2026, 7, 2, 1, tzinfo=UTC)),
        # The clock goes back on this night, at 3:00 in summer time.
        (datetime(2026, 10, 24, 23, 0, tzinfo=UTC), datetime(2026, 10, 25, 2, tzinfo=UTC)),
    ],
)
def test_next_run_is_at_the_local_time_of_the_site(now, expected):
    with override_settings(SITE_TIME_ZONE="Europe/Rome"):
        assert next_run(time(3), now) == expected


def titles():
    return sorted(Event.objects.values_list("title", flat=True))


@pytest.mark.parametrize(("days", "left"), [(0, ["new", "old"]), (30, ["new"])])
def test_old_trash_is_deleted_if_the_setting_says_so(days, left):
    for title, age in (("old", 31), ("new", 29)):
        event = EventFactory(title=title, status="trash")
        Event.objects.filter(pk=event.pk).update(modified_at=timezone.now() - timedelta(days=age))

    with override_settings(TRASH_DAYS=days):
        run_daily_tasks()

    assert titles() == left


@pytest.mark.parametrize(("days", "left"), [(0, 2), (30, 1)])
def test_old_history_is_deleted_if_the_setting_says_so(days, left, editor_api):
    event = EventFactory(title="first")
    editor_api.post(f"/cal/events/v1/events/{event.pk}", {"title": "second"}, format="json")
    Event.history.update(history_date=timezone.now() - timedelta(days=31))

    with override_settings(HISTORY_DAYS=days):
        run_daily_tasks()

    assert Event.history.count() == left


def test_finished_tasks_are_deleted_after_a_week_and_failed_ones_later():
    run_daily_tasks()
    finished = BackgroundTask.objects.filter(status="SUCCESSFUL")
    path = daily_tasks()[0].module_path
    finished.update(finished_at=timezone.now() - timedelta(days=8))
    finished.filter(task_path=path).update(status="FAILED")

    run_daily_tasks()

    old = BackgroundTask.objects.filter(finished_at__lt=timezone.now() - timedelta(days=7))
    assert [(task.task_path, task.status) for task in old] == [(path, "FAILED")]
