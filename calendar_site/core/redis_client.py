"""Connections to the Redis server that REDIS_URL names."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

# An unreachable server must not delay responses.
TIMEOUT_SECONDS = 1


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
