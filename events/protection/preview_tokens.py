"""The token in the link to the preview of an event that is not published yet."""

from __future__ import annotations

from datetime import timedelta

from django.core.signing import BadSignature, TimestampSigner

from events.models import Event

MAX_AGE = timedelta(days=7)
# Another salt would invalidate the links that were shared.
_SALT = "events.access.preview"


def make_preview_token(event: Event) -> str:
    """Return the token that opens the event's preview for `MAX_AGE`, for anyone who has it."""
    return TimestampSigner(salt=_SALT).sign(str(event.pk))


def read_preview_token(token: str) -> int | None:
    """Return the id of the event whose preview the token opens, None for a forged or expired token."""
    try:
        return int(TimestampSigner(salt=_SALT).unsign(token, max_age=MAX_AGE))
    except BadSignature:
        return None
