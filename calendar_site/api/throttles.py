"""Request throttling, off unless the settings name a rate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.exceptions import Throttled
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from calendar_site.core.http.client_address import client_network
from calendar_site.core.observability.repeated_faults import RepeatedFault
from calendar_site.core.redis_client import RedisUnavailable
from calendar_site.limits.rates import Rate, Usage, count_use, read_usage
from calendar_site.limits.stores import Store, request_store, shared_store

GetResponse = Callable[[HttpRequest], HttpResponse]

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
            self.usage = self._use(request, f"{self.setting}:{client}", Rate.parse(rate))
        except RedisUnavailable as error:
            # The server of CACHE_URL, or of REDIS_URL, whose failures are logged once in each pause as well.
            uncounted_requests.log(error)
            return True
        return not self.usage.is_exceeded

    def _use(self, request: Request, key: str, rate: Rate) -> Usage:
        """Count the request, unless it is one too many. Return the usage of the rate."""
        store = self.get_store()
        usage = read_usage(store, key, rate)
        return usage if usage.is_exceeded else self._count(request, usage, lambda: count_use(store, key, rate))

    def _count(self, request: Request, usage: Usage, count: Callable[[], Usage]) -> Usage:
        return count()

    def wait(self) -> float | None:
        return self.usage.seconds_left if self.usage else None


class AnonymousThrottle(RateThrottle):
    """A throttle that counts anonymous requests by client network."""

    setting = "THROTTLE_ANONYMOUS"

    def get_client(self, request: Request) -> str | None:
        return None if request.user.is_authenticated else client_network(request) or ""

    def _count(self, request: Request, usage: Usage, count: Callable[[], Usage]) -> Usage:
        """Leave the counting of a request with a condition to `count_changed_responses`."""
        if request.method not in SAFE_METHODS or not getattr(request._request, "has_condition", False):
            return count()
        request._request.late_count = count  # type: ignore[attr-defined]
        return usage


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


def count_changed_responses(get_response: GetResponse) -> GetResponse:
    """Count an anonymous request that asks whether a response has changed, unless it has not.

    Clients that ask often, instead of reading everything again, must not be the first that reach the limit.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        request.has_condition = "HTTP_IF_NONE_MATCH" in request.META  # type: ignore[attr-defined]
        response = get_response(request)
        count = getattr(request, "late_count", None)
        if count is not None and response.status_code != HTTPStatus.NOT_MODIFIED:
            try:
                usage = count()
            except RedisUnavailable as error:
                uncounted_requests.log(error)
            else:
                for name, value in usage_headers([usage]).items():
                    response.headers[name] = value
        return response

    return middleware


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
