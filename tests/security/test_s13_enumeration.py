"""S13: nobody learns which accounts exist, nor a secret letter by letter.

Indico: users could be listed by their ids. Django, CVE-2025-13473: the time of a login showed whether a name exists.
Wagtail: bulk actions revealed names. Time is measured in computed hashes and queries here, not by the clock.
"""

import re
from base64 import b64encode

import pytest
from django.contrib import admin
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.exceptions import FieldDoesNotExist
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import crypto

from calendar_site.accounts import authentication
from calendar_site.accounts.models import User
from calendar_site.accounts.services import create_application_password, create_user
from events.protection import password_throttle
from tests.factories import EventFactory, UserFactory
from tests.support.admin import browser_for
from tests.support.api_client import API
from tests.support.openapi_document import fetch_document

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

RIGHT = "a long password"


class TalliedHasher(MD5PasswordHasher):
    """Counts how often a password is hashed."""

    computed = 0

    def encode(self, password, salt):
        TalliedHasher.computed += 1
        return super().encode(password, salt)


def accounts():
    """Create an account of every kind, and return usernames, the first of which does not exist."""
    create_user("known", "editor", password=RIGHT)
    create_user("nopassword", "editor")
    create_user("inactive", "editor", password=RIGHT)
    User.objects.filter(username="inactive").update(is_active=False)
    create_user("subscriber", "subscriber", password=RIGHT)
    for user in User.objects.all():
        create_application_password(user, "phone")
    return ["unknown", "known", "nopassword", "inactive", "subscriber"]


def normalized(response, username=None):
    """Return everything that a client sees, without the username that it sent and random values."""
    text = re.sub(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"', "", response.content.decode())
    text = re.sub(r"nonce-[^']*'", "", text.replace(username, "NAME") if username else text)
    headers = {
        name: re.sub(r"nonce-[^']*'", "", value)
        for name, value in response.headers.items()
        if name not in ("X-Request-ID", "Content-Length")
    }
    return response.status_code, headers, text, sorted(response.cookies)


def observe(send, username):
    """Return what a client sees of the response, and how many hashes and queries it took."""
    TalliedHasher.computed = 0
    with CaptureQueriesContext(connection) as queries:
        response = send(username)
    return normalized(response, username), TalliedHasher.computed, len(queries)


def login(username):
    # Another address each time, so that no attempt is one of many.
    address = f"192.0.2.{len(username)}"
    fields = {"username": username, "password": "wrong"}
    return Client().post("/admin/login/", fields, REMOTE_ADDR=address)


def basic(username):
    credentials = b64encode(f"{username}:wrong".encode()).decode()
    address = f"192.0.2.{len(username)}"
    return Client(headers={"Authorization": f"Basic {credentials}"}).get(f"{API}/venues", REMOTE_ADDR=address)


@pytest.mark.parametrize("allows_account_password", [False, True])
@pytest.mark.parametrize("send", [login, basic])
def test_wrong_password_looks_the_same_for_every_name(settings, time_machine, send, allows_account_password):
    # The header Expires has the current time.
    time_machine.move_to("2030-01-15 12:00Z", tick=False)
    settings.API_ALLOW_ACCOUNT_PASSWORD = allows_account_password
    settings.PASSWORD_HASHERS = [f"{__name__}.{TalliedHasher.__name__}"]
    names = accounts()
    # The first request also fills the caches of the process.
    observe(send, "nobody")

    seen = {name: observe(send, name) for name in names}

    assert seen == dict.fromkeys(names, seen["unknown"])


def test_secret_of_another_account_looks_like_a_wrong_one():
    accounts()
    _password, secret = create_application_password(User.objects.get(username="known"), "laptop")

    def answer(username, argument):
        credentials = b64encode(f"{username}:{argument}".encode()).decode()
        response = Client(headers={"Authorization": f"Basic {credentials}"}).get(f"{API}/venues")
        return normalized(response, username)

    assert answer("inactive", secret) == answer("unknown", secret) == answer("unknown", "wrong")
    assert answer("known", secret)[0] == 200


def test_wrong_event_password_looks_the_same_for_every_length(client):
    event = EventFactory(slug="secret", password="open sesame")

    def responses(password):
        page = client.post("/event/secret/", {"password": password})
        record = client.get(f"{API}/events/{event.pk}", {"password": password})
        return normalized(page), normalized(record)

    first = responses("open sesamf")
    assert [answer[0] for answer in first] == [403, 403]
    assert responses("x") == responses("open sesame and more") == first


def test_secrets_are_compared_in_constant_time(client, monkeypatch):
    compared = []

    def compare(first, second):
        compared.append((first, second))
        return crypto.constant_time_compare(first, second)

    monkeypatch.setattr(password_throttle, "constant_time_compare", compare)
    monkeypatch.setattr(authentication, "constant_time_compare", compare)
    event = EventFactory(password="open sesame")
    user = create_user("known", "editor")
    _password, secret = create_application_password(user, "phone")

    client.get(f"{API}/events/{event.pk}", {"password": "wrong"})
    credentials = b64encode(f"unknown:{secret}".encode()).decode()
    client.get(f"{API}/venues", headers={"Authorization": f"Basic {credentials}"})

    assert compared == [("open sesame", "wrong"), ("known", "unknown")]


# --- Users are not listed -------------------------------------------------------------------------


def test_api_has_no_route_for_users():
    assert [path for path in fetch_document()["paths"] if re.search("user|author|account|password", path)] == []


@pytest.mark.parametrize("path", ["users", "users/1", "authors", "author/1", "wp/v2/users"])
def test_paths_of_users_are_unknown(client, editor_api, path):
    for sender in (client, editor_api):
        assert sender.get(f"{API}/{path}").json()["code"] == "rest_no_route"


def test_records_name_their_author_by_id_only(client):
    author = UserFactory(
        username="canary-name", first_name="canary-first", last_name="canary-last", email="canary@example.org"
    )
    event = EventFactory(author=author, slug="gala")

    pages = [client.get(path) for path in (f"{API}/events/{event.pk}", f"{API}/events", "/event/gala/", "/")]

    assert pages[0].json()["author"] == author.pk
    assert [page.status_code for page in pages] == [200] * 4
    assert [page for page in pages if b"canary" in page.content] == []


# --- Lists in the admin are not filtered by hidden columns ------------------------------------------

MODEL_ADMINS = {str(model._meta.label_lower): model_admin for model, model_admin in admin.site._registry.items()}
LOOKUPS = ("", "__exact", "__startswith", "__regex", "__isnull", "__gt")


def possible_parameters(model):
    """Return lookups on every column of the model and of the models that it links to."""
    names = []
    for field in model._meta.get_fields():
        names.append(field.name)
        if field.related_model is not None:
            names += [f"{field.name}__{column.name}" for column in field.related_model._meta.concrete_fields]
    return [name + lookup for name in names for lookup in LOOKUPS]


def declared_parameters(model_admin):
    """Return the parameters of the filters that the list shows."""
    parameters = set()
    for spec in model_admin.list_filter:
        if isinstance(spec, str):
            parameters.add(f"{spec}__exact")
        else:
            parameters.update(getattr(spec, "parameter_names", None) or [spec.parameter_name])
    return parameters


@pytest.mark.parametrize("label", MODEL_ADMINS)
def test_admin_lists_accept_the_parameters_of_their_filters_only(rf, label):
    model_admin = MODEL_ADMINS[label]
    request = rf.get("/")
    request.user = UserFactory(is_superuser=True, is_staff=True)
    model = model_admin.model

    accepted = {name for name in possible_parameters(model) if model_admin.lookup_allowed(name, "x", request)}

    assert accepted <= declared_parameters(model_admin)


@pytest.mark.parametrize("label", MODEL_ADMINS)
def test_lookup_of_a_column_is_refused(label):
    model = MODEL_ADMINS[label].model
    browser = browser_for(UserFactory(is_superuser=True, is_staff=True))
    path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"

    statuses = {}
    for name in ("digest", "password", "label", "name", "title", "slug", "task_path", "text"):
        try:
            model._meta.get_field(name)
        except FieldDoesNotExist:
            continue
        statuses[name] = browser.get(path, {f"{name}__startswith": "a"}).status_code

    assert statuses == dict.fromkeys(statuses, 400)
    assert statuses
