"""The service as it is really served: gunicorn, its threads and workers, and what they make of odd clients."""

import contextlib
import http.client
import json
import os
import re
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from typing import NamedTuple

import psycopg
import pytest
from django.conf import settings

from calendar_site.content.transactions import WRITE_LOCK
from tests.served import ROOT, free_port, own_database, served

API = "/cal/events/v1"
EVENT = {"title": "Open air", "start_date": "2030-05-04 18:00:00", "end_date": "2030-05-04 20:00:00"}
JSON = {"Content-Type": "application/json"}
TOO_LARGE = {
    "code": "rest_content_too_large",
    "message": "The body of the request is larger than this service accepts.",
    "data": {"status": 413},
}
SECONDS = 20


class Service(NamedTuple):
    """A running service, and what it takes to talk to it."""

    environment: dict[str, str]
    signed_in: dict[str, str]
    process: subprocess.Popen
    log: object

    @property
    def address(self) -> tuple[str, int]:
        return "127.0.0.1", int(self.environment["PORT"])

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(*self.address, timeout=SECONDS)

    def request(self, method, path, body=None, **headers):
        """The answer, its body as it came, on a connection of its own."""
        with contextlib.closing(self.connect()) as connection:
            connection.request(method, path, body, {**self.signed_in, **headers})
            answer = connection.getresponse()
            return answer, answer.read()


def manage(environment, *arguments):
    """The lines that a command prints."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """The environment and the sign-in of a service that is ready to be started."""
    folder = tmp_path_factory.mktemp("served")
    label = f"served_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    with own_database(os.environ.get("DATABASE_URL", ""), label, folder) as database:
        environment = {
            "DATABASE_URL": database,
            "DATA_DIR": str(folder),
            "DEBUG": "false",
            "HOST": "127.0.0.1",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "WEB_CLIENT_SECONDS": "1",
            "WEB_THREADS": "2",
            "WEB_WORKERS": "2",
            "WRITE_WAIT_SECONDS": "1",
        }
        manage(environment, "migrate", "--verbosity=0")
        manage(environment, "collectstatic", "--noinput", "--verbosity=0")
        secret = manage(environment, "create_user", "eve", "--role=editor", "--application-password=tests")[-1]
        yield environment, {"Authorization": f"Bearer {secret}"}


@pytest.fixture
def started(prepared, tmp_path):
    """Starts a service of a test's own."""
    with contextlib.ExitStack() as stack:

        def start(**changed):
            environment, signed_in = prepared
            environment = {**environment, **changed, "PORT": str(free_port())}
            log = tmp_path / "server.log"
            process = stack.enter_context(served(environment, log))
            return Service(environment, signed_in, process, log)

        yield start


@pytest.fixture(scope="module")
def service(prepared, tmp_path_factory):
    """One for all tests that leave it as it was."""
    environment, signed_in = prepared
    environment = {**environment, "PORT": str(free_port())}
    log = tmp_path_factory.mktemp("log") / "server.log"
    with served(environment, log) as process:
        yield Service(environment, signed_in, process, log)


@contextlib.contextmanager
def somebody_writing(service):
    """Holds the turn of the writers."""
    url = service.environment["DATABASE_URL"]
    if url.startswith("sqlite"):
        with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
        return
    with psycopg.connect(re.sub("^[a-z]+:", "postgresql:", url)) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", [WRITE_LOCK])
        yield


def workers_of(service):
    """The processes that were ever started to answer, in their order."""
    return [int(pid) for pid in re.findall(r"Booting worker with pid: (\d+)", service.log.read_text())]


def eventually(condition, seconds=SECONDS):
    """Whether it becomes true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


# --- HEAD and connections ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", [f"{API}/events", f"{API}/events/999", f"{API}/none", "/", "/event/none/", "/static/admin/css/base.css"]
)
def test_head_has_the_length_of_get_and_no_body(service, path):
    with contextlib.closing(service.connect()) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        length = len(answer.read())

    host = "{}:{}".format(*service.address)
    raw = f"HEAD {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    with socket.create_connection(service.address, timeout=SECONDS) as connection:
        connection.sendall(raw.encode())
        received = b"".join(iter(lambda: connection.recv(65536), b""))

    head, _blank, body = received.partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {answer.status} ".encode())
    assert f"\r\nContent-Length: {length}\r\n".encode() in head + b"\r\n"
    assert body == b""
    assert "no-body response" not in service.log.read_text()


def test_one_connection_serves_many_requests(service):
    with contextlib.closing(service.connect()) as connection:
        sockets = set()
        for method, path in (("GET", f"{API}/events"), ("HEAD", "/"), ("GET", f"{API}/none"), ("GET", "/admin/login/")):
            connection.request(method, path)
            connection.getresponse().read()
            sockets.add(connection.sock)

    assert len(sockets) == 1
    assert None not in sockets


# --- Bodies --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1, 30 * 1024 * 1024])
@pytest.mark.parametrize("path", [f"{API}/events", f"{API}/venues/1"])
def test_body_over_the_limit_is_refused_to_who_sends_it_whole(service, path, size):
    answer, body = service.request("POST", path, b" " * size, **JSON)

    assert answer.status == 413
    assert json.loads(body) == TOO_LARGE


def test_upload_over_its_limit_is_refused(service):
    form = b'--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n%b\r\n--x--\r\n'
    body = form % (b"x" * settings.UPLOAD_LIMIT)

    answer, body = service.request("POST", f"{API}/events", body, **{"Content-Type": "multipart/form-data; boundary=x"})

    assert answer.status == 413
    assert json.loads(body) == TOO_LARGE


UPLOAD = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'


@pytest.mark.parametrize("is_chunked", [False, True])
def test_upload_over_its_limit_is_refused_in_a_page_before_its_token_is_sought(service, is_chunked):
    pieces = [UPLOAD, *[b"x" * 65536] * (settings.UPLOAD_LIMIT // 65536 + 1)]
    headers = {"Content-Type": "multipart/form-data; boundary=x", "Cookie": f"csrftoken={'a' * 32}"}

    answer, body = service.request("POST", "/admin/login/", iter(pieces) if is_chunked else b"".join(pieces), **headers)

    assert answer.status == 413
    assert "What you sent is larger than this site accepts" in body.decode()


def test_body_in_chunks_is_read(service):
    pieces = json.dumps({**EVENT, "title": "In pieces"}).encode()

    answer, body = service.request("POST", f"{API}/events", iter((pieces[:9], pieces[9:])), **JSON)

    assert answer.status == 201
    assert json.loads(body)["title"] == "In pieces"


def test_body_in_chunks_over_the_limit_is_refused(service):
    answer, body = service.request("POST", f"{API}/events", (b" " * 65536 for _ in range(400)), **JSON)

    assert answer.status == 413
    assert json.loads(body) == TOO_LARGE


@pytest.mark.parametrize("framing", ["Content-Length: 90\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\nzz\r\n{"])
def test_broken_body_is_no_fault_of_ours(service, framing):
    head = f"POST {API}/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += f"Authorization: {service.signed_in['Authorization']}\r\n"
    with socket.create_connection(service.address, timeout=SECONDS) as connection:
        connection.sendall((head + framing).encode())
        connection.shutdown(socket.SHUT_WR)
        received = connection.recv(65536)

    assert received.startswith(b"HTTP/1.1 400 ")
    assert "Traceback" not in service.log.read_text()


# --- Clients that do nothing -----------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(socket, "TCP_DEFER_ACCEPT"), reason="Only Linux lets such connections wait outside")
def test_connections_without_a_request_hold_nobody_up(service):
    with contextlib.ExitStack() as stack:
        for _ in range(30):
            stack.enter_context(socket.create_connection(service.address, timeout=SECONDS))
        began = time.monotonic()
        answer, _body = service.request("GET", f"{API}/events")

    assert answer.status == 200
    # Each of them would hold a thread for five seconds.
    assert time.monotonic() - began < 4


@pytest.mark.parametrize(
    "sent", [b"GET / HTTP/1.1\r\nHost: ", b"POST /admin/login/ HTTP/1.1\r\nContent-Length: 9\r\n\r\n"]
)
def test_requests_left_unfinished_give_their_threads_back(service, sent):
    with contextlib.ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(socket.create_connection(service.address, timeout=SECONDS)).sendall(sent)
        answer, _body = service.request("GET", f"{API}/events")

    # Twice as many as there are threads, each of which waits a second.
    assert answer.status == 200
    assert "Traceback" not in service.log.read_text()


# --- Writers who wait ------------------------------------------------------------------------------


def test_writer_whose_turn_does_not_come_is_asked_to_come_back(service):
    with somebody_writing(service):
        refused, body = service.request("POST", f"{API}/events", json.dumps(EVENT), **JSON)
        read, _body = service.request("GET", f"{API}/events")
    accepted, _body = service.request("POST", f"{API}/events", json.dumps(EVENT), **JSON)

    assert (refused.status, refused.headers["Retry-After"]) == (503, "2")
    assert json.loads(body) == {
        "code": "rest_busy",
        "message": "The service is busy. Try again in a moment.",
        "data": {"status": 503},
    }
    assert read.status == 200
    assert accepted.status == 201


def test_lost_cache_takes_nothing_with_it(started):
    service = started(CACHE_URL=f"redis://127.0.0.1:{free_port()}/0", THROTTLE_ANONYMOUS="1/day", THROTTLE_USER="1/day")

    answers = [service.request("GET", f"{API}/events")[0].status for _ in range(3)]

    assert answers == [200, 200, 200]
    assert "A request was not counted" in service.log.read_text()


# --- Workers and the end ---------------------------------------------------------------------------


def test_worker_that_dies_is_replaced(started):
    service = started()
    assert eventually(lambda: len(workers_of(service)) == 2)

    for pid in workers_of(service):
        os.kill(pid, signal.SIGKILL)

    assert eventually(lambda: len(workers_of(service)) == 4)
    assert service.request("GET", f"{API}/events")[0].status == 200


@pytest.mark.skipif(not os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="SQLite has no connections")
def test_lost_connections_to_the_database_are_made_anew(started):
    service = started(WEB_WORKERS="1", WEB_THREADS="1")
    url = re.sub("^[a-z]+:", "postgresql:", service.environment["DATABASE_URL"])
    assert service.request("GET", f"{API}/events")[0].status == 200

    with psycopg.connect(url, autocommit=True) as other:
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        cut = other.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}").fetchall()  # noqa: S608

    assert (True,) in cut
    assert service.request("GET", f"{API}/events")[0].status == 200


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_signal_ends_the_service(started, name):
    service = started()
    assert service.request("GET", f"{API}/events")[0].status == 200

    service.process.send_signal(getattr(signal, name))

    assert service.process.wait(SECONDS) == 0
    with pytest.raises(ConnectionRefusedError):
        service.request("GET", f"{API}/events")


def test_request_under_way_is_answered_before_the_end(started):
    service = started()
    body = json.dumps({**EVENT, "title": "The last one"}).encode()
    head = f"POST {API}/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += f"Authorization: {service.signed_in['Authorization']}\r\n"
    head += f"Content-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
    with socket.create_connection(service.address, timeout=SECONDS) as connection:
        connection.sendall(head.encode())
        # A thread has begun with it.
        assert connection.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"

        service.process.terminate()
        assert eventually(lambda: "Handling signal: term" in service.log.read_text())
        connection.sendall(body)
        received = b"".join(iter(lambda: connection.recv(65536), b""))

    assert received.startswith(b"HTTP/1.1 201 ")
    assert b'"title":"The last one"' in received
    assert service.process.wait(SECONDS) == 0
