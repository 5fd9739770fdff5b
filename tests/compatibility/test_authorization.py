"""The page where a person lets an application use the API."""

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from calendar_site.accounts.models import ApplicationPassword
from tests.support.api_client import JSONClient

PAGE = "/authorize-application/"


def url_for(**arguments: str) -> str:
    return f"{PAGE}?{urlencode({'app_name': 'Poster app', **arguments})}"


def approve(browser, **arguments: str):
    return browser.post(url_for(**arguments), {"approve": "1"})


def reject(browser, **arguments: str):
    return browser.post(url_for(**arguments), {"reject": "1"})


def test_visitor_signs_in_first(client, db):
    response = client.get(url_for(success_url="https://app.example.org/done"))

    assert response.status_code == 302
    target = urlsplit(response["Location"])
    assert (target.path, parse_qs(target.query)["next"]) == (
        "/admin/login/",
        [url_for(success_url="https://app.example.org/done")],
    )


def test_page_names_the_application_and_both_hosts(editor_browser, editor):
    url = url_for(success_url="https://app.example.org/done?x=1", reject_url="https://no.example.org/")

    response = editor_browser.get(url)

    text = response.content.decode()
    assert all(part in text for part in ("Poster app", "app.example.org", "no.example.org", editor.username))
    assert response["Cache-Control"] == "private, no-store"
    policy = response["Content-Security-Policy"]
    assert "form-action 'self' https://app.example.org https://no.example.org" in policy
    assert "frame-ancestors 'none'" in policy
    assert not ApplicationPassword.objects.exists()


def test_approval_sends_a_password_that_works(editor_browser, editor):
    response = approve(editor_browser, success_url="https://app.example.org/done?state=5")

    assert (response.status_code, response["Cache-Control"]) == (302, "private, no-store")
    target = urlsplit(response["Location"])
    assert (target.netloc, target.path) == ("app.example.org", "/done")
    answer = {name: values[0] for name, values in parse_qs(target.query).items()}
    assert (answer["state"], answer["site_url"], answer["user_login"]) == ("5", "http://testserver", editor.username)
    client = JSONClient(headers={"Authorization": f"Bearer {answer['password']}"})
    assert client.get("/wp-json/wp/v2/users/me").json()["id"] == editor.pk
    assert ApplicationPassword.objects.get().label == "Poster app"


def test_second_approval_makes_another_password(editor_browser):
    for _number in range(2):
        approve(editor_browser, success_url="https://app.example.org/")

    assert list(ApplicationPassword.objects.order_by("pk").values_list("label", flat=True)) == [
        "Poster app",
        "Poster app 2",
    ]


def test_password_is_shown_once_without_an_address(editor_browser):
    response = approve(editor_browser)

    assert response.status_code == 200
    assert response.context["secret"] in response.content.decode()
    assert "secret" not in editor_browser.get(url_for()).context


@pytest.mark.parametrize(
    ("arguments", "target"),
    [
        ({"success_url": "https://a.example.org/", "reject_url": "https://b.example.org/"}, "https://b.example.org/"),
        ({"success_url": "https://a.example.org/?x=1"}, "https://a.example.org/?x=1&success=false"),
        ({}, "/"),
    ],
)
def test_rejection(editor_browser, arguments, target):
    assert reject(editor_browser, **arguments)["Location"] == target
    assert not ApplicationPassword.objects.exists()


@pytest.mark.parametrize(
    "url",
    ["https://app.example.org:8443/x", "http://127.0.0.1:9000/x", "http://localhost/x", "http://[::1]/", "poster:done"],
)
def test_accepted_addresses(editor_browser, url):
    assert approve(editor_browser, success_url=url)["Location"].startswith(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://app.example.org/", "http://127.0.0.1.example.org/", "javascript:alert(1)", "data:text/html,x",
        "vbscript:x", "file:///etc/passwd", "//app.example.org/", "/relative", "https:", "https://user@example.org/",
        "https://ex ample.org/", "https://example.org/\n", "https://example.org/;x", "JavaScript:alert(1)",
        "https://[::1", "https://example.org:99999/", "https://example.org/" + "x" * 3000,
    ],
)  # fmt: skip
@pytest.mark.parametrize("parameter", ["success_url", "reject_url"])
def test_refused_addresses(editor_browser, url, parameter):
    for response in (editor_browser.get(url_for(**{parameter: url})), approve(editor_browser, **{parameter: url})):
        assert response.status_code == 400
        assert b'name="approve"' not in response.content
    assert not ApplicationPassword.objects.exists()


@pytest.mark.parametrize("query", ["", "app_name=", "app_name=%20", "app_name=a%00b"])
def test_application_without_a_name(editor_browser, query):
    assert editor_browser.get(f"{PAGE}?{query}").status_code == 400


def test_name_is_only_text(editor_browser):
    response = editor_browser.get(url_for(app_name="<script>alert(1)</script>" + "x" * 200))

    assert b"<script>alert(1)" not in response.content
    assert b"&lt;script&gt;alert(1)" in response.content


def test_forged_form_is_refused(editor, settings):
    from django.test import Client

    browser = Client(enforce_csrf_checks=True)
    browser.force_login(editor)

    assert approve(browser, success_url="https://app.example.org/").status_code == 403
    assert not ApplicationPassword.objects.exists()


def test_other_methods(editor_browser):
    assert editor_browser.put(url_for()).status_code == 405


def test_limit_of_passwords_is_told(editor_browser, editor, monkeypatch):
    from calendar_site.compatibility.authorization import views

    monkeypatch.setattr(views, "create_application_password", fail_with_limit)

    response = approve(editor_browser, success_url="https://app.example.org/")

    assert response.status_code == 400
    assert "No more passwords" in response.content.decode()


def fail_with_limit(*_args, **_options):
    from django.core.exceptions import ValidationError

    raise ValidationError("No more passwords")
