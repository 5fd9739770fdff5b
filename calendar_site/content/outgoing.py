"""The one door for requests that this service sends to others, since strangers may choose the address.

Only http and https, only to public addresses. The name is resolved once and the connection goes to the very
address that was checked, so that a second, different answer of the resolver changes nothing. Every redirect is
checked in the same way. The whole exchange, looking up names included, ends after a given time and a given amount,
however slow it comes.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from threading import BoundedSemaphore, Thread
from typing import Any, NamedTuple
from urllib.parse import quote, urljoin, urlsplit

import httpcore
from django.utils.translation import gettext as _
from httpcore import NetworkBackend, NetworkStream

logger = logging.getLogger(__name__)

MOST_REDIRECTS = 3
REDIRECTS = {301, 302, 303, 307, 308}
USER_AGENT = "event-calendar"
# The system's own look-up of a name cannot be told to end: no more than so many may be on their way in a process.
MOST_LOOK_UPS = 8
# Addresses of IPv4 inside IPv6 that a network translates (RFC 6052).
TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses that a name, or an address in any spelling, stands for."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[4][0]) for address in found]


class Network(NamedTuple):
    """How names become addresses, and addresses connections."""

    resolve: Callable[[str, int], list[str]] = addresses_of
    backend: NetworkBackend = httpcore.SyncBackend()


NETWORK = Network()


class CannotFetch(Exception):
    """Nothing could be fetched; says why in a sentence for people. It tells nothing about inner networks."""


class NotPublic(CannotFetch):
    """The address, or one that it leads to, is not on the public internet."""


class Fetched(NamedTuple):
    """What came back: the content, its media type as the other side calls it, and the address it came from."""

    content: bytes
    media_type: str
    address: str


def fetch(address: str, *, most_bytes: int, seconds: float) -> Fetched:
    """What a GET of `address` answers, redirects followed. Raises CannotFetch."""
    try:
        with httpcore.ConnectionPool(network_backend=GuardedBackend(NETWORK, seconds)) as pool:
            for _step in range(MOST_REDIRECTS + 1):
                answer = _get(pool, _checked(address), most_bytes)
                if isinstance(answer, Fetched):
                    return answer
                address = urljoin(address, answer)
    except httpcore.TimeoutException as error:
        raise CannotFetch(_("The other side took too long.")) from error
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError, UnicodeError, ValueError) as error:
        logger.info("Cannot fetch %r: %s", address, error)
        raise CannotFetch(_("Nothing answers there that can be fetched.")) from error
    raise CannotFetch(_("The address leads on to others too often."))


def _checked(address: str) -> httpcore.URL:
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise CannotFetch(_("This is not an address that begins with http:// or https://."))
    path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    host = parts.hostname.encode("idna")
    return httpcore.URL(scheme=parts.scheme, host=host, port=parts.port, target=_ascii(path))


def _ascii(path: str) -> bytes:
    """The path as it is sent: other letters percent-encoded, blanks and control characters refused."""
    return quote(path, safe="/?:@!$&'()*+,;=-._~%[]").encode("ascii")


def _get(pool: httpcore.ConnectionPool, url: httpcore.URL, most_bytes: int) -> Fetched | str:
    """What is there, or the address that it redirects to."""
    headers: dict[bytes | str, bytes | str] = {
        "Host": _host_header(url),
        "User-Agent": USER_AGENT,
        # A small body may not become a large one.
        "Accept-Encoding": "identity",
    }
    with pool.stream("GET", url, headers=headers) as response:
        given = {name.lower(): value for name, value in response.headers}
        if response.status in REDIRECTS and b"location" in given:
            return given[b"location"].decode("latin-1")
        if response.status != 200:
            raise CannotFetch(_("The other side answers with the status %(status)s.") % {"status": response.status})
        content = _read(response.iter_stream(), most_bytes)
    media_type = given.get(b"content-type", b"").decode("latin-1").split(";")[0].strip().lower()
    return Fetched(content, media_type, bytes(url).decode("ascii"))


def _host_header(url: httpcore.URL) -> bytes:
    host = b"[" + url.host + b"]" if b":" in url.host else url.host
    return host if url.port is None else b"%b:%d" % (host, url.port)


def _read(parts: Iterable[bytes], most_bytes: int) -> bytes:
    content = bytearray()
    for part in parts:
        content += part
        if len(content) > most_bytes:
            raise CannotFetch(
                _("This is larger than %(limit)s megabytes.") % {"limit": most_bytes // (1024 * 1024) or 1}
            )
    return bytes(content)


# --- Connecting ---------------------------------------------------------------------------------


class GuardedBackend(NetworkBackend):
    """Connections to public addresses only, all of them over by the same deadline."""

    def __init__(self, network: Network, seconds: float) -> None:
        self.network = network
        self.deadline = time.monotonic() + seconds

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> NetworkStream:
        addresses = _looked_up(self.network.resolve, host, port, self.deadline)
        if not addresses or not all(is_public(address) for address in addresses):
            logger.warning("Refused to connect to %r, which is at %s", host, addresses)
            raise NotPublic(_("This address is not on the public internet."))
        left = _time_left(self.deadline)
        return TimedStream(self.network.backend.connect_tcp(addresses[0], port, left, local_address), self.deadline)


_LOOK_UPS = BoundedSemaphore(MOST_LOOK_UPS)


def _looked_up(resolve: Callable[[str, int], list[str]], host: str, port: int, deadline: float) -> list[str]:
    """What `resolve` answers by the deadline; one that hangs is left behind, and counts until it comes back."""
    if not _LOOK_UPS.acquire(timeout=_time_left(deadline)):
        raise httpcore.ConnectTimeout
    found: Future[list[str]] = Future()

    def look_up() -> None:
        try:
            found.set_result(resolve(host, port))
        except Exception as error:  # it is raised again where it is waited for
            found.set_exception(error)
        finally:
            _LOOK_UPS.release()

    Thread(target=look_up, name="look-up", daemon=True).start()
    try:
        return found.result(_time_left(deadline))
    except TimeoutError as error:
        raise httpcore.ConnectTimeout from error


class TimedStream(NetworkStream):
    """A connection on which nothing is waited for beyond the deadline, as often as something comes."""

    def __init__(self, stream: NetworkStream, deadline: float) -> None:
        self.stream = stream
        self.deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.stream.read(max_bytes, _time_left(self.deadline))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.stream.write(buffer, _time_left(self.deadline))

    def close(self) -> None:
        self.stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> NetworkStream:
        return TimedStream(
            self.stream.start_tls(ssl_context, server_hostname, _time_left(self.deadline)), self.deadline
        )

    def get_extra_info(self, info: str) -> Any:
        return self.stream.get_extra_info(info)


def _time_left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout
    return left


def is_public(text: str) -> bool:
    """Whether an address is one of the public internet, and no door to anything else."""
    address: Address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped
        if inner is None and address in TRANSLATED:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            address = inner
        elif address.sixtofour or address.teredo or address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved
