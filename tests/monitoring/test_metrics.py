"""Metrics in the text format of Prometheus."""

import json
import re

import pytest

from tests.factories import EventFactory
from tests.support.api_client import API

TOKEN = "a-long-random-token"
SIGNED_IN = {"Authorization": f"Bearer {TOKEN}"}
pytestmark = pytest.mark.django_db


@pytest.fixture
def metrics_enabled(settings):
    settings.METRICS_TOKEN = TOKEN


def read_metrics(client):
    """Return the values of all samples by their names and labels."""
    text = client.get("/metrics", headers=SIGNED_IN).content.decode()
    return {name: float(value) for name, value in re.findall(r"^([a-z_]+(?:\{.*\})?) (\S+)$", text, re.MULTILINE)}


def test_metrics_do_not_exist_without_a_token(client):
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.usefixtures("metrics_enabled")
@pytest.mark.parametrize("sent", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN])
def test_metrics_require_the_token(client, sent):
    response = client.get("/metrics", headers={"Authorization": sent})

    assert (response.status_code, response.content) == (401, b"Send METRICS_TOKEN.\n")


@pytest.mark.usefixtures("metrics_enabled")
def test_requests_are_counted_by_route_method_and_status(client):
    event = EventFactory()
    paths = [f"{API}/events", f"{API}/events/{event.pk}", f"{API}/events/0", "/none", "/admin/login/"]
    before = read_metrics(client)

    for path in paths:
        client.get(path)
    client.generic("BREW", "/none")

    after = read_metrics(client)
    counted = {
        name.removeprefix("calendar_requests_total"): after[name] - before.get(name, 0)
        for name in after
        if name.startswith("calendar_requests_total") and after[name] != before.get(name, 0)
    }
    assert counted == {
        '{method="GET",route="/{api_base}/events",status="200"}': 1,
        '{method="GET",route="/{api_base}/events/{id}",status="200"}': 1,
        '{method="GET",route="/{api_base}/events/{id}",status="404"}': 1,
        '{method="GET",route="none",status="404"}': 1,
        '{method="other",route="none",status="404"}': 1,
        '{method="GET",route="/admin/login/",status="200"}': 1,
        '{method="GET",route="/metrics",status="200"}': 1,
    }
    assert after['calendar_request_duration_seconds_count{route="/{api_base}/events"}'] >= 1


@pytest.mark.usefixtures("metrics_enabled")
def test_waits_for_the_write_lock_and_the_queue_are_measured(client, editor_api):
    before = read_metrics(client)

    response = editor_api.post(f"{API}/tags", {"name": "Jazz"})

    after = read_metrics(client)
    assert response.status_code == 201, json.loads(response.content)
    name = "calendar_write_lock_wait_seconds_count"
    assert after[name] > before[name]
    assert after["calendar_background_task_delay_seconds"] >= 0
    assert 'calendar_background_tasks{state="failed"}' in after
