"""Enqueueing tasks, running them with the worker, and running them again when they have failed."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from calendar_site.tasks.models import BackgroundTask, WorkerHeartbeat
from calendar_site.tasks.queue import QueueState, get_queue_state
from calendar_site.tasks.retries import MAX_ATTEMPTS
from tests.support.background_tasks import run_worker
from tests.support.example_tasks import append_line, fail

pytestmark = pytest.mark.django_db


@pytest.fixture
def trace(tmp_path):
    return tmp_path / "trace"


@pytest.fixture(autouse=True)
def _no_daily_tasks():
    """Queue the daily tasks beforehand, so that tests see their own tasks only."""
    run_worker()
    BackgroundTask.objects.update(run_after=timezone.now() + timedelta(days=1))


def own_tasks():
    return BackgroundTask.objects.filter(task_path__startswith="tests.").order_by("enqueued_at")


def make_due(task):
    BackgroundTask.objects.filter(pk=task.pk).update(run_after=timezone.now())


def test_the_worker_runs_tasks_in_their_order(trace):
    for line in ("first", "second"):
        append_line.enqueue(str(trace), line)

    run_worker()

    assert trace.read_text() == "first\nsecond\n"
    assert [task.status for task in own_tasks()] == ["SUCCESSFUL"] * 2


def test_a_task_waits_until_its_time(trace):
    append_line.using(run_after=timezone.now() + timedelta(hours=1)).enqueue(str(trace), "later")

    run_worker()

    assert not trace.exists()
    assert [task.status for task in own_tasks()] == ["READY"]


def test_a_task_of_a_write_that_is_rolled_back_does_not_run(trace):
    with transaction.atomic():
        append_line.enqueue(str(trace), "rolled back")
        transaction.set_rollback(True)

    run_worker()

    assert not trace.exists()
    assert not own_tasks().exists()


def test_an_idle_worker_does_not_write():
    with CaptureQueriesContext(connection) as queries:
        run_worker()

    assert [query["sql"] for query in queries if not query["sql"].startswith("SELECT")] == []
    assert len(queries) == 4


def test_a_failed_task_runs_again_with_growing_delays_and_then_stays_failed():
    fail.enqueue("no luck")
    delays = []
    for _attempt in range(MAX_ATTEMPTS):
        started = timezone.now()
        run_worker()
        task = own_tasks().get()
        delays.append(round((task.run_after - started).total_seconds()) if task.status == "READY" else task.status)
        make_due(task)

    assert delays == [30, 120, 480, 1920, "FAILED"]
    assert (task.exception_class_path, task.attempts) == ("builtins.ValueError", MAX_ATTEMPTS)
    assert "no luck" in task.traceback


def test_a_failed_task_can_be_queued_again(trace):
    fail.enqueue("no luck")
    own_tasks().update(status="FAILED", worker_ids=["worker"] * MAX_ATTEMPTS)

    assert own_tasks().run_again() == 1
    assert [(task.status, task.attempts) for task in own_tasks()] == [("READY", 0)]


def test_the_task_of_a_killed_worker_runs_again(trace):
    append_line.enqueue(str(trace), "again")
    own_tasks().update(status="RUNNING", started_at=timezone.now(), worker_ids=["killed"])

    run_worker()
    assert [(task.status, task.started_at) for task in own_tasks()] == [("READY", None)]
    make_due(own_tasks().get())
    run_worker()

    assert trace.read_text() == "again\n"


def test_the_task_of_a_worker_that_is_alive_is_left_alone(trace):
    append_line.enqueue(str(trace), "not again")
    own_tasks().update(status="RUNNING", started_at=timezone.now(), worker_ids=["alive"])
    WorkerHeartbeat.objects.create(worker_id="alive")

    run_worker()
    assert [task.status for task in own_tasks()] == ["RUNNING"]

    WorkerHeartbeat.objects.update(seen_at=timezone.now() - timedelta(minutes=2))
    run_worker()
    assert [task.status for task in own_tasks()] == ["READY"]


def test_a_task_that_kills_its_workers_fails_in_the_end():
    fail.enqueue("kills the worker")
    own_tasks().update(status="RUNNING", started_at=timezone.now(), worker_ids=["killed"] * MAX_ATTEMPTS)

    run_worker()

    assert [(task.status, task.exception_class_path) for task in own_tasks()] == [
        ("FAILED", "calendar_site.tasks.retries.WorkerLost")
    ]


def test_a_worker_leaves_no_heartbeat_behind(trace):
    append_line.enqueue(str(trace), "done")

    run_worker()

    assert list(WorkerHeartbeat.objects.all()) == []


def test_the_state_of_the_queue_counts_tasks(trace):
    BackgroundTask.objects.all().delete()
    for _number in range(3):
        append_line.enqueue(str(trace), "due")
    BackgroundTask.objects.update(enqueued_at=timezone.now() - timedelta(minutes=1))
    append_line.using(run_after=timezone.now() + timedelta(hours=1)).enqueue(str(trace), "later")
    for status in ("RUNNING", "FAILED", "SUCCESSFUL"):
        BackgroundTask.objects.filter(pk=append_line.enqueue(str(trace), "").id).update(status=status)

    state = get_queue_state()

    assert state._replace(delay_seconds=round(state.delay_seconds)) == QueueState(3, 1, 1, 1, 60)


def test_arguments_are_stored_as_json():
    with pytest.raises(TypeError, match="Unsupported type"):
        append_line.enqueue(object(), "line")
