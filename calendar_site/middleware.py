"""Middleware for every request, before authentication and views."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from calendar_site.audit.models import Channel
from calendar_site.audit.recorder import recorded_via
from calendar_site.back_office.paths import is_admin_path
from calendar_site.pages import error_handlers

GetResponse = Callable[[HttpRequest], HttpResponse]


def force_utf8(get_response: GetResponse) -> GetResponse:
    """Decode queries and forms as UTF-8, whatever charset the request names: some charsets do not decode to text."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.encoding = "utf-8"
        return get_response(request)

    return middleware


def limit_body_size(get_response: GetResponse) -> GetResponse:
    """Refuse bodies over UPLOAD_LIMIT, before the CSRF check parses a form and stores its files.

    Django limits only what is not a file. `wsgi_bodies.py` has given chunked bodies a length.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if _content_length(request) > settings.UPLOAD_LIMIT:
            return error_handlers.too_large(request)
        return get_response(request)

    return middleware


def record_channel(get_response: GetResponse) -> GetResponse:
    """Record writes of this request as made in the admin or through the API. No other path writes."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with recorded_via(Channel.ADMIN if is_admin_path(request) else Channel.API):
            return get_response(request)

    return middleware


def _content_length(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        # Like Django, which then reads no body.
        return 0
