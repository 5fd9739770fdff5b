"""The request that the current thread works on, as log lines, error bodies and the history name it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest

from calendar_site.core.http.client_address import client_address
from calendar_site.core.http.networks import IPAddress

MAX_REQUEST_ID_LENGTH = 64
# What other systems use as request ids: UUIDs, ULIDs, trace ids. Nothing that could forge a log line.
REQUEST_ID = re.compile(rf"[0-9A-Za-z._-]{{8,{MAX_REQUEST_ID_LENGTH}}}")


@dataclass(slots=True)
class RequestContext:
    """The properties of a request for logs and revisions. `user_id` is None until the user is authenticated."""

    id: str
    method: str = ""
    path: str = ""
    client_address: IPAddress | None = None
    user_id: int | None = None
    query_count: int = 0


# A context variable, because a log line anywhere in the code belongs to the request, and no service should take an
# argument only for that. It is None in commands.
_context: ContextVar[RequestContext | None] = ContextVar("request_context", default=None)


def current_request() -> RequestContext | None:
    """Return the context of the request that is being processed, None outside of a request."""
    return _context.get()


def current_request_id() -> str:
    """Return the id of the request that is being processed, "" outside of a request."""
    context = _context.get()
    return context.id if context else ""


@contextmanager
def request_context(request: HttpRequest) -> Iterator[RequestContext]:
    """Make the request the current one inside the block."""
    context = RequestContext(
        id=request_id(request.META.get("HTTP_X_REQUEST_ID", "")),
        method=request.method or "",
        path=request.path,
        client_address=client_address(request),
    )
    with in_context(context):
        yield context


@contextmanager
def in_context(context: RequestContext) -> Iterator[None]:
    """Make the request of this context the current one inside the block."""
    token = _context.set(context)
    try:
        yield
    finally:
        _context.reset(token)


def request_id(received: str = "") -> str:
    """Return the id that a proxy has sent, or a new one.

    Only behind a proxy is the id of the request accepted: other clients could give many requests the same one.
    """
    if settings.PROXY_COUNT and REQUEST_ID.fullmatch(received):
        return received
    return secrets.token_hex(16)


def set_request_user(user: object) -> None:
    """Note the authenticated user, None or an anonymous user for none."""
    context = _context.get()
    if context is not None:
        context.user_id = getattr(user, "pk", None)
