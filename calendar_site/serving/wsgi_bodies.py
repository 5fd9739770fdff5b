"""Request and response bodies that Django does not handle as clients expect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from calendar_site.serving.early_errors import early_error

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def normalize_bodies(application: WSGIApplication) -> WSGIApplication:
    """Wrap an application: reject bodies that cannot be decoded, and empty responses to HEAD."""

    def normalized(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            response_body = application(environ, start_response)
        except LookupError:
            # The content type names a codec that does not decode to text. Django looks it up before its error handling.
            return unreadable_body_response(environ, start_response)
        if environ["REQUEST_METHOD"] == "HEAD":
            # The headers stay those of GET, including Content-Length.
            close = getattr(response_body, "close", None)
            if close is not None:
                close()
            return []
        return response_body

    return normalized


def unreadable_body_response(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    # Imported here: the messages of errors can be translated only after Django's setup.
    from calendar_site.api.errors import InvalidBody

    error = early_error(InvalidBody(), environ["REQUEST_METHOD"], environ["PATH_INFO"])
    start_response("400 Bad Request", list(error.headers.items()))
    return [error.body]
