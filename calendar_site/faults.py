"""Faults outside the views: in the contract's shape at addresses of the API, as a page at all others."""

from __future__ import annotations

import logging
import re
import sys
import uuid
from collections.abc import Callable
from contextlib import suppress

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse

from calendar_site import pages
from calendar_site.api.errors import BodyTooLarge, ContractError, InternalError, UnreadableBody, error_body
from calendar_site.api.links import links_for
from calendar_site.content.transactions import is_lock_timeout

logger = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """For what Django refuses before any view: a host that is not ours, a path that is no text, a text too long."""
    if isinstance(exception, RequestDataTooBig):
        return too_large(request)
    if _is_api(request):
        return _answer(request, UnreadableBody())
    return pages.busy(request) if _is_about_a_turn(exception) else pages.bad_request(request, exception)


def too_large(request: HttpRequest) -> HttpResponse:
    if _is_api(request):
        return _answer(request, BodyTooLarge())
    return pages.too_large(request)


def server_error(request: HttpRequest) -> HttpResponse:
    if not _is_api(request):
        return pages.busy(request) if _is_about_a_turn(sys.exception()) else pages.server_error(request)
    error = InternalError(id=uuid.uuid4().hex)
    # Django logs the traceback; this is the line that leads from the id to it.
    logger.error("Error %s at %s", error.data["id"], request.path)
    return _answer(request, error)


class BusyPages:
    """Middleware: a write whose turn did not come is answered by a page. The API's views answer it themselves."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return pages.busy(request) if is_lock_timeout(exception) else None


def _is_about_a_turn(fault: BaseException | None) -> bool:
    """Whether a turn to write did not come where no view is left to say so: sessions are saved behind them all."""
    while fault is not None and not is_lock_timeout(fault):
        # Sessions take any fault of the database for a session that is gone.
        fault = fault.__context__
    return fault is not None


def _answer(request: HttpRequest, error: ContractError) -> HttpResponse:
    response = JsonResponse(error_body(error), status=error.status_code)
    # A refused host is not repeated.
    with suppress(DisallowedHost):
        response["Link"] = links_for(request).way_in
    return response


def _is_api(request: HttpRequest) -> bool:
    return bool(re.match(settings.CORS_URLS_REGEX, request.path_info))
