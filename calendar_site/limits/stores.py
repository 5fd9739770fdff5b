"""The stores of counters: Redis, the database or the cache.

Redis and the database are shared by all processes. The cache may be the memory of one process.
"""

from __future__ import annotations

from time import time
from typing import NamedTuple, Protocol, cast

from django.conf import settings
from django.core.cache import cache as default_cache
from django.db import connection, transaction

from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.redis_client import RedisUnavailable, guarded_redis, translated_errors
from calendar_site.limits.models import Counter

PREFIX = "limits:"
# How many ended counters a new one deletes, so that the table does not grow with the number of clients.
MAX_DELETED = 10


class CountedPeriod(NamedTuple):
    """The number of uses in the current period, and when it ends in Unix time."""

    used: int
    ends_at: float


class Store(Protocol):
    """Counts uses of a key. The first use begins a period, at whose end the count is 0 again."""

    def read(self, key: str) -> CountedPeriod | None:
        """Return the current period, None if there is none."""

    def increment(self, key: str, seconds: int) -> CountedPeriod:
        """Count a use, and return the current period. A new one has `seconds`."""


class DatabaseStore:
    """Counters in the database. A new counter deletes a few that have ended."""

    def read(self, key: str) -> CountedPeriod | None:
        row = Counter.objects.filter(pk=key, ends_at__gt=time()).values_list("count", "ends_at").first()
        return CountedPeriod(*row) if row else None

    def increment(self, key: str, seconds: int) -> CountedPeriod:
        now = time()
        # SQLite has a single writer, so a counter waits like other writes. PostgreSQL locks only the row.
        with write_lock(parallel=True) if connection.vendor == "sqlite" else transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(
                    """
                    INSERT INTO limits_counter (key, count, ends_at) VALUES (%s, 1, %s)
                    ON CONFLICT (key) DO UPDATE SET
                        count = CASE WHEN limits_counter.ends_at > %s THEN limits_counter.count + 1 ELSE 1 END,
                        ends_at = CASE WHEN limits_counter.ends_at > %s THEN limits_counter.ends_at
                                  ELSE excluded.ends_at END
                    RETURNING count, ends_at
                    """,
                    [key, now + seconds, now, now],
                )
                period = CountedPeriod(*cursor.fetchone())
            if period.used == 1:
                _delete_ended(now)
        return period


def _delete_ended(now: float) -> None:
    # Skip rows that other processes delete or increment, because two that wait for each other are a deadlock.
    ended = Counter.objects.filter(ends_at__lte=now).order_by("ends_at").select_for_update(skip_locked=True)
    Counter.objects.filter(pk__in=list(ended.values_list("pk", flat=True)[:MAX_DELETED])).delete()


class RedisCounterStore:
    """Counters in Redis, which removes them at the end of the period. Raises RedisUnavailable."""

    def read(self, key: str) -> CountedPeriod | None:
        with guarded_redis().client() as redis, redis.pipeline(transaction=True) as pipeline:
            pipeline.get(PREFIX + key)
            pipeline.pttl(PREFIX + key)
            count, milliseconds = pipeline.execute()
        return None if count is None else CountedPeriod(int(count), time() + milliseconds / 1000)

    def increment(self, key: str, seconds: int) -> CountedPeriod:
        name = PREFIX + key
        with guarded_redis().client() as redis, redis.pipeline(transaction=True) as pipeline:
            pipeline.set(name, 0, ex=seconds, nx=True)
            pipeline.incr(name)
            pipeline.pttl(name)
            _is_new, count, milliseconds = pipeline.execute()
        return CountedPeriod(int(count), time() + milliseconds / 1000)


class CacheStore:
    """Counters in Django's cache, for limits whose counting must not write to the database."""

    def read(self, key: str) -> CountedPeriod | None:
        ends_at = default_cache.get(f"{PREFIX}{key}:ends_at")
        count = default_cache.get(f"{PREFIX}{key}:{ends_at}")
        return None if ends_at is None or count is None else CountedPeriod(count, ends_at)

    def increment(self, key: str, seconds: int) -> CountedPeriod:
        # Not None, although the cache may have dropped the value at once: `get_or_set` returns the default then.
        ends_at = cast("float", default_cache.get_or_set(f"{PREFIX}{key}:ends_at", time() + seconds, seconds))
        counter = f"{PREFIX}{key}:{ends_at}"
        default_cache.add(counter, 0, seconds)
        try:
            return CountedPeriod(default_cache.incr(counter), ends_at)
        except ValueError:
            # The cache was full and has dropped the counter.
            return CountedPeriod(1, ends_at)


class RedisCacheStore(CacheStore):
    """Counters in Django's cache, if CACHE_URL names a Redis server. Raises RedisUnavailable."""

    def read(self, key: str) -> CountedPeriod | None:
        with translated_errors():
            return super().read(key)

    def increment(self, key: str, seconds: int) -> CountedPeriod:
        with translated_errors():
            return super().increment(key, seconds)


class FallbackStore:
    """Counters in Redis, and in the database while Redis does not respond: a limit must not disappear."""

    def __init__(self) -> None:
        self._first, self._second = RedisCounterStore(), DatabaseStore()

    def read(self, key: str) -> CountedPeriod | None:
        try:
            return self._first.read(key)
        except RedisUnavailable:
            return self._second.read(key)

    def increment(self, key: str, seconds: int) -> CountedPeriod:
        try:
            return self._first.increment(key, seconds)
        except RedisUnavailable:
            return self._second.increment(key, seconds)


def shared_store() -> Store:
    """Return the store of limits that all processes share: Redis if REDIS_URL is set, else the database."""
    return FallbackStore() if settings.REDIS_URL else DatabaseStore()


def request_store() -> Store:
    """Return the store that counts every request: Redis if REDIS_URL is set, else the cache."""
    if settings.REDIS_URL:
        return RedisCounterStore()
    is_redis = settings.CACHES["default"]["BACKEND"].endswith("RedisCache")
    return RedisCacheStore() if is_redis else CacheStore()
