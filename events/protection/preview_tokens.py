"""The token in the link to the preview of an event that is not published yet."""

from __future__ import annotations

import re
from datetime import timedelta

from django.core.signing import BadSignature, TimestampSigner

from calendar_site.core.choices import Status
from events.models import Event

MAX_AGE = timedelta(days=7)
# `<id of the event>:<time>:<signature>`
_TOKEN = re.compile(r"([0-9]{1,18}):[0-9A-Za-z]{1,9}:[-_0-9A-Za-z]{43}")


def make_preview_token(event: Event) -> str:
    """Return the token that opens the event's preview, for anyone who has it.

    It is valid for `MAX_AGE`, until the event becomes private or gets another password, and until an editor revokes it.
    """
    return _signer(event).sign(str(event.pk))


def event_of_token(token: str) -> Event | None:
    """Return the event whose preview the token opens, None for a forged, revoked or expired token."""
    parts = _TOKEN.fullmatch(token)
    event = Event.objects.not_trashed().filter(pk=int(parts[1])).first() if parts else None
    try:
        return event if event and _signer(event).unsign(token, max_age=MAX_AGE) == str(event.pk) else None
    except BadSignature:
        return None


def _signer(event: Event) -> TimestampSigner:
    # A link that was shared while others could see the event must not open what has been withdrawn from them.
    is_private = event.status == Status.PRIVATE
    return TimestampSigner(salt=f"events.access.preview:{event.preview_version}:{is_private}:{event.password}")
