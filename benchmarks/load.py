"""Send requests over a few persistent connections and measure the responses. Uses the standard library only.

One thread, one selector and prepared requests: a request costs tens of microseconds, so a generator on a processor of
its own waits for the server nearly all the time. `Measurement.busy` shows whether it did.
"""

from __future__ import annotations

import itertools
import json
import selectors
import socket
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

TIMEOUT_SECONDS = 30
HEAD_END = b"\r\n\r\n"


@dataclass
class Measurement:
    """The results of some periods of load; latencies in seconds."""

    latencies: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
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


@dataclass
class Load:
    """Requests that some connections send, one after the other, and their measurement."""

    requests: Iterator[bytes]
    connections: int
    measurement: Measurement = field(default_factory=Measurement)
    # Other ones fail the benchmark.
    accepted: tuple[int, ...] = (200,)
    # None for the port of `run_loads`.
    port: int | None = None


class UnexpectedResponse(Exception):
    """The server did not respond in time, with another status, or without a length."""


class Connection:
    """A persistent connection with one request at a time."""

    def __init__(self, port: int, load: Load) -> None:
        self.socket = socket.create_connection(("127.0.0.1", load.port or port), timeout=TIMEOUT_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.load = load
        self.received = bytearray()
        self.expected_size = 0
        self.status = 0
        self.sent_at = 0.0

    def send(self) -> bool:
        """Send the next request, and return whether there was one."""
        request = next(self.load.requests, None)
        if request is None:
            return False
        self.received.clear()
        self.expected_size = 0
        self.sent_at = time.perf_counter()
        self.socket.sendall(request)
        return True

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
            self.status, length = _parse(bytes(self.received[:end]))
            if self.status not in self.load.accepted:
                raise UnexpectedResponse(bytes(self.received).decode(errors="replace"))
            self.expected_size = end + len(HEAD_END) + length
        return len(self.received) >= self.expected_size


def _parse(head: bytes) -> tuple[int, int]:
    """Return the status and the length of a response."""
    first, *lines = head.split(b"\r\n")
    status = int(first.split()[1])
    fields = dict(line.lower().split(b":", 1) for line in lines)
    if b"content-length" not in fields and status != 304:
        raise UnexpectedResponse("The response has no length.")
    return status, int(fields.get(b"content-length", 0)) if status != 304 else 0


def get_request(port: int, target: str, headers: dict[str, str] | None = None) -> bytes:
    return _request(port, "GET", target, headers or {}, b"")


def post_request(port: int, target: str, data: Any, headers: dict[str, str]) -> bytes:
    body = json.dumps(data).encode()
    fields = {"Content-Type": "application/json", "Content-Length": str(len(body))}
    return _request(port, "POST", target, fields | headers, body)


def _request(port: int, method: str, target: str, headers: dict[str, str], body: bytes) -> bytes:
    fields = {"Host": f"127.0.0.1:{port}", "Accept": "application/json", "Connection": "keep-alive"} | headers
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    return "\r\n".join(lines).encode() + body


def measure(
    port: int,
    request: bytes,
    measurement: Measurement,
    *,
    connections: int,
    seconds: float = 3600,
    max_requests: int = 10**9,
    accepted: tuple[int, ...] = (200,),
) -> None:
    """Repeat `request` until `seconds` or `max_requests` is reached, and add the results to `measurement`.

    Raises UnexpectedResponse.
    """
    requests = itertools.repeat(request, max_requests)
    run_loads(port, [Load(requests, connections, measurement, accepted)], seconds=seconds)


def run_loads(port: int, loads: Iterable[Load], *, seconds: float) -> None:
    """Send the requests of all loads at the same time, until `seconds` are over or no request is left.

    Adds the results to the measurement of each load. Raises UnexpectedResponse.
    """
    selector = selectors.DefaultSelector()
    loads = list(loads)
    counts = {id(load): len(load.measurement.latencies) for load in loads}
    pool = [Connection(port, load) for load in loads for _ in range(load.connections)]
    busy_before, started = time.process_time(), time.perf_counter()
    try:
        for connection in pool:
            if connection.send():
                selector.register(connection.socket, selectors.EVENT_READ, connection)
        while selector.get_map():
            ready = selector.select(TIMEOUT_SECONDS)
            if not ready:
                raise UnexpectedResponse(f"No response within {TIMEOUT_SECONDS} seconds.")
            for key, _events in ready:
                connection = key.data
                if not connection.read():
                    continue
                now = time.perf_counter()
                measurement = connection.load.measurement
                measurement.latencies.append(now - connection.sent_at)
                measurement.statuses[connection.status] += 1
                if now - started >= seconds or not connection.send():
                    selector.unregister(connection.socket)
    finally:
        for connection in pool:
            connection.socket.close()
        selector.close()
    elapsed = time.perf_counter() - started
    busy = time.process_time() - busy_before
    for load in loads:
        measurement = load.measurement
        measurement.elapsed += elapsed
        measurement.busy_time += busy
        measurement.rates.append((len(measurement.latencies) - counts[id(load)]) / elapsed)
