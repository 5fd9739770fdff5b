"""The HTTP client for URLs that users choose, protected against server-side request forgery.

It requests http and https only, and connects to public IP addresses and to the ports of HTTP_CLIENT_PORTS only. A host
name is resolved once and the connection goes to the address that was checked, so that a second, different DNS response
changes nothing. Redirects are checked in the same way. The whole exchange, DNS included, is limited in time and size,
however slowly data arrives.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from threading import BoundedSemaphore, Thread
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import quote, urljoin, urlsplit

import httpcore
from django.conf import settings
from django.utils.translation import gettext as _
from httpcore import NetworkBackend, NetworkStream

logger = logging.getLogger(__name__)

MAX_REDIRECTS = 3
REDIRECT_STATUSES = {301, 302, 303, 307, 308}
USER_AGENT = "event-calendar"
# A DNS lookup of the operating system cannot be cancelled, so the number of running lookups per process is limited.
MAX_LOOKUPS = 8
DEFAULT_PORTS = {"http": 80, "https": 443}
# IPv6 prefixes whose last 32 bits are an IPv4 address: translated by the network (RFC 6052), and IPv4-compatible.
EMBEDDING_PREFIXES = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("::/96"))
# Not public, but unknown to `ipaddress` of some versions of Python: protocol assignments, translation to the local
# network (RFC 8215), documentation (RFC 9637), segment routing (RFC 9602).
FURTHER_INTERNAL_NETWORKS = tuple(
    map(ipaddress.ip_network, ("192.0.0.0/24", "64:ff9b:1::/48", "3fff::/20", "5f00::/16"))
)
# The interface identifiers of ISATAP, whose last 32 bits are an IPv4 address (RFC 5214).
ISATAP_IDENTIFIERS = {0x00005EFE, 0x02005EFE}


def resolve_host(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host name, or of an IP address in any notation."""
    infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(info[4][0]) for info in infos]


class Network(NamedTuple):
    """The functions that resolve host names and open connections; tests replace them."""

    resolve: Callable[[str, int], list[str]] = resolve_host
    backend: NetworkBackend = httpcore.SyncBackend()


NETWORK = Network()


class FetchError(Exception):
    """A URL could not be fetched. The message is for users and reveals nothing about internal networks."""


class NonPublicAddressError(FetchError):
    """The URL, or one that it redirects to, is not on the public internet."""


class StatusError(FetchError):
    """The server responded with a status other than 200. `headers` have names in lower case."""

    def __init__(self, status: int, headers: Mapping[str, str]) -> None:
        super().__init__(_("The remote server responded with status %(status)s.") % {"status": status})
        self.status, self.headers = status, headers


class FetchedFile(NamedTuple):
    """The response to a GET request: its content, media type as declared by the server, and final URL.

    `headers` have names in lower case.
    """

    content: bytes
    media_type: str
    url: str
    headers: Mapping[str, str] = MappingProxyType({})


def fetch(
    url: str, *, max_bytes: int, seconds: float, headers: Mapping[str, str] = MappingProxyType({})
) -> FetchedFile:
    """Send a GET request and follow redirects. Raises FetchError; a StatusError if the server responded.

    `headers` are sent to the origin of the URL only, because they may be credentials.
    """
    try:
        origin = _origin(url)
        with httpcore.ConnectionPool(network_backend=PublicOnlyBackend(NETWORK, seconds)) as pool:
            for _attempt in range(MAX_REDIRECTS + 1):
                result = _request(pool, _parse_url(url), max_bytes, headers if _origin(url) == origin else {})
                if isinstance(result, FetchedFile):
                    return result
                url = urljoin(url, result)
    except httpcore.TimeoutException as error:
        raise FetchError(_("The remote server took too long to respond.")) from error
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError, UnicodeError, ValueError) as error:
        logger.info("Cannot fetch %r: %s", url, error)
        raise FetchError(_("The URL could not be fetched.")) from error
    raise FetchError(_("The URL redirects too many times."))


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def _parse_url(url: str) -> httpcore.URL:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise FetchError(_("Not a valid URL. It must start with http:// or https://."))
    port = DEFAULT_PORTS[parts.scheme] if parts.port is None else parts.port
    if port not in settings.HTTP_CLIENT_PORTS:
        raise FetchError(_("The URL has a port that is not allowed."))
    path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    host = parts.hostname.encode("idna")
    return httpcore.URL(scheme=parts.scheme, host=host, port=parts.port, target=_quote_path(path))


def _quote_path(path: str) -> bytes:
    """Percent-encode the characters of a path that are not allowed in a request."""
    return quote(path, safe="/?:@!$&'()*+,;=-._~%[]").encode("ascii")


def _request(
    pool: httpcore.ConnectionPool, url: httpcore.URL, max_bytes: int, sent: Mapping[str, str]
) -> FetchedFile | str:
    """Return the file at the URL, or the URL that it redirects to."""
    agent = f"{USER_AGENT} (+{settings.PUBLIC_URL})" if settings.PUBLIC_URL else USER_AGENT
    headers: dict[bytes | str, bytes | str] = {
        "User-Agent": agent,
        **dict[bytes | str, bytes | str]((name.title(), value) for name, value in sent.items()),
        "Host": _host_header(url),
        # A small compressed body must not expand into a large one.
        "Accept-Encoding": "identity",
    }
    with pool.stream("GET", url, headers=headers) as response:
        received = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
        if response.status in REDIRECT_STATUSES and "location" in received:
            return received["location"]
        if response.status != 200:
            raise StatusError(response.status, received)
        content = _read(response.iter_stream(), max_bytes)
    media_type = received.get("content-type", "").split(";")[0].strip().lower()
    return FetchedFile(content, media_type, bytes(url).decode("ascii"), received)


def _host_header(url: httpcore.URL) -> bytes:
    host = b"[" + url.host + b"]" if b":" in url.host else url.host
    return host if url.port is None else b"%b:%d" % (host, url.port)


def _read(chunks: Iterable[bytes], max_bytes: int) -> bytes:
    content = bytearray()
    for chunk in chunks:
        content += chunk
        if len(content) > max_bytes:
            raise FetchError(_("The file is larger than %(limit)s MB.") % {"limit": max_bytes // (1024 * 1024) or 1})
    return bytes(content)


# --- Connecting ---------------------------------------------------------------------------------


class PublicOnlyBackend(NetworkBackend):
    """A network backend that connects to public IP addresses only, with one deadline for all connections."""

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
        # An unknown host gets the same response as an internal one, so that nobody learns which internal names exist.
        try:
            addresses = _resolve_in_time(self.network.resolve, host, port, self.deadline)
        except OSError as error:
            logger.info("Cannot resolve %r: %s", host, error)
            addresses = []
        if not addresses or not all(is_public_ip(address) for address in addresses):
            logger.warning("Refused to connect to %r: no IP address, or a non-public one: %s", host, addresses)
            raise NonPublicAddressError(_("The URL does not point to the public internet."))
        stream = self.network.backend.connect_tcp(addresses[0], port, _time_left(self.deadline), local_address)
        return DeadlineStream(stream, self.deadline)


_LOOKUP_SLOTS = BoundedSemaphore(MAX_LOOKUPS)


def _resolve_in_time(resolve: Callable[[str, int], list[str]], host: str, port: int, deadline: float) -> list[str]:
    """Call `resolve` in a thread. Raises ConnectTimeout at the deadline; the lookup keeps its slot until it returns."""
    if not _LOOKUP_SLOTS.acquire(timeout=_time_left(deadline)):
        raise httpcore.ConnectTimeout
    addresses: Future[list[str]] = Future()

    def look_up() -> None:
        try:
            addresses.set_result(resolve(host, port))
        except Exception as error:  # raised again by result()
            addresses.set_exception(error)
        finally:
            _LOOKUP_SLOTS.release()

    Thread(target=look_up, name="look-up", daemon=True).start()
    try:
        return addresses.result(_time_left(deadline))
    except TimeoutError as error:
        raise httpcore.ConnectTimeout from error


class DeadlineStream(NetworkStream):
    """A connection on which no read or write lasts beyond the deadline."""

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
        return DeadlineStream(
            self.stream.start_tls(ssl_context, server_hostname, _time_left(self.deadline)), self.deadline
        )

    def get_extra_info(self, info: str) -> Any:
        return self.stream.get_extra_info(info)


def _time_left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout
    return left


def is_public_ip(text: str) -> bool:
    """Return whether an IP address is public, and any IPv4 address embedded in it as well."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv4Address):
        return _is_public(address)
    embedded = _embedded_ipv4(address)
    # Some tunnels and translators have prefixes that are not public themselves.
    is_translated = address.ipv4_mapped is not None or any(address in prefix for prefix in EMBEDDING_PREFIXES)
    return (is_translated or _is_public(address)) and all(map(_is_public, embedded))


def _is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    if any(address in network for network in FURTHER_INTERNAL_NETWORKS):
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.is_site_local:
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _embedded_ipv4(address: ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """Return the IPv4 addresses to which a tunnel or a translator may forward packets to this address."""
    embedded = [found for found in (address.ipv4_mapped, address.sixtofour, *(address.teredo or ())) if found]
    is_isatap = int(address) >> 32 & 0xFFFFFFFF in ISATAP_IDENTIFIERS
    if is_isatap or any(address in prefix for prefix in EMBEDDING_PREFIXES):
        embedded.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return embedded
