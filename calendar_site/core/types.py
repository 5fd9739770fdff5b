"""Types that packages share."""

from __future__ import annotations

from typing import Protocol

from django.contrib.auth.models import AbstractUser, AnonymousUser

# The sender of a request. Packages below `accounts` do not know its User.
AnyUser = AbstractUser | AnonymousUser


class HasId(Protocol):
    """A record, a revision of one, or a row of values with the id of its record."""

    @property
    def id(self) -> int: ...
