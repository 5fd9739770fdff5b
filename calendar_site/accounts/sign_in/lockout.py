"""Login throttling: after too many wrong passwords, no password is checked for a while.

Axes counts failures in the database, so that all processes share the counts and a restart keeps them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, cast

from axes.handlers.database import AxesDatabaseHandler
from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.signals import user_login_failed
from django.db.models import QuerySet
from django.http import HttpRequest
from rest_framework.exceptions import Throttled

from calendar_site.accounts.models import User
from calendar_site.accounts.sign_in.second_factor import has_second_factor, is_second_factor_required
from calendar_site.core import clock

MAX_USERNAME_LENGTH = User._meta.get_field("username").max_length or 0


class AxesRequest(HttpRequest):
    """A request with the attributes that Axes adds."""

    axes_ip_address: str | None
    axes_attempt_time: datetime
    axes_locked_out: bool | None


class APIRequest(AxesRequest):
    """An API request that authenticates with an account password, without its body, which Axes would read."""

    def __init__(self, meta: dict[str, Any]) -> None:
        super().__init__()
        self.META = meta


class LockoutHandler(AxesDatabaseHandler):
    """A handler that counts failures by username with IP address, by username, and by IP address, each with a limit.

    Axes supports a single limit. Therefore, `get_failures` returns 1 if any of these limits is reached, and the limit
    of Axes is 1.
    """

    def get_failures(self, request: AxesRequest, credentials: dict[str, Any] | None = None) -> int:
        return 0 if self.locked_until(request, credentials) is None else 1

    def locked_until(self, request: AxesRequest, credentials: dict[str, Any] | None = None) -> datetime | None:
        """Return when the lockout ends, None if there is none. Up to three queries."""
        ends = [_lockout_end(attempts, limit) for attempts, limit in _attempts_and_limits(request, credentials)]
        return max(filter(None, ends), default=None)

    def reset_user_attempts(self, request: AxesRequest, credentials: dict[str, Any] | None = None) -> int:
        """Delete the failures of a user who has signed in, and return their number.

        Failures of other users at the same IP address stay. Otherwise, anybody with an account could reset the count of
        the IP address and go on guessing the passwords of others.
        """
        username, ip = counted_username(request, credentials), request.axes_ip_address
        deleted, _by_model = AccessAttempt.objects.filter(username=username, ip_address=ip).delete()
        return int(deleted)


def _attempts_and_limits(
    request: AxesRequest, credentials: dict[str, Any] | None
) -> Iterator[tuple[QuerySet[AccessAttempt], int]]:
    username, ip = counted_username(request, credentials), request.axes_ip_address
    recent = AccessAttempt.objects.filter(attempt_time__gt=request.axes_attempt_time - settings.AXES_COOLOFF_TIME)
    yield recent.filter(username=username, ip_address=ip), settings.SIGN_IN_TRIES
    # Requests with unknown IP addresses have nothing in common.
    if ip is not None:
        yield recent.filter(ip_address=ip), settings.SIGN_IN_TRIES_BY_ADDRESS
    # An API client must not be locked out by strangers who try its username elsewhere.
    if not isinstance(request, APIRequest):
        yield recent.filter(username=username), settings.SIGN_IN_TRIES_BY_NAME


def _lockout_end(attempts: QuerySet[AccessAttempt], limit: int) -> datetime | None:
    """Return when the number of recent failures will drop below `limit`, None if it is below `limit` now."""
    count = 0
    newest_first = attempts.order_by("-attempt_time").values_list("attempt_time", "failures_since_start")
    for moment, failures in newest_first[:limit]:
        count += failures
        if count >= limit:
            end: datetime = moment + settings.AXES_COOLOFF_TIME
            return end
    return None


def counted_username(_request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Return the username that a failure is counted by, truncated to the maximum length of usernames."""
    return ((credentials or {}).get("username") or "")[:MAX_USERNAME_LENGTH]


def seconds_until_unlock(request: AxesRequest, credentials: dict[str, Any] | None) -> int:
    """Return the seconds until the next password will be checked, at least 1."""
    end = LockoutHandler().locked_until(request, credentials)
    return max(1, round((end - clock.now()).total_seconds())) if end else 1


def record_failed_login(request: HttpRequest, username: str) -> None:
    """Count a correct password that does not sign the user in: a missing failure would reveal that it is correct."""
    user_login_failed.send(sender=__name__, credentials={"username": username}, request=request)


def reset_failed_logins(request: HttpRequest, user: User) -> None:
    """Forget the wrong passwords for this user from this IP address, after another proof of who the user is."""
    AxesProxyHandler.update_request(request)
    LockoutHandler().reset_user_attempts(cast("AxesRequest", request), {"username": user.get_username()})


def check_own_password(request: HttpRequest, password: str) -> bool:
    """Return whether this is the password of the signed-in user. Wrong ones count as failed logins."""
    return authenticate(request, username=request.user.get_username(), password=password) == request.user


def authenticate_account_password(meta: dict[str, Any], username: str, password: str) -> User | None:
    """Return the user of an API request with these headers if the account password is correct.

    Raises Throttled while locked out.
    """
    if "\0" in username:
        return None
    api_request = APIRequest(meta)
    # Django's backend hashes the password for unknown names too.
    user = authenticate(api_request, username=username, password=password)
    if isinstance(user, User):
        if not has_second_factor(user) and not is_second_factor_required(user):
            return user
        # The API has no second factor, so the password alone is not enough.
        record_failed_login(api_request, username)
    if api_request.axes_locked_out:
        raise Throttled(seconds_until_unlock(api_request, {"username": username}))
    return None
