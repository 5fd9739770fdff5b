"""Signed tokens in links with which users set a password. Each is valid once, and for a limited time."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from calendar_site.accounts.models import User


class LinkTokens:
    """Creates and checks tokens in the way of Django's `PasswordResetTokenGenerator`, with a lifetime of their own.

    A token contains a digest of the state of the account. It becomes invalid with a new password, a sign-in, another
    email address, the end of all sessions, and a new invitation.
    """

    def __init__(self, url_name: str, max_age: timedelta) -> None:
        self.url_name = url_name
        self.max_age = max_age
        self._signer = TimestampSigner(salt=f"accounts.{url_name}", sep=".")

    def make_token(self, user: User) -> str:
        """Return a token that is valid from now on."""
        return self._signer.sign(_digest(user))

    def check_token(self, user: User | None, token: str | None) -> bool:
        """Return whether the token was created for this user and is still valid."""
        if user is None or not token or not user.is_active:
            return False
        try:
            digest = self._signer.unsign(token, max_age=self.max_age)
        except BadSignature:
            return False
        return constant_time_compare(digest, _digest(user))

    def make_path(self, user: User) -> str:
        """Return the path of the page that sets the password of this user."""
        return reverse(f"admin:{self.url_name}", args=self.make_arguments(user))

    def make_arguments(self, user: User) -> tuple[str, str]:
        """Return the arguments of the URL: the id of the user and a token."""
        return urlsafe_base64_encode(force_bytes(user.pk)), self.make_token(user)


def _digest(user: User) -> str:
    moments = (user.last_login, user.sessions_ended_at, user.invited_at)
    state = [str(user.pk), user.password, user.email, *(moment.isoformat() if moment else "" for moment in moments)]
    return hashlib.sha256("\n".join(state).encode()).hexdigest()


def invitation_end(invited_at: datetime) -> datetime:
    """Return when the link of an invitation expires."""
    return invited_at + INVITATIONS.max_age


INVITATIONS = LinkTokens("accept_invitation", timedelta(days=settings.INVITATION_DAYS))
PASSWORD_RESETS = LinkTokens("password_reset_confirm", timedelta(hours=settings.PASSWORD_RESET_HOURS))
