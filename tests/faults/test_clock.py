"""A clock that moves by hours: what is scheduled is public by the clock, and hidden again once it is corrected."""

import time
from datetime import UTC, datetime

import pytest

from tests.factories import EventFactory
from tests.support.api_client import API
from tests.support.docs_examples.service import FROZEN
from tests.support.served_app import wait_until, worker_pids

NOW = datetime(2030, 5, 4, 12, tzinfo=UTC)


@pytest.mark.django_db
def test_scheduled_event_is_hidden_again_after_the_clock_is_corrected(client, editor_api, time_machine):
    time_machine.move_to(NOW, tick=False)
    event = EventFactory(published_at=datetime(2030, 5, 5, 12, tzinfo=UTC), status="future")

    def statuses():
        return client.get(f"{API}/events/{event.pk}").status_code, editor_api.get(
            f"{API}/events/{event.pk}"
        ).status_code

    before = statuses()
    time_machine.move_to(datetime(2030, 5, 6, 12, tzinfo=UTC), tick=False)
    ahead = statuses()
    time_machine.move_to(NOW, tick=False)
    corrected = statuses()

    assert before[1] == ahead[1] == corrected[1] == 200
    assert ahead[0] == 200
    assert before[0] == corrected[0] != 200


@pytest.mark.django_db
@pytest.mark.parametrize("hours", [-5, 5])
def test_writes_go_on_after_the_clock_has_moved(editor_api, time_machine, hours):
    time_machine.move_to(NOW, tick=False)
    event = EventFactory()

    time_machine.shift(hours * 3600)
    response = editor_api.post(f"{API}/events/{event.pk}", {"title": "Later"})

    assert response.status_code == 200
    assert event.history.count() == 2


def test_workers_stay_while_the_clock_does_not_advance(start_service):
    # Time is set back in the same way, but lasts for hours: a heartbeat by this clock would stop.
    service = start_service(
        PYTHONPATH=str(FROZEN), STOPPED_AT=NOW.isoformat(), WEB_WORKERS="1", GUNICORN_CMD_ARGS="--timeout 2"
    )
    # The port is open before the worker has started.
    assert wait_until(lambda: worker_pids(service))
    workers = worker_pids(service)

    time.sleep(5)

    assert worker_pids(service) == workers
    assert service.request("GET", f"{API}/events")[0].status == 200
