"""Writers take turns, and what one of them does is there whole or not at all."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event as Signal

import pytest
from django.db import OperationalError, connection, connections

from calendar_site.accounts.models import User
from calendar_site.content.transactions import writing

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


def names():
    return sorted(User.objects.values_list("username", flat=True))


def test_second_writer_waits_and_sees_what_the_first_has_written(in_thread):
    begun, go_on = Signal(), Signal()

    def first():
        with writing():
            User.objects.create(username="first")
            begun.set()
            assert go_on.wait(30)

    def second():
        with writing():
            seen = names()
            User.objects.create(username="second")
            return seen

    one = in_thread(first)
    assert begun.wait(30)
    two = in_thread(second)
    with pytest.raises(TimeoutError):
        two.result(timeout=0.3)
    meanwhile = names()
    go_on.set()
    one.result(timeout=30)

    assert meanwhile == []
    assert two.result(timeout=30) == ["first"]
    assert names() == ["first", "second"]


def test_writer_whose_turn_does_not_come_gives_up(in_thread, settings):
    settings.WRITE_WAIT_SECONDS = 1
    begun, go_on = Signal(), Signal()

    def first():
        with writing():
            begun.set()
            assert go_on.wait(30)

    def second():
        if connection.vendor == "sqlite":
            # There the setting counts when a connection is made, and that of a test may be made already.
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA busy_timeout = 200")
        with writing():
            User.objects.create(username="second")

    one = in_thread(first)
    assert begun.wait(30)
    two = in_thread(second)
    with pytest.raises(OperationalError):
        two.result(timeout=20)
    go_on.set()
    one.result(timeout=30)

    assert names() == []


def write_and_fail(name):
    with writing():
        User.objects.create(username=name)
        raise ZeroDivisionError


def test_failure_leaves_nothing_behind():
    def write():
        with writing():
            User.objects.create(username="first")
            write_and_fail("second")

    with pytest.raises(ZeroDivisionError):
        write()

    assert names() == []


def test_failure_inside_leaves_the_rest():
    with writing():
        User.objects.create(username="first")
        with pytest.raises(ZeroDivisionError):
            write_and_fail("second")
        User.objects.create(username="third")

    assert names() == ["first", "third"]
