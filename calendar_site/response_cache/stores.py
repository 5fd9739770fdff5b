"""The stores of responses: the memory of each process and, if REDIS_URL is set, Redis for all of them."""

from __future__ import annotations

import hashlib
import logging
from collections import OrderedDict
from contextlib import suppress
from datetime import datetime
from threading import Lock

from django.conf import settings

from calendar_site.core.redis_client import GuardedRedis, RedisUnavailable
from calendar_site.derived.content_version import Version
from calendar_site.response_cache.entries import Entry
from calendar_site.response_cache.fingerprint import fingerprint
from calendar_site.response_cache.requests import RequestKey

logger = logging.getLogger(__name__)

# The largest response takes at most this part of the memory.
MAX_SHARE = 8
PREFIX = "responses:"
# If Redis takes longer, the response is built again.
REDIS_TIMEOUT_SECONDS = 0.1


class MemoryStore:
    """The responses that were used last, up to a number of bytes. Threads share it."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._entries: OrderedDict[RequestKey, Entry] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: RequestKey, version: Version, present: datetime) -> Entry | None:
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or not entry.is_valid(version, present):
                return None
            self._entries.move_to_end(key)
            return entry

    def put(self, key: RequestKey, entry: Entry) -> None:
        with self._lock:
            self._remove(key)
            self._entries[key] = entry
            self._bytes += entry.size
            while self._bytes > self.max_bytes:
                self._remove(next(iter(self._entries)))

    def _remove(self, key: RequestKey) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= entry.size


class RedisResponseStore:
    """The responses of all processes with the same code and settings. An error costs a moment, and no response."""

    def __init__(self) -> None:
        self._redis = GuardedRedis("Responses are not shared", timeout=REDIS_TIMEOUT_SECONDS)

    def get(self, key: RequestKey, version: Version, present: datetime) -> Entry | None:
        try:
            with self._redis.client() as redis:
                data = redis.get(_name(key, version))
        except RedisUnavailable:
            return None
        if not isinstance(data, bytes):
            return None
        try:
            entry = Entry.parse(data)
        except (ValueError, TypeError, KeyError):
            logger.warning("Redis contains a stored response that cannot be read.")
            return None
        return entry if entry.is_valid(version, present) else None

    def put(self, key: RequestKey, entry: Entry) -> None:
        milliseconds = max(1, int((entry.ends - entry.started) * 1000))
        with suppress(RedisUnavailable), self._redis.client() as redis:
            redis.set(_name(key, entry.version), entry.serialize(), px=milliseconds)


class ResponseStore:
    """The memory of the process, then Redis if REDIS_URL is set."""

    def __init__(self) -> None:
        self._memory = MemoryStore(settings.RESPONSE_CACHE_MB * 1_000_000)
        self._shared = RedisResponseStore() if settings.REDIS_URL else None

    @property
    def max_entry_bytes(self) -> int:
        return self._memory.max_bytes // MAX_SHARE

    def get(self, key: RequestKey, version: Version, present: datetime) -> Entry | None:
        entry = self._memory.get(key, version, present)
        if entry is None and self._shared:
            entry = self._shared.get(key, version, present)
            if entry is not None:
                self._memory.put(key, entry)
        return entry

    def put(self, key: RequestKey, entry: Entry) -> None:
        self._memory.put(key, entry)
        if self._shared:
            self._shared.put(key, entry)


def _name(key: RequestKey, version: Version) -> str:
    text = "\n".join([fingerprint(), repr(version), *map(str, key)])
    return PREFIX + hashlib.blake2b(text.encode(errors="surrogateescape"), digest_size=20).hexdigest()
