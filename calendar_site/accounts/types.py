"""Types for code that handles signed-in users."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest

from calendar_site.accounts.models import User


class UserRequest(HttpRequest):
    """A request to the admin, which anonymous users do not reach."""

    user: User


def get_user(request: HttpRequest) -> User:
    """Return the user of a request to the admin, which anonymous users do not reach."""
    return cast("User", request.user)
