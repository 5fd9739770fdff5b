"""Limits on the number of requests, off unless the settings name a rate."""

import logging
from typing import Any

from redis.exceptions import RedisError
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle

logger = logging.getLogger(__name__)


class LenientThrottle(SimpleRateThrottle):
    """While requests cannot be counted they are allowed: a lost cache must not take the calendar with it."""

    def allow_request(self, request: Any, view: Any) -> bool:
        try:
            return super().allow_request(request, view)
        except RedisError as error:
            logger.warning("A request was not counted: %s", error)
            return True


class AnonymousThrottle(LenientThrottle, AnonRateThrottle):
    """Counts requests without an account by address."""


class UserThrottle(LenientThrottle, UserRateThrottle):
    """Counts requests with an account by account; the others are the anonymous throttle's."""

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        return super().get_cache_key(request, view) if request.user.is_authenticated else None
