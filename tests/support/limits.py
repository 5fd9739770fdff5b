"""The stores of counters, for tests that apply to each of them."""

import os
import secrets
from contextlib import contextmanager

import pytest
from redis import Redis
from redis.exceptions import RedisError

from calendar_site.limits import stores

REDIS_URL = os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/0"
# No server listens on port 1.
UNREACHABLE_REDIS_URL = "redis://127.0.0.1:1/0"
SHARED_STORES = ("database", "redis", "unreachable redis")


@contextmanager
def shared_store(name, settings):
    """Make `name`, one of SHARED_STORES, the store of counters that processes share."""
    if name != "redis":
        settings.REDIS_URL = {"database": "", "unreachable redis": UNREACHABLE_REDIS_URL}[name]
        yield
        return
    redis = Redis.from_url(REDIS_URL, socket_connect_timeout=1)
    try:
        redis.ping()
    except RedisError:
        pytest.skip(f"There is no Redis server at {REDIS_URL}.")
    settings.REDIS_URL = REDIS_URL
    with pytest.MonkeyPatch.context() as patch:
        # A prefix of its own, because the server may have other data.
        patch.setattr(stores, "PREFIX", f"test-{secrets.token_hex(8)}:")
        yield
        keys = list(redis.scan_iter(f"{stores.PREFIX}*"))
        if keys:
            redis.delete(*keys)
    redis.close()
