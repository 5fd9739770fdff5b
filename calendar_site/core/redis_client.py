"""Connections to the Redis server that REDIS_URL names."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

# An unreachable server must not delay responses.
TIMEOUT_SECONDS = 1


def redis_client(*, wait_seconds: int = 0) -> Redis:
    """Return the client of this process, which gives up after a second without trying again.

    For a command that waits in the server, pass how long it waits. Commands raise RedisError.
    """
    return _client(settings.REDIS_URL, wait_seconds)


@cache
def _client(url: str, wait_seconds: int) -> Redis:
    # One connection pool per process.
    return Redis.from_url(
        url,
        socket_connect_timeout=TIMEOUT_SECONDS,
        socket_timeout=wait_seconds + TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
