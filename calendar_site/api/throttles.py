"""Request throttling, off unless the settings name a rate."""

import logging
from typing import Any

from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle

from calendar_site.core.client_address import client_network

logger = logging.getLogger(__name__)


class FailOpenThrottle(SimpleRateThrottle):
    """A throttle that allows requests that it cannot count, so that the service works without its cache."""

    def get_ident(self, request: Request) -> str:
        return client_network(request) or ""

    def allow_request(self, request: Request, view: Any) -> bool:
        try:
            return super().allow_request(request, view)
        except RedisError as error:
            logger.warning("Could not count a request for throttling: %s", error)
            return True


class AnonymousThrottle(FailOpenThrottle, AnonRateThrottle):
    """A throttle that counts anonymous requests by IP address."""


class UserThrottle(FailOpenThrottle, UserRateThrottle):
    """A throttle that counts authenticated requests by user."""

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        return super().get_cache_key(request, view) if request.user.is_authenticated else None
