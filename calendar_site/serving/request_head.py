"""The head of a request, the request line and the headers, before the parser of the server reads it.

The parser of uvicorn keeps the whole of an incomplete header and copies it with each read, rejects some requests that
Django can answer, and drops the body of requests with `Upgrade`. It therefore gets complete, normalized heads only.
"""

from __future__ import annotations

import re
from urllib.parse import quote_from_bytes

from calendar_site.serving.client_limits import MAX_HEADER_BYTES

END_OF_HEAD = b"\r\n\r\n"
METHOD = re.compile(rb"([A-Za-z0-9!#$%&'*+.^_`|~-]+) ")
# CONNECT would turn the connection into a tunnel. The parser accepts other methods for other protocols only.
PARSED_METHODS = {b"GET", b"HEAD", b"POST", b"PUT", b"PATCH", b"DELETE", b"OPTIONS", b"TRACE"}
# A method that the parser knows, and no view.
UNKNOWN_METHOD = b"PURGE"
NON_ASCII = re.compile(rb"[\x80-\xff]+")
ABSOLUTE_URL = re.compile(rb"https?://([^/?# ]*)([^# ]*)", re.IGNORECASE)
HOST_HEADER = re.compile(rb"\r\nhost[ \t]*:[^\r\n]*", re.IGNORECASE)
UPGRADE_HEADER = re.compile(rb"\r\nupgrade[ \t]*:[^\r\n]*", re.IGNORECASE)


class HeadTooLong(Exception):
    """A head of more than MAX_HEADER_BYTES."""


class RequestHead:
    """Collects the bytes of a head until it is complete."""

    def __init__(self) -> None:
        self.received = bytearray()

    def __bool__(self) -> bool:
        return bool(self.received)

    def receive(self, data: bytes) -> bytes:
        """Return the normalized head and what follows it, or nothing if the head is incomplete. Raises HeadTooLong."""
        searched = max(0, len(self.received) - len(END_OF_HEAD) + 1)
        # Clients may send empty lines between requests (RFC 9112, section 2.2).
        self.received += data if self.received else data.lstrip(b"\r\n")
        end = self.received.find(END_OF_HEAD, searched)
        if (len(self.received) if end < 0 else end) > MAX_HEADER_BYTES:
            raise HeadTooLong
        if end < 0:
            return b""
        complete = bytes(self.received)
        self.received.clear()
        return normalize_head(complete[:end]) + complete[end:]


def normalize_head(head: bytes) -> bytes:
    """Replace what the parser rejects or misunderstands, although Django can answer it.

    - Methods that the parser does not know, and bytes of the URL that are not ASCII.
    - An absolute URL: it decides the host, not the header (RFC 9112, section 3.2.2).
    - `Upgrade`: the service speaks HTTP/1.1 only, and may ignore it (RFC 9110, section 7.8).
    """
    line, separator, headers = head.partition(b"\r\n")
    method = METHOD.match(line)
    if method and method[1] not in PARSED_METHODS:
        line = UNKNOWN_METHOD + line[method.end(1) :]
    if not line.isascii():
        line = NON_ASCII.sub(lambda match: quote_from_bytes(match[0]).encode(), line)
    headers = separator + headers
    if method and (url := ABSOLUTE_URL.match(line, line.index(b" ") + 1)):
        path = url[2] if url[2].startswith(b"/") else b"/" + url[2]
        line = line[: url.start()] + path + line[url.end() :]
        headers = b"\r\nHost: " + url[1] + HOST_HEADER.sub(b"", headers)
    return line + UPGRADE_HEADER.sub(b"", headers)
