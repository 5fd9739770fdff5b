"""S14, caches and hosts: no shared cache keeps what one user may see, and no host that a client sends is repeated.

Elsewhere, caches served the pages of editors to everybody, and forged hosts appeared in links. The routes come from the
URL configuration.
"""

import pytest

from tests.factories import EventFactory, VenueFactory
from tests.support.admin import browser_for
from tests.support.api_client import API, api_client_for
from tests.support.browser.admin_pages import admin_pages, page_path
from tests.support.routes import named_routes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

PRIVATE = "private, no-store"
FORBIDDING = {"private", "no-store", "no-cache", "max-age=0"}
CALENDARS = {f"{kind}-calendar" for kind in ("events", "event", "venue", "organizer", "category", "tag")}
# The same for all users: without any record, or with public ones only. A route is only public if it is listed here.
PUBLIC_FOR_USERS = {
    "security-txt",
    "robots-txt",
    "favicon",
    "embed-script",
    "web-manifest",
    "sitemap",
    "sitemap-file",
    *CALENDARS,
}


def directives(response):
    return set(response.get("Cache-Control", "").split(", "))


def vary(response):
    return set(response.get("Vary", "").split(", "))


def test_responses_for_users_are_not_cached(editor):
    event = EventFactory(title="Fair")
    api, browser = api_client_for(editor), browser_for(editor)
    found = {}

    for route in named_routes(id=event.pk):
        if route.name not in PUBLIC_FOR_USERS:
            client = api if route.path.startswith(API) else browser
            found[route.name] = client.get(route.path)

    stored = {
        name: response.get("Cache-Control")
        for name, response in found.items()
        if "no-store" not in directives(response)
    }
    assert stored == {}


def test_anonymous_responses_vary_by_what_they_depend_on(client):
    event = EventFactory(title="Fair")
    missing = {}

    for route in named_routes(id=event.pk):
        if route.path.startswith(API):
            missing[route.name] = {"Authorization", "Cookie", "Accept-Language", "origin"} - vary(
                client.get(route.path)
            )
        elif "no-store" not in directives(response := client.get(route.path)) and response.status_code == 200:
            missing[route.name] = {"Cookie", "Accept-Language"} - vary(response)

    assert {name: headers for name, headers in missing.items() if headers and name not in PUBLIC_FOR_USERS} == {}


def test_calendars_are_the_same_for_all_users(client, editor):
    for fields in ({}, {"status": "private"}, {"status": "draft"}, {"password": "secret", "description": "Hidden"}):
        EventFactory(title="Fair", venues=[VenueFactory(slug="hall")] if not fields else (), **fields)
    browser = browser_for(editor)

    for path in ("/events.ics", "/venue/hall.ics", "/event/fair.ics", "/?ical=1"):
        anonymous, own = client.get(path), browser.get(path)
        assert anonymous.status_code == own.status_code == 200
        assert anonymous.content == own.content


def test_pages_of_the_admin_are_not_cached(shown_ids, administrator_of_shown):
    browser, stored = browser_for(administrator_of_shown), {}

    for name, query in admin_pages():
        response = browser.get(page_path(name, query, shown_ids))
        if not FORBIDDING & directives(response) and response.status_code == 200:
            stored[name, query] = response.get("Cache-Control")

    assert stored == {}


@pytest.mark.parametrize("path", ["{id}", "by-slug/fair"])
@pytest.mark.parametrize("password", ["open sesame", "wrong", ""])
def test_response_to_the_password_of_an_event_is_private(client, path, password):
    event = EventFactory(title="Fair", password="open sesame")

    response = client.get(f"{API}/events/{path.format(id=event.pk)}", {"password": password})

    assert (response.status_code, response["Cache-Control"]) == (200 if password == "open sesame" else 403, PRIVATE)


def test_anonymous_after_editor_gets_the_anonymous_response(client, editor_api):
    draft = EventFactory(title="Canary", status="draft")
    EventFactory(title="Fair")
    first = client.get(f"{API}/events")
    own = editor_api.get(f"{API}/events?status=draft")

    again = client.get(f"{API}/events")
    item = editor_api.get(f"{API}/events/{draft.pk}")
    revalidated = client.get(f"{API}/events/{draft.pk}", headers={"If-None-Match": item.get("ETag", '"x"')})

    assert "Canary" in own.content.decode()
    assert (again.json(), "Canary" in again.content.decode()) == (first.json(), False)
    assert revalidated.status_code == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "testserver.evil.example", "testserver@evil.example", "testserver, evil.example"]
)
@pytest.mark.parametrize("path", ["/", f"{API}/events", "/admin/login/", "/event/fair/"])
def test_unknown_hosts_are_rejected_and_not_repeated(client, host, path):
    EventFactory(title="Fair")

    response = client.get(path, headers={"Host": host})

    assert response.status_code == 400
    assert "evil" not in response.content.decode() + str(response.headers)


@pytest.mark.parametrize("header", ["X-Forwarded-Host", "X-Host", "Forwarded", "X-Original-URL", "X-Rewrite-URL"])
def test_hosts_in_other_headers_are_ignored(client, header):
    EventFactory(title="Fair")

    responses = [client.get(path, headers={header: "host=evil.example"}) for path in ("/event/fair/", f"{API}/events")]

    assert [answer.status_code for answer in responses] == [200, 200]
    assert not any("evil" in answer.content.decode() + str(answer.headers) for answer in responses)


def test_urls_come_from_the_setting(client, settings):
    settings.PUBLIC_URL = "https://calendar.example.org"
    settings.ALLOWED_HOSTS = ["*"]
    EventFactory(title="Fair")

    response = client.get(f"{API}/events", headers={"Host": "evil.example"})

    assert response.json()["events"][0]["url"] == "https://calendar.example.org/event/fair/"
    assert "evil" not in response.content.decode()
