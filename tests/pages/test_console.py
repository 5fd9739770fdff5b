"""The page on which people try the API, and who gets it."""

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from tests.api import API, client_of, links
from tests.pages.reading import read

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

DOC = f"{API}/doc"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
FILES = [
    "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css",
    "console/console.css",
    "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js",
    "console/console.js",
]


def ask(client, accepted, path=DOC, **headers):
    return client.get(path, headers={"Accept": accepted, **headers})


def policy(response):
    return dict(part.split(" ", 1) for part in response["Content-Security-Policy"].split("; "))


@pytest.mark.parametrize(
    "accepted",
    [BROWSER, "text/html", "text/html;q=0.5,application/json;q=0.4", "text/*", "text/html, application/json"],
)
def test_who_prefers_html_gets_the_console(client, accepted):
    response = ask(client, accepted)

    page = read(response)
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
def test_everybody_else_gets_the_document(client, accepted):
    response = ask(client, accepted)

    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    assert response.json()["openapi"] == "3.1.0"


@pytest.mark.parametrize("accepted", ["*/*", BROWSER])
def test_caches_keep_the_two_apart(client, accepted):
    response = ask(client, accepted)

    assert {name.strip() for name in response["Vary"].split(",")} >= {"Accept", "Authorization", "Cookie"}
    assert set(links(response)) == {"index", "service-desc"}


def test_head_is_a_get_without_a_body(client):
    page, head = ask(client, BROWSER), client.head(DOC, headers={"Accept": BROWSER})

    assert head.headers == page.headers
    assert head.content == b""


def test_errors_are_json_for_browsers_too(client):
    response = ask(client, BROWSER, Authorization="Bearer wrong")

    assert (response.status_code, response.json()["code"]) == (401, "incorrect_password")


def test_nothing_runs_but_files_of_this_site(client):
    response = ask(client, BROWSER)

    page = read(response)
    assert policy(response) == {
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


def test_calls_may_go_to_the_public_address(client, settings):
    settings.PUBLIC_URL = "https://calendar.example.org/whats-on"

    response = ask(client, BROWSER)

    assert policy(response)["connect-src"] == "'self' https://calendar.example.org"
    assert f"curl https://calendar.example.org/whats-on{DOC}" in read(response).one("main").text


def test_console_speaks_the_language_of_its_address(client):
    page = read(ask(client, BROWSER, f"/de{DOC}"))

    assert page.one("html")["lang"] == "de"
    assert f"curl http://testserver/de{DOC}" in page.one("main").text


def test_console_is_kept_by_nobody_for_an_account(client, editor):
    assert ask(client, BROWSER)["Cache-Control"] == "no-cache"
    assert ask(client_of(editor), BROWSER)["Cache-Control"] == "private, no-store"


def test_pages_lead_to_the_console(client):
    page = read(client.get("/"))

    leading = [link.text for link in page.all("a") if link["href"] == f"http://testserver{DOC}"]
    assert leading == ["API", "try out"]
