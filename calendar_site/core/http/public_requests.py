"""Public requests: everybody may send them, and everybody gets the same response."""

from __future__ import annotations

from urllib.parse import unquote

from django.http import HttpRequest

from calendar_site.core.http.admin_path import is_admin_path

# Headers other than cookies that identify a user, contain an event password, or set conditions that views evaluate.
PRIVATE_HEADERS = (
    "HTTP_AUTHORIZATION",
    "HTTP_X_EVENT_PASSWORD",
    "HTTP_IF_MATCH",
    "HTTP_IF_UNMODIFIED_SINCE",
    "HTTP_TRANSFER_ENCODING",
)


def is_public(request: HttpRequest) -> bool:
    """Return whether the request only reads, and everybody may get its response, unless the response forbids it.

    It can be repeated, and processed without writing to the database: only the admin saves sessions, and only a wrong
    password of an event is counted there.
    """
    meta = request.META
    return (
        request.method in ("GET", "HEAD")
        and not is_admin_path(request)
        and not meta.get("HTTP_COOKIE")
        and not any(name in meta for name in PRIVATE_HEADERS)
        and meta.get("CONTENT_LENGTH") in (None, "", "0")
        and "password" not in unquote(meta.get("QUERY_STRING", ""))
    )
