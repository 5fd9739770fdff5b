"""Wrong passwords are counted, and after too many none is looked at for a while.

They are counted by Axes, in the database: all processes share it, and what is counted outlives them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.signals import user_login_failed
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.exceptions import Throttled
from rest_framework.throttling import BaseThrottle

from calendar_site.accounts.models import User
from calendar_site.accounts.second_factor import has_second_factor, is_required_of

# What somebody with one address of version 6 can choose from at will.
NETWORK_BITS = 64
LONGEST_NAME = User._meta.get_field("username").max_length or 0


class ProgramRequest(HttpRequest):
    """What is known of a program that signs in by the password of an account. Its body stays unread."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__()
        self.META = request.META


class WrongPasswords(AxesDatabaseHandler):
    """Counts by name and address together, by name, and by address, each with a limit of its own.

    Axes knows one limit for everything it counts by. So its question how often somebody failed is answered by
    whether that was too often, and its limit is 1.
    """

    def get_failures(self, request: Any, credentials: dict[str, Any] | None = None) -> int:
        return 0 if self.locked_until(request, credentials) is None else 1

    def locked_until(self, request: Any, credentials: dict[str, Any] | None = None) -> datetime | None:
        """When the next password will be looked at, None for at once. Costs up to three queries."""
        ends = [_end(attempts, limit) for attempts, limit in _counted(request, credentials)]
        return max(filter(None, ends), default=None)

    def reset_user_attempts(self, request: Any, credentials: dict[str, Any] | None = None) -> int:
        """Who signs in has their own failures forgotten, not those of others at their address: else whoever has
        an account could go on guessing the passwords of others.
        """
        name, address = counted_name(request, credentials), request.axes_ip_address
        return AccessAttempt.objects.filter(username=name, ip_address=address).delete()[0]


def _counted(request: Any, credentials: dict[str, Any] | None) -> Iterator[tuple[QuerySet[AccessAttempt], int]]:
    name, address = counted_name(request, credentials), request.axes_ip_address
    recent = AccessAttempt.objects.filter(attempt_time__gt=request.axes_attempt_time - settings.AXES_COOLOFF_TIME)
    yield recent.filter(username=name, ip_address=address), settings.SIGN_IN_TRIES
    # Those whose addresses nobody knows are no group.
    if address is not None:
        yield recent.filter(ip_address=address), settings.SIGN_IN_TRIES_BY_ADDRESS
    # A program is never stopped by what strangers do elsewhere in its name.
    if not isinstance(request, ProgramRequest):
        yield recent.filter(username=name), settings.SIGN_IN_TRIES_BY_NAME


def _end(attempts: QuerySet[AccessAttempt], limit: int) -> datetime | None:
    """When fewer attempts than `limit` will be left that count, None if that is so now."""
    count = 0
    newest_first = attempts.order_by("-attempt_time").values_list("attempt_time", "failures_since_start")
    for moment, failures in newest_first[:limit]:
        count += failures
        if count >= limit:
            return moment + settings.AXES_COOLOFF_TIME
    return None


def client_address(request: HttpRequest) -> str | None:
    """Whom a request comes from, as the limits of the API see it; None where that is no address.

    Of version 6 the network: who has one address has all of it.
    """
    try:
        address = ip_address(BaseThrottle().get_ident(request) or "")  # type: ignore[arg-type] # it reads META alone
    except ValueError:
        return None
    match address:
        case IPv6Address(ipv4_mapped=IPv4Address() as mapped):
            return str(mapped)
        case IPv6Address():
            return str(ip_network((address.packed, NETWORK_BITS), strict=False).network_address)
    return str(address)


def counted_name(_request: Any, credentials: dict[str, Any] | None) -> str:
    """The name under which a wrong password is counted: one that no account can have may be of any length."""
    return ((credentials or {}).get("username") or "")[:LONGEST_NAME]


def seconds_to_wait(request: Any, credentials: dict[str, Any] | None) -> int:
    """How long no password will be looked at, 1 at the least."""
    end = WrongPasswords().locked_until(request, credentials)
    return max(1, round((end - timezone.now()).total_seconds())) if end else 1


def count_as_wrong(request: HttpRequest, username: str) -> None:
    """For a right password that opens nothing: what is not counted would tell that it is right."""
    user_login_failed.send(sender=__name__, credentials={"username": username}, request=request)


def is_own_password(request: HttpRequest, password: str) -> bool:
    """Whether this is the password of who is signed in, asked for once more. Wrong ones count, as at the door."""
    user: Any = request.user
    return authenticate(request, username=user.get_username(), password=password) == user


def find_by_account_password(request: HttpRequest, username: str, password: str) -> User | None:
    """The user of this name if it is their password; for programs. Raises Throttled after too many wrong ones."""
    if "\0" in username:
        return None
    asking: Any = ProgramRequest(request)
    # Django's backend hashes for unknown names too.
    user = authenticate(asking, username=username, password=password)
    if isinstance(user, User):
        if not has_second_factor(user) and not is_required_of(user):
            return user
        # A program has no second factor, so that here this is no right password.
        count_as_wrong(asking, username)
    if asking.axes_locked_out:
        raise Throttled(seconds_to_wait(asking, {"username": username}))
    return None
