"""Authentication in the API: Basic, Bearer and the admin session."""

import sqlite3
from base64 import b64encode
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test import Client
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from rest_framework.metadata import SimpleMetadata
from rest_framework.response import Response
from rest_framework.views import APIView

from calendar_site.accounts.authentication import (
    BasicAuthentication,
    BearerAuthentication,
    SessionAuthentication,
)
from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.services import create_application_password, create_user, record_use


class WhoAmI(APIView):
    authentication_classes = (BasicAuthentication, BearerAuthentication, SessionAuthentication)
    metadata_class = SimpleMetadata

    def get(self, request):
        return Response({"user": request.user.username, "password": str(request.auth or "")})

    post = delete = get


@csrf_exempt
def overridden(request):
    request.method = request.headers["X-HTTP-Method-Override"]
    return WhoAmI.as_view()(request)


urlpatterns = [path("who", WhoAmI.as_view()), path("overridden", overridden)]

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]

NOBODY = {"user": "", "password": ""}
ANN_BY_PHONE = {"user": "ann", "password": "phone"}
ANN_HERSELF = {"user": "ann", "password": ""}
REFUSED = {
    "code": "incorrect_password",
    "message": "The username or application password is incorrect.",
    "data": {"status": 401},
}
NO_TOKEN = {
    "code": "rest_cookie_invalid_nonce",
    "message": "The CSRF token is missing or incorrect.",
    "data": {"status": 403},
}


def basic(username, secret, encoding="utf-8"):
    return "Basic " + b64encode(f"{username}:{secret}".encode(encoding)).decode()


def ask(client, header):
    return client.get("/who", headers={"Authorization": header})


def assert_unauthorized(response):
    assert response.json() == REFUSED
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == 'Basic realm="Event calendar API"'


# --- Basic ---------------------------------------------------------------------------------------


def test_request_without_a_header_is_anonymous(client):
    assert client.get("/who").json() == NOBODY


def test_basic_signs_in_by_application_password(client, secret):
    assert ask(client, basic("ann", secret)).json() == ANN_BY_PHONE


def test_basic_ignores_blanks_in_the_secret(client, secret):
    assert ask(client, basic("ann", secret.replace(" ", ""))).json() == ANN_BY_PHONE
    assert ask(client, basic("ann", f" {secret} \t")).json() == ANN_BY_PHONE


def test_scheme_is_case_insensitive(client, secret):
    assert ask(client, basic("ann", secret).replace("Basic", "bAsIc  ")).json() == ANN_BY_PHONE
    assert ask(client, f"BEARER {secret}").json() == ANN_BY_PHONE


def test_basic_writes_without_a_csrf_token(secret):
    client = Client(enforce_csrf_checks=True)

    response = client.post("/who", headers={"Authorization": basic("ann", secret)})

    assert response.json() == ANN_BY_PHONE


def test_each_of_several_passwords_signs_in(client, ann, secret):
    _password, second = create_application_password(ann, "laptop")

    assert ask(client, basic("ann", second)).json() == {"user": "ann", "password": "laptop"}
    assert ask(client, basic("ann", secret)).json() == ANN_BY_PHONE


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_basic_accepts_names_in_both_encodings(client, encoding):
    _password, secret = create_application_password(create_user("zoë", "author"), "phone")

    response = ask(client, basic("zoë", secret, encoding))

    assert response.json() == {"user": "zoë", "password": "phone"}


def test_basic_normalizes_names(client):
    _password, secret = create_application_password(create_user("zoë", "author"), "phone")

    assert ask(client, basic("zoe\u0308", secret)).json() == {"user": "zoë", "password": "phone"}


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Basic",
        "Basic ",
        "Basic %%%",
        "Basic a",
        "Basic äöü",
        "Basic \ud800",
        "Basic " + b64encode(b"no colon").decode(),
        "Bearer",
        "Bearer ",
        "Digest username=ann",
        "Token abcdef",
        "Negotiate " + "A" * 5000,
        "\x00",
    ],
)
def test_malformed_header_is_anonymous(client, secret, header):
    response = ask(client, header)

    assert response.json() == NOBODY
    assert response.status_code == 200


@pytest.mark.parametrize(
    ("username", "value"),
    [
        ("ann", "wrong"),
        ("ann", ""),
        ("nobody", "wrong"),
        ("", ""),
        ("", "wrong"),
        ("ann\0", "wrong"),
        ("ann", "wrong\0"),
        ("ann", "A" * 24),
        ("ann", "with:colon"),
        ("ann", "ann's own password"),
        ("n" * 400, "w" * 300),
        ("n" * 20_000, "wrong"),
    ],
)
def test_wrong_credentials_are_refused_alike(client, ann, secret, username, value):
    ann.set_password("ann's own password")
    ann.save()

    assert_unauthorized(ask(client, basic(username, value)))


def test_a_secret_signs_in_with_its_own_user_only(client, secret):
    create_user("ben", "author")

    assert_unauthorized(ask(client, basic("ben", secret)))
    assert_unauthorized(ask(client, basic("nobody", secret)))
    assert_unauthorized(ask(client, basic("ANN", secret)))


def test_secret_is_case_sensitive(client, secret):
    assert_unauthorized(ask(client, basic("ann", secret.swapcase())))


def test_an_inactive_user_is_refused(client, ann, secret):
    ann.is_active = False
    ann.save()

    assert_unauthorized(ask(client, basic("ann", secret)))
    assert_unauthorized(ask(client, f"Bearer {secret}"))


def test_a_revoked_password_is_refused_at_once(client, ann, secret):
    assert ask(client, basic("ann", secret)).json() == ANN_BY_PHONE

    ann.application_passwords.all().delete()

    assert_unauthorized(ask(client, basic("ann", secret)))


def test_a_wrong_header_is_refused_even_with_a_session(client, ann):
    client.force_login(ann)

    assert_unauthorized(ask(client, basic("ann", "wrong")))


# --- The account password ------------------------------------------------------------------------


@pytest.fixture
def account_password(ann, settings):
    """Ann's own password, in a service that takes it."""
    settings.API_ALLOW_ACCOUNT_PASSWORD = True
    ann.set_password("ann's own: password")
    ann.save()
    return "ann's own: password"


def test_account_password_signs_in_where_the_setting_allows_it(client, account_password):
    assert ask(client, basic("ann", account_password)).json() == ANN_HERSELF


def test_application_password_signs_in_beside_the_account_password(client, account_password, secret):
    assert ask(client, basic("ann", secret)).json() == ANN_BY_PHONE


def test_account_password_is_no_bearer_token(client, account_password):
    assert_unauthorized(ask(client, f"Bearer {account_password}"))


def test_account_password_is_compared_with_its_blanks(client, account_password):
    assert_unauthorized(ask(client, basic("ann", account_password.replace(" ", ""))))


@pytest.mark.parametrize("username", ["ann", "nobody", "ann\0", ""])
def test_wrong_account_password_is_refused(client, account_password, username):
    assert_unauthorized(ask(client, basic(username, "wrong")))


def test_inactive_user_is_refused_by_account_password(client, ann, account_password):
    ann.is_active = False
    ann.save()

    assert_unauthorized(ask(client, basic("ann", account_password)))


class CountingHasher(MD5PasswordHasher):
    algorithm = "counting"
    hashed = 0

    def encode(self, password, salt):
        CountingHasher.hashed += 1
        return super().encode(password, salt)


@pytest.mark.parametrize("username", ["ann", "nobody", "inactive", "without"])
def test_wrong_account_password_takes_the_same_time_for_every_name(client, settings, username):
    settings.API_ALLOW_ACCOUNT_PASSWORD = True
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    User.objects.create_user("ann", password="right")
    User.objects.create_user("inactive", password="right", is_active=False)
    User.objects.create_user("without")
    CountingHasher.hashed = 0

    assert_unauthorized(ask(client, basic(username, "wrong")))

    assert CountingHasher.hashed == 1


# --- Bearer --------------------------------------------------------------------------------------


def test_bearer_signs_in_by_the_same_secret(client, secret):
    assert ask(client, f"Bearer {secret}").json() == ANN_BY_PHONE
    assert ask(client, f"Bearer {secret.replace(' ', '')}").json() == ANN_BY_PHONE


@pytest.mark.parametrize("token", ["wrong", "\ud800", "wrong\0", "ä", "w" * 995, "w" * 50_000])
def test_wrong_bearer_token_is_refused(client, secret, token):
    assert_unauthorized(ask(client, f"Bearer {token}"))


# --- The session ---------------------------------------------------------------------------------


@pytest.fixture
def ann_csrf_browser(ann):
    """A browser in which Ann has signed in to the admin."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    return client


@pytest.mark.parametrize("method", ["get", "head", "options"])
def test_session_reads_without_a_token(ann_csrf_browser, method):
    assert getattr(ann_csrf_browser, method)("/who").status_code == 200


def test_session_is_the_user_who_signed_in(ann_csrf_browser):
    assert ann_csrf_browser.get("/who").json() == ANN_HERSELF


@pytest.mark.parametrize("method", ["post", "delete"])
def test_session_writes_with_a_token_only(ann_csrf_browser, method):
    token = "t" * 32
    ann_csrf_browser.cookies["csrftoken"] = token

    without = getattr(ann_csrf_browser, method)("/who")
    wrong = getattr(ann_csrf_browser, method)("/who", headers={"X-CSRFToken": "w" * 32})
    right = getattr(ann_csrf_browser, method)("/who", headers={"X-CSRFToken": token})

    assert without.json() == wrong.json() == NO_TOKEN
    assert without.status_code == wrong.status_code == 403
    assert right.json() == ANN_HERSELF


@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "POST", "delete"])
def test_method_override_does_not_bypass_the_token(ann_csrf_browser, method):
    response = ann_csrf_browser.post("/overridden", headers={"X-HTTP-Method-Override": method})

    assert response.json() == NO_TOKEN


def test_session_of_an_inactive_user_is_anonymous(ann_csrf_browser, ann):
    ann.is_active = False
    ann.save()

    assert ann_csrf_browser.get("/who").json() == NOBODY


def test_session_is_used_if_the_header_is_malformed(ann_csrf_browser):
    assert ask(ann_csrf_browser, "Basic %%%").json() == ANN_HERSELF


# --- The last use --------------------------------------------------------------------------------

NOON = datetime(2027, 3, 10, 12, tzinfo=UTC)


def last_used():
    return ApplicationPassword.objects.get().last_used_at


def test_last_use_is_recorded_once_a_minute(client, secret, time_machine):
    recorded = []

    for seconds in (0, 59, 60, 61, 119, 125):
        time_machine.move_to(NOON + timedelta(seconds=seconds), tick=False)
        ask(client, basic("ann", secret))
        recorded.append((last_used() - NOON).seconds)

    assert recorded == [0, 0, 60, 60, 60, 125]


def test_refused_use_is_not_recorded(client, secret):
    ask(client, basic("nobody", secret))

    assert last_used() is None


def test_signing_in_again_costs_one_query(client, secret, django_assert_num_queries):
    ask(client, basic("ann", secret))

    with django_assert_num_queries(1):  # the application password with its user
        response = ask(client, basic("ann", secret))

    assert response.json() == ANN_BY_PHONE


@pytest.mark.parametrize("username", ["ann", "nobody"])
def test_wrong_credentials_cost_one_query(client, secret, django_assert_num_queries, username):
    with django_assert_num_queries(1):  # the application password, which is not there
        ask(client, basic(username, "wrong"))


def test_last_use_is_not_moved_back(ann, secret, time_machine):
    password = ApplicationPassword.objects.get()
    ApplicationPassword.objects.update(last_used_at=NOON)
    time_machine.move_to(NOON - timedelta(seconds=1), tick=False)

    record_use(password)

    assert last_used() == NOON


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_sign_in_does_not_wait_for_a_locked_database(client):
    if connection.vendor != "sqlite":
        pytest.skip("Only SQLite locks the database as a whole.")
    _password, secret = create_application_password(User.objects.create(username="ann"), "phone")
    writer = sqlite3.connect(connection.settings_dict["NAME"], uri=True, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")

    response = ask(client, basic("ann", secret))
    writer.close()

    assert response.json() == ANN_BY_PHONE
    assert last_used() is None
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA busy_timeout").fetchone() == (20_000,)
