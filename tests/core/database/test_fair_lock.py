"""The order in which threads get a lock, and that a loop of writes lets others in."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connections

from calendar_site.accounts.models import User
from calendar_site.core.database import write_lock as module
from calendar_site.core.database.fair_lock import FairLock
from calendar_site.core.database.write_lock import write_lock
from tests.support.served_app import wait_until


def acquire(lock, timeout=30):
    return lock.acquire(timeout, patience=30, when_waiting=lambda: None)


def test_threads_get_the_lock_in_order():
    lock, order = FairLock(), []
    assert acquire(lock)

    def take(name):
        assert acquire(lock)
        order.append(name)
        lock.release()

    with ThreadPoolExecutor(4) as threads:
        for number in range(4):
            threads.submit(take, number)
            assert wait_until(lambda waiting=number + 1: lock.waiting == waiting)
        lock.release()

    assert order == [0, 1, 2, 3]
    assert acquire(lock, timeout=0)


def test_lock_passes_over_threads_that_gave_up():
    lock, waited = FairLock(), []
    assert acquire(lock)

    assert not lock.acquire(0, patience=0, when_waiting=lambda: waited.append(True))

    assert waited == [True]
    assert lock.waiting == 0
    lock.release()
    assert acquire(lock, timeout=0)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_other_write_comes_between_the_writes_of_a_loop():
    in_loop, go_on = Event(), Event()
    seen = []

    def loop():
        try:
            for number in range(20):
                with write_lock():
                    User.objects.create(username=f"loop {number}")
                    in_loop.set()
                    # The other write waits from the first one on.
                    assert go_on.wait(30)
        finally:
            connections.close_all()

    def other():
        try:
            with write_lock():
                seen.append(User.objects.count())
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as threads:
        looping = threads.submit(loop)
        assert in_loop.wait(30)
        waiting = threads.submit(other)
        assert wait_until(lambda: module.write_queue._arrivals)
        go_on.set()
        waiting.result(30)
        looping.result(30)

    assert seen[0] < 20
