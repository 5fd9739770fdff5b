"""The root of the original's API, other addresses of it, and how clients find it."""

import re

import pytest

from tests.factories import CategoryFactory, EventFactory, TagFactory, UserFactory, VenueFactory
from tests.support.api_client import JSONClient
from tests.support.api_writes import error_of

ROOT = '<http://testserver/wp-json/>; rel="https://api.w.org/"'
TRIBE = "http://testserver/wp-json/tribe/events/v1"


def test_root_describes_the_site(settings, time_machine, anonymous):
    settings.SITE_TIME_ZONE = "Asia/Kolkata"
    settings.SITE_NAME = "Town hall"
    time_machine.move_to("2027-03-10T12:00:00Z", tick=False)

    root = anonymous.get("/wp-json/").json()

    assert {name: root[name] for name in ("name", "url", "home", "gmt_offset", "timezone_string", "namespaces")} == {
        "name": "Town hall",
        "url": "http://testserver",
        "home": "http://testserver",
        "gmt_offset": 5.5,
        "timezone_string": "Asia/Kolkata",
        "namespaces": ["tribe/events/v1", "tec/v1", "wp/v2"],
    }
    assert root["authentication"] == {
        "application-passwords": {"endpoints": {"authorization": "http://testserver/authorize-application/"}}
    }


def test_routes_of_all_namespaces_are_served(anonymous):
    routes = anonymous.get("/wp-json").json()["routes"]

    assert {"/", "/tribe/events/v1", "/tec/v1", "/wp/v2", "/wp/v2/users/me", "/tec/v1/events/(?P<id>\\d+)"} <= set(
        routes
    )
    for path, route in routes.items():
        assert route["endpoints"], path
        if "(?P<" in path:
            assert "_links" not in route
            continue
        (link,) = route["_links"]["self"]
        response = anonymous.get(link["href"], headers={"X-TEC-EEA": "yes"})
        assert response.status_code in (200, 401), path


@pytest.mark.parametrize("namespace", ["tribe/events/v1", "tec/v1", "wp/v2"])
def test_index_of_a_namespace(anonymous, namespace):
    index = anonymous.get(f"/wp-json/{namespace}/").json()

    assert (index["namespace"], index["_links"]) == (namespace, {"up": [{"href": "http://testserver/wp-json/"}]})
    assert all(path.startswith(f"/{namespace}") for path in index["routes"])


def test_selected_keys(anonymous):
    assert sorted(anonymous.get("/wp-json/?_fields=name,namespaces").json()) == ["name", "namespaces"]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_root_is_read_only(editor_api, method):
    assert error_of(getattr(editor_api, method)("/wp-json/")) == (404, "rest_no_route")


def test_root_answers_head_and_options(anonymous):
    assert anonymous.head("/wp-json/").status_code == 200
    options = anonymous.options("/wp-json/")
    assert (options["Allow"], options.json()["methods"]) == ("GET", ["GET"])


@pytest.mark.parametrize("path", ["/wp-json/nope", "/wp-json/wp/v3/users", "/wp-json/wp/v2/nope", "/wp-json//"])
@pytest.mark.parametrize("method", ["get", "post", "delete", "options"])
def test_unknown_route(anonymous, path, method):
    response = getattr(anonymous, method)(path)

    assert error_of(response) == (404, "rest_no_route")
    assert response["Link"] == ROOT


# --- ?rest_route=


@pytest.mark.parametrize("path", ["/", "/index.php", "/events/", "/nobody/"])
def test_route_in_the_query_of_any_path(anonymous, path):
    EventFactory(title="Concert", start="2027-03-10 10:00", end="2027-03-10 12:00")
    query = "rest_route=/tribe/events/v1/events/&start_date=2027-01-01&_fields=events.title,total"

    assert anonymous.get(f"{path}?{query}").json() == {"events": [{"title": "Concert"}], "total": 1}


def test_route_in_the_query_keeps_method_body_and_credentials(editor_api):
    response = editor_api.post("/?rest_route=/tribe/events/v1/tags", {"name": "Open air"})

    assert (response.status_code, response.json()["name"]) == (201, "Open air")


@pytest.mark.parametrize("route", ["wp/v2/types", "/nope", "//", "nope"])
def test_unknown_route_in_the_query(anonymous, route):
    assert error_of(anonymous.get("/", {"rest_route": route})) == (404, "rest_no_route")


def test_empty_route_in_the_query_is_the_page(anonymous):
    response = anonymous.get("/?rest_route=")

    assert response["Content-Type"].startswith("text/html")


def test_path_with_index_php(anonymous):
    assert anonymous.get("/index.php/wp-json/wp/v2/types/post").json()["slug"] == "post"


# --- Discovery


def discovered(response) -> dict[str, str]:
    return {name: response[f"X-TEC-API-{name}"] for name in ("VERSION", "ORIGIN", "ROOT")}


@pytest.mark.parametrize(
    "path", ["/", "/events/", "/events/list/", "/events/month/", "/events/today/", "/venue/hall/", "/nobody/"]
)
@pytest.mark.parametrize("method", ["get", "head"])
def test_every_page_leads_to_the_api(anonymous, path, method):
    VenueFactory(title="Hall")

    response = getattr(anonymous, method)(path)

    assert response["Link"] == ROOT
    assert discovered(response) == {"VERSION": "v1", "ORIGIN": "http://testserver", "ROOT": f"{TRIBE}/"}


def test_elements_of_a_page(anonymous):
    page = anonymous.get("/").content.decode()

    head = page[: page.index("</head>")]
    assert '<link rel="https://api.w.org/" href="http://testserver/wp-json/">' in head
    assert f'<link rel="alternate" href="{TRIBE}/">' in head
    assert '<link rel="alternate" type="text/calendar" href="http://testserver/events/?ical=1">' in head
    assert '<link rel="alternate" type="application/rss+xml" href="http://testserver/events/feed/">' in head
    assert '<meta name="tec-api-version" content="v1">' in head
    assert '<meta name="tec-api-origin" content="http://testserver">' in head


def test_page_of_an_event_leads_to_the_event(anonymous):
    event = EventFactory(title="Concert")

    response = anonymous.get("/event/concert/")

    assert response["Link"] == ", ".join(
        [
            ROOT,
            f'<http://testserver/wp-json/wp/v2/tribe_events/{event.pk}>; rel="alternate"; title="JSON"; '
            'type="application/json"',
            f"<http://testserver/?p={event.pk}>; rel=shortlink",
        ]
    )
    assert discovered(response)["ROOT"] == f"{TRIBE}/events/{event.pk}"
    scripts = re.findall(r'<script type="application/ld\+json">(.*?)</script>', response.content.decode())
    assert len(scripts) == 1
    assert scripts[0].startswith('[{"@context": "http://schema.org", "@type": "Event", "name": "Concert"')


def test_page_of_a_term_leads_to_its_events(anonymous):
    CategoryFactory(name="Jazz", parent=CategoryFactory(name="Music"))
    TagFactory(name="Open air")

    def root(path: str) -> str:
        return discovered(anonymous.get(path))["ROOT"].removeprefix(TRIBE)

    assert root("/events/category/jazz/") == "/events/?categories=jazz"
    assert root("/events/category/music/jazz/") == "/events/?categories=jazz"
    assert root("/events/tag/open-air/") == root("/tag/open-air/") == "/events/?tags=open-air"
    # Not the parent of the other.
    assert anonymous.get("/events/category/jazz/music/").status_code == 404


def test_admin_has_no_discovery(editor_browser):
    assert "X-TEC-API-ROOT" not in editor_browser.get("/admin/")


def test_short_link(anonymous, editor_browser):
    event, draft = EventFactory(title="Concert"), EventFactory(title="Plan", status="draft")

    found = anonymous.get(f"/?p={event.pk}")

    assert (found.status_code, found["Location"]) == (301, "http://testserver/event/concert/")
    assert anonymous.get(f"/?p={draft.pk}").status_code == 404
    assert editor_browser.get(f"/?p={draft.pk}")["Cache-Control"] == "private, no-store"
    for text in ("0", "abc", "-1", "9" * 30, ""):
        assert anonymous.get("/", {"p": text}).status_code == 404


def test_language_stays_in_the_addresses(anonymous):
    response = anonymous.get("/de/")

    assert response["Link"] == '<http://testserver/de/wp-json/>; rel="https://api.w.org/"'
    assert anonymous.get("/de/wp-json/?_fields=url").json() == {"url": "http://testserver/de"}


# --- Stored responses


def test_stored_response_is_not_for_those_who_do_not_acknowledge_tec_v1(settings, db):
    settings.RESPONSE_CACHE_MB = 1
    client = JSONClient()
    url = "/wp-json/tec/v1/events"

    assert client.get(url, headers={"X-TEC-EEA": "yes"}).status_code == 200

    response = client.get(url)
    assert error_of(response) == (400, "missing_experimental_endpoint_acknowledgement")
    assert "X-TEC-EEA" in response["Vary"]


# --- Without the mode


@pytest.mark.parametrize(
    "path",
    [
        "/wp-json/", "/wp-json/tribe/events/v1/events", "/wp-json/wp/v2/users/me", "/wp-json/tec/v1/events",
        "/index.php/wp-json/", "/authorize-application/?app_name=x", "/events/feed/", "/tag/open-air/", "/events/ical/",
    ],
)  # fmt: skip
def test_no_address_exists_without_the_mode(settings, path, db):
    settings.ROOT_URLCONF = "calendar_site.urls"
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "compatibility" not in name]
    TagFactory(name="Open air")
    UserFactory(role="editor")

    assert JSONClient().get(path).status_code == 404


def test_pages_have_no_discovery_without_the_mode(settings, db):
    settings.ROOT_URLCONF = "calendar_site.urls"
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "compatibility" not in name]

    response = JSONClient().get("/?rest_route=/wp/v2/types")

    assert response["Content-Type"].startswith("text/html")
    assert "Link" not in response
    assert b"wp-json" not in response.content
