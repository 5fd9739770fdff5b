"""Waking the worker through Redis, and working without it."""

import logging
import os
import secrets

import pytest
from django.db import transaction
from redis import Redis, RedisError

from calendar_site.tasks import wake_up
from calendar_site.tasks.models import BackgroundTask
from calendar_site.tasks.wake_up import wait_for_tasks
from tests.support.example_tasks import append_line

pytestmark = pytest.mark.django_db

REDIS_URL = os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/11"
# No server listens on port 1.
UNREACHABLE_URL = "redis://127.0.0.1:1/0"


@pytest.fixture
def task_signals(settings, monkeypatch):
    """Use Redis, and return a function that counts the signals that no worker has received."""
    redis = Redis.from_url(REDIS_URL, socket_connect_timeout=1)
    try:
        redis.ping()
    except RedisError:
        pytest.skip(f"There is no Redis server at {REDIS_URL}.")
    settings.REDIS_URL = REDIS_URL
    # A key of its own, because the server may have other data.
    monkeypatch.setattr(wake_up, "KEY", f"test-{secrets.token_hex(8)}")
    yield lambda: redis.llen(wake_up.KEY)
    redis.delete(wake_up.KEY)
    redis.close()


@pytest.fixture
def naps(settings, monkeypatch):
    """The seconds for which the worker sleeps. It does not really."""
    seconds = []
    monkeypatch.setattr("calendar_site.tasks.wake_up.time.sleep", seconds.append)
    return seconds


def test_a_task_wakes_a_worker_when_its_transaction_commits(
    task_signals, naps, tmp_path, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        append_line.enqueue(str(tmp_path / "trace"), "line")
        assert task_signals() == 0
    assert task_signals() == 1

    wait_for_tasks()

    assert (task_signals(), naps) == (0, [])


def test_a_task_that_is_rolled_back_wakes_nobody(task_signals, tmp_path, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        append_line.enqueue(str(tmp_path / "trace"), "line")
        transaction.set_rollback(True)

    assert task_signals() == 0


def test_signals_do_not_pile_up_without_a_worker(
    task_signals, monkeypatch, tmp_path, django_capture_on_commit_callbacks
):
    monkeypatch.setattr(wake_up, "MAX_ENTRIES", 3)
    with django_capture_on_commit_callbacks(execute=True):
        for _number in range(5):
            append_line.enqueue(str(tmp_path / "trace"), "line")

    assert task_signals() == 3


def test_without_redis_the_worker_polls(settings, naps):
    settings.REDIS_URL, settings.TASK_POLL_SECONDS = "", 7

    wait_for_tasks()

    assert naps == [7]


def test_tasks_are_kept_and_polled_if_redis_is_unreachable(
    settings, naps, caplog, tmp_path, django_capture_on_commit_callbacks
):
    settings.REDIS_URL, settings.TASK_POLL_SECONDS = UNREACHABLE_URL, 7

    with django_capture_on_commit_callbacks(execute=True):
        append_line.enqueue(str(tmp_path / "trace"), "line")
    wait_for_tasks()

    assert [task.status for task in BackgroundTask.objects.all()] == ["READY"]
    assert naps == [7]
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2
