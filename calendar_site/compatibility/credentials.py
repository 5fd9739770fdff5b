"""The credentials that clients of the original send."""

from __future__ import annotations

from rest_framework.request import Request

from calendar_site.accounts.authentication import (
    AuthResult,
    BasicAuthentication,
    BearerAuthentication,
    SessionAuthentication,
)
from calendar_site.accounts.models import User
from calendar_site.api.errors import IncorrectPassword


class NameOrEmailAuthentication(BasicAuthentication):
    """Authentication by the username or the email address of an account."""

    def names_of(self, user: User) -> tuple[str, ...]:
        return tuple(filter(None, (user.username, user.email)))


class OptionalBearerAuthentication(BearerAuthentication):
    """Authentication by an application password; tokens of other services mean nothing, as in the original."""

    def authenticate_credentials(self, request: Request, credentials: str) -> AuthResult | None:
        try:
            return super().authenticate_credentials(request, credentials)
        except IncorrectPassword:
            return None


AUTHENTICATION = (NameOrEmailAuthentication, OptionalBearerAuthentication, SessionAuthentication)
