"""Checking the password of an event, with a limit on wrong attempts for each event and client network."""

from __future__ import annotations

from typing import Any, Protocol

from django.conf import settings
from django.utils.crypto import constant_time_compare

from calendar_site.api.throttles import LimitExceeded
from calendar_site.core.http.client_address import client_network
from calendar_site.core.types import HasId
from calendar_site.limits.rates import Rate, Usage, count_use, read_usage
from calendar_site.limits.stores import shared_store


class ProtectedEvent(HasId, Protocol):
    """An event, or a row of its columns."""

    @property
    def password(self) -> str: ...


def check_password(event: ProtectedEvent, password: str, request: Any) -> bool:
    """Return whether this is the event's password. Raises LimitExceeded after too many wrong ones.

    `request` is Django's or Django REST framework's. One query if there is a password, and four more if it is wrong.
    """
    if not password:
        return False
    rate = Rate.parse(settings.THROTTLE_EVENT_PASSWORD)
    store, key = shared_store(), f"event_password:{event.id}:{client_network(request) or ''}"
    _raise_if_exceeded(read_usage(store, key, rate))
    if constant_time_compare(event.password, password):
        return True
    _raise_if_exceeded(count_use(store, key, rate))
    return False


def _raise_if_exceeded(usage: Usage) -> None:
    if usage.is_exceeded:
        raise LimitExceeded(usage)
