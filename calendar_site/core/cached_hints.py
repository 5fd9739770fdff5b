"""Small values in Django's cache that the service can do without: hints for editors, for example."""

from __future__ import annotations

import logging
from typing import Any

from django.core.cache import cache

from calendar_site.core.circuit_breaker import CircuitBreaker

logger = logging.getLogger(__name__)

# After an error, requests do without hints for so long: each attempt may take a second.
PAUSE_SECONDS = 10
_breaker = CircuitBreaker(PAUSE_SECONDS)


def read_hint(key: str, default: Any = None) -> Any:
    """Return the value of a hint; the default if there is none, or if the cache fails."""
    if not _breaker.allows_attempt():
        return default
    try:
        value = cache.get(key, default)
    except Exception as error:
        _record_failure(error)
        return default
    _breaker.record_success()
    return value


def write_hint(key: str, value: Any, seconds: int) -> None:
    """Keep a hint for so many seconds, unless the cache fails."""
    if not _breaker.allows_attempt():
        return
    try:
        cache.set(key, value, seconds)
    except Exception as error:
        _record_failure(error)
    else:
        _breaker.record_success()


def _record_failure(error: Exception) -> None:
    _breaker.record_failure()
    logger.warning("No hints for %s s, because the cache does not respond: %s", PAUSE_SECONDS, error)
