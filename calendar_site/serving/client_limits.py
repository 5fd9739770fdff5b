"""How long the server waits for clients that send their request or read their response slowly."""

from __future__ import annotations

from calendar_site.configuration import environment as env

CLIENT_SECONDS = env.read_integer("WEB_CLIENT_SECONDS", 15, minimum=1)
# Slower than a mobile phone with bad reception. Such a connection takes no thread, only a little memory.
MIN_BYTES_PER_SECOND = 16 * 1024
# The length of a request line and its headers. Proxies have similar limits.
MAX_HEADER_BYTES = 32 * 1024
# How long a connection without a request stays open while a worker stops: the client may be sending one already.
LINGER_SECONDS = 2
# Clients that send the whole body before they read would lose the response, so bodies over the limit are read, too.
MAX_DISCARDED_BYTES = 64 * 1024 * 1024
MAX_DISCARD_SECONDS = 10


def transfer_seconds(size: int) -> float:
    """Return how long the transfer of `size` bytes may take."""
    return CLIENT_SECONDS + size / MIN_BYTES_PER_SECOND
