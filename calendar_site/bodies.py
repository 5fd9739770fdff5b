"""Bodies of requests and answers, where a WSGI server and Django leave a gap between them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from tempfile import SpooledTemporaryFile
from typing import Any

from django.conf import settings

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

PIECE = 64 * 1024
# How much of a body that nobody wanted is read, and for how long.
MOST_DISCARDED = 64 * 1024 * 1024
SECONDS_DISCARDING = 10


def with_bodies_settled(application: Application) -> Application:
    """`application`, with bodies that come in chunks, bodies that nobody read, and answers to HEAD made right."""

    def settled(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        sent = environ["wsgi.input"]
        if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
            try:
                measure(environ)
            except OSError:
                return unreadable(start_response)
        try:
            answer = application(environ, start_response)
        except LookupError:
            # The content type names a codec that is for no text. Django reads it before it can answer a fault.
            return unreadable(start_response)
        discard(sent)
        if environ["REQUEST_METHOD"] == "HEAD":
            # The headers stay those of GET, Content-Length included.
            close = getattr(answer, "close", None)
            if close is not None:
                close()
            return []
        return answer

    return settled


def unreadable(start_response: Callable[..., Any]) -> Iterable[bytes]:
    # Only here: errors can be told in the language of the site once Django is set up.
    from calendar_site.api.errors import UnreadableBody, error_body

    body = json.dumps(error_body(UnreadableBody())).encode()
    headers = [("Content-Type", "application/json"), ("Content-Language", settings.LANGUAGE_CODE)]
    start_response("400 Bad Request", [*headers, ("Content-Length", str(len(body)))])
    return [body]


def measure(environ: Environ) -> None:
    """Gives a body that comes in chunks its length, without which Django takes it for empty.

    One that is over the limit is read until that is certain, and refused for its length. Raises OSError.
    """
    body = SpooledTemporaryFile(max_size=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)  # noqa: SIM115 - lives with the request
    length = 0
    while length <= settings.UPLOAD_LIMIT and (piece := environ["wsgi.input"].read(PIECE)):
        length += body.write(piece)
    body.seek(0)
    environ["wsgi.input"], environ["CONTENT_LENGTH"] = body, str(length)


def discard(body: Any) -> None:
    """Reads what is left of a body, within limits.

    Who sends all before he reads would lose his answer, a 413 say, if the connection was closed on him meanwhile.
    """
    left, deadline = MOST_DISCARDED, time.monotonic() + SECONDS_DISCARDING
    try:
        while left > 0 and time.monotonic() < deadline and (piece := body.read(PIECE)):
            left -= len(piece)
    except OSError:
        # He is gone.
        return
