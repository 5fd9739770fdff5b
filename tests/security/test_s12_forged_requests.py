"""S12, cross-site request forgery: no GET writes, and a session writes only with its token.

Elsewhere, a link restored trashed events, and a form of another site signed users in. The routes come from the URL
configuration and the registered admin classes.
"""

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from calendar_site.accounts.models import User
from tests.support.admin import browser_for
from tests.support.admin_attempts.attempt import recorded_writes
from tests.support.api_client import API, api_client_for
from tests.support.browser.admin_pages import admin_pages, page_path, url_names
from tests.support.routes import named_routes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

# Statements of a read that store no data of the calendar: when an application password was used last, and counters.
BOOKKEEPING = ("accounts_applicationpassword", "limits_", "django_cache")
SAFE = ("get", "head", "options")


def writes_of(client, method, path):
    with recorded_writes() as made:
        getattr(client, method)(path)
    return [sql for sql in made if not any(table in sql for table in BOOKKEEPING)]


def admin_paths(shown_ids):
    more_arguments = {
        "view_on_site": [1, 1],
        "events_event_flag": [shown_ids["event"], "sticky"],
        "delete_view": [1],
        "rename_view": [1],
    }
    queries = dict.fromkeys(url_names()) | dict(admin_pages())
    for name in sorted(url_names() - {"logout"}):
        try:
            yield page_path(name, queries[name], shown_ids)
        except NoReverseMatch:
            yield reverse(f"admin:{name}", args=more_arguments.get(name))


@pytest.mark.parametrize("method", SAFE)
def test_no_read_of_a_route_writes(shown_ids, administrator_of_shown, method):
    api, browser = api_client_for(administrator_of_shown), browser_for(administrator_of_shown)
    made = {}

    for route in named_routes(id=shown_ids["event"]):
        for client in (api, browser):
            for query in ("", "?_method=DELETE", "?status=trash&action=delete&post=yes"):
                made[route.path + query] = writes_of(client, method, route.path + query)

    assert {path: sql for path, sql in made.items() if sql} == {}


def test_no_read_of_the_admin_writes(shown_ids, administrator_of_shown):
    browser = browser_for(administrator_of_shown)

    made = {
        path: writes_of(browser, "get", path + query)
        for path in admin_paths(shown_ids)
        for query in (["", "&post=yes"] if "?" in path else ["", "?post=yes&action=delete_selected&_selected_action=1"])
    }

    assert {path: sql for path, sql in made.items() if sql} == {}


def test_no_form_of_the_admin_is_taken_without_its_token(shown_ids, administrator_of_shown):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(administrator_of_shown)
    statuses, made = {}, {}

    for path in admin_paths(shown_ids):
        with recorded_writes() as sql:
            statuses[path] = browser.post(path, {"post": "yes", "title": "Forged", "username": "x"}).status_code
        made[path] = list(sql)

    assert set(statuses.values()) == {403}
    assert {path: sql for path, sql in made.items() if sql} == {}


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_session_writes_nothing_through_the_api_without_its_token(shown_ids, administrator_of_shown, method):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(administrator_of_shown)
    made = {}

    for route in named_routes(id=shown_ids["event"]):
        if route.path.startswith(API):
            with recorded_writes() as sql:
                response = getattr(browser, method)(route.path, {"title": "Forged"}, content_type="application/json")
            made[route.path] = (
                response.status_code < 400,
                [statement for statement in sql if "limits_" not in statement],
            )

    assert {path: found for path, found in made.items() if found != (False, [])} == {}


def test_credentials_of_the_api_do_not_use_the_session(shown_ids, administrator_of_shown):
    """Credentials take precedence over the session of a signed-in user."""
    contributor = api_client_for(User.objects.get(username="contributor"))
    contributor.force_login(administrator_of_shown)

    me = contributor.get(f"{API}/me").json()

    assert "contributor" in str(me)
    assert contributor.delete(f"{API}/events/{shown_ids['event']}").status_code == 403


def test_signing_in_needs_a_token(client):
    response = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "x", "password": "y"})

    assert response.status_code == 403
