"""The stores of counters: each counts in periods, and all requests together use one counter."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from calendar_site.core.redis_client import GuardedRedis, RedisPaused, redis_client
from calendar_site.limits import stores
from calendar_site.limits.models import Counter
from calendar_site.limits.rates import Rate, count_use, read_usage
from calendar_site.limits.stores import MAX_DELETED, CacheStore, DatabaseStore, request_store, shared_store
from tests.support import limits

RATE = Rate(2, 60)


@pytest.fixture(params=["cache", *limits.SHARED_STORES])
def counter_store(request, settings, db, empty_cache):
    if request.param == "cache":
        yield CacheStore()
        return
    with limits.shared_store(request.param, settings):
        yield shared_store()


def test_uses_are_counted_until_the_limit(counter_store):
    usages = [read_usage(counter_store, "key", RATE), *(count_use(counter_store, "key", RATE) for _ in range(3))]
    usages.append(read_usage(counter_store, "key", RATE))

    assert [(usage.used, usage.remaining, usage.is_exceeded) for usage in usages] == [
        (0, 2, False),
        (1, 1, False),
        (2, 0, False),
        (3, 0, True),
        (3, 0, True),
    ]
    assert all(0 < usage.seconds_left <= 60 for usage in usages)


def test_keys_are_counted_separately(counter_store):
    count_use(counter_store, "key", RATE)

    assert count_use(counter_store, "other", RATE).used == 1


@pytest.mark.parametrize("counter_store", ["cache", "database"], indirect=True)
def test_all_uses_expire_at_the_end_of_the_period(counter_store, time_machine):
    time_machine.move_to("2030-01-15 12:00Z", tick=False)
    first = count_use(counter_store, "key", RATE)
    time_machine.move_to("2030-01-15 12:00:59Z", tick=False)
    last = count_use(counter_store, "key", RATE)
    time_machine.move_to("2030-01-15 12:01:00Z", tick=False)

    assert (last.used, last.ends_at) == (2, first.ends_at)
    assert read_usage(counter_store, "key", RATE).used == 0
    assert count_use(counter_store, "key", RATE) == (RATE, 1, last.ends_at + 60, False)


@pytest.mark.parametrize("counter_store", ["redis"], indirect=True)
def test_redis_removes_counters_by_itself(counter_store):
    count_use(counter_store, "key", RATE)

    (key,) = redis_client().keys(f"{stores.PREFIX}*")
    assert 0 < redis_client().pttl(key) <= 60_000


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
@pytest.mark.parametrize("counter_store", ["database", "redis"], indirect=True)
def test_parallel_uses_are_all_counted(counter_store):
    def use(_number):
        try:
            return count_use(counter_store, "key", RATE).used
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        counts = list(threads.map(use, range(20)))

    assert sorted(counts) == list(range(1, 21))


def test_new_counter_deletes_some_that_have_ended(db, time_machine):
    time_machine.move_to("2030-01-15 12:00Z", tick=False)
    for number in range(MAX_DELETED + 5):
        Counter.objects.create(key=f"old {number}", count=1, ends_at=number)
    Counter.objects.create(key="current", count=1, ends_at=2_000_000_000)

    count_use(DatabaseStore(), "new", RATE)
    after_first = set(Counter.objects.values_list("key", flat=True))
    count_use(DatabaseStore(), "new", RATE)

    assert after_first == {*(f"old {number}" for number in range(MAX_DELETED, MAX_DELETED + 5)), "current", "new"}
    assert set(Counter.objects.values_list("key", flat=True)) == after_first


def test_requests_are_counted_in_the_cache_or_in_redis(settings):
    settings.REDIS_URL = ""
    assert isinstance(request_store(), CacheStore)
    settings.REDIS_URL = limits.UNREACHABLE_REDIS_URL
    assert type(request_store()).__name__ == "RedisCounterStore"


def test_unreachable_redis_is_asked_once_in_ten_seconds(settings, db, caplog, monkeypatch):
    guard = GuardedRedis("Counters are not in Redis")
    monkeypatch.setattr(stores, "guarded_redis", lambda: guard)
    settings.REDIS_URL = limits.UNREACHABLE_REDIS_URL

    usages = [count_use(shared_store(), "key", RATE).used for _number in range(3)]
    with pytest.raises(RedisPaused):
        count_use(request_store(), "key", RATE)

    assert usages == [1, 2, 3]
    assert [message.partition(" Error")[0] for message in caplog.messages] == [
        "Counters are not in Redis for 10 s, because Redis does not respond:"
    ]
