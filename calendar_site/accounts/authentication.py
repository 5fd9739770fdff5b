"""Who sends a request: an application password by Basic or Bearer, or the session of the admin."""

from __future__ import annotations

import base64
from typing import ClassVar

from django.conf import settings
from django.utils.crypto import constant_time_compare
from rest_framework import authentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from calendar_site.accounts.guessing import find_by_account_password
from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.services import find_application_password, record_use
from calendar_site.api.errors import IncorrectPassword, InvalidNonce

CHALLENGE = 'Basic realm="Event calendar API"'
HEADER_LIMIT = 1000

SignedIn = tuple[User, ApplicationPassword | None]


class HeaderAuthentication(authentication.BaseAuthentication):
    """An account by the header `Authorization`.

    Another scheme, or what cannot be read, is no account at all; what can be read must be right.
    """

    scheme: ClassVar[str]

    def authenticate(self, request: Request) -> SignedIn | None:
        header = request.META.get("HTTP_AUTHORIZATION", "").strip()
        scheme, _blank, credentials = header.partition(" ")
        if scheme.lower() != self.scheme:
            return None
        if len(header) > HEADER_LIMIT:
            raise incorrect_password()
        return self.sign_in(request, credentials.strip())

    def sign_in(self, request: Request, credentials: str) -> SignedIn | None:
        """Whose credentials these are, None if they cannot be read. Raises IncorrectPassword."""
        raise NotImplementedError

    def authenticate_header(self, request: Request) -> str:
        return CHALLENGE


class BasicAuthentication(HeaderAuthentication):
    """A user name with an application password; with the account's own only if the setting allows it."""

    scheme = "basic"

    def sign_in(self, request: Request, credentials: str) -> SignedIn | None:
        pair = read_basic(credentials)
        if pair is None:
            return None
        username, secret = User.normalize_username(pair[0]), pair[1]
        # Found by the secret: an unknown name costs the same query and the same time as a wrong secret.
        password = find_application_password(secret)
        if password is not None and constant_time_compare(password.user.username, username):
            return by_application_password(password)
        if settings.API_ALLOW_ACCOUNT_PASSWORD:
            user = find_by_account_password(request._request, username, secret)
            if user is not None:
                return user, None
        raise incorrect_password()


class BearerAuthentication(HeaderAuthentication):
    """An application password alone."""

    scheme = "bearer"

    def sign_in(self, request: Request, credentials: str) -> SignedIn | None:
        if not credentials:
            return None
        password = find_application_password(credentials)
        if password is None:
            raise incorrect_password()
        return by_application_password(password)


class SessionAuthentication(authentication.SessionAuthentication):
    """Whoever is signed in to the admin; writing needs the CSRF token.

    Looks at the method as the request is handled, so a POST that is overridden to DELETE needs it too.
    """

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise InvalidNonce from error


def read_basic(credentials: str) -> tuple[str, str] | None:
    """User name and secret of a Basic header, None if it is none."""
    try:
        raw = base64.b64decode(credentials, validate=True)
    except ValueError:
        return None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    username, colon, secret = text.partition(":")
    return (username, secret) if colon else None


def by_application_password(password: ApplicationPassword) -> SignedIn:
    """The password's user, if the account is active; records the use. Raises IncorrectPassword."""
    if not password.user.is_active:
        raise incorrect_password()
    record_use(password)
    return password.user, password


def incorrect_password() -> IncorrectPassword:
    """The one answer to every wrong credential (D9)."""
    error = IncorrectPassword()
    error.headers["WWW-Authenticate"] = CHALLENGE
    return error
