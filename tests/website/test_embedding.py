"""The calendar in the pages of other sites."""

import pytest

from tests.factories import CategoryFactory, EventFactory
from tests.support.html_page import parse_page

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

SITE = "http://testserver"
VIEWS = ("list", "month", "week", "today", "2030-05", "week/2030-05-04", "2030-05-04")


@pytest.fixture
def concert(db):
    EventFactory(
        title="Concert", start="2030-05-04 20:00", end="2030-05-04 22:00", categories=[CategoryFactory(name="Music")]
    )


def directives(response):
    return dict(each.split(" ", 1) for each in response["Content-Security-Policy"].split("; "))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("path", ["events", "events/category/music"])
def test_embedded_page_has_only_the_calendar(client, settings, concert, path, view):
    settings.EMBED_HOSTS = ["https://www.example.org", "*.example.net"]

    response = client.get(f"/{path}/{view}/?embed=1&colors=link:0b5cad,background:fff")

    page = parse_page(response)
    assert page.all("header", "footer", "form") == []
    assert directives(response)["frame-ancestors"] == "'self' https://www.example.org *.example.net"
    assert "X-Frame-Options" not in response
    assert (response.cookies, response["X-Robots-Tag"]) == ({}, "noindex, follow")
    links = [link for link in page.one("main").all("a") if not link["href"].startswith("#")]
    leaving = {link["href"] for link in links if link.attributes.get("target") in ("_top", "_blank")}
    inside = [link["href"] for link in links if link["href"] not in leaving]
    assert leaving >= {f"{SITE}/event/concert/"}
    assert inside
    assert [href for href in inside if not href.endswith("embed=1&colors=link%3A0b5cad%2Cbackground%3Afff")] == []


def test_page_without_the_parameter_is_never_framed(client, settings, concert):
    settings.EMBED_HOSTS = ["*"]

    for path in ("/events/month/", "/events/month/?embed=0", "/event/concert/?embed=1", "/venue/nothing/?embed=1"):
        response = client.get(path)
        assert directives(response)["frame-ancestors"] == "'none'"
        assert response["X-Frame-Options"] == "DENY"


def test_no_other_site_may_show_the_calendar_by_default(client, concert):
    response = client.get("/events/month/?embed=1")

    # This site itself may, for the preview in the admin.
    assert directives(response)["frame-ancestors"] == "'self'"
    assert "X-Frame-Options" not in response


@pytest.mark.parametrize("colors", ["", "link", "link:red", "link:0b5cad;x", "a" * 300, "link:%3Cscript%3E"])
def test_other_values_than_colors_are_not_repeated(client, concert, colors):
    page = parse_page(client.get(f"/events/month/?embed=1&colors={colors}"))

    links = [link["href"] for link in page.one("nav", **{"aria-label": "Views"}).all("a")]
    assert links == [f"{SITE}/events/{view}/?embed=1" for view in ("list", "month", "week", "today", "map")]


def test_script_for_other_sites_has_a_lasting_url(client):
    response = client.get("/embed.js")

    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    assert b"iframe" in response.content
    assert response["Cache-Control"] == "public, max-age=3600"
