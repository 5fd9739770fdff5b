"""Checking the password of an event, with a limit on wrong attempts for each event and client IP address."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.utils.crypto import constant_time_compare
from redis.exceptions import RedisError
from rest_framework.exceptions import Throttled

from calendar_site.api.throttles import FailOpenThrottle
from events.models import Event


class PasswordThrottle(FailOpenThrottle):
    """A throttle that counts the wrong passwords that one client IP address sends for one event."""

    scope = "event_password"
    # In seconds; the stubs leave it out.
    duration: int

    def __init__(self, event: Event) -> None:
        self.event = event
        # `allow_request` leaves this empty if the cache does not respond.
        self.history: list[float] = []
        self.now = self.timer()
        super().__init__()

    def get_cache_key(self, request: Any, view: Any) -> str:
        return self.cache_format % {"scope": self.scope, "ident": f"{self.event.pk}_{self.get_ident(request)}"}

    def throttle_success(self) -> bool:
        # An attempt counts only once it turns out to be wrong.
        return True

    def count_failure(self) -> None:
        with suppress(RedisError):
            self.cache.set(self.key, [self.now, *self.history], self.duration)


def check_password(event: Event, password: str, request: Any) -> bool:
    """Return whether this is the event's password. Raises Throttled after too many wrong ones.

    `request` is Django's or Django REST framework's.
    """
    throttle = PasswordThrottle(event)
    if not throttle.allow_request(request, None):
        raise Throttled(throttle.wait())
    is_right = bool(password) and constant_time_compare(event.password, password)
    if password and not is_right and throttle.rate:
        throttle.count_failure()
    return is_right
