"""The worker of gunicorn: uvicorn's server, with deadlines for the whole header and for reading the response.

The deadline of the request body is in `wsgi_adapter.py`, which can send an error response.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn_worker import UvicornWorker

from calendar_site.serving.client_limits import CLIENT_SECONDS, LINGER_SECONDS, MAX_HEADER_BYTES, transfer_seconds
from calendar_site.serving.request_head import HeadTooLong, RequestHead
from calendar_site.serving.wsgi_adapter import WSGIAdapter, unreadable_body_response


class HTTPProtocol(HttpToolsProtocol):
    """A connection of a client. A slow client loses its connection, but never occupies a thread."""

    header_deadline: asyncio.TimerHandle | None = None
    response_deadline: asyncio.TimerHandle | None = None
    # Bytes that the parser has read since it last reached the end of a head or a part of a body.
    unparsed_bytes = 0
    is_in_header = False
    is_in_body = False
    is_stopping = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.head = RequestHead()
        super().connection_made(transport)
        self.start_header_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self.stop_header_deadline()
        self.stop_response_deadline()
        super().connection_lost(exc)

    # --- Request -----------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if not self.is_in_header and not self.is_in_body:
            self.start_header_deadline()
            try:
                data = self.head.receive(data)
            except HeadTooLong:
                self.refuse("The header is too long.")
                return
        if not data:
            return
        # Heads of pipelined requests, and lines between chunks, reach the parser in parts. Bound what it collects.
        self.unparsed_bytes += len(data)
        if (self.is_in_header or self.is_in_body) and self.unparsed_bytes > MAX_HEADER_BYTES + len(data):
            self.refuse("The header is too long.")
            return
        super().data_received(data)

    def refuse(self, message: str) -> None:
        self.logger.warning(message)
        self.send_400_response(message)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.is_in_header = True
        self.unparsed_bytes = 0
        self.start_header_deadline()

    def on_headers_complete(self) -> None:
        self.is_in_header = False
        self.is_in_body = True
        self.unparsed_bytes = 0
        self.stop_header_deadline()
        if self.parser.should_upgrade():
            # Only in a pipelined request. The parser would drop its body. It answers this error with status 400.
            raise ValueError("The protocol cannot be changed.")
        super().on_headers_complete()
        if self.is_stopping:
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        self.unparsed_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self.is_in_body = False
        super().on_message_complete()

    def eof_received(self) -> bool:  # type: ignore[override]
        """Keep the connection open for the response if the client has sent its whole request."""
        if self.cycle is None or self.cycle.response_complete:
            return False
        if self.cycle.more_body:
            self.send_400_response("The request body is incomplete.")
            return False
        self.cycle.keep_alive = False
        return True

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection without a request. The deadline of the header applies as soon as one begins."""
        if not self.head:
            super().timeout_keep_alive_handler()

    def start_header_deadline(self) -> None:
        if self.header_deadline is None:
            self.header_deadline = self.loop.call_later(CLIENT_SECONDS, self.transport.abort)

    def stop_header_deadline(self) -> None:
        if self.header_deadline is not None:
            self.header_deadline.cancel()
            self.header_deadline = None

    # --- Response ----------------------------------------------------------------------------------

    def send_400_response(self, msg: str) -> None:
        """Close the connection with an error. A body that cannot be read gets the error that Django would send."""
        if self.cycle is None or not self.cycle.more_body:
            super().send_400_response(msg)
            return
        if not self.cycle.response_started:
            response = unreadable_body_response(self.cycle.scope["method"], self.cycle.scope["path"])
            lines = [b"HTTP/1.1 400 Bad Request", *(b"%b: %b" % header for header in response.headers), b"", b""]
            self.transport.write(b"\r\n".join(lines) + response.part)
        self.transport.close()

    def on_response_complete(self) -> None:
        # The transport may still have to send the last part.
        self.restart_response_deadline()
        super().on_response_complete()
        if not self.pipeline and self.cycle.more_body:
            # The rest of a body that is far too large or too slow would arrive as long as the client likes.
            self.transport.close()

    def pause_writing(self) -> None:
        self.restart_response_deadline()
        super().pause_writing()

    def restart_response_deadline(self) -> None:
        self.stop_response_deadline()
        if size := self.transport.get_write_buffer_size():
            self.response_deadline = self.loop.call_later(transfer_seconds(size), self.abort_unread_response)

    def stop_response_deadline(self) -> None:
        if self.response_deadline is not None:
            self.response_deadline.cancel()
            self.response_deadline = None

    def abort_unread_response(self) -> None:
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    # --- Shutdown ----------------------------------------------------------------------------------

    def shutdown(self) -> None:
        """Let the client finish its request. A connection without a request stays open for a moment."""
        self.is_stopping = True
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.keep_alive = False
        else:
            self.loop.call_later(LINGER_SECONDS, self.close_without_request)

    def close_without_request(self) -> None:
        if not self.is_in_header and not self.head and (self.cycle is None or self.cycle.response_complete):
            self.transport.close()


class Worker(UvicornWorker):
    """A process with one event loop, which runs the WSGI application in threads."""

    # Set before the fork (calendar_site/serving/server.py).
    is_for_writes = False
    processor = 0

    # Uvicorn's heartbeat depends on the system clock: after it was set back, the worker would seem to be blocked.
    HEARTBEAT_SECONDS = 1

    CONFIG_KWARGS: dict[str, Any] = {
        "http": HTTPProtocol,
        "loop": "uvloop",
        "lifespan": "off",
        "ws": "none",
        "access_log": False,
        # Django reads the headers of proxies.
        "proxy_headers": False,
        "server_header": False,
        "callback_notify": None,
    }

    def run(self) -> None:
        with asyncio.Runner(loop_factory=self.config.get_loop_factory()) as runner:
            runner.run(self.serve())

    async def serve(self) -> None:
        heartbeat = asyncio.create_task(self.send_heartbeats())
        try:
            await self._serve()
        finally:
            heartbeat.cancel()

    async def send_heartbeats(self) -> None:
        """Tell gunicorn's main process that the event loop is not blocked."""
        while True:
            self.notify()
            await asyncio.sleep(self.HEARTBEAT_SECONDS)

    def load_wsgi(self) -> None:
        self.wsgi = WSGIAdapter(self.app.wsgi(), self.cfg.threads)
