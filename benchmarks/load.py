"""Sends requests over a few connections that stay open, and measures the answers. Standard library only.

One thread, one selector and prepared requests: sending and reading an answer costs tens of microseconds, so a
generator on a processor of its own waits for the server nearly all the time. `busy` says whether it did.
"""

from __future__ import annotations

import selectors
import socket
import time
from dataclasses import dataclass, field

PATIENCE = 30
HEAD_END = b"\r\n\r\n"


@dataclass
class Measured:
    """What some slices of load have shown; latencies in seconds."""

    latencies: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    sizes: set[int] = field(default_factory=set)
    elapsed: float = 0
    worked: float = 0

    @property
    def rate(self) -> float:
        """Answers in a second."""
        return len(self.latencies) / self.elapsed if self.elapsed else 0

    @property
    def busy(self) -> float:
        """The share of the time in which the generator itself was at work; near 1 it is what was measured."""
        return self.worked / self.elapsed if self.elapsed else 0

    def latency(self, part: float) -> float:
        """The latency that this part of the answers did not exceed."""
        ordered = sorted(self.latencies)
        return ordered[min(int(len(ordered) * part), len(ordered) - 1)] if ordered else 0


class UnexpectedAnswer(Exception):
    """The server answered something else than 200 with a length."""


class Connection:
    """One connection that stays open, with one request under way at a time."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = bytearray()
        self.wanted = 0
        self.sent_at = 0.0

    def send(self, request: bytes) -> None:
        self.received.clear()
        self.wanted = 0
        self.sent_at = time.perf_counter()
        self.socket.sendall(request)

    def read(self) -> bool:
        """Takes what has come; whether the answer is complete. Raises UnexpectedAnswer."""
        part = self.socket.recv(1 << 20)
        if not part:
            raise UnexpectedAnswer("The server closed the connection.")
        self.received += part
        if not self.wanted:
            end = self.received.find(HEAD_END)
            if end < 0:
                return False
            self.wanted = end + len(HEAD_END) + _length(bytes(self.received[:end]))
        return len(self.received) >= self.wanted


def _length(head: bytes) -> int:
    status, *lines = head.split(b"\r\n")
    if b" 200 " not in status:
        raise UnexpectedAnswer(status.decode())
    fields = dict(line.lower().split(b":", 1) for line in lines)
    if b"content-length" not in fields:
        raise UnexpectedAnswer("The answer has no length.")
    return int(fields[b"content-length"])


def request_for(port: int, target: str, headers: dict[str, str] | None = None) -> bytes:
    fields = {"Host": f"127.0.0.1:{port}", "Accept": "application/json", "Connection": "keep-alive"} | (headers or {})
    return "\r\n".join([f"GET {target} HTTP/1.1", *(f"{k}: {v}" for k, v in fields.items()), "", ""]).encode()


def measure(
    port: int, request: bytes, measured: Measured, *, connections: int, seconds: float = 3600, most: int = 10**9
) -> None:
    """Sends `request` over and over, for so long or so often, and adds to `measured`. Raises UnexpectedAnswer."""
    selector = selectors.DefaultSelector()
    opened = [Connection(port) for _ in range(connections)]
    answered = 0
    worked_before, started = time.process_time(), time.perf_counter()
    try:
        for connection in opened:
            selector.register(connection.socket, selectors.EVENT_READ, connection)
            connection.send(request)
        while selector.get_map():
            ready = selector.select(PATIENCE)
            if not ready:
                raise UnexpectedAnswer(f"No answer within {PATIENCE} seconds.")
            for key, _events in ready:
                connection = key.data
                if not connection.read():
                    continue
                now = time.perf_counter()
                measured.latencies.append(now - connection.sent_at)
                measured.sizes.add(connection.wanted)
                answered += 1
                if now - started < seconds and answered + len(opened) <= most:
                    connection.send(request)
                else:
                    selector.unregister(connection.socket)
    finally:
        for connection in opened:
            connection.socket.close()
        selector.close()
    elapsed = time.perf_counter() - started
    measured.elapsed += elapsed
    measured.worked += time.process_time() - worked_before
    measured.rates.append(answered / elapsed)
