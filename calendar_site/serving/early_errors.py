"""Errors of requests that do not reach Django: bodies that cannot be read, and paths outside of SCRIPT_NAME."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings

if TYPE_CHECKING:
    from calendar_site.api.errors import ContractError


class EarlyError(NamedTuple):
    """An error response."""

    status: int
    headers: dict[str, str]
    body: bytes


def early_error(error: ContractError, method: str, path: str) -> EarlyError:
    """Return the response to a request, which appears in the log and in the metrics like one of Django."""
    # Imported here: the messages of errors can be translated only after Django's setup.
    from calendar_site.api.errors import error_body
    from calendar_site.core.http.request_context import RequestContext, in_context, request_id
    from calendar_site.core.observability import metrics
    from calendar_site.core.observability.access_log import log_response

    context = RequestContext(request_id(), method, path)
    with in_context(context):
        if settings.ACCESS_LOG:
            log_response(context, error.status_code, 0)
        if settings.METRICS_TOKEN:
            metrics.count_request(context, "none", error.status_code, 0)
    body = json.dumps(error_body(error)).encode()
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Language": settings.LANGUAGE_CODE,
        "Content-Length": str(len(body)),
        "X-Request-ID": context.id,
        **error.headers,
    }
    return EarlyError(error.status_code, headers, body)
