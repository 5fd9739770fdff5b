"""Restarts of the service: nothing that it has acknowledged is lost."""

import contextlib
import json
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor

from tests.support.load import EVENT, EVENTS, JSON, reading_and_writing
from tests.support.served_app import wait_until, worker_pids, write_lock_held
from tests.support.socket_unit import started_on_sockets


def test_event_is_there_after_the_service_was_killed(start_service):
    service = start_service()
    created, body = service.request("POST", EVENTS, json.dumps(EVENT), **JSON)

    service.process.send_signal(signal.SIGKILL)
    service.process.wait()
    restarted = start_service()

    assert created.status == 201
    response, read = restarted.request("GET", f"{EVENTS}/{json.loads(body)['id']}")
    assert response.status == 200
    assert json.loads(read)["title"] == "Open air"
    assert wait_until(lambda: len(worker_pids(restarted)) == 2)


def test_restart_with_a_socket_unit_loses_no_request(service_environment, user_headers, tmp_path):
    log = tmp_path / "server.log"
    # Requests wait in the socket until the service has started.
    with (
        socket.create_server(("127.0.0.1", 0), backlog=512) as listener,
        contextlib.ExitStack() as stack,
        reading_and_writing(listener.getsockname(), user_headers["editor"]) as outcomes,
    ):
        for _ in range(3):
            before = len(outcomes)
            service = stack.enter_context(started_on_sockets([listener], service_environment, log))
            assert wait_until(lambda before=before: len(outcomes) > before + 50), log.read_text()
            service.terminate()
            assert service.wait(60) == 0
        stack.enter_context(started_on_sockets([listener], service_environment, log))

    assert set(outcomes) == {200, 201}, outcomes


def test_stop_breaks_off_no_request(start_service, user_headers):
    service = start_service()

    with reading_and_writing(service.address, user_headers["editor"]) as outcomes:
        assert wait_until(lambda: len(outcomes) > 50)
        service.process.terminate()
        assert service.process.wait(60) == 0

    # Without a socket unit, new connections are refused. The kernel resets connections that were still waiting to be
    # accepted: at most one of each of the four threads.
    refused = "ConnectionRefusedError(111, 'Connection refused')"
    reset = "ConnectionResetError(104, 'Connection reset by peer')"
    assert set(outcomes) - {reset} == {200, 201, refused}
    assert outcomes.count(reset) <= 4
    # No write was carried out without a response.
    _response, body = start_service().request("GET", f"{EVENTS}?start_date=2030-05-04&end_date=2030-05-05")
    assert json.loads(body)["total"] == outcomes.count(201)


def test_write_that_waits_for_the_lock_is_answered_after_sigterm(start_service):
    service = start_service(WRITE_WAIT_SECONDS="15")
    with ThreadPoolExecutor() as pool:
        with write_lock_held(service):
            answer = pool.submit(service.request, "POST", EVENTS, json.dumps(EVENT), 30, **JSON)
            time.sleep(1)
            service.process.terminate()
            # Longer than the limit of ten seconds that the service once had.
            time.sleep(11)
        response, _body = answer.result()

    assert response.status == 201
    assert service.process.wait(60) == 0
