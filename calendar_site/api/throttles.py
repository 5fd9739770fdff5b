"""Request throttling, off unless the settings name a rate."""

import logging
from typing import Any

from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle

logger = logging.getLogger(__name__)


class FailOpenThrottle(SimpleRateThrottle):
    """Allows requests that cannot be counted: without its cache, the service still works."""

    def allow_request(self, request: Request, view: Any) -> bool:
        try:
            return super().allow_request(request, view)
        except RedisError as error:
            logger.warning("A request was not counted: %s", error)
            return True


class AnonymousThrottle(FailOpenThrottle, AnonRateThrottle):
    """Counts anonymous requests by IP address."""


class UserThrottle(FailOpenThrottle, UserRateThrottle):
    """Counts authenticated requests by user."""

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        return super().get_cache_key(request, view) if request.user.is_authenticated else None
