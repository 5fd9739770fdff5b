"""Redis that is gone or frozen, and back: the service goes on without it."""

import json
import shutil
import signal
import time

import pytest

from tests.support.redis_server import redis_server
from tests.support.served_app import free_port

EVENTS = "/cal/events/v1/events"

pytestmark = pytest.mark.skipif(shutil.which("redis-server") is None, reason="Needs redis-server")


def timed_read(service):
    began = time.monotonic()
    response, _body = service.request("GET", EVENTS)
    return response.status, time.monotonic() - began


def checks(service):
    response, body = service.request("GET", "/readyz")
    return response.status, json.loads(body)["checks"]["cache"]


def test_service_works_while_redis_is_frozen_gone_and_back(start_service, tmp_path):
    port = free_port()
    with redis_server(port, tmp_path) as redis:
        service = start_service(REDIS_URL=f"redis://127.0.0.1:{port}/0", THROTTLE_USER="1000/min")
        assert checks(service) == (200, "ok")

        redis.send_signal(signal.SIGSTOP)
        frozen = [timed_read(service) for _ in range(4)]
        frozen_check = checks(service)
        redis.send_signal(signal.SIGCONT)
    gone = [timed_read(service) for _ in range(4)]
    gone_check = checks(service)
    with redis_server(port, tmp_path):
        back = [timed_read(service) for _ in range(4)]
        back_check = checks(service)

    assert {status for status, _seconds in [*frozen, *gone, *back]} == {200}
    # A few counters of a request each wait for a second.
    assert max(seconds for _status, seconds in frozen) < 6
    assert max(seconds for _status, seconds in [*gone, *back]) < 2
    assert (frozen_check, gone_check, back_check) == ((200, "failed"), (200, "failed"), (200, "ok"))
    assert "Traceback" not in service.log.read_text()
