"""No query, body, address or credentials lead to a 5xx, and errors have the form of the original."""

import json
from base64 import b64encode
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.any_values import FIELDS, INTERNALS, PARAMETERS, TEXT, VALUE, bounded

pytestmark = pytest.mark.django_db

REST = "/wp-json"
TRIBE, TEC, WP = f"{REST}/tribe/events/v1", f"{REST}/tec/v1", f"{REST}/wp/v2"
COLLECTIONS = {
    "event": (f"{TRIBE}/events", f"{TEC}/events", f"{WP}/tribe_events"),
    "venue": (f"{TRIBE}/venues", f"{TEC}/venues", f"{WP}/tribe_venue"),
    "organizer": (f"{TRIBE}/organizers", f"{TEC}/organizers", f"{WP}/tribe_organizer"),
    "category": (f"{TRIBE}/categories", f"{WP}/tribe_events_cat"),
    "tag": (f"{TRIBE}/tags", f"{WP}/tags"),
}
LISTS = [path for paths in COLLECTIONS.values() for path in paths]
OTHERS = [
    *(f"{WP}/{name}" for name in ("users", "users/me", "media", "types", "taxonomies", "settings", "posts", "pages")),
    *(f"{REST}/{name}" for name in ("", "tribe/events/v1", "tec/v1", "wp/v2", "tec/v1/docs", "oembed/1.0/embed")),
]
FEEDS = [
    *("/", "/events/", "/events/list/", "/events/month/", "/events/feed/", "/events/ical/", "/events/category/x/feed/"),
]
WP_FIELDS = [
    *("title", "content", "excerpt", "status", "slug", "name", "description", "parent", "meta", "featured_media"),
]
WP_PARAMETERS = [
    *("page", "per_page", "offset", "orderby", "order", "include", "exclude", "search", "slug", "status", "author"),
    *("context", "_embed", "_fields", "parent", "post", "roles", "who", "after", "before", "media_type"),
]
FEED_PARAMETERS = [
    *("ical", "outlook-ical", "post_type", "tribe_events_cat", "post_tag", "tribe-bar-date", "tribe-bar-search"),
    *("tribe_event_display", "eventDisplay", "feed", "paged", "rest_route", "s", "p", "page_id", "tribe_x"),
]
FEED_QUERIES = ["", "ical=1", "feed=rss2", "post_type=tribe_events&ical=1", "rest_route=/wp/v2/media"]
CONTENT_TYPES = [
    *("application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "image/png", ""),
]
FRAGMENTS = [
    *(b"{", b"}", b"[", b'"', b":", b"--b", b"\r\n", b"=", b"&", b"%", b"\0", b"\xff", b"\x89PNG"),
]
SEGMENTS = ["tribe", "events", "v1", "tec", "wp", "v2", "media", "users", "by-slug", "1", "", ".."]
AUTHORIZATION = "/authorize-application/"
NAMES = st.sampled_from([*PARAMETERS, *WP_PARAMETERS, *FEED_PARAMETERS])
BODY = st.dictionaries(st.sampled_from([*FIELDS, *WP_FIELDS]) | TEXT, VALUE, max_size=6)
QUERY = st.lists(st.tuples(NAMES | NAMES.map(lambda name: f"{name}[]") | TEXT, TEXT), max_size=4).map(urlencode)


@pytest.fixture
def items():
    """The addresses of a record of each kind, which are linked."""
    factories = {"venue": VenueFactory, "organizer": OrganizerFactory, "category": CategoryFactory, "tag": TagFactory}
    rows = {kind: factory() for kind, factory in factories.items()}
    plurals = {"venues": "venue", "organizers": "organizer", "categories": "category", "tags": "tag"}
    event = EventFactory(**{name: [rows[kind]] for name, kind in plurals.items()})
    return [f"{path}/{row.pk}" for kind, row in {**rows, "event": event}.items() for path in COLLECTIONS[kind]]


def assert_no_fault(response):
    assert response.status_code < 500, (response.request["PATH_INFO"], response.content)
    # The response to HEAD has no body.
    if response.status_code >= 400 and response.content and response["Content-Type"].startswith("application/json"):
        body = response.json()
        assert {"code", "message", "data"} <= {*body}
        assert body["data"]["status"] == response.status_code
        assert not [part for part in INTERNALS if part in response.content.decode()], response.content


def test_no_query_is_a_fault(anonymous, editor_api, items):
    @bounded
    @given(QUERY)
    def ask(query):
        for caller in (anonymous, editor_api):
            for path in (*LISTS, *items, *OTHERS):
                assert_no_fault(caller.get(f"{path}?{query}"))

    ask()


def test_no_query_of_a_feed_is_a_fault(client):
    @bounded
    @given(QUERY, st.sampled_from(FEED_QUERIES))
    def ask(query, first):
        for path in FEEDS:
            assert_no_fault(client.get(f"{path}?{first}&{query}"))

    ask()


def test_no_body_is_a_fault(editor_api, items):
    needed = {"title": "x", "name": "x", "venue": "x", "organizer": "x", "start_date": "2030-05-04 18:00"}

    @bounded
    @given(BODY)
    def send(body):
        for path in items:
            assert_no_fault(editor_api.generic("PUT", path, json.dumps(body), "application/json"))
        for path in (*LISTS, f"{WP}/media", f"{WP}/settings", f"{WP}/users"):
            assert_no_fault(editor_api.generic("POST", path, json.dumps({**needed, **body}), "application/json"))

    send()


def test_no_bytes_are_a_fault(editor_api, items):
    fragments = st.sampled_from(FRAGMENTS)
    content = st.lists(fragments | st.binary(max_size=10), max_size=20).map(b"".join)

    @bounded
    @given(content, st.sampled_from(CONTENT_TYPES), TEXT)
    def send(body, content_type, name):
        disposition = {"Content-Disposition": f'attachment; filename="{quote(name)}"'}
        for path in (*items, *LISTS, f"{WP}/media"):
            assert_no_fault(editor_api.generic("POST", path, body, content_type, headers=disposition))

    send()


def test_no_address_is_a_fault(editor_api, items):
    parts = (
        st.sampled_from(["tribe", "events", "v1", "tec", "wp", "v2", "media", "users", "by-slug", "1", "", ".."]) | TEXT
    )
    address = st.lists(parts, max_size=5).map(lambda names: "/".join(quote(name, safe="") for name in names))

    @bounded
    @given(address, st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE"]))
    def ask(path, method):
        for start in (f"{REST}/", f"{REST}/wp/v2/", "/index.php/wp-json/", "/?rest_route=/"):
            assert_no_fault(editor_api.generic(method, f"{start}{path}"))

    ask()


def test_no_credentials_are_a_fault(anonymous):
    @bounded
    @given(st.sampled_from(["Basic ", "Bearer ", "Basic", ""]), st.binary(max_size=30), TEXT)
    def ask(scheme, credentials, text):
        for value in (b64encode(credentials).decode(), quote(text)):
            assert_no_fault(anonymous.get(f"{WP}/users/me", headers={"Authorization": f"{scheme}{value}"}))
            assert_no_fault(anonymous.get(f"{WP}/users/me", headers={"X-WP-Nonce": value}))

    ask()


def test_no_query_of_the_page_of_authorization_is_a_fault(editor_browser):
    names = st.sampled_from(["app_name", "app_id", "success_url", "reject_url", "action"])

    @bounded
    @given(st.lists(st.tuples(names, TEXT), max_size=4).map(urlencode))
    def ask(query):
        assert_no_fault(editor_browser.get(f"{AUTHORIZATION}?{query}"))
        assert_no_fault(editor_browser.post(f"{AUTHORIZATION}?{query}", query, "application/x-www-form-urlencoded"))

    ask()
