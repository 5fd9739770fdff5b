"""Errors: unknown routes and records, the order of checks, and internal errors."""

import re

import pytest
from django.db import connection
from django.test import Client

from tests.factories import EventFactory, VenueFactory
from tests.support.api_client import API, JSONClient
from tests.support.api_writes import error_of, event_data, stored_rows, updated_record
from tests.support.resources import EVENTS, VENUES

pytestmark = pytest.mark.django_db

CODES = {
    "events": "rest-event-not-found",
    "venues": "venue-not-found",
    "organizers": "organizer-not-found",
    "categories": "category-not-found",
    "tags": "tag-not-found",
}
METHODS = ("get", "post", "put", "patch", "delete")
BROKEN = {"data": "{", "content_type": "application/json"}


def error(response):
    return response.status_code, response.json()


# --- Records there are not (D16) ------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_unknown_id_is_404_for_every_method(editor_api, resource, method):
    resource.factory()

    for pk in ("0", "00", "999999", str(2**63 - 1), str(2**63), "9" * 19, "9" * 20, "9" * 5000):
        response = getattr(editor_api, method)(f"{resource.path}/{pk}")

        assert error(response) == (
            404,
            {"code": CODES[resource.collection], "message": "The record does not exist.", "data": {"status": 404}},
        )


@pytest.mark.parametrize("method", METHODS)
def test_unknown_slug_is_404_for_every_method(editor_api, content, method):
    trashed = content.factory(status="trash")

    for slug in ("unknown", trashed.slug, "x" * 1000, "%F0%9F%8E%89", "%FF"):
        response = getattr(editor_api, method)(f"{content.path}/by-slug/{slug}")

        assert error_of(response) == (404, CODES[content.collection])


def test_slug_of_another_kind_is_unknown(editor_api):
    VenueFactory(title="Hall")

    assert error_of(editor_api.get(f"{API}/events/by-slug/hall")) == (404, "rest-event-not-found")


# --- What is in the trash -------------------------------------------------------------------------


def test_deleting_what_is_in_the_trash_is_410(editor_api, content):
    row = content.factory()
    updated_record(editor_api.delete(content.item(row)))
    before = stored_rows()

    response = editor_api.delete(content.item(row))

    assert error(response) == (
        410,
        {
            "code": f"{content.kind}-is-in-trash",
            "message": "This record is already in the trash.",
            "data": {"status": 410},
        },
    )
    assert stored_rows() == before


# --- The order of checks (D17) --------------------------------------------------------------------


def test_account_comes_first(resource):
    wrong = JSONClient(headers={"Authorization": "Bearer wrong"})

    for method in ("post", "put", "delete"):
        response = wrong.generic(method.upper(), f"{resource.path}/999999", **BROKEN)

        assert error_of(response) == (401, "incorrect_password")
        assert response["WWW-Authenticate"] == 'Basic realm="Event calendar API"'


def test_readable_request_comes_before_rights(client, subscriber_api, resource):
    row = resource.factory()

    for caller in (client, subscriber_api):
        for path in (resource.path, resource.item(row), f"{resource.path}/999999"):
            assert error_of(caller.generic("POST", path, **BROKEN)) == (400, "rest_invalid_json")


@pytest.mark.parametrize("body", [{}, {"title": "", "venue": 5, "name": []}])
def test_right_to_do_such_a_thing_comes_before_existence_and_arguments(client, subscriber_api, resource, body):
    row = resource.factory()
    paths = [("post", resource.path)]
    paths += [(method, path) for method in METHODS[1:] for path in (resource.item(row), f"{resource.path}/999999")]
    before = stored_rows()

    for method, path in paths:
        nobody = getattr(client, method)(path, body, content_type="application/json")
        subscriber = getattr(subscriber_api, method)(path, body)

        assert error(nobody) == (
            401,
            {"code": "rest_forbidden", "message": "You must authenticate to do this.", "data": {"status": 401}},
        )
        assert nobody["WWW-Authenticate"] == 'Basic realm="Event calendar API"'
        assert error(subscriber) == (
            403,
            {
                "code": "rest_forbidden",
                "message": "You do not have permission to do this.",
                "data": {"status": 403},
            },
        )
    assert stored_rows() == before


def test_existence_comes_before_arguments(contributor_api, content):
    response = contributor_api.post(f"{content.path}/999999", {"title": "", "status": "unheard-of"})

    assert error_of(response) == (404, CODES[content.collection])


@pytest.mark.parametrize("status", ["publish", "draft", "trash"])
def test_right_to_the_record_comes_before_its_state_and_arguments(author_api, content, status):
    row = content.factory(status=status)
    before = stored_rows()

    update = author_api.post(content.item(row), {"title": "", "status": "unheard-of", "author": 0})
    delete = author_api.delete(f"{content.item(row)}?password=")

    assert error_of(update) == error_of(delete) == (403, "rest_forbidden")
    assert stored_rows() == before


def test_state_comes_before_arguments(editor_api):
    row = EventFactory(status="trash")

    assert error_of(editor_api.delete(f"{EVENTS.item(row)}?password=")) == (410, "event-is-in-trash")


def test_whoever_may_not_write_makes_nothing_of_what_is_linked(subscriber_api, client):
    body = event_data(venue={"venue": "New"}, tags=["New"], organizer=[{"organizer": "New"}])
    before = stored_rows()

    assert error_of(subscriber_api.post(EVENTS.path, body))[0] == 403
    assert error_of(client.post(EVENTS.path, body, content_type="application/json"))[0] == 401
    assert stored_rows() == before


# --- Faults of our own ----------------------------------------------------------------------------


def break_table(name):
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {name} RENAME TO gone")


def assert_fault(response, caplog):
    """A 500 that tells nothing but an id, under which the log has the whole story."""
    body = response.json()
    pk = body["data"].pop("request_id")
    assert re.fullmatch(r"[0-9a-f]{32}", pk)
    assert response["X-Request-ID"] == pk
    assert body == {
        "code": "rest_internal_error",
        "message": "An internal error occurred and was logged.",
        "data": {"status": 500},
    }
    assert response.status_code == 500
    assert response["Content-Type"] == "application/json; charset=utf-8"
    assert any(record.exc_info and "venues_venue" in str(record.exc_info[1]) for record in caplog.records)


@pytest.mark.parametrize("method", ["get", "post"])
def test_fault_is_recorded_and_nothing_of_it_told(editor_api, caplog, settings, method):
    settings.DEBUG = True
    break_table("venues_venue")

    response = getattr(editor_api, method)(VENUES.path, {"venue": "Hall"} if method == "post" else None)

    assert_fault(response, caplog)


def test_fault_while_signing_in_is_answered_alike(editor, caplog, settings):
    browser = Client(raise_request_exception=False)
    browser.force_login(editor)
    settings.DEBUG = False
    break_table("django_session")

    response = browser.get(VENUES.path)

    body = response.json()
    assert (response.status_code, body["code"]) == (500, "rest_internal_error")
    assert body["data"]["request_id"] == response["X-Request-ID"]
    assert any(record.exc_info for record in caplog.records)
    assert b"session" not in response.content


def test_host_that_is_not_ours_is_refused_in_json(client):
    response = client.get(VENUES.path, headers={"Host": "elsewhere.example"})

    assert error_of(response) == (400, "rest_invalid_host")


def test_fault_in_the_middle_of_a_write_leaves_nothing_behind(editor_api):
    row = VenueFactory()
    # The last table that is written.
    break_table("events_eventorganizer")

    def event_and_venue_counts():
        with connection.cursor() as cursor:
            cursor.execute("SELECT (SELECT count(*) FROM events_event), (SELECT count(*) FROM venues_venue)")
            return cursor.fetchone()

    response = editor_api.post(
        EVENTS.path, event_data(venue=[row.pk, {"venue": "New"}], organizer={"organizer": "New"})
    )

    assert error_of(response) == (500, "rest_internal_error")
    assert event_and_venue_counts() == (0, 1)
