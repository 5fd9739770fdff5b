"""The adapter that runs Django in threads while an event loop waits for clients.

A request takes a thread once its body is complete, and gives it back before the client reads the response.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import unquote_to_bytes

from django.conf import settings

from calendar_site.core.database.write_permits import WritePermit, WritePermits, with_permit
from calendar_site.core.http.networks import network_of, parse_address
from calendar_site.serving.client_limits import (
    CLIENT_SECONDS,
    MAX_DISCARD_SECONDS,
    MAX_DISCARDED_BYTES,
    transfer_seconds,
)
from calendar_site.serving.early_errors import early_error
from calendar_site.serving.held_bodies import MAX_HELD_BODIES, HeldBodies, TooManyBytes

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment
    from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope

    from calendar_site.api.errors import ContractError

    ASGIHeaders = list[tuple[bytes, bytes]]

T = TypeVar("T")

# Larger request bodies are written to a temporary file.
MAX_BODY_IN_MEMORY = 64 * 1024
# Larger responses, such as images, are read from the application in parts, of which a few wait for a slow client.
RESPONSE_PART = 64 * 1024
READ_METHODS = {"GET", "HEAD", "OPTIONS"}


class Disconnected(Exception):
    """The client has closed the connection before its request was complete."""


class Response(NamedTuple):
    """The start of a response, and the iterator of the rest, which is None if there is no more."""

    status: int
    headers: ASGIHeaders
    part: bytes
    rest: Iterator[bytes] | None


class WSGIAdapter:
    """An ASGI application that runs a WSGI application in a fixed number of threads."""

    def __init__(self, application: WSGIApplication, threads: int) -> None:
        self.application = application
        # Starts no thread before the first request, so that gunicorn can fork.
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="request")
        self.write_permits = WritePermits(permits=settings.WRITE_PERMITS, threads=threads)
        self.bodies = HeldBodies(MAX_HELD_BODIES * max(settings.UPLOAD_LIMIT, settings.DATA_UPLOAD_MAX_MEMORY_SIZE))

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        with (
            SpooledTemporaryFile(max_size=MAX_BODY_IN_MEMORY) as body,
            self.bodies.of_request(counted_network(scope)) as hold,
        ):
            try:
                length = await read_body(scope, receive, body, hold)
            except Disconnected:
                return
            except TooManyBytes:
                response = busy_response(scope["method"], scope["path"])
            except TimeoutError:
                response = timeout_response(scope["method"], scope["path"])
            else:
                body.seek(0)
                response = await self.respond_to(scope, body, length)
        await self.send_response(send, response)

    async def respond_to(self, scope: HTTPScope, body: IO[bytes], length: int) -> Response:
        if unsupported := unsupported_response(scope):
            return unsupported
        environ = build_environ(scope, body, length)
        # Django would serve paths outside of SCRIPT_NAME as if they were below it.
        if environ is None:
            return not_found_response(scope["method"], scope["path"])
        return await self.run_request(scope["method"], environ)

    async def run_request(self, method: str, environ: WSGIEnvironment) -> Response:
        """Return the response. Requests that may write wait for a permit, in contrast to reads."""
        if method in READ_METHODS:
            return await self.run(self.respond, environ)
        async with self.write_permits.permit() as permit:
            return await self.run(self.respond_to_write, environ, permit)

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """Return the result of a function that runs in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, function, *arguments)

    async def send_response(self, send: ASGISendCallable, response: Response) -> None:
        """Send a response. Between its parts, a slow client is waited for without a thread."""
        await send(
            {"type": "http.response.start", "status": response.status, "headers": response.headers, "trailers": False}
        )
        part, rest = response.part, response.rest
        try:
            while rest is not None:
                await send({"type": "http.response.body", "body": part, "more_body": True})
                part, rest = await self.run(read_part, rest)
        finally:
            if rest is not None:
                await self.run(close, rest)
        await send({"type": "http.response.body", "body": part, "more_body": False})

    def respond_to_write(self, environ: WSGIEnvironment, permit: WritePermit) -> Response:
        with with_permit(permit):
            return self.respond(environ)

    def respond(self, environ: WSGIEnvironment) -> Response:
        """Return the response of the WSGI application with the first part of its body."""
        started: list[tuple[int, ASGIHeaders]] = []

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
            started[:] = [(int(status[:3]), encoded)]

        part, rest = read_part(iterate(self.application(environ, start_response)))
        return Response(*started[0], part, rest)


def iterate(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the chunks of a WSGI response, and close it at the end, which tells Django that the request is finished."""
    try:
        yield from chunks
    finally:
        close(chunks)


def read_part(chunks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes] | None]:
    """Return the next part of a response, and the iterator if there may be more."""
    part, size = [], 0
    for chunk in chunks:
        part.append(chunk)
        size += len(chunk)
        if size >= RESPONSE_PART:
            return b"".join(part), chunks
    return b"".join(part), None


def close(chunks: object) -> None:
    if close_method := getattr(chunks, "close", None):
        close_method()


# --- Request body ----------------------------------------------------------------------------------


async def read_body(
    scope: HTTPScope, receive: ASGIReceiveCallable, body: IO[bytes], hold: Callable[[int], None]
) -> int:
    """Write the request body to a file and return its length. Call `hold` with the number of bytes of each part before.

    A body over its limit is discarded, because Django rejects its length. Raises Disconnected, TooManyBytes, and
    TimeoutError if the client is too slow: on average, or because it sends nothing for CLIENT_SECONDS.
    """
    length, limit = declared_length(scope), body_limit(scope)
    loop = asyncio.get_running_loop()
    started, received = loop.time(), 0
    async with asyncio.timeout_at(started + transfer_seconds(0)) as deadline:
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise Disconnected
            chunk = message.get("body", b"")
            received += len(chunk)
            if max(length, received) <= limit:
                hold(len(chunk))
                body.write(chunk)
            elif received > MAX_DISCARDED_BYTES or loop.time() - started > MAX_DISCARD_SECONDS:
                return max(length, received)
            if not message.get("more_body"):
                return received
            deadline.reschedule(min(started + transfer_seconds(received), loop.time() + CLIENT_SECONDS))


def counted_network(scope: HTTPScope) -> str | None:
    """Return the network of the client, None behind a proxy."""
    if settings.PROXY_COUNT or not scope["client"]:
        return None
    return network_of(parse_address(scope["client"][0]))


def declared_length(scope: HTTPScope) -> int:
    """Return the Content-Length, or 0. The parser has rejected other values than digits."""
    return int(dict(scope["headers"]).get(b"content-length", b"0") or 0)


def body_limit(scope: HTTPScope) -> int:
    """Return the maximum length of the body: Django keeps only forms with files out of memory."""
    is_form_with_files = dict(scope["headers"]).get(b"content-type", b"").lower().startswith(b"multipart/form-data")
    return settings.UPLOAD_LIMIT if is_form_with_files else settings.DATA_UPLOAD_MAX_MEMORY_SIZE


# --- WSGI ------------------------------------------------------------------------------------------


def build_environ(scope: HTTPScope, body: IO[bytes], length: int) -> WSGIEnvironment | None:
    """Return the environment of a WSGI application (PEP 3333), or None if the path is not below SCRIPT_NAME."""
    # Not FORCE_SCRIPT_NAME: that may be the path of PUBLIC_URL, which the proxy has removed.
    script_name = os.environ.get("SCRIPT_NAME", "").strip()
    path = unquote_to_bytes(scope["raw_path"]).decode("latin-1")
    if path != script_name and not path.startswith(f"{script_name}/"):
        return None
    server, client = scope["server"] or ("", 0), scope["client"] or ("", 0)
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": script_name,
        "PATH_INFO": path.removeprefix(script_name),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or ""),
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "CONTENT_LENGTH": str(length),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        # X_Forwarded_For would look like X-Forwarded-For to Django. The body is not chunked any more.
        if b"_" in name or name in (b"content-length", b"transfer-encoding"):
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    return environ


# --- Errors ----------------------------------------------------------------------------------------

# These functions import the errors, because their messages can be translated only after Django's setup.


def timeout_response(method: str, path: str) -> Response:
    """Return the error for a request body that was sent too slowly. The rest of it is never read."""
    from calendar_site.api.errors import RequestTimeout

    return error_response(RequestTimeout(), method, path, Connection="close")


def busy_response(method: str, path: str) -> Response:
    """Return the error for a request body beside too many others of the same network. The rest of it is never read."""
    from calendar_site.api.errors import TooManyUploads

    return error_response(TooManyUploads(), method, path, Connection="close")


def unreadable_body_response(method: str, path: str) -> Response:
    """Return the error for a request body that ends too early, or whose chunks are invalid."""
    from calendar_site.api.errors import InvalidBody

    return error_response(InvalidBody(), method, path, Connection="close")


def unsupported_response(scope: HTTPScope) -> Response | None:
    """Return the error for a request that Django would answer as if a part of it were not there.

    RFC 9112 requires a Host in HTTP/1.1 (section 3.2), and refusing unknown transfer codings (section 6.1); RFC 9110
    refusing partial updates (section 14.5).
    """
    from calendar_site.api.errors import MissingHost, PartialBody, UnsupportedContentCoding, UnsupportedTransferCoding

    headers = {name: value.strip().lower() for name, value in scope["headers"]}
    error: ContractError
    if b"host" not in headers and scope["http_version"] == "1.1":
        error = MissingHost()
    elif headers.get(b"transfer-encoding", b"chunked") != b"chunked":
        error = UnsupportedTransferCoding()
    elif headers.get(b"content-encoding", b"identity") not in (b"identity", b""):
        error = UnsupportedContentCoding()
    elif b"content-range" in headers:
        error = PartialBody()
    else:
        return None
    return error_response(error, scope["method"], scope["path"])


def not_found_response(method: str, path: str) -> Response:
    """Return the error for a path that is not below SCRIPT_NAME."""
    from calendar_site.api.errors import RouteNotFound

    return error_response(RouteNotFound(), method, path)


def error_response(error: ContractError, method: str, path: str, **headers: str) -> Response:
    status, error_headers, body = early_error(error, method, path)
    encoded = [(name.lower().encode(), value.encode()) for name, value in {**error_headers, **headers}.items()]
    return Response(status, encoded, body, None)
