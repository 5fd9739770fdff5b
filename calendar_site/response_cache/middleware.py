"""Sends stored responses, and stores new ones."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import cast

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.utils.http import http_date
from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.api.throttles import AnonymousThrottle, usage_headers
from calendar_site.core import clock
from calendar_site.core.clock import TimeUse, recorded_time_use
from calendar_site.core.http.client_address import client_network
from calendar_site.core.observability import metrics
from calendar_site.derived.content_version import Version, read_version
from calendar_site.limits.rates import Usage
from calendar_site.response_cache.conditional import is_shareable, respond_conditionally
from calendar_site.response_cache.entries import Entry
from calendar_site.response_cache.in_progress import ResponsesInProgress
from calendar_site.response_cache.lifetime import Timeline
from calendar_site.response_cache.requests import KEY_HEADERS, RequestKey, key_of
from calendar_site.response_cache.stores import ResponseStore

GetResponse = Callable[[HttpRequest], HttpResponse]

# The usage of the client's own rate limit.
CLIENT_HEADERS = {"ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "ratelimit-policy"}


def response_cache(get_response: GetResponse) -> GetResponse:
    """Send the stored response to a public request if there is one: one query. Store new ones: up to four queries."""
    if not settings.RESPONSE_CACHE_MB:
        return get_response
    cache = ResponseCache()

    def middleware(request: HttpRequest) -> HttpResponse:
        key = key_of(request)
        # A transaction may have changed rows that no other request sees.
        if key is None or connection.in_atomic_block:
            return get_response(request)
        with recorded_time_use() as use:
            response = respond(request, key, use, waits=True)
        if response is not None:
            return response
        # Another thread has made the response, which is looked up as for a new request.
        with recorded_time_use() as use:
            return cast("HttpResponse", respond(request, key, use, waits=False))

    def respond(request: HttpRequest, key: RequestKey, use: TimeUse, *, waits: bool) -> HttpResponse | None:
        """Return the response, stored or new. With `waits`, return None if another thread was making it, at its end."""
        version = _read_version()
        if version is None:
            return get_response(request)
        response = cache.find(request, key, version, use)
        if response is not None:
            metrics.response_cache.labels("hit").inc()
            return response
        if not waits:
            return make(request, key, version, use)
        if not cache.in_progress.begin(key, version):
            return None
        try:
            return make(request, key, version, use)
        finally:
            cache.in_progress.end(key, version)

    def make(request: HttpRequest, key: RequestKey, version: Version, use: TimeUse) -> HttpResponse:
        # All responses are made whole, so that they can be stored; the client's ETags are compared below.
        if_none_match = request.META.pop("HTTP_IF_NONE_MATCH", "")
        response = get_response(request)
        cache.keep(request, key, response, version, use)
        metrics.response_cache.labels("miss").inc()
        return respond_conditionally(response, if_none_match)

    return middleware


class ResponseCache:
    """The stored responses of this process, and what it knows about their lifetime."""

    def __init__(self) -> None:
        self.store = ResponseStore()
        self.in_progress = ResponsesInProgress()
        self.timeline = Timeline()

    def find(self, request: HttpRequest, key: RequestKey, version: Version, use: TimeUse) -> HttpResponse | None:
        """Return the stored response; None if there is none, or if the rate limit of the client is exceeded."""
        entry = self.store.get(key, version, use.started)
        if entry is None:
            return None
        request.stored_route = entry.route  # type: ignore[attr-defined] # for metrics
        response = respond_conditionally(entry.make_response(), request.META.get("HTTP_IF_NONE_MATCH", ""))
        usage: dict[str, str] = {}
        # A client that asks whether anything has changed costs nothing.
        if entry.is_counted and settings.THROTTLE_ANONYMOUS and response.status_code != HTTPStatus.NOT_MODIFIED:
            throttle = StoredResponseThrottle()
            # The view counts nothing for a client that has exceeded the limit.
            if not throttle.allow_request(cast("Request", request), None):
                return None
            usage = usage_headers([throttle.usage] if throttle.usage else [])
        for name, value in usage.items():
            response.headers[name] = value
        _share(response, entry.ends - use.started.timestamp())
        return response

    def keep(
        self, request: HttpRequest, key: RequestKey, response: HttpResponse, version: Version, use: TimeUse
    ) -> None:
        """Store the response, if no other content or time can have been part of it."""
        if use.is_exact or not _is_storable(response):
            return
        lifetime = self.timeline.lifetime(use, version)
        if lifetime.ends <= clock.now() or _read_version() != version:
            return
        if "Last-Modified" not in response:
            response["Last-Modified"] = http_date(lifetime.since.timestamp())
        entry = Entry(
            version,
            use.started.timestamp(),
            lifetime.ends.timestamp(),
            [(name, value) for name, value in response.items() if name.lower() not in CLIENT_HEADERS],
            response.content,
            request.resolver_match.route if request.resolver_match else None,
            isinstance(response, Response),
        )
        _share(response, entry.ends - entry.started)
        if entry.size <= self.store.max_entry_bytes:
            self.store.put(key, entry)


class StoredResponseThrottle(AnonymousThrottle):
    """Counts requests for stored responses, whose clients have sent no credentials."""

    def get_client(self, request: Request) -> str | None:
        return client_network(request) or ""

    def _count(self, request: Request, usage: Usage, count: Callable[[], Usage]) -> Usage:
        # The response is known: it is not a 304.
        return count()


def _read_version() -> Version | None:
    try:
        return read_version()
    except DatabaseError:
        # Responses that need no database are still sent; others report the error.
        return None


def _is_storable(response: HttpResponse) -> bool:
    vary = {name.strip().lower() for name in response.get("Vary", "").split(",") if name.strip()}
    return is_shareable(response) and "ETag" in response and vary <= KEY_HEADERS


def _share(response: HttpResponse, seconds_left: float) -> None:
    """Allow shared caches such as CDNs to send the response without asking, if the settings say so."""
    if settings.SHARED_CACHE_SECONDS and response.get("Cache-Control") == "no-cache":
        seconds = int(max(0, min(settings.SHARED_CACHE_SECONDS, seconds_left)))
        response["Cache-Control"] = f"public, max-age=0, s-maxage={seconds}"
