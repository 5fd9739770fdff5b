"""Conditional requests for public responses (RFC 9110, section 13)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase

from calendar_site.api.preconditions import matches_etag
from calendar_site.core.http.public_requests import is_public

# Larger responses are neither hashed nor compressed: hashing takes 1 ms, compressing 10 to 40 ms for each megabyte.
MAX_BYTES = 10_000_000
# Headers of a body, which a 304 does not have.
BODY_HEADERS = {"content-type", "content-length", "content-encoding"}


def is_shareable(response: HttpResponseBase) -> bool:
    """Return whether a response to a public request may be sent to everybody."""
    directives = re.split(r"[\s,=]+", response.get("Cache-Control", "").lower())
    return (
        response.status_code == 200
        and isinstance(response, HttpResponse)
        and not response.cookies
        and not {"private", "no-store"} & set(directives)
    )


def add_validators(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Add an ETag to a public response, a hash of its body, and respond with 304 to clients that have this body."""
    if not (is_public(request) and is_shareable(response)) or not isinstance(response, HttpResponse):
        return response
    if len(response.content) > MAX_BYTES:
        return response
    if "ETag" not in response:
        # The fastest for long responses. Nobody gains from making two with the same hash.
        response["ETag"] = f'"{hashlib.sha1(response.content, usedforsecurity=False).hexdigest()}"'
    # Without it, caches guess from the modification time how long they may use the response.
    response.setdefault("Cache-Control", "no-cache")
    return respond_conditionally(response, request.META.get("HTTP_IF_NONE_MATCH", ""))


def respond_conditionally(response: HttpResponse, if_none_match: str) -> HttpResponse:
    """Return a 304 instead of the response if the client already has it."""
    etag = response.get("ETag", "")
    if not if_none_match or not etag or response.status_code != 200 or not matches_etag(if_none_match, etag):
        return response
    not_modified = make_not_modified(response.items())
    response.close()
    return not_modified


def make_not_modified(headers: Iterable[tuple[str, str]]) -> HttpResponse:
    """Return a 304 with the headers of the response that it stands for."""
    response = HttpResponseNotModified()
    for name, value in headers:
        if name.lower() not in BODY_HEADERS:
            response[name] = value
    return response
