"""S19, errors that tell internals: the API responds to every body and query without a 5xx, with its own errors."""

import json
import string
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.any_values import BODY, FIELDS, INTERNALS, PARAMETERS, TEXT, VALUE, bounded
from tests.support.api_client import API
from tests.support.api_writes import event_data

pytestmark = pytest.mark.django_db

COLLECTIONS = ("events", "venues", "organizers", "categories", "tags")


@pytest.fixture
def linked_records(editor_api, editor):
    """One of each, linked, and the client of who may change them all."""
    made = {
        "venues": VenueFactory(),
        "organizers": OrganizerFactory(),
        "categories": CategoryFactory(),
        "tags": TagFactory(),
    }
    event = EventFactory(**{name: [row] for name, row in made.items()})
    return {"events": event, **made}


def assert_no_fault(response):
    assert response.status_code < 500, (response.request["PATH_INFO"], response.content)
    if response.status_code >= 400:
        body = response.json()
        assert sorted(body) == ["code", "data", "message"]
        assert body["data"]["status"] == response.status_code
        assert not [part for part in INTERNALS if part in response.content.decode()], response.content


def item_paths(linked_records):
    return {collection: f"{API}/{collection}/{linked_records[collection].pk}" for collection in COLLECTIONS}


def test_no_body_of_an_update_or_a_create_is_a_fault(editor_api, linked_records):
    items = item_paths(linked_records)
    needed = {"events": event_data(), "venues": {"venue": "x"}, "organizers": {"organizer": "x"}}

    @bounded
    @given(BODY)
    def send(body):
        for collection, item in items.items():
            assert_no_fault(editor_api.post(item, body))
            assert_no_fault(editor_api.post(f"{API}/{collection}", {**needed.get(collection, {"name": "x"}), **body}))

    send()


def test_no_value_of_any_field_is_a_fault(editor_api, linked_records):
    items = item_paths(linked_records)
    fields = {collection: field_names(editor_api.options(item)) for collection, item in items.items()}

    @bounded
    @given(st.integers(0, 1000), VALUE)
    def send(number, value):
        for collection, item in items.items():
            assert_no_fault(editor_api.post(item, {fields[collection][number % len(fields[collection])]: value}))

    send()


def field_names(options):
    return sorted({name for endpoint in options.json()["endpoints"] for name in endpoint["args"]})


def test_no_query_is_a_fault(client, editor_api, linked_records):
    items = item_paths(linked_records)
    names = st.sampled_from(PARAMETERS).map(lambda name: f"{name}[]") | st.sampled_from(PARAMETERS) | TEXT
    query = st.lists(st.tuples(names, TEXT | st.integers(-3, 3).map(str)), max_size=4)

    @bounded
    @given(query)
    def ask(pairs):
        encoded = urlencode(pairs)
        for collection, item in items.items():
            for caller in (client, editor_api):
                assert_no_fault(caller.get(f"{API}/{collection}?{encoded}"))
            assert_no_fault(client.get(f"{item}?{encoded}"))

    ask()


def test_no_form_is_a_fault(editor_api, linked_records):
    path = f"{API}/events/{linked_records['events'].pk}"
    key = st.sampled_from(FIELDS) | TEXT
    steps = st.lists(st.sampled_from(["[]", "[0]", "[1]", "[", "]", "[id]", "[venue]", "[[", "[-1]"]), max_size=3)
    pairs = st.lists(st.tuples(st.builds(lambda name, more: name + "".join(more), key, steps), TEXT), max_size=6)

    @bounded
    @given(pairs)
    def send(given_pairs):
        form = urlencode(given_pairs)
        assert_no_fault(editor_api.generic("PUT", path, form, "application/x-www-form-urlencoded"))

    send()


def test_no_bytes_are_a_fault(editor_api, linked_records):
    path = f"{API}/events/{linked_records['events'].pk}"
    types = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "text/plain"]
    fragments = st.sampled_from([b"{", b"}", b"[", b'"', b":", b",", b"--b", b"\r\n", b"=", b"&", b"%", b"\0", b"\xff"])
    body = st.lists(fragments | st.binary(max_size=10), max_size=20).map(b"".join)

    @bounded
    @given(body, st.sampled_from(types))
    def send(content, content_type):
        assert_no_fault(editor_api.generic("POST", path, content, content_type))

    send()


def test_no_address_is_a_fault(editor_api, linked_records):
    parts = st.sampled_from(["events", "venues", "tags", "by-slug", "1", "doc", "", ".", ".."]) | TEXT
    path = st.lists(parts, max_size=4).map(lambda names: "/".join(quote(name, safe="") for name in names))

    @bounded
    @given(path, st.sampled_from(["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "TRACE"]))
    def ask(address, method):
        response = editor_api.generic(method, f"{API}/{address}")
        assert response.status_code < 500

    ask()


def test_no_header_of_an_account_is_a_fault(client, linked_records):
    printable = st.text(string.printable.replace("\r", "").replace("\n", ""), max_size=40)

    @bounded
    @given(st.sampled_from(["Basic ", "Bearer ", "Basic", "", "Digest "]), printable)
    def ask(scheme, credentials):
        assert_no_fault(client.get(f"{API}/venues", headers={"Authorization": scheme + credentials}))

    ask()


def test_no_fields_are_a_fault(client, linked_records):
    @bounded
    @given(st.lists(st.sampled_from(["events", "venue", "id", ".", ",", " ", "json_ld", "total"]) | TEXT, max_size=8))
    def ask(parts):
        fields = quote("".join(parts))
        assert_no_fault(client.get(f"{API}/events?_fields={fields}"))
        assert_no_fault(client.get(f"{API}/events/{linked_records['events'].pk}?_fields[]={fields}"))

    ask()


def test_answers_are_json_whatever_was_sent(editor_api, linked_records):
    @bounded
    @given(TEXT)
    def send(text):
        response = editor_api.post(f"{API}/events/{linked_records['events'].pk}", {"title": text})
        assert json.loads(response.content)
        assert response["Content-Type"] == "application/json; charset=utf-8"

    send()
