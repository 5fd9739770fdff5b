"""Redis that is gone or frozen, and back: the service goes on without it."""

import json
import shutil
import signal
import time

import pytest

from calendar_site.core.redis_client import PAUSE_SECONDS
from tests.support.load import EVENT, EVENTS, JSON
from tests.support.redis_server import redis_server
from tests.support.served_app import free_port

pytestmark = pytest.mark.skipif(shutil.which("redis-server") is None, reason="Needs redis-server")


# Each of the two processes waits until Redis does not respond in time, with counters and with stored responses. Then it
# does without Redis for PAUSE_SECONDS.
WAITS = 4


def timed_requests(service):
    """Send reads and writes in turn, and return the status of each response and how many seconds it took."""
    outcomes = []
    for number in range(10):
        method, body = [("GET", None), ("POST", json.dumps(EVENT))][number % 2]
        began = time.monotonic()
        response, _body = service.request(method, EVENTS, body, **JSON)
        outcomes.append((response.status, time.monotonic() - began))
    return outcomes


def checks(service):
    response, body = service.request("GET", "/readyz")
    return response.status, json.loads(body)["checks"]["cache"]


def test_service_works_while_redis_is_frozen_gone_and_back(start_service, tmp_path):
    port = free_port()
    with redis_server(port, tmp_path) as redis:
        service = start_service(
            REDIS_URL=f"redis://127.0.0.1:{port}/0", THROTTLE_USER="1000/min", THROTTLE_USER_WRITES="1000/min"
        )
        assert checks(service) == (200, "ok")

        redis.send_signal(signal.SIGSTOP)
        began = time.monotonic()
        frozen = timed_requests(service)
        pauses = 1 + (time.monotonic() - began) // PAUSE_SECONDS
        waits = service.log.read_text().count("because Redis does not respond")
        frozen_check = checks(service)
        redis.send_signal(signal.SIGCONT)
    gone = timed_requests(service)
    gone_check = checks(service)
    with redis_server(port, tmp_path):
        back = timed_requests(service)
        back_check = checks(service)

    assert [status for status, _seconds in [*frozen, *gone, *back]] == [200, 201] * 15
    assert 1 <= waits <= WAITS * pauses
    assert max(seconds for _status, seconds in frozen) < 6
    assert max(seconds for _status, seconds in [*gone, *back]) < 6
    assert (frozen_check, gone_check, back_check) == ((200, "failed"), (200, "failed"), (200, "ok"))
    assert "Traceback" not in service.log.read_text()
