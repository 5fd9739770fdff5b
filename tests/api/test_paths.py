"""Paths of the API: routes, unknown paths, and the headers of every response."""

import os
import subprocess
import sys
from importlib.util import module_from_spec

import pytest
from django.test.utils import override_script_prefix

from calendar_site import urls
from tests.factories import CategoryFactory, EventFactory, VenueFactory
from tests.support.api_client import API, api_client_for, headers_of_any_request, listed_ids

ALIAS = "wp-json/tribe/events/v1"
# What scripts on other sites may send.
REQUEST_HEADERS = {
    "accept", "authorization", "content-type", "idempotency-key", "if-match", "if-none-match",
    "if-unmodified-since", "x-http-method-override", "x-requested-with", "x-wp-nonce",
}  # fmt: skip
NO_ROUTE = {
    "code": "rest_no_route",
    "message": "No route was found matching the URL and request method.",
    "data": {"status": 404},
}


def assert_no_route(response):
    assert response.json() == NO_ROUTE
    assert response.status_code == 404


@pytest.fixture
def event_in_park(db):
    return EventFactory(
        title="Open air", venues=[VenueFactory(title="Park")], categories=[CategoryFactory(name="Music")]
    )


# --- Addresses that are none


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/Events",
        "/event",
        "/events/x",
        "/events/-1",
        "/events/1.5",
        "/events/1x",
        "/events/١",
        "/events/1/2",
        "/events//1",
        "/events/by-slug",
        "/events/by-slug/",
        "/events/by-slug/a/b",
        "/categories/by-slug/music",
        "/tags/by-slug/music",
        "/docs",
        "//",
    ],
)
@pytest.mark.parametrize("method", ["get", "head", "options", "post", "put", "patch", "delete"])
def test_unknown_address_is_no_route(client, db, method, path):
    response = getattr(client, method)(f"{API}{path}")

    assert response.status_code == 404
    if method != "head":
        assert response.json() == NO_ROUTE
    assert response["Allow"] == ""


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("", ["post", "put", "patch", "delete", "trace"]),
        ("/doc", ["post", "put", "patch", "delete", "trace"]),
        ("/events", ["put", "patch", "delete", "trace"]),
        ("/venues", ["put", "patch", "delete", "trace"]),
        ("/organizers/", ["put", "patch", "delete", "trace"]),
        ("/categories", ["put", "patch", "delete", "trace"]),
        ("/tags", ["put", "patch", "delete", "trace"]),
        ("/events/1", ["trace"]),
    ],
)
def test_unknown_method_is_no_route_for_anybody(client, editor_api, path, methods):
    for method in methods:
        assert_no_route(getattr(client, method)(f"{API}{path}"))
        assert_no_route(getattr(editor_api, method)(f"{API}{path}"))


@pytest.mark.parametrize("path", ["", "/", "/doc", "/events", "/events/{id}", "/events/by-slug/open-air", "/nowhere"])
def test_wrong_credential_is_refused_at_every_address(client, event_in_park, path):
    address = f"{API}{path}".format(id=event_in_park.pk)

    for header in ("Bearer wrong", "Basic d3Jvbmc6d3Jvbmc="):
        response = client.get(address, headers={"Authorization": header})

        assert (response.status_code, response.json()["code"]) == (401, "incorrect_password")


@pytest.mark.parametrize("path", ["", "/doc", "/events/{id}", "/events/by-slug/open-air", "/categories"])
def test_slash_at_the_end_changes_nothing(client, event_in_park, path):
    address = f"{API}{path}".format(id=event_in_park.pk)

    with_slash = client.get(f"{address}/")

    assert with_slash.status_code == 200
    assert with_slash.content == client.get(address).content


# --- HEAD


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("", 200),
        ("/doc", 200),
        ("/events", 200),
        ("/events?per_page=x", 400),
        ("/events?page=9", 404),
        ("/events/{id}", 200),
        ("/events/by-slug/open-air", 200),
        ("/events/0", 404),
        ("/venues", 200),
        ("/organizers", 200),
        ("/categories", 200),
        ("/tags", 200),
    ],
)
def test_head_is_a_get_without_a_body(client, event_in_park, time_machine, path, status):
    time_machine.move_to("2027-03-10T12:00:00Z", tick=False)
    address = f"{API}{path}".format(id=event_in_park.pk)

    response, whole = client.head(address), client.get(address)

    assert response.status_code == whole.status_code == status
    assert headers_of_any_request(response) == headers_of_any_request(whole)
    assert response.content == b""


def test_head_of_a_record_that_is_not_published_is_refused(client, db):
    draft = EventFactory(status="draft")

    assert client.head(f"{API}/events/{draft.pk}").status_code == 403


# --- Allow


LIST, ITEM = "GET, POST", "GET, DELETE, POST, PUT, PATCH"


@pytest.mark.parametrize(
    ("role", "events", "own", "others", "tags", "tag"),
    [
        (None, "GET", "GET", "GET", "GET", "GET"),
        ("subscriber", "GET", "GET", "GET", "GET", "GET"),
        ("contributor", LIST, "GET", "GET", "GET", "GET"),
        ("author", LIST, ITEM, "GET", "GET", "GET"),
        ("editor", LIST, ITEM, ITEM, LIST, ITEM),
        ("administrator", LIST, ITEM, ITEM, LIST, ITEM),
    ],
)
@pytest.mark.parametrize("method", ["get", "options"])
def test_allow_says_what_the_caller_may_do(request, db, method, role, events, own, others, tags, tag):
    user = request.getfixturevalue(role) if role else None
    client = api_client_for(user)
    mine = EventFactory(author=user) if user else EventFactory()
    theirs = EventFactory()

    def allowed(path):
        return set(getattr(client, method)(f"{API}{path}")["Allow"].split(", "))

    if method == "get":
        # An OPTIONS request asks about an address, a GET about the record that it finds.
        assert allowed(f"/events/{mine.pk}") == set(own.split(", "))
        assert allowed(f"/events/{theirs.pk}") == set(others.split(", "))
    assert allowed("/events") == set(events.split(", "))
    assert allowed("/tags") == set(tags.split(", "))
    assert allowed("") == allowed("/doc") == {"GET"}


# --- Headers


def test_anybody_may_read_from_any_page(client, event_in_park):
    response = client.get(f"{API}/events", headers={"Origin": "https://else.example.org"})

    exposed = {name.strip() for name in response["Access-Control-Expose-Headers"].split(",")}
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response
    assert exposed >= {
        "X-TEC-Total", "X-TEC-TotalPages", "Link", "ETag", "Last-Modified", "X-Ignored-Fields", "Retry-After",
        "Location",
    }  # fmt: skip


@pytest.mark.parametrize("path", ["/nowhere", "/events/0", "/events?page=0"])
def test_errors_may_be_read_from_any_page(client, db, path):
    response = client.get(f"{API}{path}", headers={"Origin": "https://else.example.org"})

    assert response["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_browsers_may_ask_before_they_send(client, db, method):
    response = client.options(
        f"{API}/events/1",
        headers={
            "Origin": "https://else.example.org",
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": ", ".join(sorted(REQUEST_HEADERS)) + ", x-unknown",
        },
    )

    allowed = {name.strip() for name in response["Access-Control-Allow-Headers"].split(",")}
    assert response.status_code == 200
    assert response["Access-Control-Allow-Origin"] == "*"
    assert method in response["Access-Control-Allow-Methods"].split(", ")
    assert allowed >= REQUEST_HEADERS
    assert "x-unknown" not in allowed
    assert "Access-Control-Allow-Credentials" not in response


def test_pages_for_people_are_closed_to_other_pages(client, event_in_park):
    for path in ("/", "/event/open-air/", "/admin/login/"):
        assert "Access-Control-Allow-Origin" not in client.get(path, headers={"Origin": "https://else.example.org"})


def test_answers_differ_by_account(client, editor_api, event_in_park):
    for path in ("/events", f"/events/{event_in_park.pk}", "/events/0", "", "/nowhere"):
        anonymous, signed_in = client.get(f"{API}{path}"), editor_api.get(f"{API}{path}")

        varies = {name.strip().lower() for name in anonymous["Vary"].split(",")}
        assert varies >= {"authorization", "cookie"}
        assert "private" not in anonymous.get("Cache-Control", "")
        # What editors see must not be kept for anybody else.
        assert signed_in["Cache-Control"] == "private, no-store"


def test_answers_are_json_whatever_is_asked_for(client, event_in_park):
    for accepted in ("text/html", "application/xml", "*/*", "nonsense"):
        response = client.get(f"{API}/events/{event_in_park.pk}", headers={"Accept": accepted})

        assert response["Content-Type"] == "application/json; charset=utf-8"
        assert response.json()["id"] == event_in_park.pk


def test_text_is_sent_as_it_is(client, db):
    event = EventFactory(title="Größe & 場 <3 “quoted” / 🎉")

    response = client.get(f"{API}/events/{event.pk}?_fields=title")

    assert response.content.decode() == '{"title":"Größe & 場 <3 “quoted” / 🎉"}'


# --- The base address


@pytest.fixture
def serve_with(settings):
    """Serves the API as it is served where these settings hold from the start."""

    def set_up(**changed):
        for name, value in changed.items():
            setattr(settings, name, value)
        # A copy of its own, so that the addresses of all other tests stay as they are.
        copy = module_from_spec(urls.__spec__)
        urls.__spec__.loader.exec_module(copy)
        settings.ROOT_URLCONF = copy

    return set_up


def test_alias_serves_the_same_in_its_own_addresses(client, event_in_park, serve_with, time_machine):
    time_machine.move_to("2027-03-10T12:00:00Z", tick=False)
    EventFactory(title="Second")
    serve_with(NAMESPACE_ALIASES=[ALIAS])

    # The examples of the document are of one address, whatever is asked for.
    parts = "openapi,info,servers,tags,paths"
    for path in (
        f"/events/{event_in_park.pk}",
        "/events?per_page=1&start_date=2020-01-01",
        "/categories",
        "",
        f"/doc?_fields={parts}",
        "/none",
    ):
        own, other = client.get(f"{API}{path}"), client.get(f"/{ALIAS}{path}")

        assert other.status_code == own.status_code
        # The namespace is an address without what stands before its last three names.
        in_addresses = own.content.decode().replace(f"testserver{API}", f"testserver/{ALIAS}")
        assert other.content.decode() == in_addresses.replace(API[1:], ALIAS.removeprefix("wp-json/"))
        assert other["Link"] == own["Link"].replace(API[1:], ALIAS)


def test_links_of_an_alias_lead_on(client, event_in_park, serve_with):
    EventFactory(title="Second", start="tomorrow 19:00")
    serve_with(NAMESPACE_ALIASES=[ALIAS])

    following = client.get(f"/{ALIAS}/events?per_page=1").json()["next_rest_url"]

    assert following.startswith(f"http://testserver/{ALIAS}/events?")
    assert client.get(following).json()["events"][0]["rest_url"].startswith(f"http://testserver/{ALIAS}/events/")


def test_alias_is_served_only_where_it_is_set(client, event_in_park, serve_with):
    serve_with(NAMESPACE_ALIASES=["other/v1"])

    assert client.get(f"/{ALIAS}/events").status_code == 404
    assert client.get(f"{API}/events").status_code == 200


def test_root_stands_before_the_namespace(client, event_in_park, serve_with):
    serve_with(REST_ROOT="api/public")

    record = client.get(f"/api/public{API}/events/{event_in_park.pk}").json()

    assert record["rest_url"] == f"http://testserver/api/public{API}/events/{event_in_park.pk}"
    # The pages stay where they are.
    assert record["url"] == "http://testserver/event/open-air/"
    assert record["categories"][0]["urls"]["collection"] == f"http://testserver/api/public{API}/categories"
    assert client.get(f"/api/public{API}").json()["namespace"] == "cal/events/v1"
    assert client.get(f"{API}/events").status_code == 404


def test_settings_of_the_base_reach_addresses_and_headers():
    """A process of its own: what is read from the environment is read once."""
    code = (
        "import django; django.setup()\n"
        "from django.test import Client\n"
        f"for path in ('/api{API}', '/{ALIAS}', '/{ALIAS}/none'):\n"
        "    response = Client().get(path, headers={'Origin': 'https://else.example.org', 'Host': 'localhost'})\n"
        "    print(response.status_code, response.get('Access-Control-Allow-Origin'), response['Content-Type'])\n"
    )
    environment = {"DEBUG": "true", "REST_ROOT": "/api/", "NAMESPACE_ALIASES": f"/{ALIAS}/"}

    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code],
        env={**os.environ, **environment, "DJANGO_SETTINGS_MODULE": "calendar_site.settings"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )

    assert done.stdout.splitlines() == [
        "200 * application/json; charset=utf-8",
        "200 * application/json; charset=utf-8",
        "404 * application/json; charset=utf-8",
    ]


def test_public_address_stands_in_answers(client, event_in_park, settings):
    settings.PUBLIC_URL = "https://calendar.example.org/whats-on"

    record = client.get(f"{API}/events/{event_in_park.pk}").json()
    listed = client.get(f"{API}/events?per_page=1&start_date=2020-01-01&end_date=2100-01-01").json()

    base = "https://calendar.example.org/whats-on"
    assert record["url"] == f"{base}/event/open-air/"
    assert record["rest_url"] == f"{base}{API}/events/{event_in_park.pk}"
    assert record["venue"]["url"] == f"{base}/venue/park/"
    assert record["global_id"] == f"calendar.example.org?type=event&id={event_in_park.pk}"
    assert record["json_ld"]["url"] == f"{base}/event/open-air/"
    assert listed["rest_url"].startswith(f"{base}{API}/events?")
    assert client.get(f"{API}/doc").json()["servers"] == [{"url": f"{base}{API}"}]


# --- The URL of a new record (D34)

NEW_RECORDS = {
    "events": {"title": "Open air", "start_date": "2030-05-04", "end_date": "2030-05-04"},
    "venues": {"venue": "Hall"},
    "organizers": {"organizer": "Club"},
    "categories": {"name": "Music"},
    "tags": {"name": "Jazz"},
}


@pytest.mark.parametrize("collection", NEW_RECORDS)
def test_new_record_has_its_url_in_the_header(editor_api, client, collection):
    response = editor_api.post(f"{API}/{collection}?_fields=id", NEW_RECORDS[collection])

    url = response["Location"]
    assert response.status_code == 201
    assert url == f"http://testserver{API}/{collection}/{response.json()['id']}"
    assert client.get(url).json()["id"] == response.json()["id"]


def test_url_in_the_header_is_the_one_in_the_record(editor_api, serve_with):
    serve_with(NAMESPACE_ALIASES=[ALIAS], PUBLIC_URL="https://calendar.example.org/whats-on")

    for path in (f"{API}/events", f"/de{API}/events", f"/{ALIAS}/events", f"/fr/{ALIAS}/events"):
        response = editor_api.post(path, NEW_RECORDS["events"])

        assert response["Location"] == response.json()["rest_url"]
        assert response["Location"].startswith(f"https://calendar.example.org/whats-on{path}/")


def test_existing_venue_that_a_create_returns_has_its_url_in_the_header(editor_api):
    venue = VenueFactory(title="Hall")

    response = editor_api.post(f"{API}/venues", {"venue": "hall"})

    assert (response.status_code, response["Location"]) == (201, f"http://testserver{API}/venues/{venue.pk}")


def test_other_responses_have_no_url_in_the_header(client, editor_api, event_in_park):
    path = f"{API}/events/{event_in_park.pk}"
    responses = [
        client.get(path),
        editor_api.patch(path, {"title": "New"}),
        editor_api.post(f"{API}/events", {}),
        client.post(f"{API}/events", NEW_RECORDS["events"], content_type="application/json"),
        editor_api.post(f"{API}/tags", {"name": ""}),
        editor_api.delete(path),
    ]

    assert [response.status_code for response in responses] == [200, 200, 400, 401, 400, 200]
    assert [response.get("Location") for response in responses] == [None] * 6


def test_address_of_the_request_stands_in_answers_otherwise(client, event_in_park, settings):
    settings.ALLOWED_HOSTS = ["calendar.example.org"]

    with override_script_prefix("/app/"):
        response = client.get(
            f"{API}/events/{event_in_park.pk}", headers={"Host": "calendar.example.org:8443"}, secure=True
        )

    assert response.json()["rest_url"] == f"https://calendar.example.org:8443/app{API}/events/{event_in_park.pk}"


def test_foreign_host_is_refused(client, event_in_park, settings):
    settings.ALLOWED_HOSTS = ["calendar.example.org"]

    response = client.get(f"{API}/events", headers={"Host": "evil.example.org"})

    assert (response.status_code, response.json()["code"]) == (400, "rest_invalid_host")


# --- Arguments that are not known


def test_record_reads_ignore_and_name_what_they_do_not_know(client, event_in_park):
    response = client.get(
        f"{API}/events/{event_in_park.pk}?context=view&id=0&slug=x&password=secret&title=x&_fields=id"
    )

    assert response.json() == {"id": event_in_park.pk}
    assert response["X-Ignored-Fields"] == "context"
    assert listed_ids(client.get(f"{API}/events"), "events") == [event_in_park.pk]
