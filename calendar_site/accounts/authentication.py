"""Authentication of API requests: an application password by Basic or Bearer, or the admin session."""

from __future__ import annotations

import base64
from typing import Any, ClassVar

from django.conf import settings
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _
from rest_framework import authentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.services import find_application_password, record_use
from calendar_site.accounts.sign_in.lockout import authenticate_account_password
from calendar_site.api.errors import IncorrectPassword, InvalidNonce
from calendar_site.core.http.client_address import client_address

CHALLENGE = 'Basic realm="Event calendar API"'
MAX_HEADER_LENGTH = 1000

AuthResult = tuple[User, ApplicationPassword | None]
# The security schemes of OpenAPI by their names.
SecuritySchemes = dict[str, dict[str, Any]]


class HeaderAuthentication(authentication.BaseAuthentication):
    """Authentication by the `Authorization` header.

    A request with another scheme or a malformed header is anonymous; well-formed credentials must be correct.
    """

    scheme: ClassVar[str]
    description: ClassVar[Any]

    def security_schemes(self, method: str) -> SecuritySchemes:
        """Return the security schemes of a request with `method`, for the OpenAPI document."""
        return {self.scheme: {"type": "http", "scheme": self.scheme, "description": self.description}}

    def authenticate(self, request: Request) -> AuthResult | None:
        header = request.META.get("HTTP_AUTHORIZATION", "").strip()
        scheme, _blank, credentials = header.partition(" ")
        if scheme.lower() != self.scheme:
            return None
        if len(header) > MAX_HEADER_LENGTH:
            raise incorrect_password_error()
        return self.authenticate_credentials(request, credentials.strip())

    def authenticate_credentials(self, request: Request, credentials: str) -> AuthResult | None:
        """Return the user and application password, None for malformed credentials. Raises IncorrectPassword."""
        raise NotImplementedError

    def authenticate_header(self, request: Request) -> str:
        return CHALLENGE


class BasicAuthentication(HeaderAuthentication):
    """Authentication by username and application password, or the account password if the setting allows it."""

    scheme = "basic"
    description = _("The username of an account with one of its application passwords.")

    def authenticate_credentials(self, request: Request, credentials: str) -> AuthResult | None:
        pair = parse_basic(credentials)
        if pair is None:
            return None
        username, secret = User.normalize_username(pair[0]), pair[1]
        # Look up by the secret, so that an unknown username takes the same query and time as a wrong secret.
        password = find_application_password(secret)
        if password is not None and any(constant_time_compare(name, username) for name in self.names_of(password.user)):
            return accept_application_password(password, request)
        if settings.API_ALLOW_ACCOUNT_PASSWORD:
            user = authenticate_account_password(request.META, username, secret)
            if user is not None:
                return user, None
        raise incorrect_password_error()

    def names_of(self, user: User) -> tuple[str, ...]:
        """Return the names by which the user may sign in."""
        return (user.username,)


class BearerAuthentication(HeaderAuthentication):
    """Authentication by an application password alone."""

    scheme = "bearer"
    description = _("An application password, without a username.")

    def authenticate_credentials(self, request: Request, credentials: str) -> AuthResult | None:
        if not credentials:
            return None
        password = find_application_password(credentials)
        if password is None:
            raise incorrect_password_error()
        return accept_application_password(password, request)


class SessionAuthentication(authentication.SessionAuthentication):
    """Authentication by the admin session; writes need the CSRF token.

    The check applies to the method after an override, so a POST that is handled as a DELETE needs the token too.
    """

    def security_schemes(self, method: str) -> SecuritySchemes:
        """Return the security schemes of a request with `method`, for the OpenAPI document."""
        session = {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": _("The session of a user who is signed in to the admin."),
        }
        token = {
            "type": "apiKey",
            "in": "header",
            "name": "X-CSRFToken",
            "description": _("The CSRF token of that session, which is in the csrftoken cookie."),
        }
        return {"session": session} if method == "GET" else {"session": session, "csrf": token}

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        # Looking for the user takes as long as all other authentication.
        return super().authenticate(request) if settings.SESSION_COOKIE_NAME in request.COOKIES else None

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise InvalidNonce from error


def parse_basic(credentials: str) -> tuple[str, str] | None:
    """Parse the credentials of a Basic header into username and secret; None if they are malformed."""
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


def accept_application_password(password: ApplicationPassword, request: Request) -> AuthResult:
    """Record the use of the password, and return its user with the permissions in the scope of the password.

    Raises IncorrectPassword if the account is inactive, or the password has expired or is used from another network.
    """
    user = password.user
    if not user.is_active or not password.is_valid_for(client_address(request)):
        raise incorrect_password_error()
    record_use(password)
    user.scope = password.scope
    return user, password


def incorrect_password_error() -> IncorrectPassword:
    """Return the error for every kind of wrong credentials (D9)."""
    error = IncorrectPassword()
    error.headers["WWW-Authenticate"] = CHALLENGE
    return error
