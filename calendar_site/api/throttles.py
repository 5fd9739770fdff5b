"""Request throttling, off unless the settings name a rate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from django.conf import settings
from rest_framework.exceptions import Throttled
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from calendar_site.core.http.client_address import client_network
from calendar_site.core.observability.repeated_faults import RepeatedFault
from calendar_site.core.redis_client import RedisUnavailable
from calendar_site.limits.rates import Rate, Usage, count_use, read_usage
from calendar_site.limits.stores import Store, request_store, shared_store

uncounted_requests = RepeatedFault("Could not count a request for throttling")


class LimitExceeded(Throttled):
    """An error with the usage of the rate that was exceeded, for the headers of the response."""

    def __init__(self, usage: Usage) -> None:
        super().__init__(usage.seconds_left)
        self.usage = usage


class RateThrottle(BaseThrottle):
    """A throttle with the rate of a setting. Keeps the usage, for the headers of the response."""

    setting: ClassVar[str]
    usage: Usage | None = None

    def get_store(self) -> Store:
        return request_store()

    def get_client(self, request: Request) -> str | None:
        """Return what identifies the client in the counts, None if the throttle does not apply to the request."""
        raise NotImplementedError

    def allow_request(self, request: Request, view: Any) -> bool:
        rate = getattr(settings, self.setting)
        client = self.get_client(request) if rate else None
        if client is None:
            return True
        try:
            self.usage = self._count(f"{self.setting}:{client}", Rate.parse(rate))
        except RedisUnavailable as error:
            # That of CACHE_URL, or of REDIS_URL, whose failures are logged once in each pause as well.
            uncounted_requests.log(error)
            return True
        return not self.usage.is_exceeded

    def _count(self, key: str, rate: Rate) -> Usage:
        store = self.get_store()
        usage = read_usage(store, key, rate)
        return usage if usage.is_exceeded else count_use(store, key, rate)

    def wait(self) -> float | None:
        return self.usage.seconds_left if self.usage else None


class AnonymousThrottle(RateThrottle):
    """A throttle that counts anonymous requests by client network."""

    setting = "THROTTLE_ANONYMOUS"

    def get_client(self, request: Request) -> str | None:
        return None if request.user.is_authenticated else client_network(request) or ""


class UserThrottle(RateThrottle):
    """A throttle that counts authenticated requests by user."""

    setting = "THROTTLE_USER"

    def get_client(self, request: Request) -> str | None:
        return str(request.user.pk) if request.user.is_authenticated else None


class WriteThrottle(RateThrottle):
    """A throttle that counts requests that write. All processes share the count, because a write may be expensive."""

    def get_store(self) -> Store:
        return shared_store()

    def get_client(self, request: Request) -> str | None:
        return None if request.method in SAFE_METHODS else super().get_client(request)


class AnonymousWriteThrottle(WriteThrottle, AnonymousThrottle):
    setting = "THROTTLE_ANONYMOUS_WRITES"


class UserWriteThrottle(WriteThrottle, UserThrottle):
    setting = "THROTTLE_USER_WRITES"


def usage_headers(usages: Iterable[Usage]) -> dict[str, str]:
    """Return the `RateLimit-*` headers of the rate that will be exceeded first, and the policies of all rates."""
    usages = list(usages)
    if not usages:
        return {}
    first = min(usages, key=lambda usage: (usage.remaining, -usage.seconds_left))
    return {
        "RateLimit-Limit": str(first.rate.limit),
        "RateLimit-Remaining": str(first.remaining),
        "RateLimit-Reset": str(first.seconds_left),
        "RateLimit-Policy": ", ".join(f"{usage.rate.limit};w={usage.rate.seconds}" for usage in usages),
    }
