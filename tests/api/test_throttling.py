"""Limits on the number of requests."""

from datetime import UTC, datetime, timedelta

import pytest

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


def response_statuses(client, count, path=VENUES, **kwargs):
    return [client.get(path, **kwargs).status_code for _ in range(count)]


def test_nothing_is_limited_unless_the_settings_say_so(client, subscriber_api):
    assert response_statuses(client, 50) == [200] * 50
    assert response_statuses(subscriber_api, 50) == [200] * 50


def test_request_over_the_limit_is_told_when_to_come_again(client, settings, time_machine):
    settings.THROTTLE_ANONYMOUS = "2/min"
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


def test_every_address_counts_and_every_method(client, settings):
    settings.THROTTLE_ANONYMOUS = "6/min"
    venue = VenueFactory()

    responses = [
        client.get(API),
        client.get(f"{API}/doc"),
        client.get(f"{API}/nowhere"),
        client.head(f"{VENUES}/{venue.pk}"),
        client.options(VENUES),
        client.post(VENUES, "{", content_type="application/json"),
    ]

    assert [response.status_code for response in responses] == [200, 200, 404, 200, 200, 400]
    assert error_of(client.get(VENUES)) == (429, "rest_too_many_requests")


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
@pytest.mark.parametrize("cache_mb", [0, 16])
@pytest.mark.parametrize("path", [VENUES, f"{VENUES}/{{venue}}"])
def test_only_changed_responses_count_for_clients_that_ask_for_changes(client, settings, cache_mb, path):
    settings.RESPONSE_CACHE_MB = cache_mb
    settings.THROTTLE_ANONYMOUS = "3/min"
    path = path.format(venue=VenueFactory().pk)
    first = client.get(path)

    known = {"If-None-Match": first["ETag"]}
    unchanged = [client.get(path, headers=known) for _ in range(5)]
    changed = client.get(path, headers={"If-None-Match": '"other"'})

    assert [response.status_code for response in (first, *unchanged, changed)] == [200, *[304] * 5, 200]
    assert [first["RateLimit-Remaining"], changed["RateLimit-Remaining"]] == ["2", "1"]
    assert response_statuses(client, 2, path) == [200, 429]
    assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 429


def test_each_address_of_the_network_is_counted_for_itself(client, settings):
    settings.THROTTLE_ANONYMOUS = "1/min"

    assert response_statuses(client, 2, REMOTE_ADDR="192.0.2.1") == [200, 429]
    assert response_statuses(client, 2, REMOTE_ADDR="192.0.2.2") == [200, 429]


def test_header_about_a_proxy_is_not_believed(client, settings):
    settings.THROTTLE_ANONYMOUS = "1/min"

    first = client.get(VENUES, headers={"X-Forwarded-For": "192.0.2.1"})
    second = client.get(VENUES, headers={"X-Forwarded-For": "192.0.2.2"})

    assert (first.status_code, second.status_code) == (200, 429)


def test_accounts_are_counted_for_themselves(client, author_api, editor_api, settings):
    settings.THROTTLE_USER = "2/min"

    assert response_statuses(author_api, 3) == [200, 200, 429]
    assert response_statuses(editor_api, 2) == [200, 200]
    assert response_statuses(client, 5) == [200] * 5


def test_accounts_are_not_limited_as_strangers_are(client, author_api, settings):
    settings.THROTTLE_ANONYMOUS = "1/min"

    assert response_statuses(client, 2) == [200, 429]
    assert response_statuses(author_api, 5) == [200] * 5


def test_programs_of_one_account_are_counted_together(author, settings):
    settings.THROTTLE_USER = "2/min"
    _password, other = create_application_password(author, "other")

    assert response_statuses(api_client_for(author), 2) == [200, 200]
    assert response_statuses(JSONClient(headers={"Authorization": f"Bearer {other}"}), 1) == [429]


def test_wrong_passwords_are_counted(settings):
    settings.THROTTLE_ANONYMOUS = "3/min"
    guess = JSONClient(headers={"Authorization": "Basic d3Jvbmc6d3Jvbmc="})

    assert response_statuses(guess, 5) == [401, 401, 401, 429, 429]


def test_write_over_the_limit_writes_nothing(editor_api, settings):
    settings.THROTTLE_USER = "1/min"
    editor_api.get(VENUES)
    before = stored_rows()

    assert error_of(editor_api.post(VENUES, {"venue": "Hall"})) == (429, "rest_too_many_requests")
    assert stored_rows() == before


def limit_headers(response):
    return {name: value for name, value in response.headers.items() if name.startswith("RateLimit-")}


def test_responses_have_no_headers_of_limits_without_a_rate(client):
    assert limit_headers(client.get(VENUES)) == {}


def test_every_response_tells_the_rate(client, settings, time_machine):
    settings.THROTTLE_ANONYMOUS = "3/min"

    listed = client.get(VENUES)
    time_machine.move_to(NOON + timedelta(seconds=20), tick=False)
    responses = [listed, client.get(f"{VENUES}/1"), client.get(VENUES, {"page": "x"}), client.get(VENUES)]

    assert [response.status_code for response in responses] == [200, 404, 400, 429]
    assert [limit_headers(response) for response in responses] == [
        {
            "RateLimit-Limit": "3",
            "RateLimit-Remaining": remaining,
            "RateLimit-Reset": reset,
            "RateLimit-Policy": "3;w=60",
        }
        for remaining, reset in (("2", "60"), ("1", "40"), ("0", "40"), ("0", "40"))
    ]


def test_headers_are_those_of_the_rate_that_ends_first(editor_api, settings):
    settings.THROTTLE_USER = "100/hour"
    settings.THROTTLE_USER_WRITES = "5/min"

    read = editor_api.get(VENUES)
    write = editor_api.post(VENUES, {"venue": "Hall"})

    assert limit_headers(read) == {
        "RateLimit-Limit": "100",
        "RateLimit-Remaining": "99",
        "RateLimit-Reset": "3600",
        "RateLimit-Policy": "100;w=3600",
    }
    assert limit_headers(write) == {
        "RateLimit-Limit": "5",
        "RateLimit-Remaining": "4",
        "RateLimit-Reset": "60",
        "RateLimit-Policy": "100;w=3600, 5;w=60",
    }


def test_scripts_of_other_origins_may_read_the_headers(client, settings):
    settings.THROTTLE_ANONYMOUS = "3/min"

    exposed = client.get(VENUES, headers={"Origin": "https://example.org"})["Access-Control-Expose-Headers"]

    assert {*limit_headers(client.get(VENUES)), "Retry-After"} <= set(exposed.split(", "))


def test_overridden_method_counts_as_a_write(editor_api, settings):
    settings.THROTTLE_USER_WRITES = "1/min"
    venue = VenueFactory()
    editor_api.post(f"{VENUES}/{venue.pk}", {}, headers={"X-HTTP-Method-Override": "PATCH"})

    answer = editor_api.post(f"{VENUES}/{venue.pk}", {}, headers={"X-HTTP-Method-Override": "DELETE"})

    assert answer.status_code == 429


def test_counting_a_read_does_not_write(client, settings, django_assert_num_queries):
    settings.THROTTLE_ANONYMOUS = "100/min"
    client.get(VENUES)
    settings.THROTTLE_ANONYMOUS = ""
    with django_assert_num_queries(1):
        client.get(VENUES)
    settings.THROTTLE_ANONYMOUS = "100/min"

    with django_assert_num_queries(1):
        client.get(VENUES)
