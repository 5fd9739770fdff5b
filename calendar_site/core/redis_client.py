"""Connections to the Redis server that REDIS_URL names."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from calendar_site.core.circuit_breaker import CircuitBreaker

logger = logging.getLogger(__name__)

# An unreachable server must not delay responses.
TIMEOUT_SECONDS = 1
# After an error, requests do without Redis for so long.
PAUSE_SECONDS = 10


def redis_client(*, wait_seconds: int = 0, timeout: float = TIMEOUT_SECONDS) -> Redis:
    """Return the client of this process, which gives up after a second without trying again.

    For a command that waits in the server, pass how long it waits; for one that is not worth a second, a shorter
    `timeout`. Commands raise RedisError.
    """
    return _client(settings.REDIS_URL, wait_seconds, timeout)


@cache
def _client(url: str, wait_seconds: int, timeout: float) -> Redis:
    # One connection pool per process.
    return Redis.from_url(
        url,
        socket_connect_timeout=timeout,
        socket_timeout=wait_seconds + timeout,
        retry=Retry(NoBackoff(), 0),
    )


class RedisPaused(RedisError):
    """Redis has just failed, and is not asked yet again."""


class GuardedRedis:
    """Redis for requests, which do without it for PAUSE_SECONDS after an error instead of waiting for it again."""

    def __init__(self, consequence: str, *, timeout: float = TIMEOUT_SECONDS) -> None:
        """Describe in `consequence`, for the log, what happens while Redis fails."""
        self._consequence, self._timeout = consequence, timeout
        self._breaker = CircuitBreaker(PAUSE_SECONDS)

    @contextmanager
    def client(self) -> Iterator[Redis]:
        """Yield the client for some commands, and log their errors. Raises RedisPaused during a pause."""
        if not self._breaker.allows_attempt():
            raise RedisPaused("Redis has just failed.")
        try:
            yield redis_client(timeout=self._timeout)
        except RedisError as error:
            self._breaker.record_failure()
            logger.warning("%s for %s s, because Redis does not respond: %s", self._consequence, PAUSE_SECONDS, error)
            raise
        self._breaker.record_success()


def guarded_redis() -> GuardedRedis:
    """Return what counters and notices to workers use: a request that needs both waits for at most one of them."""
    return _guarded_redis(settings.REDIS_URL)


@cache
def _guarded_redis(url: str) -> GuardedRedis:
    return GuardedRedis("Counters are not in Redis, and workers are not woken")
