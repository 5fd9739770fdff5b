"""A database that is gone, frozen or locked: bounded errors meanwhile, and normal service afterwards."""

import json
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.databases import is_postgresql
from tests.support.postgresql_server import PostgreSQLServer
from tests.support.served_app import wait_until, worker_pids, write_lock_held

EVENTS = "/cal/events/v1/events"
EVENT = {"title": "Open air", "start_date": "2030-05-04 18:00:00", "end_date": "2030-05-04 20:00:00"}
JSON = {"Content-Type": "application/json"}

on_postgresql = pytest.mark.skipif(
    not is_postgresql(os.environ.get("DATABASE_URL", "")), reason="SQLite has no server that could stop"
)


@pytest.fixture
def own_server(service_environment):
    """A PostgreSQL server that the test may stop, with a copy of the database of the service."""
    with PostgreSQLServer.started() as server:
        server.copy(service_environment["DATABASE_URL"])
        yield server


def unavailability(answer):
    response, body = answer
    error = json.loads(body)
    assert error["data"].pop("request_id") == response.headers["X-Request-ID"]
    return response.status, response.headers["Retry-After"], error


UNAVAILABLE = (
    503,
    "5",
    {
        "code": "rest_unavailable",
        "message": "The service is temporarily unavailable. Try again in a moment.",
        "data": {"status": 503},
    },
)


@on_postgresql
def test_stopped_database_is_503_in_one_log_line_until_it_is_back(start_service, own_server):
    service = start_service(DATABASE_URL=own_server.url)
    assert service.request("GET", EVENTS)[0].status == 200

    own_server.stop()
    responses = [service.request("GET", EVENTS) for _ in range(10)]
    write = service.request("POST", EVENTS, json.dumps(EVENT), **JSON)
    page, html = service.request("GET", "/")
    admin, _html = service.request("GET", "/admin/", Cookie="sessionid=abcdefghijklmnopqrstuvwxyzabcdef")
    log = service.log.read_text()
    own_server.start()

    assert [unavailability(answer) for answer in [*responses, write]] == [UNAVAILABLE] * 11
    assert (page.status, page.headers["Retry-After"], admin.status) == (503, "5", 503)
    assert "The site is temporarily unavailable" in html.decode()
    assert "Traceback" not in log
    # One line for each of the two processes.
    assert 1 <= log.count("The database is unavailable: ") <= 2
    assert "Service Unavailable" not in log
    assert service.request("GET", EVENTS)[0].status == 200
    assert service.request("POST", EVENTS, json.dumps(EVENT), **JSON)[0].status == 201


@on_postgresql
def test_frozen_database_is_503_after_a_bounded_time(start_service, own_server):
    service = start_service(DATABASE_URL=own_server.url, DATABASE_TIMEOUT_SECONDS="2")
    assert service.request("GET", EVENTS)[0].status == 200

    with own_server.frozen():
        began = time.monotonic()
        with ThreadPoolExecutor(4) as threads:
            responses = list(threads.map(lambda _: service.request("GET", EVENTS, seconds=60), range(4)))
        seconds = time.monotonic() - began

    assert [unavailability(answer) for answer in responses] == [UNAVAILABLE] * 4
    # A thread waits 5 s for the query and 5 s for a new connection; up to 3 requests use the same thread.
    assert seconds < 25
    assert service.request("GET", EVENTS)[0].status == 200


@on_postgresql
def test_slow_query_is_ended_by_the_server(start_service, own_server):
    service = start_service(DATABASE_URL=own_server.url, DATABASE_TIMEOUT_SECONDS="2")
    with own_server.connect() as other:
        other.execute("BEGIN")
        other.execute("LOCK TABLE events_event IN ACCESS EXCLUSIVE MODE")
        answer = service.request("GET", EVENTS)

    assert unavailability(answer) == UNAVAILABLE


@on_postgresql
def test_service_that_vanishes_during_a_write_frees_the_write_lock(start_service, own_server):
    service = start_service(DATABASE_URL=own_server.url, DATABASE_TIMEOUT_SECONDS="5", WRITE_WAIT_SECONDS="4")
    with ThreadPoolExecutor(1) as threads:
        with own_server.connect() as other, other.transaction():
            # Hold a row that the write needs after it has the write lock, and then freeze the service.
            other.execute("LOCK TABLE events_event IN SHARE MODE")
            write = threads.submit(service.request, "POST", EVENTS, json.dumps(EVENT), 30, **JSON)
            # The write lock, which it shares with other creates, and the keys of the event.
            assert wait_until(lambda: own_server.count_locks("advisory") > 1)
            service.process.send_signal(signal.SIGSTOP)
            for pid in worker_pids(service):
                os.kill(pid, signal.SIGSTOP)
        # The statement has ended, and the transaction is idle.
        is_held = own_server.count_locks("advisory") > 1
        freed = wait_until(lambda: own_server.count_locks("advisory") == 0)
        for pid in [*worker_pids(service), service.process.pid]:
            os.kill(pid, signal.SIGCONT)
        answer = write.result()

    assert (is_held, freed) == (True, True)
    assert unavailability(answer) == UNAVAILABLE


@pytest.mark.parametrize("writers", [12, 30])
def test_waiting_writers_do_not_stop_reads(start_service, writers):
    service = start_service(WEB_THREADS="4", WRITE_WAIT_SECONDS="12")

    with write_lock_held(service), ThreadPoolExecutor(writers) as threads:
        writes = [threads.submit(service.request, "POST", EVENTS, json.dumps(EVENT), **JSON) for _ in range(writers)]
        # The burst, in which all threads may wait.
        time.sleep(2.5)
        reads = [service.request("GET", EVENTS)[0].status for _ in range(20)]
        are_waiting = [not write.done() for write in writes]
        responses = [write.result() for write in writes]
    later, _body = service.request("POST", EVENTS, json.dumps(EVENT), **JSON)

    assert reads == [200] * 20
    assert any(are_waiting)
    assert {(response.status, response.headers["Retry-After"]) for response, _body in responses} == {(503, "2")}
    assert later.status == 201
