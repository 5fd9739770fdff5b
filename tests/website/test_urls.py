"""URLs of pages: the `url` of every record, hosts, script names and unknown paths."""

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.test import override_settings
from django.test.utils import override_script_prefix

from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.api_client import API, headers_of_any_request
from tests.support.html_page import parse_page

ROOT = Path(__file__).resolve().parent.parent.parent

pytestmark = pytest.mark.django_db

KINDS = {
    "events": lambda name: EventFactory(title=name),
    "venues": lambda name: VenueFactory(title=name),
    "organizers": lambda name: OrganizerFactory(title=name),
    "categories": lambda name: CategoryFactory(name=name),
    "tags": lambda name: TagFactory(name=name),
}
# They are in tests/website/test_event_page.py.
CALENDAR_SERVICES = ("https://calendar.google.com/", "https://outlook.")
NAMES = {
    "plain": "Summer Fair",
    "with an accent": "Žižkov Fête",
    "in kanji": "上野の夜",
    "in Arabic": "أمسية شعرية",
    "with a sign": "Rock & Roll <3 100%?",
}
kinds = pytest.mark.parametrize("kind", KINDS)


def api_url_of(client, kind, record):
    return client.get(f"{API}/{kind}/{record.pk}").json()["url"]


@kinds
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_url_of_a_record_shows_its_page(client, kind, name):
    record = KINDS[kind](name)
    KINDS[kind]("Something else")
    url = api_url_of(client, kind, record)

    response = client.get(url)

    page = parse_page(response)
    assert response.status_code == 200
    assert url.isascii()
    assert page.one("h1").text == page.one("title").text.removesuffix(" – Event calendar") == str(record)
    assert page.one("link", rel="canonical")["href"] == url
    assert (
        page.one("link", rel="alternate", type="application/json")["href"]
        == f"http://testserver{API}/{kind}/{record.pk}"
    )
    assert client.get(url.removesuffix("/")).content == response.content


@kinds
def test_head_returns_the_headers_of_get(client, kind):
    url = api_url_of(client, kind, KINDS[kind]("Fair"))

    head, get = client.head(url), client.get(url)

    assert (head.status_code, head.content) == (200, b"")
    assert headers_of_any_request(head) == headers_of_any_request(get)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", "GET, HEAD"),
        ("/venue/hall/", "GET, HEAD"),
        ("/venue/nothing/", "GET, HEAD"),
        ("/event/fair/", "GET, HEAD, POST"),
        ("/event/nothing/", "GET, HEAD, POST"),
    ],
)
def test_unsupported_methods_are_refused(client, path, allowed, method):
    EventFactory(title="Fair")
    VenueFactory(title="Hall")
    client.handler.enforce_csrf_checks = True

    response = client.generic(method, path, "title=Taken over", content_type="application/x-www-form-urlencoded")

    if method in allowed:
        # Only its own form, which brings a CSRF token.
        assert (response.status_code, parse_page(response).one("h1").text) == (403, "The form could not be submitted")
        return
    assert (response.status_code, response["Allow"]) == (405, allowed)
    assert (response["Content-Type"], response.content) == (
        "text/plain; charset=utf-8",
        b"This page does not accept this HTTP method.\n",
    )


@pytest.mark.parametrize("path", ["/events", "/events/"])
def test_events_path_shows_the_upcoming_events(client, path):
    EventFactory(title="Fair")

    response = client.get(path)

    assert response.content == client.get("/").content
    assert parse_page(response).one("link", rel="canonical")["href"] == "http://testserver/"


def links_on(client, path):
    """Return all links to other pages, also in the head, without those to other languages."""
    leading = [link for link in parse_page(client.get(path)).all("a", "link") if "hreflang" not in link.attributes]
    urls = {link["href"] for link in leading if not link["href"].startswith("#")}
    return sorted(url for url in urls if not url.startswith(CALENDAR_SERVICES))


@pytest.fixture
def event_with_links(db):
    category = CategoryFactory(name="Music")
    whole = EventFactory(title="Festival")
    return EventFactory(
        title="Fair",
        parent=whole,
        venues=[VenueFactory(title="Hall")],
        organizers=[OrganizerFactory(title="Choir")],
        categories=[category],
        tags=[TagFactory(name="Outdoor")],
    )


def expected_links(site, event):
    return sorted(
        [
            f"{site}/",
            f"{site}/admin/",
            f"{site}/cal/events/v1/doc",
            f"{site}/cal/events/v1/events/{event.pk}",
            f"{site}/event/fair/",
            f"{site}/event/fair.ics",
            f"{site}/event/fair/report/",
            f"{site}/event/festival/",
            f"{site}/events/category/music/",
            f"{site}/events/list/",
            f"{site}/events/month/",
            f"{site}/events/tag/outdoor/",
            f"{site}/oembed?{urlencode({'url': f'{site}/event/fair/'})}",
            f"{site}/organizer/choir/",
            f"{site}/site.webmanifest",
            f"{site}/venue/hall/",
            "/static/pages/icon.svg",
            "/static/pages/site.css",
        ]
    )


def test_links_use_the_host_of_the_request(client, event_with_links):
    assert links_on(client, "/event/fair/") == expected_links("http://testserver", event_with_links)


def test_links_use_the_script_name(client, event_with_links):
    with override_script_prefix("/agenda/"):
        assert links_on(client, "/event/fair/") == expected_links("http://testserver/agenda", event_with_links)
        assert client.get("/admin")["Location"] == "/agenda/admin/"


@override_settings(PUBLIC_URL="https://calendar.example.org/agenda")
def test_links_use_the_public_url(client, event_with_links):
    assert links_on(client, "/event/fair/") == expected_links("https://calendar.example.org/agenda", event_with_links)


@pytest.mark.parametrize(
    "settings",
    [
        {"PUBLIC_URL": "https://localhost/agenda", "HTTPS": "false"},
        {"SCRIPT_NAME": "/agenda"},
        {"SCRIPT_NAME": "/agenda", "PUBLIC_URL": "http://localhost/agenda/"},
    ],
    ids=lambda settings: " and ".join(settings),
)
def test_static_urls_use_the_script_name(settings, tmp_path):
    show = "from calendar_site.wsgi import application; from django.test import Client;"
    show += "print(Client(HTTP_HOST='localhost').get('/admin/login/').content.decode())"
    environment = {**os.environ, "DEBUG": "true", "DATA_DIR": str(tmp_path), **settings}

    page = subprocess.run(  # noqa: S603
        [sys.executable, "-c", show], env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    ).stdout

    stylesheets = re.findall(r'<link href="([^"]+)" rel="stylesheet"', page)
    assert "/agenda/static/unfold/css/styles.css" in stylesheets
    assert [path for path in stylesheets if not path.startswith("/agenda/static/")] == []


UNKNOWN_SLUGS = (
    "nothing",
    "%00",
    "a%00b",
    "%FF",
    "%ED%A0%80",
    "%",
    "%zz",
    "a%0Ab",
    "fair%20",
    "FAIR",
    "a" * 6000,
    "../../etc/passwd",
    "%F0%9F%8E%89",
    "'; DROP TABLE events_event; --",
    "fair//",
)


@pytest.mark.parametrize("kind", ["event", "venue", "organizer", "events/category", "events/tag"])
def test_unknown_slugs_are_not_found(client, kind):
    for make in KINDS.values():
        make("Fair")

    responses = {slug: client.get(f"/{kind}/{slug}") for slug in UNKNOWN_SLUGS}

    assert client.get(f"/{kind}/fair").status_code == 200
    assert {slug: response.status_code for slug, response in responses.items()} == dict.fromkeys(UNKNOWN_SLUGS, 404)
    assert {parse_page(response).one("h1").text for response in responses.values()} == {"Page not found"}
