"""Middleware for every request, before authentication and views."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import perf_counter
from wsgiref.headers import Headers

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware

from calendar_site.audit.models import Channel
from calendar_site.audit.recorder import recorded_via
from calendar_site.core.http.admin_path import is_admin_path
from calendar_site.core.http.public_requests import is_public
from calendar_site.core.http.request_context import request_context, set_request_user
from calendar_site.core.http.security_headers import ADMIN_POLICY, DEFAULT_POLICY, PERMISSIONS_POLICY, docs_policy
from calendar_site.core.http.security_headers import HEADER as CSP_HEADER
from calendar_site.core.observability import metrics
from calendar_site.core.observability.access_log import log_response
from calendar_site.monitoring import health
from calendar_site.monitoring.metrics_page import metrics_page
from calendar_site.response_cache import compression
from calendar_site.response_cache.conditional import MAX_BYTES, add_validators, is_shareable
from calendar_site.website import error_handlers

MONITORING_PATHS = ("/livez", "/readyz", "/metrics")

# Shorter responses fit into a packet anyway.
MIN_COMPRESSED_BYTES = 200

GetResponse = Callable[[HttpRequest], HttpResponse]

# They run only if the built page contains them.
INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


class CompressionMiddleware(GZipMiddleware):
    """Compresses responses of MIN_COMPRESSED_BYTES to MAX_BYTES, if the client accepts it.

    Public responses are compressed in the encoding that the client prefers. Others may contain secrets, whose length
    `GZipMiddleware` hides (BREACH).
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if "Content-Encoding" in response or _response_length(response) > MAX_BYTES or _stays_plain(response):
            return response
        if isinstance(response, HttpResponse) and not MIN_COMPRESSED_BYTES <= len(response.content) <= MAX_BYTES:
            return response
        accepted = request.META.get("HTTP_ACCEPT_ENCODING", "")
        patch_vary_headers(response, ["Accept-Encoding"])
        if isinstance(response, HttpResponse) and is_public(request) and is_shareable(response):
            encoding = compression.choose_encoding(accepted)
            if encoding:
                compression.compress(response, encoding)
            return response
        return super().process_response(request, response) if compression.accepts_gzip(accepted) else response


def conditional_responses(get_response: GetResponse) -> Callable[[HttpRequest], HttpResponseBase]:
    """Add an ETag to public responses, and respond with 304 to clients that have the same response."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        return add_validators(request, get_response(request))

    return middleware


def _stays_plain(response: HttpResponseBase) -> bool:
    """Return whether it is a calendar, and the settings leave these uncompressed."""
    return not settings.CALENDAR_COMPRESSION and response.get("Content-Type", "").startswith("text/calendar")


def _response_length(response: HttpResponseBase) -> int:
    """Return the length of the content, 0 if it is unknown."""
    return len(response.content) if isinstance(response, HttpResponse) else int(response.get("Content-Length", "0"))


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """Middleware that serves static files, and the documentation if it was built before the service started.

    All other paths go to the URL patterns.
    """

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        if settings.DOCS_PATH:
            self.index_file = "index.html"
            self.add_headers_function = add_docs_headers
            self.add_files(settings.DOCS_ROOT, prefix=settings.DOCS_PATH)


def add_docs_headers(headers: Headers, path: str, url: str) -> None:
    """Add the headers that other middleware adds to pages of Django, for a file of the documentation."""
    if url.startswith(f"/{settings.DOCS_PATH}/"):
        scripts = INLINE_SCRIPT.findall(Path(path).read_bytes()) if path.endswith(".html") else []
        hashes = {base64.b64encode(hashlib.sha256(script).digest()).decode() for script in scripts}
        headers[CSP_HEADER] = docs_policy(hashes)
        headers["X-Frame-Options"] = settings.X_FRAME_OPTIONS


def security_headers(get_response: GetResponse) -> GetResponse:
    """Add the security headers that Django's middleware does not add, unless the view has set its own policy."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.setdefault(CSP_HEADER, ADMIN_POLICY if is_admin_path(request) else DEFAULT_POLICY)
        if is_admin_path(request):
            # Django leaves it out on the pages that change a password.
            response.setdefault("Cache-Control", "private, no-store")
        response.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response

    return middleware


def log_request(get_response: GetResponse) -> GetResponse:
    """Give the request an id, which is in the response and in each log line, and log it if ACCESS_LOG is on."""

    def middleware(request: HttpRequest) -> HttpResponse:
        start = perf_counter()
        with request_context(request) as context:
            response = get_response(request)
            response.headers["X-Request-ID"] = context.id
            seconds = perf_counter() - start
            if settings.ACCESS_LOG:
                log_response(context, response.status_code, seconds)
            if settings.METRICS_TOKEN:
                metrics.count_request(context, _route(request), response.status_code, seconds)
        return response

    return middleware


def _route(request: HttpRequest) -> str:
    """Return the URL pattern of the request, without the syntax of regular expressions."""
    if request.path_info in MONITORING_PATHS:
        return request.path_info
    stored_route = getattr(request, "stored_route", None)
    if stored_route is not None:
        return _readable_route(stored_route)
    if request.resolver_match is None:
        is_static = request.path_info.startswith(settings.STATIC_URL.removeprefix(settings.FORCE_SCRIPT_NAME or ""))
        return "static files" if is_static else "none"
    return _readable_route(request.resolver_match.route)


@cache
def _readable_route(pattern: str) -> str:
    path = pattern.replace(r"(?:/|\Z)", "/")
    path = re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)|<(?:\w+:)?(\w+)>", r"{\1\2}", path)
    return "/" + re.sub(r"\(\?:[^()]*\)|/\?|\\Z|[\^$]", "", path).lstrip("/")


def serve_monitoring(get_response: GetResponse) -> GetResponse:
    """Respond to health checks and to Prometheus, whatever the host, scheme, language and user of the request."""
    views: dict[str, GetResponse] = {"/livez": health.livez, "/readyz": health.readyz}
    if settings.METRICS_TOKEN:
        views["/metrics"] = metrics_page

    def middleware(request: HttpRequest) -> HttpResponse:
        view = views.get(request.path_info)
        return get_response(request) if view is None else view(request)

    return middleware


def force_utf8(get_response: GetResponse) -> GetResponse:
    """Decode queries and forms as UTF-8, whatever charset the request names: some charsets do not decode to text."""

    def middleware(request: HttpRequest) -> HttpResponse:
        # Only if the request names a charset: Django would parse its query twice.
        if request.encoding is not None:
            request.encoding = "utf-8"
        return get_response(request)

    return middleware


def limit_body_size(get_response: GetResponse) -> GetResponse:
    """Reject bodies over UPLOAD_LIMIT, before the CSRF check parses a form and stores its files.

    Django limits only the data that is not in files. `wsgi_adapter.py` has given chunked bodies a length.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if _content_length(request) > settings.UPLOAD_LIMIT:
            return error_handlers.too_large(request)
        return get_response(request)

    return middleware


def record_channel(get_response: GetResponse) -> GetResponse:
    """Record writes of this request as made in the admin or through the API. No other path writes anything.

    Log lines name the user of the admin.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if is_admin_path(request):
            # Views of the API do this once they have authenticated the user.
            set_request_user(request.user)
        with recorded_via(Channel.ADMIN if is_admin_path(request) else Channel.API):
            return get_response(request)

    return middleware


def _content_length(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        # Like Django, which then reads no body.
        return 0
