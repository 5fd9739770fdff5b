"""Limits on the number of requests."""

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings

from calendar_site.accounts.services import create_application_password
from tests.factories import VenueFactory
from tests.support.api_client import API, JSONClient, api_client_for
from tests.support.api_writes import error_of, stored_rows

VENUES = f"{API}/venues"
NOON = datetime(2030, 1, 15, 12, tzinfo=UTC)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("empty_cache"),
    pytest.mark.time_machine(NOON, tick=False),
]


@pytest.fixture
def rates(monkeypatch):
    """Sets the rates, as THROTTLE_ANONYMOUS and THROTTLE_USER do at the start."""

    def set_rates(**given):
        for name, rate in given.items():
            monkeypatch.setitem(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], name, rate)

    return set_rates


def response_statuses(client, count, path=VENUES, **kwargs):
    return [client.get(path, **kwargs).status_code for _ in range(count)]


def test_nothing_is_limited_unless_the_settings_say_so(client, subscriber_api):
    assert response_statuses(client, 50) == [200] * 50
    assert response_statuses(subscriber_api, 50) == [200] * 50


def test_request_over_the_limit_is_told_when_to_come_again(client, rates, time_machine):
    rates(anon="2/min")
    assert response_statuses(client, 2) == [200, 200]
    time_machine.move_to(NOON + timedelta(seconds=20), tick=False)

    response = client.get(VENUES)

    assert response.status_code == 429
    assert response.json() == {
        "code": "rest_too_many_requests",
        "message": "Too many requests. Try again later.",
        "data": {"status": 429},
    }
    assert response["Retry-After"] == "41"
    time_machine.move_to(NOON + timedelta(seconds=20 + 41), tick=False)
    assert client.get(VENUES).status_code == 200


def test_every_address_counts_and_every_method(client, rates):
    rates(anon="6/min")
    venue = VenueFactory()

    answers = [
        client.get(API),
        client.get(f"{API}/doc"),
        client.get(f"{API}/nowhere"),
        client.head(f"{VENUES}/{venue.pk}"),
        client.options(VENUES),
        client.post(VENUES, "{", content_type="application/json"),
    ]

    assert [response.status_code for response in answers] == [200, 200, 404, 200, 200, 400]
    assert error_of(client.get(VENUES)) == (429, "rest_too_many_requests")


def test_each_address_of_the_network_is_counted_for_itself(client, rates):
    rates(anon="1/min")

    assert response_statuses(client, 2, REMOTE_ADDR="192.0.2.1") == [200, 429]
    assert response_statuses(client, 2, REMOTE_ADDR="192.0.2.2") == [200, 429]


def test_header_about_a_proxy_is_not_believed(client, rates):
    rates(anon="1/min")

    first = client.get(VENUES, headers={"X-Forwarded-For": "192.0.2.1"})
    second = client.get(VENUES, headers={"X-Forwarded-For": "192.0.2.2"})

    assert (first.status_code, second.status_code) == (200, 429)


def test_accounts_are_counted_for_themselves(client, author_api, editor_api, rates):
    rates(user="2/min")

    assert response_statuses(author_api, 3) == [200, 200, 429]
    assert response_statuses(editor_api, 2) == [200, 200]
    assert response_statuses(client, 5) == [200] * 5


def test_accounts_are_not_limited_as_strangers_are(client, author_api, rates):
    rates(anon="1/min")

    assert response_statuses(client, 2) == [200, 429]
    assert response_statuses(author_api, 5) == [200] * 5


def test_programs_of_one_account_are_counted_together(author, rates):
    rates(user="2/min")
    _password, other = create_application_password(author, "other")

    assert response_statuses(api_client_for(author), 2) == [200, 200]
    assert response_statuses(JSONClient(headers={"Authorization": f"Bearer {other}"}), 1) == [429]


def test_wrong_passwords_are_counted(rates):
    rates(anon="3/min")
    guess = JSONClient(headers={"Authorization": "Basic d3Jvbmc6d3Jvbmc="})

    assert response_statuses(guess, 5) == [401, 401, 401, 429, 429]


def test_write_over_the_limit_writes_nothing(editor_api, rates):
    rates(user="1/min")
    editor_api.get(VENUES)
    before = stored_rows()

    assert error_of(editor_api.post(VENUES, {"venue": "Hall"})) == (429, "rest_too_many_requests")
    assert stored_rows() == before
