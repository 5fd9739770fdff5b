"""The worker of background tasks is killed, stopped, started twice, and left without its database or Redis."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from tests.support.programs import ROOT
from tests.support.python_starter import run_python
from tests.support.served_app import wait_until

WORKER = [sys.executable, "manage.py", "run_worker"]
# How long a stopped worker may take.
SECONDS = 30
SETUP = """
import django; django.setup()
from datetime import timedelta
from django.db import connection
from django.db.models import Count
from django.utils import timezone
from calendar_site.tasks.models import BackgroundTask, WorkerHeartbeat
from calendar_site.tasks.schedule import daily_tasks
from tests.support.example_tasks import append_line, append_slowly
"""
# As if a minute had passed: the killed worker is given up, and the delay before the next attempt is over.
WAIT_A_MINUTE = """
WorkerHeartbeat.objects.update(seen_at=timezone.now() - timedelta(minutes=2))
BackgroundTask.objects.filter(status="READY", task_path__startswith="tests.").update(run_after=timezone.now())
"""
PRINT_DAILY_TASKS = """
counts = BackgroundTask.objects.values("task_path").annotate(count=Count("*")).values_list("count", flat=True)
print(len(daily_tasks()), *counts)
"""
PRINT_TASKS = """
print(list(BackgroundTask.objects.filter(task_path__startswith="tests.").values_list("status", flat=True)))
"""


@pytest.fixture
def trace_file(tmp_path):
    return tmp_path / "trace_file"


@pytest.fixture
def run_code(service_environment):
    """Return a function that runs Python code with the models of the service, and returns its output."""

    def run(code, **changed):
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "calendar_site.settings", **service_environment}
        done = run_python(["-c", SETUP + code], {**environment, **changed})
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


@pytest.fixture
def start_worker(service_environment, tmp_path):
    """Return a function that starts a worker; its output is in the attribute `log`."""
    workers = []

    def start(*arguments, **changed):
        environment = {**os.environ, **service_environment, "TASK_POLL_SECONDS": "1", **changed}
        log = tmp_path / f"worker-{len(workers)}.log"
        with log.open("w") as output:
            command = [*WORKER, *arguments]
            worker = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)  # noqa: S603
        worker.log = log
        workers.append(worker)
        return worker

    yield start
    for worker in workers:
        worker.kill()
        worker.wait()


def lines(trace_file):
    return trace_file.read_text().splitlines() if trace_file.exists() else []


def test_the_task_of_a_killed_worker_is_run_by_another_one(trace_file, run_code, start_worker):
    run_code(f"append_slowly.enqueue({str(trace_file)!r}, 2)")
    killed = start_worker()
    assert wait_until(lambda: lines(trace_file))
    killed.kill()
    killed.wait()
    assert run_code(PRINT_TASKS) == "['RUNNING']"

    run_code(WAIT_A_MINUTE)
    other = start_worker()
    assert wait_until(lambda: run_code(PRINT_TASKS) == "['READY']")
    run_code(WAIT_A_MINUTE)
    assert wait_until(lambda: run_code(PRINT_TASKS) == "['SUCCESSFUL']")

    assert lines(trace_file) == [str(killed.pid), str(other.pid), "finished"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_that_is_stopped_finishes_its_task_first(number, trace_file, run_code, start_worker):
    run_code(f"append_slowly.enqueue({str(trace_file)!r}, 2); append_line.enqueue({str(trace_file)!r}, 'next')")
    worker = start_worker()
    assert wait_until(lambda: lines(trace_file))
    worker.send_signal(number)

    assert worker.wait(SECONDS) == 0
    assert lines(trace_file) == [str(worker.pid), "finished"]
    assert run_code(PRINT_TASKS) == "['SUCCESSFUL', 'READY']"


def test_two_workers_run_each_task_once(trace_file, run_code, start_worker):
    run_code(f"for n in range(40): append_line.enqueue({str(trace_file)!r}, str(n))")
    for _worker in range(2):
        start_worker()
    assert wait_until(lambda: len(lines(trace_file)) >= 40)
    time.sleep(2)

    assert Counter(lines(trace_file)) == Counter(map(str, range(40)))


def test_two_workers_queue_each_daily_task_once(run_code, start_worker):
    for _worker in range(2):
        start_worker()
    assert wait_until(lambda: run_code("print(BackgroundTask.objects.count())") != "0")
    time.sleep(2)

    number, *queued = run_code(PRINT_DAILY_TASKS).split()
    assert queued == ["1"] * int(number)


def test_a_worker_goes_on_when_the_database_is_available_again(trace_file, run_code, start_worker):
    worker = start_worker()
    assert wait_until(lambda: run_code("print(BackgroundTask.objects.count())") != "0")
    run_code("connection.cursor().execute('ALTER TABLE django_tasks_database_dbtaskresult RENAME TO gone')")
    assert wait_until(lambda: "cannot use the database" in worker.log.read_text())
    run_code("connection.cursor().execute('ALTER TABLE gone RENAME TO django_tasks_database_dbtaskresult')")
    run_code(f"append_line.enqueue({str(trace_file)!r}, 'again')")

    assert wait_until(lambda: lines(trace_file) == ["again"])
    assert worker.poll() is None


def test_a_worker_ends_with_the_process_that_it_accompanies(start_worker):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        worker = start_worker("--while-process", str(other.pid))
        assert wait_until(lambda: "waits for tasks" in worker.log.read_text())
        assert worker.poll() is None
        other.kill()

    assert worker.wait(SECONDS) == 0


def test_tasks_wait_while_no_worker_runs(trace_file, run_code, start_worker):
    run_code(f"append_line.enqueue({str(trace_file)!r}, 'waited')")
    time.sleep(1)
    assert lines(trace_file) == []

    start_worker()
    assert wait_until(lambda: lines(trace_file) == ["waited"])
