"""The time at which a form was opened, signed: programs that fill in forms at once, or keep them, are refused."""

from __future__ import annotations

from datetime import timedelta

from django.core.signing import BadSignature, SignatureExpired, TimestampSigner

# People need longer, and programs that wait cost their sender time.
MIN_AGE = timedelta(seconds=3)
MAX_AGE = timedelta(hours=12)
_signer = TimestampSigner(salt="calendar_site.submissions.form")


def make_form_token() -> str:
    return _signer.sign("form")


def is_old_enough(token: str) -> bool:
    """Return whether a form with this token was opened between MAX_AGE and MIN_AGE ago."""
    try:
        _signer.unsign(token, max_age=MAX_AGE)
    except BadSignature:
        return False
    try:
        _signer.unsign(token, max_age=MIN_AGE)
    except SignatureExpired:
        return True
    return False
