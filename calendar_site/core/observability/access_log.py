"""The log of requests."""

from __future__ import annotations

import logging

from calendar_site.core.http.request_context import RequestContext

logger = logging.getLogger("calendar_site.access")


def log_response(context: RequestContext, status: int, seconds: float) -> None:
    """Log a line for the response to the current request."""
    milliseconds = round(seconds * 1000, 1)
    logger.info(
        "%s %s %s %s ms user=%s client=%s",
        context.method,
        context.path,
        status,
        milliseconds,
        context.user_id or "-",
        context.client_address or "-",
        extra={"fields": {"status": status, "duration_ms": milliseconds}},
    )
