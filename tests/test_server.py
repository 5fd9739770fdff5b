"""The service under gunicorn: threads, workers, and clients that behave unusually."""

import contextlib
import fcntl
import http.client
import json
import os
import re
import select
import signal
import socket
import sys
import termios

import psycopg
import pytest
from django.conf import settings

from tests.support.preparation import collected_static_files, migrated_database
from tests.support.python_starter import manage
from tests.support.served_app import (
    SECONDS,
    ServedApp,
    free_port,
    prepared_environment,
    serve_app,
    serve_app_in_group,
    start_server,
    wait_until,
    worker_pids,
    write_lock_held,
)
from tests.support.socket_unit import started_on_sockets

API = "/cal/events/v1"
EVENT = {"title": "Open air", "start_date": "2030-05-04 18:00:00", "end_date": "2030-05-04 20:00:00"}
JSON = {"Content-Type": "application/json"}
TOO_LARGE = {
    "code": "rest_content_too_large",
    "message": "The request body is larger than this service accepts.",
    "data": {"status": 413},
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory, shared_folder):
    """The environment of a prepared service, and the headers that authenticate an editor."""
    folder = tmp_path_factory.mktemp("served")
    label = f"served_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    url = os.environ.get("DATABASE_URL", "")
    static = collected_static_files(shared_folder)
    with prepared_environment(url, label, migrated_database(url, shared_folder), static, folder) as environment:
        made = manage(environment, "create_user", "eve", "--role=editor", "--application-password=tests")
        secret = made.splitlines()[-1]
        yield environment, {"Authorization": f"Bearer {secret}"}


@pytest.fixture
def started(prepared, tmp_path):
    """Return a function that starts a service for one test."""
    with contextlib.ExitStack() as stack:

        def start(**changed):
            environment, signed_in = prepared
            environment = {**environment, **changed, "PORT": str(free_port())}
            log = tmp_path / "server.log"
            process = stack.enter_context(serve_app(environment, log))
            return ServedApp(environment, signed_in, process, log)

        yield start


@pytest.fixture(scope="module")
def served_app(prepared, tmp_path_factory):
    """One service for all tests that do not change it."""
    environment, signed_in = prepared
    environment = {**environment, "PORT": str(free_port())}
    log = tmp_path_factory.mktemp("log") / "server.log"
    with serve_app(environment, log) as process:
        yield ServedApp(environment, signed_in, process, log)


# --- HEAD and connections ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", [f"{API}/events", f"{API}/events/999", f"{API}/none", "/", "/event/none/", "/static/admin/css/base.css"]
)
def test_head_has_the_length_of_get_and_no_body(served_app, path):
    with contextlib.closing(served_app.connect()) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        length = len(response.read())

    host = "{}:{}".format(*served_app.address)
    raw = f"HEAD {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    with socket.create_connection(served_app.address, timeout=SECONDS) as connection:
        connection.sendall(raw.encode())
        received = b"".join(iter(lambda: connection.recv(65536), b""))

    head, _blank, body = received.partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {response.status} ".encode())
    assert f"\r\ncontent-length: {length}\r\n".encode() in head + b"\r\n"
    assert body == b""
    assert "no-body response" not in served_app.log.read_text()


def test_connection_is_kept_alive(served_app):
    with contextlib.closing(served_app.connect()) as connection:
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
def test_client_that_sends_a_body_over_the_limit_receives_the_error(served_app, path, size):
    response, body = served_app.request("POST", path, b" " * size, **JSON)

    assert response.status == 413
    assert json.loads(body) == TOO_LARGE


def test_upload_over_the_limit_is_refused(served_app):
    form = b'--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n%b\r\n--x--\r\n'
    body = form % (b"x" * settings.UPLOAD_LIMIT)

    response, body = served_app.request(
        "POST", f"{API}/events", body, **{"Content-Type": "multipart/form-data; boundary=x"}
    )

    assert response.status == 413
    assert json.loads(body) == TOO_LARGE


UPLOAD = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'


@pytest.mark.parametrize("is_chunked", [False, True])
def test_upload_over_the_limit_is_refused_before_the_csrf_check(served_app, is_chunked):
    pieces = [UPLOAD, *[b"x" * 65536] * (settings.UPLOAD_LIMIT // 65536 + 1)]
    headers = {"Content-Type": "multipart/form-data; boundary=x", "Cookie": f"csrftoken={'a' * 32}"}

    response, body = served_app.request(
        "POST", "/admin/login/", iter(pieces) if is_chunked else b"".join(pieces), **headers
    )

    assert response.status == 413
    assert "The data you sent is too large." in body.decode()


def test_chunked_body_is_read(served_app):
    pieces = json.dumps({**EVENT, "title": "In pieces"}).encode()

    response, body = served_app.request("POST", f"{API}/events", iter((pieces[:9], pieces[9:])), **JSON)

    assert response.status == 201
    assert json.loads(body)["title"] == "In pieces"


def test_chunked_body_over_the_limit_is_refused(served_app):
    response, body = served_app.request("POST", f"{API}/events", (b" " * 65536 for _ in range(400)), **JSON)

    assert response.status == 413
    assert json.loads(body) == TOO_LARGE


@pytest.mark.parametrize(
    "framing",
    [
        "Content-Length: 90\r\n\r\n{",
        "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
        "Transfer-Encoding: chunked\r\n\r\nzz\r\n{",
    ],
    ids=["incomplete", "incomplete chunks", "invalid chunks"],
)
def test_broken_body_is_a_bad_request(served_app, framing):
    head = f"POST {API}/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += f"Authorization: {served_app.signed_in['Authorization']}\r\n"
    with socket.create_connection(served_app.address, timeout=SECONDS) as connection:
        connection.sendall((head + framing).encode())
        connection.shutdown(socket.SHUT_WR)
        received = b"".join(iter(lambda: connection.recv(65536), b""))

    head, _blank, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"\r\ncontent-type: application/json; charset=utf-8\r\n" in head
    assert json.loads(body) == {
        "code": "rest_invalid_body",
        "message": "The request body cannot be read.",
        "data": {"status": 400},
    }
    assert "Traceback" not in served_app.log.read_text()


# --- Path of the service ---------------------------------------------------------------------------


def test_path_outside_of_the_script_name_is_not_found(started):
    service = started(SCRIPT_NAME="/agenda")

    statuses = {
        path: service.request("GET", path)[0].status
        for path in ("/agenda/livez", f"/agenda{API}/events", "/livez", f"{API}/events", "/agendax/livez", "/")
    }
    _response, body = service.request("GET", f"{API}/events")

    assert statuses == {
        "/agenda/livez": 200,
        f"/agenda{API}/events": 200,
        "/livez": 404,
        f"{API}/events": 404,
        "/agendax/livez": 404,
        "/": 404,
    }
    assert json.loads(body) == {
        "code": "rest_no_route",
        "message": "No route was found matching the URL and request method.",
        "data": {"status": 404},
    }


# --- Inactive clients ------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(socket, "TCP_DEFER_ACCEPT"), reason="Only Linux lets such connections wait outside")
def test_idle_connections_block_no_thread(served_app):
    with contextlib.ExitStack() as stack:
        idle = [stack.enter_context(socket.create_connection(served_app.address, timeout=SECONDS)) for _ in range(30)]
        response, _body = served_app.request("GET", f"{API}/events")
        closed, _writable, _failed = select.select(idle, [], [], 0)

    assert response.status == 200
    # Each would block a thread for five seconds, and then be closed, before the request had its turn.
    assert closed == []


@pytest.mark.parametrize(
    "sent", [b"GET / HTTP/1.1\r\nHost: ", b"POST /admin/login/ HTTP/1.1\r\nContent-Length: 9\r\n\r\n"]
)
def test_unfinished_requests_free_their_threads(served_app, sent):
    with contextlib.ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(socket.create_connection(served_app.address, timeout=SECONDS)).sendall(sent)
        response, _body = served_app.request("GET", f"{API}/events")

    # Twice as many as there are threads, each of which waits for a second.
    assert response.status == 200
    assert "Traceback" not in served_app.log.read_text()


# --- Lock timeouts ---------------------------------------------------------------------------------


def test_lock_timeout_returns_503(served_app):
    with write_lock_held(served_app):
        refused, body = served_app.request("POST", f"{API}/events", json.dumps(EVENT), **JSON)
        read, _body = served_app.request("GET", f"{API}/events")
    accepted, _body = served_app.request("POST", f"{API}/events", json.dumps(EVENT), **JSON)

    assert (refused.status, refused.headers["Retry-After"]) == (503, "2")
    assert json.loads(body) == {
        "code": "rest_busy",
        "message": "The service is busy. Try again in a moment.",
        "data": {"status": 503, "request_id": refused.headers["X-Request-ID"]},
    }
    assert read.status == 200
    assert accepted.status == 201


def test_unreachable_cache_is_tolerated(started):
    service = started(CACHE_URL=f"redis://127.0.0.1:{free_port()}/0", THROTTLE_ANONYMOUS="1/day", THROTTLE_USER="1/day")

    statuses = [service.request("GET", f"{API}/events")[0].status for _ in range(3)]

    assert statuses == [200, 200, 200]
    assert "Could not count a request for throttling" in service.log.read_text()


# --- Metrics ---------------------------------------------------------------------------------------


def test_metrics_of_all_workers_are_added_up(started):
    service = started(METRICS_TOKEN="token")
    for _ in range(6):
        service.request("GET", f"{API}/events")

    _response, body = service.request("GET", "/metrics", Authorization="Bearer token")

    samples = dict(
        re.findall(r'^(calendar_\w+)\{.*route="/\{api_base\}/events".*\} (\S+)$', body.decode(), re.MULTILINE)
    )
    assert float(samples["calendar_requests_total"]) == 6
    assert float(samples["calendar_database_queries_total"]) >= 6


# --- Workers and shutdown --------------------------------------------------------------------------


def test_dead_worker_is_replaced(started):
    service = started()
    assert wait_until(lambda: len(worker_pids(service)) == 2)

    for pid in worker_pids(service):
        os.kill(pid, signal.SIGKILL)

    assert wait_until(lambda: len(worker_pids(service)) == 4)
    assert service.request("GET", f"{API}/events")[0].status == 200


def processors_of(pid):
    """Return the processors on which each thread of a process may run."""
    return {frozenset(os.sched_getaffinity(int(thread))) for thread in os.listdir(f"/proc/{pid}/task")}


def test_workers_run_on_all_processors(started):
    service = started()
    assert wait_until(lambda: len(worker_pids(service)) == 2)

    assert [processors_of(pid) for pid in worker_pids(service)] == [{frozenset(os.sched_getaffinity(0))}] * 2


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="There is only one processor.")
def test_workers_can_be_bound_to_a_processor_each(started):
    first, second = sorted(os.sched_getaffinity(0))[:2]
    service = started(WEB_CPU_AFFINITY="true")
    assert service.request("GET", f"{API}/events")[0].status == 200
    assert wait_until(lambda: len(worker_pids(service)) == 2)
    assert wait_until(lambda: all(len(processors_of(pid)) == 1 for pid in worker_pids(service)))
    pids = sorted(worker_pids(service))
    before = [processors_of(pid) for pid in pids]

    os.kill(pids[1], signal.SIGKILL)
    assert wait_until(lambda: len(worker_pids(service)) == 3)

    assert before == [{frozenset([first])}, {frozenset([second])}]
    assert wait_until(lambda: processors_of(worker_pids(service)[2]) == {frozenset([second])})


def responds(service, setting, seconds=SECONDS):
    """Return whether the service responds within so many seconds on the port in a setting."""
    host, port = service.environment["HOST"], int(service.environment[setting])
    connection = http.client.HTTPConnection(host, port, timeout=seconds)
    with contextlib.closing(connection):
        try:
            connection.request("GET", "/livez")
            return connection.getresponse().status == 200
        except TimeoutError:
            return False


@contextlib.contextmanager
def stopped(pid):
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def niceness_of(pid):
    return os.getpriority(os.PRIO_PROCESS, pid)


def assert_separate(service, reader, writer):
    """Check that each of two workers responds on its own port, and only there."""
    # A worker that has just been started may not listen yet.
    assert responds(service, "PORT")
    assert responds(service, "WRITE_PORT")
    # 19 is the highest niceness, for tests that run with a low priority.
    assert niceness_of(writer) == min(niceness_of(reader) + 10, 19)
    with stopped(writer):
        assert not responds(service, "WRITE_PORT", seconds=1)
        assert responds(service, "PORT")
    with stopped(reader):
        assert not responds(service, "PORT", seconds=1)
        assert responds(service, "WRITE_PORT")


@pytest.fixture
def separated(prepared, tmp_path):
    """A service with one worker for reads and one for writes."""
    environment, signed_in = prepared
    ports = {"PORT": str(free_port()), "WRITE_PORT": str(free_port())}
    environment = {**environment, **ports, "WEB_WORKERS": "1", "WEB_WRITE_WORKERS": "1"}
    log = tmp_path / "server.log"
    # In a group, because the tests stop processes.
    with serve_app_in_group(environment, log) as process:
        service = ServedApp(environment, signed_in, process, log)
        assert wait_until(lambda: len(worker_pids(service)) == 2)
        yield service


def test_workers_for_writes_have_a_port_of_their_own(separated):
    reader, writer = sorted(worker_pids(separated))
    assert_separate(separated, reader, writer)

    os.kill(writer, signal.SIGKILL)
    assert wait_until(lambda: len(worker_pids(separated)) == 3)
    assert_separate(separated, reader, worker_pids(separated)[2])

    os.kill(reader, signal.SIGKILL)
    assert wait_until(lambda: len(worker_pids(separated)) == 4)
    assert_separate(separated, worker_pids(separated)[3], worker_pids(separated)[2])


def test_reload_replaces_workers_of_both_roles(separated):
    separated.process.send_signal(signal.SIGHUP)
    assert wait_until(lambda: len(worker_pids(separated)) == 4)
    assert wait_until(lambda: separated.log.read_text().count("was sent SIGTERM") == 2)

    assert_separate(separated, *sorted(worker_pids(separated))[2:])


@contextlib.contextmanager
def unfinished_create(service, setting="PORT"):
    """Begin to create an event. Yield the connection, which a thread is working on, and the body to send."""
    body = json.dumps({**EVENT, "title": "The last one"}).encode()
    head = f"POST {API}/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += f"Authorization: {service.signed_in['Authorization']}\r\n"
    head += f"Content-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
    address = service.environment["HOST"], int(service.environment[setting])
    with socket.create_connection(address, timeout=SECONDS) as connection:
        connection.sendall(head.encode())
        assert connection.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        yield connection, body


def test_both_ports_are_closed_while_the_last_write_is_finished(separated):
    with unfinished_create(separated, "WRITE_PORT") as (connection, body):
        separated.process.terminate()
        assert wait_until(lambda: separated.log.read_text().count("Shutting down") >= 2)
        refused = [is_refused(int(separated.environment[setting])) for setting in ("PORT", "WRITE_PORT")]
        connection.sendall(body)
        received = b"".join(iter(lambda: connection.recv(65536), b""))

    assert refused == [True, True]
    assert received.startswith(b"HTTP/1.1 201 ")


def is_refused(port):
    """Return whether new connections to the port are refused, or will be in a moment."""

    def connect():
        try:
            socket.create_connection(("127.0.0.1", port), timeout=SECONDS).close()
        except ConnectionRefusedError:
            return True
        return False

    return wait_until(connect, seconds=0.5)


def titles_of_events(service):
    _response, body = service.request("GET", f"{API}/events?start_date=2030-01-01&end_date=2030-12-31&per_page=50")
    return {event["title"] for event in json.loads(body)["events"]}


def test_change_is_visible_on_both_ports(separated):
    on_write_port = separated._replace(
        environment={**separated.environment, "PORT": separated.environment["WRITE_PORT"]}
    )
    before = titles_of_events(separated)
    assert titles_of_events(on_write_port) == before

    for service, title in ((separated, "Through a worker for reads"), (on_write_port, "Through one for writes")):
        response, _body = service.request("POST", f"{API}/events", json.dumps({**EVENT, "title": title}), **JSON)
        assert response.status == 201
        before.add(title)
        assert [titles_of_events(separated), titles_of_events(on_write_port)] == [before, before]


def test_workers_for_writes_need_another_port(prepared, tmp_path):
    environment, _signed_in = prepared
    port = str(free_port())
    log = tmp_path / "server.log"
    same = {**environment, "PORT": port, "WRITE_PORT": port, "WEB_WRITE_WORKERS": "1"}

    process = start_server(same, log)
    try:
        assert process.wait(SECONDS) == 1
    finally:
        process.kill()

    assert f"WEB_WRITE_WORKERS requires a socket on WRITE_PORT ({port}), and one on another port." in log.read_text()


def test_workers_for_writes_need_a_socket(prepared, tmp_path):
    environment, _signed_in = prepared
    log = tmp_path / "server.log"

    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        started_on_sockets([listener], {**environment, "WEB_WRITE_WORKERS": "1"}, log) as process,
    ):
        assert process.wait(SECONDS) == 1

    assert "WEB_WRITE_WORKERS requires a socket on WRITE_PORT (8001), and one on another port." in log.read_text()


@pytest.mark.parametrize(("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_workers_for_writes_find_the_sockets_of_systemd(prepared, tmp_path, family, host):
    environment, signed_in = prepared
    log = tmp_path / "server.log"
    with contextlib.ExitStack() as stack:
        try:
            listeners = [stack.enter_context(socket.create_server((host, 0), family=family)) for _ in range(2)]
        except OSError:
            pytest.skip("There is no IPv6.")
        ports = [str(listener.getsockname()[1]) for listener in listeners]
        separate = {"WRITE_PORT": ports[0], "WEB_WORKERS": "1", "WEB_WRITE_WORKERS": "1"}
        process = stack.enter_context(started_on_sockets(listeners, {**environment, **separate}, log))
        addresses = {"HOST": host, "PORT": ports[1], "WRITE_PORT": ports[0]}
        service = ServedApp({**environment, **addresses}, signed_in, process, log)
        assert wait_until(lambda: len(worker_pids(service)) == 2)

        assert_separate(service, *sorted(worker_pids(service)))


@pytest.mark.skipif(not os.environ.get("DATABASE_URL", "").startswith("postgres"), reason="SQLite has no connections")
def test_lost_database_connections_are_replaced(started):
    service = started(WEB_WORKERS="1", WEB_THREADS="1")
    url = re.sub("^[a-z]+:", "postgresql:", service.environment["DATABASE_URL"])
    assert service.request("GET", f"{API}/events")[0].status == 200

    with psycopg.connect(url, autocommit=True) as other:
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        cut = other.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}").fetchall()  # noqa: S608

    assert (True,) in cut
    assert service.request("GET", f"{API}/events")[0].status == 200


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_signal_stops_the_service(started, name):
    service = started()
    assert service.request("GET", f"{API}/events")[0].status == 200

    service.process.send_signal(getattr(signal, name))

    assert service.process.wait(SECONDS) == 0
    with pytest.raises(ConnectionRefusedError):
        service.request("GET", f"{API}/events")


def test_running_request_is_answered_before_the_stop(started):
    service = started()
    with unfinished_create(service) as (connection, body):
        service.process.terminate()
        assert wait_until(lambda: "Handling signal: term" in service.log.read_text())
        connection.sendall(body)
        received = b"".join(iter(lambda: connection.recv(65536), b""))

    assert received.startswith(b"HTTP/1.1 201 ")
    assert b'"title":"The last one"' in received
    assert service.process.wait(SECONDS) == 0


# --- Heads of requests ---------------------------------------------------------------------------


def exchange(served_app, *parts):
    """Send the parts of a request, each after the server has received the one before, and return the response."""
    with socket.create_connection(served_app.address, timeout=SECONDS) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for part in parts:
            connection.sendall(part)
            wait_until_received(connection)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def wait_until_received(connection):
    """Wait until the other side has acknowledged everything that was sent."""
    assert wait_until(lambda: not int.from_bytes(fcntl.ioctl(connection, termios.TIOCOUTQ, bytes(4)), sys.byteorder))


def code_of(response):
    return re.search(rb'"code": ?"(\w+)"', response)[1].decode()


@pytest.mark.parametrize("name", [b"X-A: ", b""], ids=["value", "name"])
def test_endless_header_is_refused_before_it_is_parsed(served_app, name):
    with socket.create_connection(served_app.address, timeout=SECONDS) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + name)
        received = b""
        # The server closes the connection as soon as it has read more than MAX_HEADER_BYTES.
        with contextlib.suppress(ConnectionError):
            connection.sendall(b"a" * 40_000)
            received = connection.recv(65536)

    # Not as if the client were too slow.
    assert received.startswith(b"HTTP/1.1 400 ") or not received


def test_endless_trailer_is_refused(served_app):
    start = f"POST {API}/tags HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-A: "

    with socket.create_connection(served_app.address, timeout=SECONDS) as connection:
        connection.sendall(start.encode())
        with contextlib.suppress(ConnectionError):
            for _part in range(1000):
                connection.sendall(b"a" * 65536)
            pytest.fail("The server reads a trailer without an end.")


@pytest.mark.parametrize(
    "headers",
    [
        {"Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAMAAABk"},
        {"Connection": "upgrade", "Upgrade": "websocket"},
    ],
    ids=["h2c", "websocket"],
)
def test_body_with_an_upgrade_is_processed(served_app, headers):
    title = f"Upgraded by {headers['Upgrade']}"

    response, body = served_app.request("POST", f"{API}/tags", json.dumps({"name": title}), **JSON, **headers)

    assert (response.status, json.loads(body)["name"]) == (201, title)


def test_request_line_may_arrive_in_segments(served_app):
    authorization = served_app.signed_in["Authorization"]
    rest = f"{API}/tags HTTP/1.1\r\nHost: localhost\r\nAuthorization: {authorization}\r\nConnection: close\r\n"
    body = b"name=In+segments"
    form = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n" % len(body)

    response = exchange(served_app, b"PO", b"ST ", rest.encode(), form, body)

    assert response.startswith(b"HTTP/1.1 201 ")


def test_every_byte_may_arrive_alone(served_app):
    # HTTP/1.0 needs no more headers, and each byte takes a while.
    request = f"BREW {API}/\u00e9 HTTP/1.0\r\n\r\n".encode()

    response = exchange(served_app, *(request[index : index + 1] for index in range(len(request))))

    assert response.startswith(b"HTTP/1.1 404 ")
    assert code_of(response) == "rest_no_route"


@pytest.mark.parametrize(
    ("version", "headers", "status"),
    [
        ("1.1", [], 400),
        ("1.0", [], 200),
        ("1.1", ["Host: localhost", "Host: localhost"], 400),
        ("1.1", ["Host: elsewhere.example"], 400),
        ("1.1", ["Host: localhost"], 200),
    ],
)
def test_host_is_required(served_app, version, headers, status):
    lines = [f"GET {API}/events HTTP/{version}", *headers, "Connection: close", "", ""]

    response = exchange(served_app, "\r\n".join(lines).encode())

    assert response.startswith(f"HTTP/1.1 {status} ".encode())
    if status == 400:
        assert code_of(response) == ("rest_invalid_host" if headers else "rest_missing_host")


@pytest.mark.parametrize(("host", "status"), [("localhost", 200), ("elsewhere.example", 400)])
def test_absolute_url_decides_the_host(served_app, host, status):
    other = "elsewhere.example" if status == 200 else "localhost"
    request = f"GET http://{host}{API}/events HTTP/1.1\r\nHost: {other}\r\nConnection: close\r\n\r\n"

    assert exchange(served_app, request.encode()).startswith(f"HTTP/1.1 {status} ".encode())


@pytest.mark.parametrize(
    ("header", "status", "code"),
    [
        ("Content-Encoding: gzip\r\nContent-Length: 2", 415, "rest_unsupported_content_encoding"),
        ("Content-Range: bytes 0-1/9\r\nContent-Length: 2", 400, "rest_partial_body"),
        ("Transfer-Encoding: gzip, chunked", 501, "rest_unsupported_transfer_encoding"),
    ],
)
def test_body_that_cannot_be_decoded_is_refused(served_app, header, status, code):
    body = "2\r\n{}\r\n0\r\n\r\n" if "chunked" in header else "{}"
    request = f"POST {API}/tags HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{header}\r\n\r\n{body}"

    response = exchange(served_app, request.encode())

    assert response.startswith(f"HTTP/1.1 {status} ".encode())
    assert code_of(response) == code


def test_pipelined_requests_are_answered_in_order(served_app):
    lines = f"GET {API}/%s HTTP/1.1\r\nHost: localhost\r\n"
    requests = lines % "none" + "\r\n" + lines % "tags" + "Connection: close\r\n\r\n"

    response = exchange(served_app, requests.encode())

    assert re.findall(rb"HTTP/1.1 (\d+)", response) == [b"404", b"200"]


def test_idle_upload_ends_before_its_deadline(served_app):
    """The average rate would allow minutes for the bytes that have arrived."""
    start = f"POST {API}/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\n"
    request = f"{start}Content-Length: 11900000\r\n\r\n".encode() + b" " * 10_000_000

    response = exchange(served_app, request)

    assert response.startswith(b"HTTP/1.1 408 ")
