"""S9: outgoing requests (URLs of images) reach public IP addresses and the usual ports only, within limits.

Addresses in every notation, tunnels and translators, a host name that resolves differently the second time, redirects,
and slow or endless responses, with a resolver and a server of the test.
"""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address

import pytest

from calendar_site.core.http import http_client
from calendar_site.core.http.http_client import (
    FetchedFile,
    FetchError,
    Network,
    NonPublicAddressError,
    StatusError,
    fetch,
    is_public_ip,
)
from tests.support.remote_server import PUBLIC, LoopbackBackend, http_redirect, http_response


def get(url, max_bytes=1000, seconds=5.0):
    return fetch(url, max_bytes=max_bytes, seconds=seconds)


def test_fetch_returns_content_media_type_and_url(serve_remotely):
    server = serve_remotely(http_response(b"picture", headers="Content-Type: Image/PNG; charset=x\r\n"))

    fetched = get("http://pictures.example/a b/ü.png?x=1&y=%20")

    headers = {"content-length": "7", "connection": "close", "content-type": "Image/PNG; charset=x"}
    assert fetched == FetchedFile(
        b"picture", "image/png", "http://pictures.example/a%20b/%C3%BC.png?x=1&y=%20", headers
    )
    assert server.requests[0].splitlines()[0] == "GET /a%20b/%C3%BC.png?x=1&y=%20 HTTP/1.1"
    assert "Host: pictures.example" in server.requests[0]
    assert server.backend.asked == [PUBLIC]


def test_headers_are_sent_to_the_origin_of_the_url_only(serve_remotely, settings):
    settings.PUBLIC_URL = "https://calendar.example.org"
    server = serve_remotely(
        http_redirect("/moved"), http_redirect("http://other.example/calendar.ics"), http_response(b"BEGIN:VCALENDAR")
    )

    fetch("http://source.example/calendar.ics", max_bytes=1000, seconds=5, headers={"Authorization": "Basic eDp5"})

    hosts = [request.split("Host: ")[1].split("\r\n")[0] for request in server.requests]
    assert hosts == ["source.example", "source.example", "other.example"]
    assert ["Authorization: Basic eDp5" in request for request in server.requests] == [True, True, False]
    assert all("User-Agent: event-calendar (+https://calendar.example.org)\r\n" in r for r in server.requests)


def test_status_of_the_response_is_part_of_the_error(serve_remotely):
    serve_remotely(http_response(b"", status="429 Too Many Requests", headers="Retry-After: 3\r\n"))

    with pytest.raises(StatusError) as error:
        get("http://source.example/calendar.ics")

    assert (error.value.status, error.value.headers["retry-after"]) == (429, "3")


def test_connection_goes_to_the_address_that_was_checked(serve_remotely):
    # The resolver's second answer would be a private address: it is never asked for one.
    server = serve_remotely(http_response(b"picture"), addresses={"rebinding.example": [[PUBLIC], ["10.0.0.1"]]})

    assert get("http://rebinding.example/").content == b"picture"
    assert server.backend.asked == [PUBLIC]


def test_host_with_a_private_address_among_others_is_refused(serve_remotely):
    server = serve_remotely(http_response(b"secret"), addresses={"mixed.example": [[PUBLIC, "10.0.0.1"]]})

    with pytest.raises(NonPublicAddressError):
        get("http://mixed.example/")

    assert server.requests == []


def test_host_without_an_address_is_refused(serve_remotely):
    serve_remotely(http_response(b"secret"), addresses={"nowhere.example": [[]]})

    with pytest.raises(FetchError):
        get("http://nowhere.example/")


def test_unknown_host_is_refused(monkeypatch):
    def unknown(host, port):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(http_client, "NETWORK", Network(unknown))

    # The message of an internal host: otherwise it would show which internal names exist.
    with pytest.raises(NonPublicAddressError, match=r"^The URL does not point to the public internet\.$"):
        get("http://nowhere.example/")


@pytest.fixture
def hanging(serve_remotely):
    """A resolver that answers nothing until it may; afterwards nothing hangs any more."""
    server, released = serve_remotely(http_response(b"picture")), threading.Event()

    def resolve(host, port):
        released.wait(20)
        return [PUBLIC]

    http_client.NETWORK = Network(resolve, server.backend)  # `serve_remotely` puts it back
    yield released
    released.set()
    for thread in pending_lookups():
        thread.join(5)


def pending_lookups():
    return [thread for thread in threading.enumerate() if thread.name == "look-up"]


def test_hanging_lookup_ends_at_the_deadline(hanging):
    began = time.monotonic()

    with pytest.raises(FetchError, match="too long"):
        get("http://pictures.example/", seconds=0.2)

    assert time.monotonic() - began < 5


def test_hanging_lookups_do_not_pile_up(hanging):
    def ask(_number):
        with pytest.raises(FetchError, match="too long"):
            get("http://pictures.example/", seconds=0.2)

    with ThreadPoolExecutor(20) as people:
        list(people.map(ask, range(40)))

    assert len(pending_lookups()) == http_client.MAX_LOOKUPS
    hanging.set()
    assert get("http://pictures.example/").content == b"picture"


@pytest.mark.parametrize("target", ["http://10.0.0.1/", "//169.254.169.254/latest/meta-data", "http://localhost/x"])
def test_redirect_to_a_private_address_is_refused(serve_remotely, monkeypatch, target):
    server = serve_remotely(http_redirect(target), http_response(b"secret"))
    resolve = http_client.resolve_host

    def as_usual_but_for_the_first(host, port):
        return [PUBLIC] if host == "pictures.example" else resolve(host, port)

    monkeypatch.setattr(http_client, "NETWORK", Network(as_usual_but_for_the_first, server.backend))

    with pytest.raises(NonPublicAddressError):
        get("http://pictures.example/")

    assert len(server.requests) == 1


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://pictures.example/", "gopher://x/", "http://u:p@x/"])
def test_redirect_to_another_scheme_is_refused(serve_remotely, target):
    serve_remotely(http_redirect(target), http_response(b"secret"))

    with pytest.raises(FetchError):
        get("http://pictures.example/")


def test_three_redirects_are_followed_including_relative_ones(serve_remotely):
    server = serve_remotely(
        http_redirect("/b"), http_redirect("c?d=1"), http_redirect("http://other.example/e"), http_response(b"picture")
    )

    assert get("http://pictures.example/a").url == "http://other.example/e"
    assert [request.split()[1] for request in server.requests] == ["/a", "/b", "/c?d=1", "/e"]


def test_fourth_redirect_is_refused(serve_remotely):
    serve_remotely(*[http_redirect("/again")] * 4, http_response(b"picture"))

    with pytest.raises(FetchError):
        get("http://pictures.example/")


@pytest.mark.parametrize("status", ["404 Not Found", "500 Oops", "204 No Content", "206 Partial Content"])
def test_other_status_is_refused(serve_remotely, status):
    serve_remotely(http_response(b"", status=status))

    with pytest.raises(FetchError, match=status[:3]):
        get("http://pictures.example/")


def test_body_of_the_maximum_size_is_accepted(serve_remotely):
    serve_remotely(http_response(b"x" * 1000))

    assert len(get("http://pictures.example/", max_bytes=1000).content) == 1000


def test_endless_body_is_refused_at_the_limit(serve_remotely):
    def endless(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        while True:
            connection.sendall(b"x" * 10_000)

    serve_remotely(endless)

    with pytest.raises(FetchError, match=r"^The file is larger than 1 MB\.$"):
        get("http://pictures.example/", max_bytes=100_000)


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"])
def test_slow_response_is_refused_at_the_deadline(serve_remotely, head):
    def dripping(connection):
        connection.sendall(head)
        # Each piece comes well within the time, all of them together do not.
        for _piece in range(40):
            connection.sendall(b"X")
            time.sleep(0.05)

    serve_remotely(dripping)

    with pytest.raises(FetchError):
        get("http://pictures.example/", seconds=0.3)


def test_connection_that_is_closed_in_the_middle_is_refused(serve_remotely):
    serve_remotely(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhalf")

    with pytest.raises(FetchError):
        get("http://pictures.example/")


def test_response_that_is_not_http_is_refused(serve_remotely):
    serve_remotely(b"220 mail.example ESMTP\r\n")

    with pytest.raises(FetchError):
        get("http://pictures.example/")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "pictures.example/a.png",
        "ftp://pictures.example/a.png",
        "file:///etc/passwd",
        "http://",
        "http:///a.png",
        "http://user:password@pictures.example/",
        "http://user@pictures.example/",
        "http://pictures.example:99999/",
        "http://pictures.example:port/",
        "http://[::1/",
        "http://" + "a" * 64 + ".example/",
        "http://a..example/",
        "http://\udcff.example/",
        "data:image/png;base64,AAAA",
    ],
)
def test_invalid_url_is_refused(serve_remotely, address):
    server = serve_remotely(http_response(b"secret"))

    with pytest.raises(FetchError):
        get(address)

    assert server.requests == []


# Addresses inside a network, and those that IPv6 tunnels and translators forward there.
INTERNAL_IPV4 = (
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "127.0.0.1", "127.8.8.8", "169.254.169.254",  # noqa: S104
    "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.0.1", "198.18.0.1", "198.51.100.1",
    "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
)  # fmt: skip
INTERNAL_IPV6 = (
    "::", "::1", "::2", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00::1", "fec0::1", "ff02::1", "ff0e::1", "100::1",
    "2001:db8::1", "2001::1", "2001:2::1", "2001:10::1", "64:ff9b:1::1", "64:ff9b:1:a00:0:100::", "3fff::1", "5f00::1",
)  # fmt: skip
EMBEDDED_IN = {
    "mapped": "::ffff:{}",
    "compatible": "::{}",
    "NAT64": "64:ff9b::{}",
    "ISATAP": "2606:2800:220:1:0:5efe:{}",
    "ISATAP, global": "2606:2800:220:1:200:5efe:{}",
}
EMBEDDED = ("127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.0.1")
SPELLINGS = (
    "localhost", "LOCALHOST", "localhost.", "0", "127.1", "127.0.1", "2130706433", "0177.0.0.1", "017700000001",
    "0x7f.1", "0x7f000001", "0x7F.0x0.0x0.0x1", "10.1", "0x0a.1", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]",
    "[0000:0000:0000:0000:0000:ffff:127.0.0.1]", "%31%32%37.0.0.1", "127。0。0。1", "①②⑦.⓪.⓪.①", "[::1%25lo]",
)  # fmt: skip


def six_to_four(address):
    return f"2002:{int(IPv4Address(address)) >> 16:x}:{int(IPv4Address(address)) & 0xFFFF:x}::1"


def internal_addresses():
    embedded = [pattern.format(address) for pattern in EMBEDDED_IN.values() for address in EMBEDDED]
    return [*INTERNAL_IPV4, *INTERNAL_IPV6, *embedded, *map(six_to_four, EMBEDDED)]


@pytest.mark.parametrize("address", internal_addresses())
def test_host_with_an_internal_address_is_refused(serve_remotely, address):
    server = serve_remotely(http_response(b"secret"), addresses={"inner.example": [[address]]})

    with pytest.raises(NonPublicAddressError):
        get("http://inner.example/")

    assert server.backend.asked == []


@pytest.mark.parametrize(
    "host", [*(f"[{host}]" if ":" in host else host for host in internal_addresses() if "%" not in host), *SPELLINGS]
)
def test_internal_host_is_refused_in_every_notation(monkeypatch, host):
    backend = LoopbackBackend(1)
    monkeypatch.setattr(http_client, "NETWORK", Network(backend=backend))

    with pytest.raises(FetchError):
        get(f"http://{host}/")

    assert backend.asked == []


@pytest.mark.parametrize("address", internal_addresses())
def test_redirect_to_an_internal_address_is_refused(serve_remotely, address):
    server = serve_remotely(
        http_redirect("http://inner.example/"), http_response(b"secret"), addresses={"inner.example": [[address]]}
    )

    with pytest.raises(NonPublicAddressError):
        get("http://pictures.example/")

    assert server.backend.asked == [PUBLIC]


@pytest.mark.parametrize(
    "address",
    [
        PUBLIC,
        "8.8.8.8",
        "2001:4860:4860::8888",
        "2606:2800:220:1:248:1893:25c8:1946",
        *(pattern.format(PUBLIC) for pattern in EMBEDDED_IN.values()),
        six_to_four(PUBLIC),
    ],
)
def test_public_address_is_public(address):
    assert is_public_ip(address) is True


@pytest.mark.parametrize(
    "url",
    [
        "http://pictures.example:22/",
        "http://pictures.example:0/",
        "http://pictures.example:8000/",
        "https://pictures.example:6379/",
        "http://[2001:4860:4860::8888]:25/",
    ],
)
def test_other_port_is_refused(serve_remotely, url):
    server = serve_remotely(http_response(b"secret"))

    with pytest.raises(FetchError, match=r"^The URL has a port that is not allowed\.$"):
        get(url)

    assert server.backend.asked == []


def test_redirect_to_another_port_is_refused(serve_remotely):
    server = serve_remotely(http_redirect("http://pictures.example:22/"), http_response(b"secret"))

    with pytest.raises(FetchError, match="port"):
        get("http://pictures.example/")

    assert len(server.requests) == 1


@pytest.mark.parametrize("url", ["http://pictures.example:80/", "http://pictures.example:443/"])
def test_usual_port_may_be_named(serve_remotely, url):
    serve_remotely(http_response(b"picture"))

    assert get(url).content == b"picture"


def test_further_ports_are_a_setting(serve_remotely, settings):
    settings.HTTP_CLIENT_PORTS = [80, 8080]
    serve_remotely(http_response(b"picture"))

    assert get("http://pictures.example:8080/").content == b"picture"
    with pytest.raises(FetchError, match="port"):
        get("https://pictures.example/")
