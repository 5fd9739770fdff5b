"""A POST with a method override, for clients that can only send POST."""

import pytest
from django.test import Client

from tests.factories import EventFactory
from tests.support.api_client import API, api_client_for
from tests.support.api_writes import created_record, error_of, event_data, stored_rows, updated_record

pytestmark = pytest.mark.django_db

EVENTS = f"{API}/events"


def by_header(method):
    return {"headers": {"X-HTTP-Method-Override": method}}


@pytest.fixture
def author_event(author):
    return EventFactory(title="Open air", author=author)


@pytest.fixture
def event_url(author_event):
    return f"{EVENTS}/{author_event.pk}"


@pytest.mark.parametrize("method", ["DELETE", "delete"])
def test_post_deletes_by_header(author_api, author_event, event_url, method):
    assert updated_record(author_api.post(event_url, **by_header(method)))["status"] == "trash"
    author_event.refresh_from_db()
    assert author_event.status == "trash"


def test_post_deletes_by_query(author_api, author_event, event_url):
    response = author_api.post(f"{event_url}?_method=DELETE")

    assert updated_record(response)["status"] == "trash"
    assert "X-Ignored-Fields" not in response


@pytest.mark.parametrize("method", ["PUT", "PATCH", "POST", "put"])
def test_post_updates_under_any_name(author_api, event_url, method):
    by_query = author_api.post(f"{event_url}?_method={method}", {"title": "By query"})
    header = author_api.post(event_url, {"title": "By header"}, **by_header(method))

    assert (updated_record(by_query)["title"], updated_record(header)["title"]) == ("By query", "By header")


def test_header_wins_over_the_query(author_api, event_url):
    assert updated_record(author_api.post(f"{event_url}?_method=DELETE", **by_header("PUT")))["status"] == "publish"


@pytest.mark.parametrize("method", ["GET", "get", "HEAD", "OPTIONS"])
def test_post_reads_and_changes_nothing(author_api, event_url, method):
    before = stored_rows()

    response = author_api.post(event_url, {"title": "Changed"}, **by_header(method))

    assert response.status_code == 200
    assert stored_rows() == before


def test_post_that_reads_answers_as_a_get(author_api, event_url):
    read = author_api.post(f"{event_url}?_fields=id,title", {"title": "Changed"}, **by_header("GET"))
    listed = author_api.post(f"{EVENTS}?per_page=1", {"per_page": 5}, **by_header("GET"))

    assert read.json() == author_api.get(f"{event_url}?_fields=id,title").json()
    assert listed.json()["rest_url"] == author_api.get(f"{EVENTS}?per_page=1").json()["rest_url"]


@pytest.mark.parametrize("wanted", ["FETCH", "TRACE", "CONNECT", "delete me", "é", "x" * 1000])
def test_unknown_method_has_no_route(author_api, event_url, wanted):
    before = stored_rows()

    assert error_of(author_api.post(event_url, {"title": "Changed"}, **by_header(wanted))) == (404, "rest_no_route")
    assert error_of(author_api.post(f"{event_url}?_method={wanted}", {"title": "Changed"})) == (404, "rest_no_route")
    assert stored_rows() == before


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_list_has_no_such_route_by_override_either(editor_api, author_event, method):
    before = stored_rows()

    assert error_of(editor_api.post(EVENTS, event_data(), **by_header(method))) == (404, "rest_no_route")
    assert stored_rows() == before


def test_empty_override_is_none(author_api):
    assert created_record(author_api.post(f"{EVENTS}?_method=", event_data(), **by_header("")))["title"] == "Open air"


def test_method_in_the_body_is_not_looked_at(author_api, event_url):
    answer = updated_record(author_api.post(event_url, {"_method": "DELETE", "title": "Still here"}))

    assert (answer["title"], answer["status"]) == ("Still here", "publish")


@pytest.mark.parametrize("method", ["get", "head", "put", "patch", "options"])
def test_only_a_post_can_be_overridden(author_api, author_event, event_url, method):
    response = getattr(author_api, method)(f"{event_url}?_method=DELETE", **by_header("DELETE"))

    assert response.status_code == 200
    author_event.refresh_from_db()
    assert author_event.status == "publish"


def test_rights_are_those_of_the_method(client, contributor_api, event_url, author_event):
    before = stored_rows()

    assert error_of(client.post(event_url, **by_header("DELETE"))) == (401, "rest_forbidden")
    assert error_of(contributor_api.post(event_url, **by_header("DELETE"))) == (403, "rest_forbidden")
    assert client.post(event_url, **by_header("GET")).status_code == 200
    assert stored_rows() == before


def test_state_is_looked_at_as_for_the_method(author_api, event_url):
    author_api.delete(event_url)

    assert error_of(author_api.post(event_url, **by_header("DELETE"))) == (410, "event-is-in-trash")


# --- The session of the admin ---------------------------------------------------------------------


@pytest.fixture
def author_csrf_browser(author):
    client = Client(enforce_csrf_checks=True)
    client.force_login(author)
    return client


@pytest.fixture
def token(author_csrf_browser):
    author_csrf_browser.cookies["csrftoken"] = "a" * 32
    return {"X-CSRFToken": "a" * 32}


@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "POST"])
@pytest.mark.parametrize("where", ["header", "query"])
def test_session_does_not_override_its_way_past_the_token(author_csrf_browser, event_url, method, where):
    before = stored_rows()
    query, headers = (f"?_method={method}", {}) if where == "query" else ("", {"X-HTTP-Method-Override": method})

    response = author_csrf_browser.post(f"{event_url}{query}", {"title": "Forged"}, headers=headers)

    assert error_of(response) == (403, "rest_cookie_invalid_nonce")
    assert stored_rows() == before


def test_session_overrides_with_the_token(author_csrf_browser, token, event_url):
    response = author_csrf_browser.post(event_url, headers={"X-HTTP-Method-Override": "DELETE", **token})

    assert updated_record(response)["status"] == "trash"


def test_post_of_a_session_that_reads_needs_no_token(author_csrf_browser, event_url):
    before = stored_rows()

    response = author_csrf_browser.post(event_url, {"title": "Forged"}, headers={"X-HTTP-Method-Override": "GET"})

    assert response.json()["title"] == "Open air"
    assert stored_rows() == before


def test_client_with_a_password_needs_no_token(author, event_url):
    assert updated_record(api_client_for(author).post(event_url, **by_header("DELETE")))["status"] == "trash"
