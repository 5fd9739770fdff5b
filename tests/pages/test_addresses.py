"""The `url` of every record answers its page, however it is written and wherever the site is served."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import override_settings
from django.test.utils import override_script_prefix

from tests.api import API
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.pages.reading import read

ROOT = Path(__file__).resolve().parent.parent.parent

pytestmark = pytest.mark.django_db

KINDS = {
    "events": lambda name: EventFactory(title=name),
    "venues": lambda name: VenueFactory(title=name),
    "organizers": lambda name: OrganizerFactory(title=name),
    "categories": lambda name: CategoryFactory(name=name),
    "tags": lambda name: TagFactory(name=name),
}
NAMES = {
    "plain": "Summer Fair",
    "with an accent": "Žižkov Fête",
    "in kanji": "上野の夜",
    "in Arabic": "أمسية شعرية",
    "with a sign": "Rock & Roll <3 100%?",
}
kinds = pytest.mark.parametrize("kind", KINDS)


def url_of(client, kind, record):
    return client.get(f"{API}/{kind}/{record.pk}").json()["url"]


@kinds
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_url_answers_the_page_of_its_record(client, kind, name):
    record = KINDS[kind](name)
    KINDS[kind]("Something else")
    url = url_of(client, kind, record)

    response = client.get(url)

    page = read(response)
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
def test_page_answers_head_without_a_body(client, kind):
    url = url_of(client, kind, KINDS[kind]("Fair"))

    response, whole = client.head(url), client.get(url)

    assert (response.status_code, response.content) == (200, b"")
    assert response.headers == whole.headers


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
def test_pages_can_only_be_read(client, path, allowed, method):
    EventFactory(title="Fair")
    VenueFactory(title="Hall")
    client.handler.enforce_csrf_checks = True

    response = client.generic(method, path, "title=Taken over", content_type="application/x-www-form-urlencoded")

    if method in allowed:
        # For the form alone, which brings its token.
        assert (response.status_code, read(response).one("h1").text) == (403, "The form was not accepted")
        return
    assert (response.status_code, response["Allow"]) == (405, allowed)
    assert (response["Content-Type"], response.content) == (
        "text/plain; charset=utf-8",
        b"This page can only be read.\n",
    )


@pytest.mark.parametrize("path", ["/events", "/events/"])
def test_coming_events_also_answer_where_the_addresses_of_terms_begin(client, path):
    EventFactory(title="Fair")

    response = client.get(path)

    assert response.content == client.get("/").content
    assert read(response).one("link", rel="canonical")["href"] == "http://testserver/"


def links(client, path):
    """Every link of the page that is no place in it, those in its head included, but none to it in other languages."""
    leading = [link for link in read(client.get(path)).all("a", "link") if "hreflang" not in link.attributes]
    return sorted({link["href"] for link in leading if not link["href"].startswith("#")})


@pytest.fixture
def everything(db):
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
            f"{site}/event/festival/",
            f"{site}/events/category/music/",
            f"{site}/events/tag/outdoor/",
            f"{site}/organizer/choir/",
            f"{site}/venue/hall/",
            "/static/pages/icon.svg",
            "/static/pages/site.css",
        ]
    )


def test_links_lead_to_the_host_that_was_asked(client, everything):
    assert links(client, "/event/fair/") == expected_links("http://testserver", everything)


def test_links_lead_to_the_path_that_the_site_is_served_under(client, everything):
    with override_script_prefix("/agenda/"):
        assert links(client, "/event/fair/") == expected_links("http://testserver/agenda", everything)
        assert client.get("/admin")["Location"] == "/agenda/admin/"


@override_settings(PUBLIC_URL="https://calendar.example.org/agenda")
def test_links_lead_to_the_public_address(client, everything):
    assert links(client, "/event/fair/") == expected_links("https://calendar.example.org/agenda", everything)


@pytest.mark.parametrize(
    "settings",
    [
        {"PUBLIC_URL": "https://localhost/agenda", "HTTPS": "false"},
        {"SCRIPT_NAME": "/agenda"},
        {"SCRIPT_NAME": "/agenda", "PUBLIC_URL": "http://localhost/agenda/"},
    ],
    ids=lambda settings: " and ".join(settings),
)
def test_stylesheets_lie_under_the_path_that_the_site_is_served_under(settings, tmp_path):
    show = "from calendar_site.wsgi import application; from django.test import Client;"
    show += "print(Client(HTTP_HOST='localhost').get('/admin/login/').content.decode())"
    environment = {**os.environ, "DEBUG": "true", "DATA_DIR": str(tmp_path), **settings}

    page = subprocess.run(  # noqa: S603
        [sys.executable, "-c", show], env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    ).stdout

    stylesheets = re.findall(r'<link href="([^"]+)" rel="stylesheet"', page)
    assert "/agenda/static/unfold/css/styles.css" in stylesheets
    assert [path for path in stylesheets if not path.startswith("/agenda/static/")] == []


NO_SLUGS = (
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
def test_other_addresses_answer_that_there_is_no_page(client, kind):
    for make in KINDS.values():
        make("Fair")

    answers = {slug: client.get(f"/{kind}/{slug}") for slug in NO_SLUGS}

    assert client.get(f"/{kind}/fair").status_code == 200
    assert {slug: answer.status_code for slug, answer in answers.items()} == dict.fromkeys(NO_SLUGS, 404)
    assert {read(answer).one("h1").text for answer in answers.values()} == {"Page not found"}
