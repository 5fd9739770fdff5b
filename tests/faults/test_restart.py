"""Restarts of the service: nothing that it has acknowledged is lost."""

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from tests.support.programs import ROOT
from tests.support.served_app import GUNICORN, wait_until, worker_pids, write_lock_held

EVENTS = "/cal/events/v1/events"
EVENT = {"title": "Open air", "start_date": "2030-05-04 18:00:00", "end_date": "2030-05-04 20:00:00"}
JSON = {"Content-Type": "application/json"}
# Becomes the program in its arguments, with the socket as descriptor 3.
LISTEN = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.execve(sys.argv[2], sys.argv[2:], {**os.environ, "LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())})
"""


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


def start_on_socket(listener, environment, log):
    """Start the service as systemd does with a socket unit: it inherits the socket as descriptor 3."""
    with log.open("a") as output:
        return subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", LISTEN, str(listener.fileno()), *GUNICORN],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=output,
            stderr=output,
            pass_fds=[listener.fileno()],
            process_group=0,
        )


def kill_group(service):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(service.pid, signal.SIGKILL)


def send_until(stop, address, headers, make_request, outcomes):
    """Send requests on new connections until `stop` is set. Record each status, or the error."""
    while not stop.is_set():
        method, body = make_request()
        try:
            with contextlib.closing(http.client.HTTPConnection(*address, timeout=60)) as connection:
                connection.request(method, EVENTS, body, {**headers, **JSON})
                response = connection.getresponse()
                response.read()
                outcomes.append(response.status)
        except OSError as error:
            outcomes.append(repr(error))


@contextlib.contextmanager
def clients(address, headers):
    """Send reads and writes from several threads inside the block. Yield the list of their outcomes."""
    stop, outcomes = threading.Event(), []
    read, write = (lambda: ("GET", None)), (lambda: ("POST", json.dumps(EVENT)))
    threads = [
        threading.Thread(target=send_until, args=(stop, address, headers, make_request, outcomes))
        for make_request in (read, read, read, write)
    ]
    for thread in threads:
        thread.start()
    try:
        yield outcomes
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_restart_with_a_socket_unit_loses_no_request(service_environment, user_headers, tmp_path):
    log = tmp_path / "server.log"
    # Requests wait in the socket until the service has started.
    with (
        socket.create_server(("127.0.0.1", 0), backlog=512) as listener,
        contextlib.ExitStack() as stack,
        clients(listener.getsockname(), user_headers["editor"]) as outcomes,
    ):
        for _ in range(3):
            before = len(outcomes)
            service = stack.enter_context(start_on_socket(listener, service_environment, log))
            stack.callback(kill_group, service)
            assert wait_until(lambda before=before: len(outcomes) > before + 50), log.read_text()
            service.terminate()
            assert service.wait(60) == 0
        service = stack.enter_context(start_on_socket(listener, service_environment, log))
        stack.callback(kill_group, service)

    assert set(outcomes) == {200, 201}, outcomes


def test_stop_breaks_off_no_request(start_service, user_headers):
    service = start_service()

    with clients(service.address, user_headers["editor"]) as outcomes:
        assert wait_until(lambda: len(outcomes) > 50)
        service.process.terminate()
        assert service.process.wait(60) == 0

    # Without a socket unit, new connections are refused, which tells a client that nothing has been done.
    others = set(outcomes) - {200, 201}
    assert others == {"ConnectionRefusedError(111, 'Connection refused')"}


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
