"""S15 (limits): clients cannot avoid a limit by other addresses of their network, a forged header or another process.

pretalx: rate limits were bypassed by X-Forwarded-For. Here: by the addresses of one IPv6 network, and by the memory of
each process.
"""

import pytest
from django.core.cache import cache

from tests.factories import EventFactory
from tests.support import limits
from tests.support.api_client import API
from tests.support.api_writes import error_of, stored_rows

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_cache")]

EVENTS = f"{API}/events"


@pytest.fixture
def guessed_event():
    return EventFactory(title="Secret", slug="secret", password="open sesame")


@pytest.fixture(params=limits.SHARED_STORES)
def each_store(request, settings):
    with limits.shared_store(request.param, settings):
        yield


def test_300_guesses_from_one_network_are_one_client(client, each_store, guessed_event):
    """Every guess has another address of one /64 network, and meets a process that has no memory of the others."""
    statuses = []
    for number in range(300):
        cache.clear()
        address = f"2001:db8:0:1:{number:x}::1"
        response = client.get(f"{EVENTS}/{guessed_event.pk}", {"password": f"guess {number}"}, REMOTE_ADDR=address)
        statuses.append(response.status_code)

    assert statuses == [403] * 10 + [429] * 290


def test_right_password_is_refused_after_too_many_guesses(client, each_store, guessed_event):
    path = f"{EVENTS}/{guessed_event.pk}"
    for number in range(10):
        client.post("/event/secret/", {"password": f"guess {number}"}, content_type="application/x-www-form-urlencoded")
        client.get(path, {"password": f"guess {number}"})

    refused = client.get(path, {"password": "open sesame"})

    assert error_of(refused) == (429, "rest_too_many_requests")
    headers = {name: value for name, value in refused.headers.items() if name.startswith("RateLimit")}
    assert headers.pop("RateLimit-Reset") in ("58", "59", "60")
    assert headers == {"RateLimit-Limit": "10", "RateLimit-Remaining": "0", "RateLimit-Policy": "10;w=60"}
    assert client.get(path, {"password": "open sesame"}, REMOTE_ADDR="2001:db8:0:2::1").status_code == 200


@pytest.mark.parametrize("proxies", [0, 1, 2])
def test_forged_header_is_not_another_client(client, settings, guessed_event, proxies):
    """Proxies append the address of their client, so that only the last entries can be trusted."""
    settings.PROXY_COUNT = proxies
    appended = ["198.51.100.7", "203.0.113.1"][:proxies]

    statuses = [
        client.get(
            f"{EVENTS}/{guessed_event.pk}",
            {"password": "guess"},
            headers={"X-Forwarded-For": ", ".join([f"192.0.2.{number}", *appended])},
        ).status_code
        for number in range(11)
    ]

    assert statuses == [403] * 10 + [429]


def test_writes_are_limited_by_user_in_all_processes(editor_api, author_api, each_store, settings):
    settings.THROTTLE_USER_WRITES = "2/min"
    responses = []
    for number in range(3):
        cache.clear()
        responses.append(editor_api.post(f"{API}/venues", {"venue": f"Hall {number}"}).status_code)
    before = stored_rows()

    assert responses == [201, 201, 429]
    assert editor_api.delete(f"{API}/venues/1").status_code == 429
    assert editor_api.get(f"{API}/venues").status_code == 200
    assert stored_rows() == before
    assert author_api.post(f"{API}/venues", {"venue": "Mine"}).status_code == 201


def test_anonymous_writes_are_limited_by_network(client, each_store, settings):
    settings.THROTTLE_ANONYMOUS_WRITES = "2/min"

    def status(address, **headers):
        return client.post(
            f"{API}/venues", {}, REMOTE_ADDR=address, headers=headers, content_type="application/json"
        ).status_code

    assert [status(f"2001:db8:0:1::{number}") for number in range(3)] == [401, 401, 429]
    assert status("2001:db8:0:1::9", Authorization="Bearer wrong") == 429
    assert status("2001:db8:0:2::1") == 401
    assert client.get(f"{API}/venues", REMOTE_ADDR="2001:db8:0:1::1").status_code == 200
