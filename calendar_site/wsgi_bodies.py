"""Request and response bodies that neither the WSGI server nor Django handles as clients expect."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from _typeshed.wsgi import InputStream, StartResponse, WSGIApplication, WSGIEnvironment

CHUNK_SIZE = 64 * 1024
# Limits of draining an unread request body.
MAX_DISCARDED_BYTES = 64 * 1024 * 1024
MAX_DISCARD_SECONDS = 10


def normalize_bodies(application: WSGIApplication) -> WSGIApplication:
    """Wrap an application: give chunked request bodies a length, drain unread ones, and empty responses to HEAD."""

    def normalized(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        request_body = environ["wsgi.input"]
        if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
            try:
                buffer_chunked_body(environ)
            except OSError:
                return unreadable_body_response(start_response)
        try:
            response_body = application(environ, start_response)
        except LookupError:
            # The content type names a codec that does not decode to text. Django looks it up before its error handling.
            return unreadable_body_response(start_response)
        drain(request_body)
        if environ["REQUEST_METHOD"] == "HEAD":
            # The headers stay those of GET, including Content-Length.
            close = getattr(response_body, "close", None)
            if close is not None:
                close()
            return []
        return response_body

    return normalized


def unreadable_body_response(start_response: StartResponse) -> Iterable[bytes]:
    # Imported here: the messages of errors can be translated only after Django's setup.
    from calendar_site.api.errors import InvalidBody, error_body
    from calendar_site.core.request_context import request_id

    body = json.dumps(error_body(InvalidBody())).encode()
    headers = [
        ("Content-Type", "application/json"),
        ("Content-Language", settings.LANGUAGE_CODE),
        ("X-Request-ID", request_id()),
    ]
    start_response("400 Bad Request", [*headers, ("Content-Length", str(len(body)))])
    return [body]


def buffer_chunked_body(environ: WSGIEnvironment) -> None:
    """Read a chunked body and set its length, without which Django treats it as empty.

    Reading stops once the body exceeds UPLOAD_LIMIT; Django then rejects its length. Raises OSError if reading fails.
    """
    body = SpooledTemporaryFile(max_size=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)  # noqa: SIM115 - lives with the request
    length = 0
    while length <= settings.UPLOAD_LIMIT and (chunk := environ["wsgi.input"].read(CHUNK_SIZE)):
        length += body.write(chunk)
    body.seek(0)
    environ["wsgi.input"], environ["CONTENT_LENGTH"] = body, str(length)


def drain(body: InputStream) -> None:
    """Read the rest of a request body, within limits.

    If the connection closed before, a client that sends the whole body first would lose the response, such as a 413.
    """
    left, deadline = MAX_DISCARDED_BYTES, time.monotonic() + MAX_DISCARD_SECONDS
    try:
        while left > 0 and time.monotonic() < deadline and (chunk := body.read(CHUNK_SIZE)):
            left -= len(chunk)
    except OSError:
        # The client has closed the connection.
        return
