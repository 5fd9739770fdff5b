"""The documentation at /docs/, and the links to it."""

import base64
import hashlib

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext, override_script_prefix

from calendar_site.core.http.security_headers import DEFAULT_POLICY
from calendar_site.website.documentation import MOVED_PAGES
from tests.factories import EventFactory
from tests.support.api_client import API
from tests.support.html_page import parse_page
from tests.support.programs import ROOT

SCRIPT = 'document.body.dataset.theme = "auto";'
INDEX = f"<!doctype html><title>Documentation</title><body><script>{SCRIPT}</script></body>"
FILES = {"index.html": INDEX, "api/events.html": "<title>Events</title>", "_static/docs.css": "body { margin: 0 }"}
DOCUMENTATION = {
    "en": "Documentation",
    "de": "Dokumentation",
    "fr": "Documentation",
    "es": "Documentación",
    "it": "Documentazione",
    "nl": "Documentatie",
    "pt": "Documentação",
    "pl": "Dokumentacja",
}

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[False, True], ids=["production", "development"])
def built_docs(request, settings, tmp_path):
    """Documentation that was built before the start."""
    for path, content in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content)
    settings.DOCS_ROOT, settings.DOCS_PATH, settings.DOCS_URL = tmp_path, "docs", "/docs/"
    settings.STATIC_ROOT = None
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = request.param
    return tmp_path


def content_of(response):
    """Return the content of a file and close it."""
    content = b"".join(response.streaming_content).decode()
    response.close()
    return content


# --- Files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "file", "content_type"),
    [
        ("/docs/", "index.html", "text/html; charset=utf-8"),
        ("/docs/api/events.html", "api/events.html", "text/html; charset=utf-8"),
        ("/docs/_static/docs.css", "_static/docs.css", "text/css; charset=utf-8"),
    ],
)
def test_built_documentation_is_served(client, built_docs, path, file, content_type):
    response = client.get(path)

    assert response.status_code == 200
    assert content_of(response) == FILES[file]
    assert response["Content-Type"].replace('"', "") == content_type


@pytest.mark.parametrize(("path", "target"), [("/docs", "docs/"), ("/docs/index.html", "./")])
def test_other_paths_of_the_index_redirect_to_it(client, built_docs, settings, path, target):
    # In development, WhiteNoise redirects only from folders below /docs/.
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = False

    response = client.get(path)

    assert (response.status_code, response["Location"]) == (302, target)


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/docs/api/events/", "/docs/api/events.html"),
        ("/docs/api/events", "/docs/api/events.html"),
        ("/docs/api/events.md", "/docs/api/events.html"),
        ("/docs/api/tickets.html", "/docs/api/events.html#tickets"),
        ("/docs/api/tickets/", "/docs/api/events.html#tickets"),
    ],
)
def test_other_addresses_of_a_page_redirect_to_it(client, built_docs, path, target):
    response = client.get(path)

    assert (response.status_code, response["Location"]) == (302, target)


def test_addresses_keep_the_path_of_the_service(client, built_docs):
    with override_script_prefix("/agenda/"):
        response = client.get("/docs/api/events/")

    assert response["Location"] == "/agenda/docs/api/events.html"


@pytest.mark.parametrize(
    "path", ["/docs/none/", "/docs/api/", "/docs/../settings/", "/docs/%2e%2e/settings", "/docs/api/tags/"]
)
def test_pages_that_do_not_exist_are_not_found(client, built_docs, path):
    assert client.get(path).status_code == 404


def test_without_documentation_there_are_no_pages(client, built_docs, settings):
    settings.DOCS_PATH = ""

    assert client.get("/docs/api/events/").status_code == 404


def test_moved_pages_lead_to_existing_parts():
    for target in MOVED_PAGES.values():
        file, _anchor, part = target.partition("#")
        page = (ROOT / "docs" / file.replace(".html", ".md")).read_text(encoding="utf-8")
        assert not part or f"\n## {part.replace('-', ' ').capitalize()}\n" in page


def test_files_have_security_headers(client, built_docs):
    page, style = client.get("/docs/"), client.get("/docs/_static/docs.css")
    content_of(page), content_of(style)

    script_hash = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{script_hash}';" in page["Content-Security-Policy"]
    assert "script-src 'self';" in style["Content-Security-Policy"]
    for response in (page, style):
        assert "default-src 'self'; " in response["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
        assert response["X-Frame-Options"] == "DENY"
        assert response["X-Content-Type-Options"] == "nosniff"
        assert response["Referrer-Policy"] == "same-origin"


def test_static_files_have_the_default_policy(client, built_docs, settings):
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = True

    response = client.get("/static/pages/icon.svg")
    response.close()

    assert response.status_code == 200
    assert response["Content-Security-Policy"] == DEFAULT_POLICY


def test_files_are_cached_for_a_minute_and_validated(client, built_docs, settings):
    first = client.get("/docs/")
    content_of(first)

    again = client.get("/docs/", headers={"If-Modified-Since": first["Last-Modified"]})

    assert first["Cache-Control"] == "max-age=60, public"
    assert (again.status_code, again["Cache-Control"]) == (304, first["Cache-Control"])


def test_files_have_no_language(client, built_docs):
    # In this order: the end of a file closes the connection to the database of the test.
    assert client.get("/de/docs/").status_code == 404
    assert client.get("/de/docs/api/events.html").status_code == 404

    response = client.get("/docs/", headers={"Accept-Language": "de"})
    content_of(response)

    assert "Content-Language" not in response
    assert "Accept-Language" not in response.get("Vary", "")


@pytest.mark.parametrize(
    "path", ["/docs/none.html", "/docs/api/", "/docs/api", "/docs/../docs.html", "/docs/%2e%2e/index.html", "/docsy"]
)
def test_unknown_path_below_it_is_not_found(client, built_docs, path):
    response = client.get(path, headers={"Accept-Language": "de"})

    assert (response.status_code, response["Content-Language"]) == (404, "de")
    assert "default-src 'none'" in response["Content-Security-Policy"]


def test_without_built_documentation_nothing_is_served(client):
    assert [client.get(path).status_code for path in ("/docs", "/docs/", "/docs/index.html")] == [404, 404, 404]


# --- Links ---------------------------------------------------------------------------------------


def page_links(client, path="/"):
    navigation = parse_page(client.get(path)).one("footer").all("nav")[0]
    return [(link.text, link["href"]) for link in navigation.all("a")]


def account_links(browser, path="/admin/"):
    return [(link["title"], link["link"]) for link in browser.get(path).context["account_links"]]


@pytest.mark.parametrize(
    ("docs_url", "public_url", "link"),
    [
        ("/docs/", "", "http://testserver/docs/"),
        ("/agenda/docs/", "https://example.org/agenda", "https://example.org/agenda/docs/"),
        ("https://docs.example.org/calendar/", "", "https://docs.example.org/calendar/"),
    ],
    ids=["served", "served below a path", "elsewhere"],
)
def test_everything_links_to_the_documentation(
    client, editor_browser, settings, plain_static_files, docs_url, public_url, link
):
    settings.DOCS_URL, settings.PUBLIC_URL = docs_url, public_url

    assert page_links(client)[2:] == [("Documentation", link)]
    assert account_links(editor_browser)[4:] == [("Documentation", link)]
    assert client.get(f"{API}/doc").json()["externalDocs"] == {"url": link, "description": "Documentation"}


@pytest.mark.parametrize("code", DOCUMENTATION)
def test_links_have_the_language_of_the_page(client, editor_browser, settings, plain_static_files, code):
    settings.DOCS_URL = "/docs/"

    link = (DOCUMENTATION[code], "http://testserver/docs/")
    assert page_links(client, f"/{code}/")[2:] == [link]
    assert account_links(editor_browser, f"/{code}/admin/account/security/")[4:] == [link]


def test_without_documentation_nothing_links_to_it(client, editor_browser, plain_static_files):
    assert [text for text, _url in page_links(client)] == ["API", "Admin"]
    assert len(account_links(editor_browser)) == 4
    assert "externalDocs" not in client.get(f"{API}/doc").json()


def test_links_use_the_script_name(client, settings):
    settings.DOCS_URL = "/agenda/docs/"

    with override_script_prefix("/agenda/"):
        assert page_links(client)[2:] == [("Documentation", "http://testserver/agenda/docs/")]
        assert page_links(client, "/de/")[2:] == [("Dokumentation", "http://testserver/agenda/docs/")]


def test_error_pages_lead_to_the_calendar(client, settings):
    settings.DOCS_URL = "/docs/"

    links = [link.text for link in parse_page(client.get("/none/")).one("header").all("a")]
    assert links == ["Event calendar", "List", "Month"]


def test_link_follows_the_host_of_each_request(client, settings):
    settings.DOCS_URL, settings.ALLOWED_HOSTS = "/docs/", ["*"]

    for host in ("one.example.org", "two.example.org"):
        document = client.get(f"{API}/doc", headers={"Host": host}).json()
        assert document["externalDocs"]["url"] == f"http://{host}/docs/"


def test_external_docs_can_be_selected(client, settings):
    settings.DOCS_URL = "/docs/"

    document = client.get(f"{API}/doc?_fields=externalDocs.url").json()

    assert document == {"externalDocs": {"url": "http://testserver/docs/"}}


@pytest.mark.parametrize("path", ["/", "/event/fair/", "/admin/account/security/"])
def test_links_cost_no_query(editor_browser, settings, plain_static_files, path):
    EventFactory(title="Fair", slug="fair")

    def count_queries():
        with CaptureQueriesContext(connection) as queries:
            assert editor_browser.get(path).status_code == 200
        return len(queries)

    count_queries()
    without_docs = count_queries()
    settings.DOCS_URL = "/docs/"

    assert count_queries() == without_docs
