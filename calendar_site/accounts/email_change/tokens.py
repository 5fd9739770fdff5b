"""Signed tokens in links that confirm a new email address."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from django.core.signing import BadSignature, TimestampSigner
from django.utils.crypto import constant_time_compare

from calendar_site.accounts.models import PendingEmail, User
from calendar_site.core import clock

LIFETIME = timedelta(hours=24)
_signer = TimestampSigner(salt="accounts.email_change", sep=".")


def make_token(pending: PendingEmail) -> str:
    """Return the token of a link that confirms this address."""
    return _signer.sign(_digest(pending))


def find_pending_email(user: User, token: str) -> PendingEmail | None:
    """Return the new address of this user that the token confirms, None if the token is not valid.

    It becomes invalid with a new password and another address, and when a further address is entered.
    """
    try:
        digest = _signer.unsign(token, max_age=LIFETIME)
    except BadSignature:
        return None
    pending = PendingEmail.objects.select_related("user").filter(user=user.pk).first()
    return pending if pending and constant_time_compare(digest, _digest(pending)) else None


def expired_before() -> datetime:
    """Return the moment before which a new address was entered if its link has expired."""
    return clock.now() - LIFETIME


def _digest(pending: PendingEmail) -> str:
    user = pending.user
    state = (str(user.pk), user.password, user.email, pending.email, pending.requested_at.isoformat())
    return hashlib.sha256("\n".join(state).encode()).hexdigest()
