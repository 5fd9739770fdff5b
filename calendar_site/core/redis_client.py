"""Connections to the Redis server that REDIS_URL names.

The library is imported where it is used: sites without Redis would spend 6 MB of memory on it in each process.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings

from calendar_site.core.circuit_breaker import CircuitBreaker

if TYPE_CHECKING:
    from redis import Redis

logger = logging.getLogger(__name__)

# An unreachable server must not delay responses.
TIMEOUT_SECONDS = 1
# After an error, requests do without Redis for so long.
PAUSE_SECONDS = 10


class RedisUnavailable(Exception):
    """Redis does not respond, or has reported an error."""


class RedisPaused(RedisUnavailable):
    """Redis has just failed, and is not asked yet again."""


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise RedisUnavailable instead of the errors of the library."""
    from redis.exceptions import RedisError

    try:
        yield
    except RedisError as error:
        raise RedisUnavailable(str(error)) from error


def redis_client(*, wait_seconds: int = 0, timeout: float = TIMEOUT_SECONDS) -> Redis:
    """Return the client of this process, which gives up after a second without trying again.

    For a command that waits in the server, pass how long it waits; for one that is not worth a second, a shorter
    `timeout`. Commands raise errors of the library; see `translated_errors()`.
    """
    return _client(settings.REDIS_URL, wait_seconds, timeout)


@cache
def _client(url: str, wait_seconds: int, timeout: float) -> Redis:
    from redis import Redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    # One connection pool per process.
    return Redis.from_url(
        url,
        socket_connect_timeout=timeout,
        socket_timeout=wait_seconds + timeout,
        retry=Retry(NoBackoff(), 0),
    )


class GuardedRedis:
    """Redis for requests, which do without it for PAUSE_SECONDS after an error instead of waiting for it again."""

    def __init__(self, consequence: str, *, timeout: float = TIMEOUT_SECONDS) -> None:
        """Describe in `consequence`, for the log, what happens while Redis fails."""
        self._consequence, self._timeout = consequence, timeout
        self._breaker = CircuitBreaker(PAUSE_SECONDS)

    @contextmanager
    def client(self) -> Iterator[Redis]:
        """Yield the client for some commands, and log their errors. Raises RedisUnavailable, also during a pause."""
        if not self._breaker.allows_attempt():
            raise RedisPaused("Redis has just failed.")
        try:
            with translated_errors():
                yield redis_client(timeout=self._timeout)
        except RedisUnavailable as error:
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
