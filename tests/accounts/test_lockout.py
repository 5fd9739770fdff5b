"""Login throttling: the number of wrong passwords that lock out whom, where and for how long."""

from base64 import b64encode
from datetime import UTC, datetime, timedelta

import pytest
from axes.models import AccessAttempt
from django.core.management import call_command
from django.test import Client

from calendar_site.accounts.services import create_application_password, create_user
from tests.support.admin import browser_for
from tests.support.api_client import API

pytestmark = pytest.mark.django_db

NOON = datetime(2030, 1, 15, 12, tzinfo=UTC)
LOGIN = "/admin/login/"
RIGHT = "a long password"
WRONG = "a wrong password"


@pytest.fixture(autouse=True)
def _noon(time_machine, plain_static_files):
    time_machine.move_to(NOON, tick=False)


@pytest.fixture
def ann_with_password(_noon, db):
    return create_user("ann", "author", password=RIGHT)


@pytest.fixture
def ben(_noon, db):
    return create_user("ben", "author", password=RIGHT)


def post_login(username, password=WRONG, address="192.0.2.1", **headers):
    fields = {"username": username, "password": password}
    return Client().post(LOGIN, fields, REMOTE_ADDR=address, headers=headers)


def login_statuses(count, username, *args, **kwargs):
    return [post_login(username, *args, **kwargs).status_code for _ in range(count)]


def collapsed_text(response):
    return " ".join(response.content.decode().split())


# --- Sign-in ------------------------------------------------------------------------------------


def test_five_wrong_passwords_lock_out_the_correct_one(ann_with_password, time_machine):
    assert login_statuses(4, "ann") == [200] * 4
    refused = post_login("ann")

    assert (refused.status_code, refused["Retry-After"]) == (429, "900")
    assert "Signing in is temporarily disabled for security reasons. Try again in 15 minutes." in collapsed_text(
        refused
    )
    time_machine.move_to(NOON + timedelta(minutes=14, seconds=30))
    again = post_login("ann", RIGHT)
    assert (again.status_code, again["Retry-After"]) == (429, "30")
    assert "Try again in a minute." in collapsed_text(again)
    time_machine.move_to(NOON + timedelta(minutes=15))
    assert post_login("ann", RIGHT).status_code == 302


def test_four_wrong_passwords_do_not_lock_out(ann_with_password):
    assert login_statuses(4, "ann") == [200] * 4

    assert post_login("ann", RIGHT).status_code == 302


def test_further_attempts_do_not_extend_the_lockout(ann_with_password, time_machine):
    login_statuses(5, "ann")
    time_machine.move_to(NOON + timedelta(minutes=10))
    assert login_statuses(3, "ann") == [429] * 3

    time_machine.move_to(NOON + timedelta(minutes=15))
    assert post_login("ann", RIGHT).status_code == 302


def test_unknown_names_get_the_same_response(ann_with_password):
    known, unknown = ([post_login(name) for _ in range(6)] for name in ("ann", "zoe"))

    assert [response.status_code for response in known] == [200] * 4 + [429] * 2
    assert [response.status_code for response in unknown] == [200] * 4 + [429] * 2
    assert collapsed_text(known[-1]) == collapsed_text(unknown[-1])
    errors = [
        [str(text) for text in response.context["form"].non_field_errors()] for response in (known[0], unknown[0])
    ]
    assert errors[0] == errors[1]


def test_correct_password_of_a_user_who_is_not_staff_counts_as_wrong(db):
    create_user("eve", "subscriber", password=RIGHT)

    assert login_statuses(6, "eve", RIGHT) == [200] * 4 + [429] * 2


def test_correct_password_of_an_inactive_user_counts_as_wrong(ann_with_password):
    ann_with_password.is_active = False
    ann_with_password.save()

    assert login_statuses(6, "ann", RIGHT) == [200] * 4 + [429] * 2


def test_wrong_old_passwords_lock_out_the_password_change(ann_with_password):
    browser, address, new = browser_for(ann_with_password), "/admin/password_change/", "another long password"

    def change(old):
        return browser.post(address, {"old_password": old, "new_password1": new, "new_password2": new})

    responses = [change(WRONG) for _ in range(5)]
    locked = change(RIGHT)

    assert [answer.status_code for answer in responses] == [200] * 4 + [429]
    assert responses[0].context["form"].errors == {
        "old_password": ["Your old password was entered incorrectly. Please enter it again."]
    }
    assert (locked.status_code, post_login("ann", RIGHT, address="127.0.0.1").status_code) == (429, 429)
    ann_with_password.refresh_from_db()
    assert ann_with_password.check_password(RIGHT)


def test_four_wrong_old_passwords_do_not_lock_out(ann_with_password):
    browser, address, new = browser_for(ann_with_password), "/admin/password_change/", "another long password"
    fields = {"new_password1": new, "new_password2": new}

    for old in [WRONG] * 4:
        browser.post(address, {"old_password": old, **fields})
    changed = browser.post(address, {"old_password": RIGHT, **fields})

    assert changed["Location"] == "/admin/password_change/done/"
    assert browser.get(changed["Location"]).status_code == 200
    assert post_login("ann", new).status_code == 302


def test_other_users_are_not_locked_out(ann_with_password, ben):
    login_statuses(5, "ann")

    assert post_login("ann", RIGHT, address="192.0.2.2").status_code == 302
    assert post_login("ben", RIGHT).status_code == 302


def test_failures_of_one_name_from_many_addresses_count(ann_with_password, ben, settings):
    settings.SIGN_IN_TRIES_BY_NAME = 6

    responses = [post_login("ann", address=f"192.0.2.{number}").status_code for number in range(1, 8)]

    assert responses == [200] * 5 + [429] * 2
    assert post_login("ann", RIGHT, address="192.0.2.9").status_code == 429
    assert post_login("ben", RIGHT, address="192.0.2.9").status_code == 302


def test_failures_of_many_names_from_one_address_count(ann_with_password, settings):
    settings.SIGN_IN_TRIES_BY_ADDRESS = 6

    responses = [post_login(f"name-{number}").status_code for number in range(7)]

    assert responses == [200] * 5 + [429] * 2
    assert post_login("ann", RIGHT).status_code == 429
    assert post_login("ann", RIGHT, address="192.0.2.2").status_code == 302


def test_another_browser_shares_the_count(ann_with_password):
    browsers = [post_login("ann", **{"User-Agent": f"browser {number}"}).status_code for number in range(6)]

    assert browsers == [200] * 4 + [429] * 2


def test_signing_in_resets_only_the_own_failures(ann_with_password, ben, settings):
    settings.SIGN_IN_TRIES_BY_ADDRESS = 9
    login_statuses(4, "ann")
    login_statuses(4, "ben")

    assert post_login("ben", RIGHT).status_code == 302
    assert login_statuses(4, "ben") == [200] * 4
    assert post_login("ann").status_code == 429


def test_forwarded_header_is_ignored_without_a_proxy(ann_with_password):
    responses = [post_login("ann", **{"X-Forwarded-For": f"192.0.2.{number}"}).status_code for number in range(6)]

    assert responses == [200] * 4 + [429] * 2


@pytest.mark.parametrize(
    ("forwarded", "is_stopped"),
    [
        ("198.51.100.1", True),
        ("203.0.113.9, 198.51.100.1", True),
        ("198.51.100.1, 198.51.100.2", False),
        ("::ffff:198.51.100.1", True),
        ("unknown", False),
    ],
)
def test_address_seen_by_the_proxy_counts(ann_with_password, settings, forwarded, is_stopped):
    settings.PROXY_COUNT = 1
    login_statuses(5, "ann", **{"X-Forwarded-For": "198.51.100.1"})

    answer = post_login("ann", RIGHT, **{"X-Forwarded-For": forwarded})

    assert answer.status_code == (429 if is_stopped else 302)


def test_client_without_a_valid_address_is_counted_by_name(ann_with_password, ben, settings):
    settings.PROXY_COUNT = 1
    settings.SIGN_IN_TRIES_BY_ADDRESS = 5

    assert login_statuses(6, "ann", **{"X-Forwarded-For": "unknown"}) == [200] * 4 + [429] * 2
    assert post_login("ben", RIGHT, **{"X-Forwarded-For": "unknown"}).status_code == 302


def test_ipv6_network_counts_as_one_address(ann_with_password):
    responses = [post_login("ann", address=f"2001:db8::{number}").status_code for number in range(1, 7)]

    assert responses == [200] * 4 + [429] * 2
    assert post_login("ann", RIGHT, address="2001:db8:0:1::1").status_code == 302


def test_only_the_name_of_an_attempt_is_stored(ann_with_password):
    Client().post(f"{LOGIN}?next=/admin/", {"username": "ann", "password": "almost right", "next": "/admin/"})

    row = AccessAttempt.objects.values("username", "ip_address", "get_data", "post_data").get()
    assert row == {
        "username": "ann",
        "ip_address": "127.0.0.1",
        "get_data": "next=/admin/",
        "post_data": "username=********************\npassword=********************\nnext=/admin/",
    }


@pytest.mark.parametrize("name", ["\0", "a\0b", "x" * 151, "x" * 5000, "Zoë", "%s"])
def test_any_name_is_accepted(name):
    assert login_statuses(6, name)[0] == 200


def test_old_failures_are_deleted(ann_with_password, time_machine):
    post_login("ann")
    time_machine.move_to(NOON + timedelta(minutes=16))

    post_login("ben")

    assert [row.username for row in AccessAttempt.objects.all()] == ["ben"]


@pytest.mark.parametrize(
    "command",
    [("axes_reset",), ("axes_reset_username", "ann"), ("axes_reset_ip", "192.0.2.1")],
    ids=lambda command: command[0],
)
def test_command_ends_the_lockout(ann_with_password, command, capsys):
    login_statuses(5, "ann")

    call_command(*command)

    assert capsys.readouterr().out == "1 attempts removed.\n"
    assert post_login("ann", RIGHT).status_code == 302


def test_failure_query_count(ann_with_password, django_assert_num_queries):
    login_statuses(2, "ann")

    # three times counted and the user; then what is over, the row of this browser with its lock, three times counted
    with django_assert_num_queries(12):
        post_login("ann")


# --- Programs ------------------------------------------------------------------------------------


def get_with_password(username, secret, address="192.0.2.1"):
    credentials = b64encode(f"{username}:{secret}".encode()).decode()
    return Client(headers={"Authorization": f"Basic {credentials}"}).get(f"{API}/venues", REMOTE_ADDR=address)


def test_application_password_is_never_locked_out(ann_with_password):
    _password, secret = create_application_password(ann_with_password, "phone")
    login_statuses(6, "ann")

    assert [get_with_password("ann", "wrong").status_code for _ in range(50)] == [401] * 50
    assert get_with_password("ann", secret).status_code == 200
    assert not AccessAttempt.objects.exclude(failures_since_start=5).exists()


def test_account_password_in_the_api_is_throttled(ann_with_password, settings):
    settings.API_ALLOW_ACCOUNT_PASSWORD = True

    responses = [get_with_password("ann", "wrong") for _ in range(5)]
    right = get_with_password("ann", RIGHT)

    assert [answer.status_code for answer in responses] == [401] * 4 + [429]
    assert (right.status_code, right["Retry-After"]) == (429, "901")
    assert right.json()["code"] == "rest_too_many_requests"


def test_unknown_name_in_the_api_gets_the_same_response(ann_with_password, settings):
    settings.API_ALLOW_ACCOUNT_PASSWORD = True

    known, unknown = ([get_with_password(name, "wrong") for _ in range(6)] for name in ("ann", "zoe"))

    assert [answer.json() for answer in known] == [answer.json() for answer in unknown]


def test_failures_elsewhere_do_not_lock_out_an_api_client(ann_with_password, settings):
    settings.API_ALLOW_ACCOUNT_PASSWORD = True
    settings.SIGN_IN_TRIES_BY_NAME = 5
    for number in range(10):
        get_with_password("ann", "wrong", address=f"192.0.2.{number + 2}")

    assert get_with_password("ann", RIGHT).status_code == 200
    assert post_login("ann", RIGHT).status_code == 429


def test_application_password_works_during_a_lockout(ann_with_password, settings):
    settings.API_ALLOW_ACCOUNT_PASSWORD = True
    _password, secret = create_application_password(ann_with_password, "phone")
    for _ in range(6):
        get_with_password("ann", "wrong")

    assert get_with_password("ann", secret).status_code == 200


@pytest.mark.parametrize("name", ["a\0b", "x" * 151, "x" * 600])
def test_any_name_in_the_api_is_accepted(settings, name):
    settings.API_ALLOW_ACCOUNT_PASSWORD = True

    assert get_with_password(name, "wrong").status_code == 401
