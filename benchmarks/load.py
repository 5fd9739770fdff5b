"""Send requests over a few persistent connections and measure the responses. Uses the standard library only.

One thread, one selector and prepared requests: a request costs tens of microseconds, so a generator on a processor of
its own waits for the server nearly all the time. `Measurement.busy` shows whether it did.
"""

from __future__ import annotations

import selectors
import socket
import time
from dataclasses import dataclass, field

TIMEOUT_SECONDS = 30
HEAD_END = b"\r\n\r\n"


@dataclass
class Measurement:
    """The results of some periods of load; latencies in seconds."""

    latencies: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    sizes: set[int] = field(default_factory=set)
    elapsed: float = 0
    busy_time: float = 0

    @property
    def rate(self) -> float:
        """The number of responses per second."""
        return len(self.latencies) / self.elapsed if self.elapsed else 0

    @property
    def busy(self) -> float:
        """The share of the time in which the generator was at work; near 1 it was the bottleneck."""
        return self.busy_time / self.elapsed if self.elapsed else 0

    def latency(self, quantile: float) -> float:
        """Return the latency in seconds at a quantile from 0 to 1."""
        ordered = sorted(self.latencies)
        return ordered[min(int(len(ordered) * quantile), len(ordered) - 1)] if ordered else 0


class UnexpectedResponse(Exception):
    """The server did not respond in time with status 200 and a `Content-Length`."""


class Connection:
    """A persistent connection with one request at a time."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = bytearray()
        self.expected_size = 0
        self.sent_at = 0.0

    def send(self, request: bytes) -> None:
        self.received.clear()
        self.expected_size = 0
        self.sent_at = time.perf_counter()
        self.socket.sendall(request)

    def read(self) -> bool:
        """Receive data, and return whether the response is complete. Raises UnexpectedResponse."""
        part = self.socket.recv(1 << 20)
        if not part:
            raise UnexpectedResponse("The server closed the connection.")
        self.received += part
        if not self.expected_size:
            end = self.received.find(HEAD_END)
            if end < 0:
                return False
            self.expected_size = end + len(HEAD_END) + _length(bytes(self.received[:end]))
        return len(self.received) >= self.expected_size


def _length(head: bytes) -> int:
    status, *lines = head.split(b"\r\n")
    if b" 200 " not in status:
        raise UnexpectedResponse(status.decode())
    fields = dict(line.lower().split(b":", 1) for line in lines)
    if b"content-length" not in fields:
        raise UnexpectedResponse("The answer has no length.")
    return int(fields[b"content-length"])


def request_for(port: int, target: str, headers: dict[str, str] | None = None) -> bytes:
    fields = {"Host": f"127.0.0.1:{port}", "Accept": "application/json", "Connection": "keep-alive"} | (headers or {})
    return "\r\n".join([f"GET {target} HTTP/1.1", *(f"{k}: {v}" for k, v in fields.items()), "", ""]).encode()


def measure(
    port: int,
    request: bytes,
    measurement: Measurement,
    *,
    connections: int,
    seconds: float = 3600,
    max_requests: int = 10**9,
) -> None:
    """Repeat `request` until `seconds` or `max_requests` is reached, and add the results to `measurement`.

    Raises UnexpectedResponse.
    """
    selector = selectors.DefaultSelector()
    pool = [Connection(port) for _ in range(connections)]
    answered = 0
    busy_before, started = time.process_time(), time.perf_counter()
    try:
        for connection in pool:
            selector.register(connection.socket, selectors.EVENT_READ, connection)
            connection.send(request)
        while selector.get_map():
            ready = selector.select(TIMEOUT_SECONDS)
            if not ready:
                raise UnexpectedResponse(f"No answer within {TIMEOUT_SECONDS} seconds.")
            for key, _events in ready:
                connection = key.data
                if not connection.read():
                    continue
                now = time.perf_counter()
                measurement.latencies.append(now - connection.sent_at)
                measurement.sizes.add(connection.expected_size)
                answered += 1
                if now - started < seconds and answered + len(pool) <= max_requests:
                    connection.send(request)
                else:
                    selector.unregister(connection.socket)
    finally:
        for connection in pool:
            connection.socket.close()
        selector.close()
    elapsed = time.perf_counter() - started
    measurement.elapsed += elapsed
    measurement.busy_time += time.process_time() - busy_before
    measurement.rates.append(answered / elapsed)
