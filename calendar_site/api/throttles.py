"""Limits on the number of requests, off unless the settings name a rate."""

from typing import Any

from rest_framework.throttling import AnonRateThrottle, UserRateThrottle


class AnonymousThrottle(AnonRateThrottle):
    """Counts requests without an account by address."""


class UserThrottle(UserRateThrottle):
    """Counts requests with an account by account; the others are the anonymous throttle's."""

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        return super().get_cache_key(request, view) if request.user.is_authenticated else None
