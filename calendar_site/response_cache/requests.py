"""The parts of public requests that responses depend on, in addition to the content and the time."""

from __future__ import annotations

import re
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest

from calendar_site.core.http.accept_language import preferred_language
from calendar_site.core.http.public_requests import is_public
from calendar_site.response_cache.compression import choose_encoding

MAX_URL_LENGTH = 2000
# Requests from all these origins get the same headers.
ORDINARY_ORIGIN = re.compile(r"null|https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?")


class RequestKey(NamedTuple):
    """The parts of a request that a response depends on. Responses with a `Vary` on another header are not stored."""

    method: str
    scheme: str
    host: str
    script_name: str
    path: str
    query: str
    encoding: str
    language: str
    has_origin: bool


# The headers that are in the key, and those that no public request has.
KEY_HEADERS = {"accept-encoding", "accept-language", "authorization", "cookie", "origin", "x-event-password"}


def key_of(request: HttpRequest) -> RequestKey | None:
    """Return the key of a public request, None if its response is not stored.

    Responses to requests with an event password have `no-store`, so these requests have no key.
    """
    meta = request.META
    path, query, origin = request.path_info, meta.get("QUERY_STRING", ""), meta.get("HTTP_ORIGIN", "")
    if (
        not is_public(request)
        or len(path) + len(query) > MAX_URL_LENGTH
        or (origin and not ORDINARY_ORIGIN.fullmatch(origin))
        or path.startswith(_file_paths())
    ):
        return None
    return RequestKey(
        request.method or "",
        request.scheme or "",
        meta.get("HTTP_HOST") or f"{meta.get('SERVER_NAME')}:{meta.get('SERVER_PORT')}",
        meta.get("SCRIPT_NAME", ""),
        path,
        query,
        choose_encoding(meta.get("HTTP_ACCEPT_ENCODING", "")),
        preferred_language(meta.get("HTTP_ACCEPT_LANGUAGE", "")),
        bool(origin),
    )


def _file_paths() -> tuple[str, ...]:
    """Return the beginnings of the paths of files, which need no query."""
    static = settings.STATIC_URL.removeprefix(settings.FORCE_SCRIPT_NAME or "").strip("/")
    return tuple(f"/{path}/" for path in (static, settings.MEDIA_PATH, settings.DOCS_PATH) if path)
