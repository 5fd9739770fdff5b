"""The web manifest, the icon, and oEmbed."""

import pytest

from tests.factories import EventFactory
from tests.support.html_page import parse_page

pytestmark = pytest.mark.django_db

SITE = "http://testserver"


def test_web_manifest_names_the_site(client, settings):
    settings.SITE_NAME = "Port Ellery"

    response = client.get("/site.webmanifest")

    assert response["Content-Type"] == "application/manifest+json"
    assert response.json() == {
        "name": "Port Ellery",
        "short_name": "Port Ellery",
        "start_url": f"{SITE}/",
        "display": "browser",
        "icons": [{"src": "/static/pages/icon.svg", "type": "image/svg+xml", "sizes": "any"}],
    }
    assert parse_page(client.get("/")).one("link", rel="manifest")["href"] == f"{SITE}/site.webmanifest"


def test_icon_is_found_without_a_page(db, client):
    response = client.get("/favicon.ico")

    assert (response.status_code, response["Location"]) == (302, "/static/pages/icon.svg")


def test_other_sites_can_show_a_link_to_an_event(client, wide_image):
    fair = EventFactory(title="Fair", image=wide_image)

    url = parse_page(client.get("/event/fair/")).one("link", type="application/json+oembed")["href"]
    response = client.get(url.removeprefix(SITE))

    assert response["Access-Control-Allow-Origin"] == "*"
    assert response.json() == {
        "version": "1.0",
        "type": "link",
        "title": "Fair",
        "url": f"{SITE}/event/fair/",
        "provider_name": "Event calendar",
        "provider_url": f"{SITE}/",
        "thumbnail_url": f"{SITE}/media/{fair.image.file.name}",
        "thumbnail_width": 2000,
        "thumbnail_height": 1000,
    }


def test_image_of_a_protected_event_is_not_shown(client, wide_image):
    EventFactory(title="Fair", image=wide_image, password="x")

    answer = client.get("/oembed", {"url": f"{SITE}/event/fair/"}).json()

    assert answer["title"] == "Fair"
    assert "thumbnail_url" not in answer


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/event/nothing/",
        "/event/draft/",
        "/event/trashed/",
        "/venue/fair/",
        "/event/fair/x",
        "http://[",
        "/event/%00",
    ],
)
def test_only_public_events_are_shown(client, url):
    EventFactory(title="Fair")
    EventFactory(title="Draft", status="draft")
    EventFactory(title="Trashed", status="trash")

    assert client.get("/oembed", {"url": url}).status_code == 404


def test_xml_is_not_available(client):
    EventFactory(title="Fair")

    assert client.get("/oembed", {"url": f"{SITE}/event/fair/", "format": "xml"}).status_code == 501
