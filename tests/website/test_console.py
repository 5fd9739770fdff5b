"""The API console, and the choice between it and the OpenAPI document."""

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from tests.support.api_client import API, api_client_for, headers_of_any_request, link_header
from tests.support.html_page import parse_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

DOC = f"{API}/doc"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
FILES = [
    "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css",
    "console/console.css",
    "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js",
    "console/console.js",
]


def get_doc(client, accepted, path=DOC, **headers):
    return client.get(path, headers={"Accept": accepted, **headers})


def security_policy(response):
    return dict(part.split(" ", 1) for part in response["Content-Security-Policy"].split("; "))


@pytest.mark.parametrize(
    "accepted",
    [BROWSER, "text/html", "text/html;q=0.5,application/json;q=0.4", "text/*", "text/html, application/json"],
)
def test_client_that_prefers_html_gets_the_console(client, accepted):
    response = get_doc(client, accepted)

    page = parse_page(response)
    assert response.status_code == 200
    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert page.one("h1").text == "Try the API"
    assert f"curl http://testserver{DOC}" in page.one("main").text


@pytest.mark.parametrize(
    "accepted",
    [
        "*/*",
        "",
        "application/json",
        "application/*",
        "application/json, text/html",
        "application/json, text/html;q=0.9",
        "application/json,*/*;q=0.8",
        "text/html;q=0, */*",
        "text/css",
        "nonsense",
    ],
)
def test_other_clients_get_the_document(client, accepted):
    response = get_doc(client, accepted)

    assert response.status_code == 200
    assert response["Content-Type"] == "application/json; charset=utf-8"
    assert response.json()["openapi"] == "3.1.0"


@pytest.mark.parametrize("accepted", ["*/*", BROWSER])
def test_response_varies_by_accept(client, accepted):
    response = get_doc(client, accepted)

    assert {name.strip() for name in response["Vary"].split(",")} >= {"Accept", "Authorization", "Cookie"}
    assert set(link_header(response)) == {"index", "service-desc"}


def test_head_returns_the_headers_of_get(client):
    page, head = get_doc(client, BROWSER), client.head(DOC, headers={"Accept": BROWSER})

    assert headers_of_any_request(head) == headers_of_any_request(page)
    assert head.content == b""


def test_errors_are_json_for_browsers(client):
    response = get_doc(client, BROWSER, Authorization="Bearer wrong")

    assert (response.status_code, response.json()["code"]) == (401, "incorrect_password")


def test_console_loads_only_files_of_this_site(client):
    response = get_doc(client, BROWSER)

    page = parse_page(response)
    assert security_policy(response) == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "'self' http://testserver",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    assert all(script["src"] and not script.text for script in page.all("script"))
    styles = [link["href"] for link in page.all("link") if link["rel"] == "stylesheet"]
    scripts = [script["src"] for script in page.all("script")]
    assert [*styles[1:], *scripts] == [f"/static/{name}" for name in FILES]
    assert all(Path(finders.find(name)).is_file() for name in FILES)


def test_console_may_request_the_public_url(client, settings):
    settings.PUBLIC_URL = "https://calendar.example.org/whats-on"

    response = get_doc(client, BROWSER)

    assert security_policy(response)["connect-src"] == "'self' https://calendar.example.org"
    assert f"curl https://calendar.example.org/whats-on{DOC}" in parse_page(response).one("main").text


def test_console_uses_the_language_of_its_path(client):
    page = parse_page(get_doc(client, BROWSER, f"/de{DOC}"))

    assert page.one("html")["lang"] == "de"
    assert f"curl http://testserver/de{DOC}" in page.one("main").text


def test_console_of_a_signed_in_user_is_not_cached(client, editor):
    assert get_doc(client, BROWSER)["Cache-Control"] == "no-cache"
    assert get_doc(api_client_for(editor), BROWSER)["Cache-Control"] == "private, no-store"


def test_pages_link_to_the_console(client):
    page = parse_page(client.get("/"))

    leading = [link.text for link in page.all("a") if link["href"] == f"http://testserver{DOC}"]
    assert leading == ["API"]
