"""Restarts of the service: nothing that it has acknowledged is lost."""

import json
import signal

from tests.support.served_app import wait_until, worker_pids

EVENTS = "/cal/events/v1/events"
EVENT = {"title": "Open air", "start_date": "2030-05-04 18:00:00", "end_date": "2030-05-04 20:00:00"}
JSON = {"Content-Type": "application/json"}


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
