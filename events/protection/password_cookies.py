"""The cookie that lets a browser show an event again without asking for its password.

It holds a signed token for each event, separated by dots. A token is valid for one event, and until the password of
that event changes.
"""

from __future__ import annotations

import re
from datetime import timedelta

from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponse

from calendar_site.api.site_urls import root_path
from events.models import Event

# One cookie for the whole site: each language has its own URLs, and a cookie for each of them in one response is
# more than proxies accept.
COOKIE_NAME = "event_passes"
MAX_AGE = timedelta(days=7)
# The browser sends the cookie with every request, so its size is limited.
MAX_TOKENS = 8

# `<id of the event>:<time>:<signature>`
_TOKEN = re.compile(r"[0-9]{1,19}:[0-9A-Za-z]{1,9}:[-_0-9A-Za-z]{43}")


def has_password_cookie(request: HttpRequest, event: Event) -> bool:
    """Return whether the event's current password has been entered in this browser before."""
    return any(_is_for(event, token) and _is_valid(event, token) for token in _tokens(request))


def set_password_cookie(response: HttpResponse, request: HttpRequest, event: Event) -> None:
    """Add a token for the event to those that the browser has. The newest `MAX_TOKENS` are kept."""
    others = [token for token in _tokens(request) if _TOKEN.fullmatch(token) and not _is_for(event, token)]
    response.set_cookie(
        COOKIE_NAME,
        ".".join([_signer(event).sign(str(event.pk)), *others][:MAX_TOKENS]),
        max_age=MAX_AGE,
        path=f"{root_path(request)}/",
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def _tokens(request: HttpRequest) -> list[str]:
    return request.COOKIES.get(COOKIE_NAME, "").split(".")


def _is_for(event: Event, token: str) -> bool:
    return token.startswith(f"{event.pk}:")


def _is_valid(event: Event, token: str) -> bool:
    try:
        return _signer(event).unsign(token, max_age=MAX_AGE) == str(event.pk)
    except BadSignature:
        return False


def _signer(event: Event) -> TimestampSigner:
    # Another salt would invalidate the cookies that browsers have.
    return TimestampSigner(salt=f"events.access:{event.pk}:{event.password}")
