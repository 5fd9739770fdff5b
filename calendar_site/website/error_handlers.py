"""Errors outside the views: in the contract's shape for paths of the API, as an HTML page for all others."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress

from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse

from calendar_site.api.error_responses import response_body, to_contract_error
from calendar_site.api.errors import (
    BodyTooLarge,
    ContractError,
    InternalError,
    InvalidBody,
    Unavailable,
)
from calendar_site.api.site_urls import is_api_path, urls_for
from calendar_site.core.busy import ResourceBusy
from calendar_site.core.database.faults import find_unavailability, is_unavailable, unavailable_database
from calendar_site.core.database.write_lock import is_lock_timeout
from calendar_site.website import error_pages


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Respond to requests that Django itself rejects: an unknown host, an undecodable path, a body over the limit."""
    if isinstance(exception, RequestDataTooBig):
        return too_large(request)
    if is_api_path(request):
        return _error_response(request, to_contract_error(exception) or InvalidBody())
    if _has_lock_timeout_in_chain(exception):
        return error_pages.busy(request)
    return error_pages.bad_request(request, exception)


def too_large(request: HttpRequest) -> HttpResponse:
    if is_api_path(request):
        return _error_response(request, BodyTooLarge())
    return error_pages.too_large(request)


def server_error(request: HttpRequest) -> HttpResponse:
    """Respond to an exception outside of the views. Django logs it."""
    unavailability = find_unavailability(sys.exception())
    if unavailability is not None:
        return _unavailable(request, unavailability)
    if is_api_path(request):
        return _error_response(request, InternalError())
    if _has_lock_timeout_in_chain(sys.exception()):
        return error_pages.busy(request)
    return error_pages.server_error(request)


class DatabaseErrorMiddleware:
    """Middleware that responds with an error page to a lock timeout or an unavailable database in a view.

    Views of the API do so themselves.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if is_lock_timeout(exception) or isinstance(exception, ResourceBusy):
            return error_pages.busy(request)
        return _unavailable(request, exception) if is_unavailable(exception) else None


def _unavailable(request: HttpRequest, error: Exception) -> HttpResponse:
    unavailable_database.log(error)
    return _error_response(request, Unavailable()) if is_api_path(request) else error_pages.unavailable(request)


def _has_lock_timeout_in_chain(error: BaseException | None) -> bool:
    """Return whether a lock timeout caused the error: sessions are saved after all views, and report another error."""
    while error is not None and not is_lock_timeout(error):
        # The session backend treats every database error as a deleted session.
        error = error.__context__
    return error is not None


def _error_response(request: HttpRequest, error: ContractError) -> HttpResponse:
    response = JsonResponse(
        response_body(error),
        status=error.status_code,
        headers=error.headers,
        content_type="application/json; charset=utf-8",
    )
    # Do not repeat a rejected host in the response.
    with suppress(DisallowedHost):
        response["Link"] = urls_for(request).link_header
    return response
