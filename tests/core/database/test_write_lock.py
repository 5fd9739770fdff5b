"""The write lock: one write at a time, but for parallel ones, committed or rolled back as a whole."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event as Signal

import pytest
from django.db import IntegrityError, OperationalError, connection, connections

from calendar_site.accounts.models import User
from calendar_site.core.database.write_lock import lock_keys, try_lock_key, write_after, write_lock

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


@pytest.fixture
def other_write(in_thread):
    """Begins a write in another thread, which runs until the returned function is called."""
    ends = []

    def begin(*, keys=(), **options):
        begun, go_on = Signal(), Signal()

        def write():
            with write_lock(**options):
                lock_keys(keys)
                User.objects.create(username="other")
                begun.set()
                assert go_on.wait(30)

        done = in_thread(write)
        assert begun.wait(30)

        def end():
            go_on.set()
            done.result(timeout=30)

        ends.append(end)
        return end

    yield begin
    for end in ends:
        end()


def create_user(*, keys=(), **options):
    with write_lock(**options):
        lock_keys(keys)
        seen = usernames()
        User.objects.create(username="second")
        return seen


only_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time.")


@only_postgresql
def test_parallel_writes_do_not_wait_for_each_other(in_thread, other_write):
    end = other_write(parallel=True, keys=["a"])

    seen = in_thread(lambda: create_user(parallel=True, keys=["b"])).result(timeout=30)
    end()

    assert seen == []
    assert usernames() == ["other", "second"]


@pytest.mark.parametrize(("first", "second"), [(True, False), (False, True), (False, False)])
def test_write_and_parallel_write_wait_for_each_other(in_thread, other_write, first, second):
    end = other_write(parallel=first)

    waiting = in_thread(lambda: create_user(parallel=second))
    with pytest.raises(TimeoutError):
        waiting.result(timeout=0.3)
    end()

    assert waiting.result(timeout=30) == ["other"]


def test_parallel_writes_wait_for_the_same_key(in_thread, other_write):
    end = other_write(parallel=True, keys=["a", "b"])

    waiting = in_thread(lambda: create_user(parallel=True, keys=["b", "c"]))
    with pytest.raises(TimeoutError):
        waiting.result(timeout=0.3)
    end()

    assert waiting.result(timeout=30) == ["other"]


@only_postgresql
def test_key_that_another_parallel_write_has_is_not_waited_for(other_write):
    other_write(parallel=True, keys=["a"])

    with write_lock(parallel=True):
        locked = [try_lock_key(key) for key in ("a", "b", "b")]

    assert locked == [False, True, True]


def test_write_that_does_not_wait_is_refused_at_once(other_write):
    other_write()

    with pytest.raises(OperationalError), write_lock(parallel=True, wait=False):
        pass


def test_parallel_write_contains_no_other_write():
    with write_lock(), write_lock(parallel=True), write_lock():
        pass
    with pytest.raises(RuntimeError), write_lock(parallel=True), write_lock():
        pass


@pytest.mark.parametrize(("is_other_parallel", "prepared"), [(True, 1), (False, 2)])
def test_parallel_write_is_prepared_again_only_after_other_kinds_of_writes(in_thread, is_other_parallel, prepared):
    calls = []

    def prepare():
        if not calls and connection.vendor == "sqlite":
            in_thread(lambda: create_user(parallel=is_other_parallel)).result(timeout=30)
        calls.append(usernames())
        return len(calls)

    if connection.vendor == "postgresql" and not is_other_parallel:
        pytest.skip("No such write can run meanwhile.")

    assert write_after(prepare, lambda count: count, parallel=True) == prepared


def test_parallel_write_is_prepared_without_the_lock_if_it_is_taken(in_thread, other_write):
    end = other_write()
    calls = []
    waiting = in_thread(lambda: write_after(lambda: calls.append(usernames()), lambda _none: None, parallel=True))
    with pytest.raises(TimeoutError):
        waiting.result(timeout=0.3)
    end()
    waiting.result(timeout=30)

    assert calls == [[], ["other"]]


def test_parallel_write_that_collides_is_repeated():
    attempts = []

    def write(number):
        attempts.append(number)
        if len(attempts) == 1:
            User.objects.create(username="lost")
            raise IntegrityError
        User.objects.create(username="kept")
        return number

    assert write_after(lambda: len(attempts), write, parallel=True) == 1
    assert usernames() == ["kept"]


def test_other_writes_that_collide_are_not_repeated():
    attempts = []

    def write(number):
        attempts.append(number)
        raise IntegrityError

    with pytest.raises(IntegrityError):
        write_after(lambda: None, write)
    assert len(attempts) == 1
