"""S7, cross-site scripting: every response forbids inline scripts, and no page contains one.

The pages come from the URL configuration and the registered admin classes. `make browser-test` checks in Chromium that
no page of the admin and no public page violates its policy.
"""

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from calendar_site.accounts.models import User
from tests.support.admin import browser_for
from tests.support.api_client import API, api_client_for
from tests.support.browser.admin_pages import admin_pages, page_path, url_names
from tests.support.markup_scan import active_markup
from tests.support.programs import ROOT
from tests.support.routes import named_routes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

# Written out, so that a weaker policy in the code fails.
END = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
DEFAULT = f"default-src 'none'; {END}"
PAGE = f"default-src 'none'; style-src 'self'; img-src 'self' http: https:; manifest-src 'self'; {END}"
FORM_PAGE = PAGE.replace("form-action 'none'", "form-action 'self'")
SCRIPT_PAGE, CALENDAR_PAGE = (page.replace("style-src", "script-src 'self'; style-src") for page in (PAGE, FORM_PAGE))
PAGES = {PAGE, FORM_PAGE, SCRIPT_PAGE, CALENDAR_PAGE}
CONSOLE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    f"connect-src 'self' http://testserver; {END}"
)
ADMIN = (
    "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob: http: https:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
# The page has a preview of the embedded calendar.
EMBED = "events_event_embed", f"{ADMIN}; frame-src 'self'"
PERMISSIONS = (
    "accelerometer=(), autoplay=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), "
    "microphone=(), midi=(), payment=(), publickey-credentials-get=(), screen-wake-lock=(), usb=(), "
    "xr-spatial-tracking=()"
)
# The calendar asks for the position of visitors who look for events near them.
CALENDAR_PERMISSIONS = PERMISSIONS.replace("geolocation=()", "geolocation=(self)")
OTHERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS,
}
HTML = "text/html; charset=utf-8"


def faults_of(response, policies):
    """Return what is wrong with the headers and the markup of a response."""
    others = OTHERS
    if response.get("Permissions-Policy") == CALENDAR_PERMISSIONS and CALENDAR_PAGE in policies:
        others = {**OTHERS, "Permissions-Policy": CALENDAR_PERMISSIONS}
    faults = [f"{name}: {response.get(name)}" for name, value in others.items() if response.get(name) != value]
    policy = response.get("Content-Security-Policy")
    if policy not in policies:
        faults.append(f"policy: {policy}")
    if response.status_code >= 500:
        faults.append(f"status {response.status_code}")
    if response.get("Content-Type") == HTML:
        faults += active_markup(response.content.decode())
    return faults


@pytest.mark.parametrize("role", [None, "administrator"])
def test_every_route_has_the_headers(shown_ids, role):
    user = User.objects.get(username=role) if role else None
    clients = (browser_for(user), "text/html"), (api_client_for(user), "application/json")
    faults, policies_seen = {}, set()

    for route in named_routes(id=shown_ids["event"]):
        for client, accept in clients:
            response = client.get(route.path, headers={"Accept": accept})
            is_page = response.get("Content-Type") == HTML
            faults[route.path, accept] = faults_of(response, {*PAGES, CONSOLE} if is_page else {DEFAULT})
            policies_seen.add(response["Content-Security-Policy"])

    assert {where: found for where, found in faults.items() if found} == {}
    assert {DEFAULT, PAGE, CALENDAR_PAGE, CONSOLE} <= policies_seen


def test_every_public_page_has_the_headers(client, shown_ids):
    paths = ["/", "/events/", *shown_ids["public"].values()]

    responses = {path: client.get(path) for path in paths}

    assert {
        path: (answer.status_code, faults_of(answer, {SCRIPT_PAGE, CALENDAR_PAGE}))
        for path, answer in responses.items()
    } == dict.fromkeys(paths, (200, []))


@pytest.mark.parametrize("role", ["administrator", "contributor"])
def test_every_page_of_the_admin_has_the_headers_and_no_inline_script(shown_ids, role):
    client = browser_for(User.objects.get(username=role))
    faults, statuses = {}, {}

    for name, query in admin_pages():
        response = client.get(page_path(name, query, shown_ids))
        policy = EMBED[1] if name == EMBED[0] else ADMIN
        # Errors are public pages without scripts.
        faults[name, query] = faults_of(response, {policy} if response.status_code == 200 else {ADMIN, PAGE})
        statuses[name, query] = response.status_code

    assert {where: found for where, found in faults.items() if found} == {}
    assert set(statuses.values()) <= ({200, 302} if role == "administrator" else {200, 302, 403, 404})
    assert len(statuses) > 70


def test_responses_to_scripts_and_forms_of_the_admin_have_the_headers(shown_ids):
    client = browser_for(User.objects.get(username="administrator"))
    more_arguments = {"events_event_flag": [shown_ids["event"], "sticky"], "delete_view": [1], "rename_view": [1]}
    names = url_names() - {name for name, _query in admin_pages()}
    faults = {}

    for name in sorted(names):
        try:
            path = page_path(name, None, shown_ids)
        except NoReverseMatch:
            path = reverse(f"admin:{name}", args=more_arguments.get(name))
        # Django rejects a GET of most of them; the headers of those responses count as well.
        faults[name] = faults_of(client.get(path), {ADMIN, PAGE})

    assert {where: found for where, found in faults.items() if found} == {}


@pytest.mark.parametrize("path", ["/admin/login/", "/admin/nothing/"])
def test_pages_before_signing_in_have_the_headers(client, path):
    response = client.get(path, follow=True)

    assert faults_of(response, {ADMIN}) == []


@pytest.mark.parametrize(
    ("path", "status"), [("/nothing", 404), (f"{API}/nothing", 404), ("/event/nothing/", 404), ("/static/none.js", 404)]
)
def test_errors_have_the_headers(client, path, status):
    response = client.get(path)

    assert (response.status_code, faults_of(response, {PAGE, DEFAULT})) == (status, [])


def test_rejected_requests_have_the_headers(client):
    unknown_host = client.get("/", headers={"Host": "evil.example"})
    too_large = client.post("/admin/login/", CONTENT_LENGTH=str(10**10))
    forged_form = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "x"})

    responses = [
        (answer.status_code, answer["Content-Security-Policy"]) for answer in (unknown_host, too_large, forged_form)
    ]
    assert responses == [(400, PAGE), (413, PAGE), (403, PAGE)]


def test_https_responses_have_hsts(client, settings):
    settings.SECURE_HSTS_SECONDS = 31_536_000

    secure, plain = client.get("/", secure=True), client.get("/")

    assert (secure["Strict-Transport-Security"], "Strict-Transport-Security" in plain) == ("max-age=31536000", False)


def test_templates_contain_no_inline_scripts():
    found = {
        str(path.relative_to(ROOT)): active_markup(path.read_text(encoding="utf-8"))
        for path in (ROOT / "templates").rglob("*.html")
    }

    assert {path: faults for path, faults in found.items() if faults} == {}
