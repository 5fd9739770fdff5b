"""The write lock: one write at a time, committed or rolled back as a whole."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event as Signal

import pytest
from django.db import OperationalError, connection, connections

from calendar_site.accounts.models import User
from calendar_site.core.write_lock import write_lock

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)


@pytest.fixture
def in_thread():
    """Runs a call in a thread with a connection of its own."""
    with ThreadPoolExecutor(2) as threads:

        def run(call):
            def closing():
                try:
                    return call()
                finally:
                    connections.close_all()

            return threads.submit(closing)

        yield run


def usernames():
    return sorted(User.objects.values_list("username", flat=True))


def test_second_writer_waits_and_sees_the_first_write(in_thread):
    begun, go_on = Signal(), Signal()

    def first():
        with write_lock():
            User.objects.create(username="first")
            begun.set()
            assert go_on.wait(30)

    def second():
        with write_lock():
            seen = usernames()
            User.objects.create(username="second")
            return seen

    one = in_thread(first)
    assert begun.wait(30)
    two = in_thread(second)
    with pytest.raises(TimeoutError):
        two.result(timeout=0.3)
    meanwhile = usernames()
    go_on.set()
    one.result(timeout=30)

    assert meanwhile == []
    assert two.result(timeout=30) == ["first"]
    assert usernames() == ["first", "second"]


def test_writer_gives_up_after_the_timeout(in_thread, settings):
    settings.WRITE_WAIT_SECONDS = 1
    begun, go_on = Signal(), Signal()

    def first():
        with write_lock():
            begun.set()
            assert go_on.wait(30)

    def second():
        if connection.vendor == "sqlite":
            # There the setting counts when a connection is made, and that of a test may be made already.
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA busy_timeout = 200")
        with write_lock():
            User.objects.create(username="second")

    one = in_thread(first)
    assert begun.wait(30)
    two = in_thread(second)
    with pytest.raises(OperationalError):
        two.result(timeout=20)
    go_on.set()
    one.result(timeout=30)

    assert usernames() == []


def write_and_fail(name):
    with write_lock():
        User.objects.create(username=name)
        raise ZeroDivisionError


def test_failed_write_leaves_nothing_behind():
    def write():
        with write_lock():
            User.objects.create(username="first")
            write_and_fail("second")

    with pytest.raises(ZeroDivisionError):
        write()

    assert usernames() == []


def test_failed_savepoint_leaves_the_rest():
    with write_lock():
        User.objects.create(username="first")
        with pytest.raises(ZeroDivisionError):
            write_and_fail("second")
        User.objects.create(username="third")

    assert usernames() == ["first", "third"]
