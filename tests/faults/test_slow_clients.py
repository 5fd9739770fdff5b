"""Clients that send or read very slowly: they occupy no thread, and lose their connection at a deadline."""

import contextlib
import json
import socket
import time
from pathlib import Path

import pytest

from tests.support.served_app import SECONDS

EVENTS = "/cal/events/v1/events"
# Larger than the buffers of the system. It is served as a file of the documentation.
LARGE_FILE = "/docs/large.bin"
LARGE_FILE_BYTES = 20_000_000
CONNECTIONS = {"header": 500, "body": 500, "response": 50}
STARTS = {
    "header": f"GET {EVENTS} HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    "body": f"POST {EVENTS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n",
    "response": f"GET {LARGE_FILE} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
}


@pytest.fixture(autouse=True)
def large_file(service_environment):
    """A file that the service serves."""
    docs = Path(service_environment["DATA_DIR"], "docs")
    docs.mkdir()
    (docs / "index.html").touch()
    (docs / "large.bin").write_bytes(b"x" * LARGE_FILE_BYTES)


def connect(service, kind):
    connection = socket.socket()
    connection.settimeout(SECONDS)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(service.address)
    connection.sendall(STARTS[kind].encode())
    return connection


def trickle(connection, kind):
    """Send a byte, or look whether there is one to read. Return False if the server has reset the connection."""
    try:
        if kind == "response":
            return len(connection.recv(1, socket.MSG_PEEK)) == 1
        connection.sendall(b" ")
    except OSError:
        return False
    return True


@pytest.mark.parametrize("kind", STARTS)
def test_slow_connections_delay_nobody(start_service, kind):
    service = start_service(WEB_CLIENT_SECONDS="60")
    statuses, seconds = [], []

    with contextlib.ExitStack() as stack:
        connections = [stack.enter_context(connect(service, kind)) for _ in range(CONNECTIONS[kind])]
        for _ in range(10):
            for connection in connections:
                assert trickle(connection, kind)
            began = time.monotonic()
            statuses.append(service.request("GET", EVENTS)[0].status)
            seconds.append(time.monotonic() - began)

    assert statuses == [200] * 10
    assert max(seconds) < 3


def test_slow_header_ends_at_the_deadline(start_service):
    service = start_service(WEB_CLIENT_SECONDS="1")
    began = time.monotonic()

    with connect(service, "header") as connection:
        while time.monotonic() - began < SECONDS and trickle(connection, "header"):
            time.sleep(0.2)

    assert 1 <= time.monotonic() - began < 10


@pytest.mark.parametrize("seconds", [0, 20], ids=["fast", "slow"])
def test_response_is_cut_off_for_slow_clients_only(start_service, seconds):
    service = start_service(WEB_CLIENT_SECONDS="1")

    with connect(service, "response") as connection:
        # Some parts of 64 KiB wait in the process, for which a client has a second and another one for every 16 KiB.
        time.sleep(seconds)
        received = sum(map(len, iter(lambda: connection.recv(65536), b"")))

    assert (received > LARGE_FILE_BYTES) == (seconds == 0)


def test_slow_body_is_refused_at_the_deadline(start_service):
    service = start_service(WEB_CLIENT_SECONDS="1")
    began = time.monotonic()

    with connect(service, "body") as connection:
        # Not until the response arrives: what reaches a closed connection resets it, before the client has read.
        for _part in range(3):
            connection.sendall(b" ")
            time.sleep(0.2)
        received = b"".join(iter(lambda: connection.recv(65536), b""))

    assert 1 <= time.monotonic() - began < 10
    head, _blank, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert json.loads(body) == {
        "code": "rest_request_timeout",
        "message": "The request body was sent too slowly.",
        "data": {"status": 408},
    }


def test_unfinished_bodies_of_one_network_are_limited(start_service):
    service = start_service(UPLOAD_LIMIT="20000", BODY_LIMIT="20000", WEB_WORKERS="1")
    head = f"POST {EVENTS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 19000\r\n\r\n"

    with contextlib.ExitStack() as stack:
        # Eight times the limit, with a byte of each missing.
        for _ in range(8):
            connection = stack.enter_context(socket.create_connection(service.address, timeout=SECONDS))
            connection.sendall(head.encode() + b" " * 18_999)
        with socket.create_connection(service.address, timeout=SECONDS) as one_too_many:
            one_too_many.sendall(head.encode() + b" " * 18_999)
            received = b"".join(iter(lambda: one_too_many.recv(65536), b""))
        assert service.request("GET", EVENTS)[0].status == 200

    head, _blank, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 429 ")
    assert b"\r\nretry-after: 2" in head
    assert json.loads(body)["code"] == "rest_too_many_uploads"
    # The bytes of the others are free again.
    with socket.create_connection(service.address, timeout=SECONDS) as connection:
        connection.sendall(f"POST {EVENTS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 19000\r\n\r\n".encode())
        connection.sendall(b" " * 19_000)
        assert connection.recv(65536).startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 401 "))


@pytest.mark.parametrize("line", ["X-Long: " + "a" * 40_000, "X-Many: a\r\n" * 4000])
def test_endless_header_is_refused(start_service, line):
    service = start_service()

    with socket.create_connection(service.address, timeout=SECONDS) as connection:
        connection.sendall(f"GET {EVENTS} HTTP/1.1\r\nHost: localhost\r\n{line}\r\n\r\n".encode())
        assert connection.recv(65536).startswith(b"HTTP/1.1 400 ")


def test_other_characters_in_a_url_are_accepted(start_service):
    service = start_service()

    with socket.create_connection(service.address, timeout=SECONDS) as connection:
        connection.sendall(
            f"GET {EVENTS}?search=Caf\u00e9 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
        )
        received = b"".join(iter(lambda: connection.recv(65536), b""))

    assert received.startswith(b"HTTP/1.1 200 ")
    assert b"search=Caf%C3%A9" in received


def test_client_that_ends_its_side_receives_the_response(start_service):
    service = start_service()

    with socket.create_connection(service.address, timeout=SECONDS) as connection:
        connection.sendall(f"GET {EVENTS} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        connection.shutdown(socket.SHUT_WR)
        received = b"".join(iter(lambda: connection.recv(65536), b""))

    assert received.startswith(b"HTTP/1.1 200 ")
