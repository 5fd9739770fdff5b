"""The second factor: setting it up, signing in with it, losing it, and the roles that require one."""

import re
from base64 import b64encode
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from calendar_site.accounts.services import create_application_password, create_user
from tests.factories import EventFactory
from tests.support.admin import browser_for, messages_in
from tests.support.api_client import API
from tests.support.two_factor import totp_code

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

NOON = datetime(2030, 1, 15, 12, tzinfo=UTC)
LOGIN = "/admin/login/"
CODE = "/admin/login/code/"
SECURITY = "/admin/account/security/"
FACTOR = "/admin/account/second-factor/"
ELSEWHERE = "/admin/account/security/sign-out-elsewhere/"
EVENTS = "/admin/events/event/"
PASSWORD = "a long password"


@pytest.fixture(autouse=True)
def clock(time_machine):
    """Sets the time, in seconds from noon on."""

    def move(seconds):
        time_machine.move_to(NOON + timedelta(seconds=seconds), tick=False)

    move(0)
    return move


@pytest.fixture
def editor_with_password(clock, db):
    return create_user("ann", "editor", password=PASSWORD)


def set_up(browser):
    """Turns the second factor on as a person does, and answers the key in the app and the backup codes."""
    key = browser.get(FACTOR).context["key"]
    # One that is over soon, so that the next one signs in without a wait.
    answer = browser.post(FACTOR, {"code": totp_code(key, -1)})
    return key, answer.context["codes"].splitlines()


@pytest.fixture
def app(editor_with_password):
    """The key that Ann's app has, and her backup codes."""
    return set_up(browser_for(editor_with_password))


def first_step(browser, password=PASSWORD, name="ann", **query):
    return browser.post(LOGIN, {"username": name, "password": password}, query_params=query)


def sign_in_with_code(code, name="ann"):
    """The answer to the second step, and the browser in which it was taken."""
    browser = Client()
    first_step(browser, name=name)
    return browser.post(CODE, {"code": code}), browser


def is_inside(browser):
    return browser.get("/admin/").status_code == 200


# --- Setting it up -------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["administrator", "editor", "author", "contributor"])
def test_every_role_with_the_admin_may_turn_it_on(role):
    user = create_user(role, role)
    browser = browser_for(user)

    key, codes = set_up(browser)

    assert len({*codes}) == 10
    assert all(re.fullmatch(r"[a-z2-7]{4} [a-z2-7]{4}", code) for code in codes)
    assert [device.user for device in TOTPDevice.objects.all()] == [user]
    page = browser.get(SECURITY).content.decode()
    assert "On since 15 Jan 2030" in page
    assert "10 backup codes left." in page
    assert key not in page


def test_page_shows_the_key_as_qr_code_and_text(editor_with_password, settings):
    settings.OTP_TOTP_ISSUER = "What’s on"
    browser = browser_for(editor_with_password)

    page = browser.get(FACTOR)

    key = page.context["key"]
    assert re.fullmatch(r"([A-Z2-7]{4} ){7}[A-Z2-7]{4}", key)
    secret = key.replace(" ", "")
    assert page.context["provisioning_url"] == (
        f"otpauth://totp/What%E2%80%99s%20on%3Aann?secret={secret}&algorithm=SHA1&digits=6&period=30"
        "&issuer=What%E2%80%99s%20on"
    )
    assert '<img src="data:image/svg+xml;charset=utf-8,' in page.content.decode()
    assert browser.get(FACTOR).context["key"] == key


def test_turning_it_on_takes_a_code(editor_with_password):
    browser = browser_for(editor_with_password)
    key = browser.get(FACTOR).context["key"]

    for code in ("000000", totp_code(key, -2), totp_code(key, 2), totp_code(key)[:5], "abc", "\0", ""):
        answer = browser.post(FACTOR, {"code": code})
        assert list(answer.context["form"].errors) == ["code"]

    assert not TOTPDevice.objects.exists()
    assert first_step(Client()).headers["Location"] == "/admin/"


def test_key_in_the_form_data_is_ignored(editor_with_password):
    browser = browser_for(editor_with_password)
    browser.get(FACTOR)

    foreign = "A" * 32
    answer = browser.post(FACTOR, {"code": totp_code(foreign), "key": foreign, "user": "1"})

    assert answer.context["form"].errors == {
        "code": ["The code is incorrect. Enter the code that your authenticator app shows now."]
    }


def test_backup_codes_are_shown_once(editor_with_password):
    browser = browser_for(editor_with_password)
    _key, codes = set_up(browser)

    pages = [browser.get(path).content.decode() for path in (FACTOR, SECURITY)]

    assert not any(code in page or code.replace(" ", "") in page for code in codes for page in pages)


def test_turning_it_on_ends_the_other_sessions(editor_with_password):
    here, elsewhere = browser_for(editor_with_password), browser_for(editor_with_password)

    set_up(here)

    assert (is_inside(here), is_inside(elsewhere)) == (True, False)


# --- Signing in ----------------------------------------------------------------------------------


def test_password_alone_does_not_sign_in(app):
    browser = Client()

    answer = first_step(browser, next=EVENTS)

    assert (answer.status_code, answer["Location"]) == (302, f"{CODE}?next=%2Fadmin%2Fevents%2Fevent%2F")
    assert not is_inside(browser)
    assert browser.get(CODE).status_code == 200
    assert browser.get(f"{API}/events/{EventFactory(status='draft').pk}").status_code == 403


def test_password_and_code_sign_in_and_redirect(app):
    key, _codes = app
    browser = Client()
    path = first_step(browser, next=EVENTS)["Location"]

    answer = browser.post(path, {"code": f" {totp_code(key)[:3]} {totp_code(key)[3:]} "})

    assert (answer.status_code, answer["Location"]) == (302, EVENTS)
    assert is_inside(browser)


def test_redirect_leads_to_no_other_site(app):
    key, _codes = app
    browser = Client()
    path = first_step(browser, next="https://evil.example.org/")["Location"]

    answer = browser.post(f"{CODE}?next=https://evil.example.org/", {"code": totp_code(key)})

    assert (path, answer["Location"]) == (CODE, "/admin/")


def test_wrong_code_does_not_sign_in(app):
    answer, browser = sign_in_with_code("000000")

    assert answer.status_code == 200
    assert answer.context["form"].errors == {"code": ["The code is incorrect or has already been used."]}
    assert not is_inside(browser)


@pytest.mark.parametrize("code", ["", " ", "\0", "x" * 41, "٣٤٥٦٧٨", "+12345", "12345", "1234567", "%s"])
def test_any_code_is_accepted(app, code):
    answer, browser = sign_in_with_code(code)

    assert (answer.status_code, list(answer.context["form"].errors)) == (200, ["code"])
    assert not is_inside(browser)


def test_code_is_accepted_once(app, clock):
    key, _codes = app
    code = totp_code(key)

    first, _browser = sign_in_with_code(code)
    again, browser = sign_in_with_code(code)

    assert (first.status_code, again.status_code) == (302, 200)
    assert not is_inside(browser)
    clock(30)
    assert sign_in_with_code(totp_code(key))[0].status_code == 302


def test_code_that_turned_it_on_does_not_sign_in(editor_with_password):
    browser = browser_for(editor_with_password)
    key = browser.get(FACTOR).context["key"]
    browser.post(FACTOR, {"code": totp_code(key)})

    assert sign_in_with_code(totp_code(key))[0].status_code == 200


def test_codes_of_other_users_do_not_sign_in(app):
    ben_key, ben_codes = set_up(browser_for(create_user("ben", "editor", password=PASSWORD)))

    assert sign_in_with_code(totp_code(ben_key))[0].status_code == 200
    assert sign_in_with_code(ben_codes[0])[0].status_code == 200


def test_after_each_wrong_code_the_wait_doubles(app, clock):
    key, _codes = app
    browser = Client()
    first_step(browser)

    responses = []
    for seconds in (0, 0, 1, 2, 3, 6, 7):
        clock(seconds)
        responses.append((seconds, browser.post(CODE, {"code": "000000"}).status_code))

    assert responses == [(0, 200), (0, 429), (1, 200), (2, 429), (3, 200), (6, 429), (7, 200)]
    refused = browser.post(CODE, {"code": totp_code(key)})
    assert (refused.status_code, refused["Retry-After"]) == (429, "8")
    assert refused.context["form"].errors == {"code": ["Too many incorrect codes. Try again in 8 seconds."]}
    clock(15)
    assert browser.post(CODE, {"code": totp_code(key)}).status_code == 302


def test_long_waits_are_shown_in_minutes(app, clock):
    browser = Client()
    first_step(browser)
    TOTPDevice.objects.update(throttling_failure_count=8, throttling_failure_timestamp=NOON)

    answer = browser.post(CODE, {"code": "000000"})

    assert answer.context["form"].errors == {"code": ["Too many incorrect codes. Try again in 3 minutes."]}


def test_wrong_codes_of_the_app_leave_the_backup_codes_usable(app):
    _key, codes = app
    browser = Client()
    first_step(browser)
    browser.post(CODE, {"code": "000000"})

    assert browser.post(CODE, {"code": codes[0]}).status_code == 302


@pytest.mark.parametrize("write", [str, str.upper, lambda code: code.replace(" ", "-"), lambda code: f" {code} "])
def test_backup_code_signs_in_once(app, write):
    _key, codes = app

    answer, _browser = sign_in_with_code(write(codes[3]))
    again, _browser = sign_in_with_code(write(codes[3]))

    assert (answer.status_code, again.status_code) == (302, 200)
    assert messages_in(answer) == [
        "You have 9 backup codes left. You can generate new ones under “Sign-in and security”."
    ]


def test_first_step_expires_after_ten_minutes(app, clock):
    key, _codes = app
    browser = Client()
    first_step(browser)
    clock(601)

    answer = browser.post(CODE, {"code": totp_code(key)})

    assert (answer.status_code, answer["Location"]) == (302, LOGIN)


def test_second_step_alone_redirects_to_the_first(app):
    for answer in (Client().get(CODE), Client().post(CODE, {"code": "000000"})):
        assert (answer.status_code, answer["Location"]) == (302, LOGIN)


@pytest.mark.parametrize("change", ["password", "inactive", "ended"])
def test_change_of_the_account_ends_a_pending_sign_in(app, editor_with_password, change):
    key, _codes = app
    browser = Client()
    first_step(browser)
    editor_with_password.refresh_from_db()
    if change == "password":
        editor_with_password.set_password("another long password")
    elif change == "inactive":
        editor_with_password.is_active = False
    else:
        editor_with_password.sessions_ended_at = NOON + timedelta(seconds=1)
    editor_with_password.save()

    answer = browser.post(CODE, {"code": totp_code(key)})

    assert (answer.status_code, answer["Location"]) == (302, LOGIN)


def test_second_step_needs_the_csrf_token(app):
    key, _codes = app
    browser = Client(enforce_csrf_checks=True)
    session = Client()
    first_step(session)
    browser.cookies["sessionid"] = session.cookies["sessionid"].value

    assert browser.post(CODE, {"code": totp_code(key)}).status_code == 403


def test_wrong_password_does_not_reveal_a_second_factor(app):
    create_user("ben", "editor", password=PASSWORD)

    pages = [first_step(Client(), "wrong", name) for name in ("ann", "ben", "zoe")]

    assert [page.status_code for page in pages] == [200] * 3
    assert len({str(page.context["form"].errors) for page in pages}) == 1


# --- Looking after it ----------------------------------------------------------------------------


def test_removing_it_takes_the_password(app, editor_with_password):
    key, _codes = app
    _answer, browser = sign_in_with_code(totp_code(key))

    for fields in ({"remove": "1"}, {"remove": "1", "password": "wrong"}, {"password": PASSWORD}):
        assert browser.post(FACTOR, fields).status_code == 200
    assert TOTPDevice.objects.exists()

    removed = browser.post(FACTOR, {"remove": "1", "password": PASSWORD})
    assert (removed.status_code, removed["Location"]) == (302, SECURITY)
    assert messages_in(removed) == [
        "Two-factor authentication has been turned off. You now sign in with your password only."
    ]
    assert [model.objects.count() for model in (TOTPDevice, StaticDevice, StaticToken)] == [0, 0, 0]
    assert is_inside(browser)
    assert first_step(Client())["Location"] == "/admin/"


def test_password_confirmation_is_throttled(app):
    key, _codes = app
    _answer, browser = sign_in_with_code(totp_code(key))

    responses = [browser.post(FACTOR, {"remove": "1", "password": "wrong"}).status_code for _ in range(5)]

    assert responses == [200] * 4 + [429]
    assert browser.post(FACTOR, {"remove": "1", "password": PASSWORD}).status_code == 429
    assert TOTPDevice.objects.exists()


def test_new_backup_codes_replace_the_old(app):
    key, old = app
    _answer, browser = sign_in_with_code(totp_code(key))

    new = browser.post(FACTOR, {"renew": "1", "password": PASSWORD}).context["codes"].splitlines()

    assert len({*old, *new}) == 20
    assert sign_in_with_code(old[0])[0].status_code == 200
    # After a wrong one the next is not looked at for a second.
    StaticDevice.objects.update(throttling_failure_count=0)
    assert sign_in_with_code(new[0])[0].status_code == 302


def test_second_factor_of_others_cannot_be_changed(app, editor_with_password):
    ben = create_user("ben", "author", password=PASSWORD)
    browser = browser_for(ben)

    browser.post(FACTOR, {"remove": "1", "password": PASSWORD, "user": editor_with_password.pk, "username": "ann"})
    browser.post(ELSEWHERE, {"user": editor_with_password.pk})

    assert [device.user for device in TOTPDevice.objects.all()] == [editor_with_password]


@pytest.mark.parametrize("page", [FACTOR, SECURITY, ELSEWHERE])
def test_subscribers_and_anonymous_users_have_no_access(subscriber, page):
    for user in (subscriber, None):
        for answer in (browser_for(user).get(page), browser_for(user).post(page, {"code": "000000"})):
            assert (answer.status_code, answer["Location"]) == (302, f"{LOGIN}?next={page}")


@pytest.mark.parametrize("page", [FACTOR, ELSEWHERE])
def test_forms_need_the_csrf_token(editor_with_password, page):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(editor_with_password)

    assert browser.post(page, {"code": "000000"}).status_code == 403


def test_keys_are_in_no_form_of_the_admin(app, db):
    browser = browser_for(create_user("ada", "administrator"))
    models = ("otp_totp/totpdevice", "otp_static/staticdevice", "axes/accessattempt")

    assert [browser.get(f"/admin/{model}/").status_code for model in models] == [404] * 3


# --- Sessions ------------------------------------------------------------------------------------


def test_signing_out_elsewhere_keeps_this_session_and_application_passwords(editor_with_password):
    _password, secret = create_application_password(editor_with_password, "phone")
    here, elsewhere = browser_for(editor_with_password), browser_for(editor_with_password)
    others = browser_for(create_user("ben", "editor"))

    answer = here.post(ELSEWHERE)

    assert (answer.status_code, answer["Location"]) == (302, SECURITY)
    assert messages_in(answer) == ["You have been signed out of all other sessions."]
    assert [is_inside(browser) for browser in (here, elsewhere, others)] == [True, False, True]
    program = Client(headers={"Authorization": f"Bearer {secret}"})
    assert program.get(f"{API}/events?status=draft").status_code == 200


def test_signing_out_elsewhere_needs_post(editor_with_password):
    assert browser_for(editor_with_password).get(ELSEWHERE).status_code == 405


def test_change_of_the_password_ends_the_other_sessions(editor_with_password):
    here, elsewhere = browser_for(editor_with_password), browser_for(editor_with_password)
    new = "another long password"

    here.post("/admin/password_change/", {"old_password": PASSWORD, "new_password1": new, "new_password2": new})

    assert (is_inside(here), is_inside(elsewhere)) == (True, False)


def test_session_cookie_is_same_site_and_lasts_a_week(editor_with_password):
    browser = Client()
    first_step(browser)

    cookie = browser.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 604800)


def test_session_expires_after_a_week(editor_with_password, clock):
    browser = Client()
    first_step(browser)
    assert is_inside(browser)

    clock(7 * 24 * 3600 + 1)
    assert not is_inside(browser)


# --- Programs ------------------------------------------------------------------------------------


def status_with_password(secret):
    credentials = b64encode(f"ann:{secret}".encode()).decode()
    return Client(headers={"Authorization": f"Basic {credentials}"}).get(f"{API}/venues").status_code


def test_account_password_in_the_api_does_not_bypass_the_second_factor(app, settings):
    settings.API_ALLOW_ACCOUNT_PASSWORD = True

    # Counted as a wrong one is, or it would be known to be right.
    assert [status_with_password(PASSWORD) for _ in range(6)] == [401] * 4 + [429] * 2


def test_application_passwords_need_no_second_factor(app, editor_with_password):
    _password, secret = create_application_password(editor_with_password, "phone")

    assert status_with_password(secret) == 200


# --- Who must have one ---------------------------------------------------------------------------


@pytest.fixture
def _required(settings):
    settings.REQUIRE_SECOND_FACTOR = ["administrator", "editor"]


@pytest.mark.usefixtures("_required")
def test_users_of_a_required_role_must_set_it_up_first(editor_with_password):
    draft = EventFactory(status="draft")
    browser = Client()

    inside = first_step(browser, next=EVENTS)
    assert inside["Location"] == EVENTS
    refused = browser.get(EVENTS)
    assert refused["Location"] == f"{LOGIN}?next={EVENTS}"
    sent_on = browser.get(refused["Location"])
    assert sent_on["Location"] == f"{FACTOR}?next=%2Fadmin%2Fevents%2Fevent%2F"
    assert browser.get("/admin/account/application-passwords/").status_code == 302
    assert browser.get(f"{API}/events/{draft.pk}").status_code == 403
    assert browser.get(f"/event/{draft.slug}/").status_code == 404
    assert (
        "Your role requires two-factor authentication. Set it up to continue." in browser.get(FACTOR).content.decode()
    )

    set_up(browser)
    assert browser.get(EVENTS).status_code == 200
    assert browser.get(f"{API}/events/{draft.pk}").status_code == 200


@pytest.mark.usefixtures("_required")
def test_users_who_must_set_it_up_can_log_out(editor_with_password):
    browser = Client()
    first_step(browser)

    assert browser.post("/admin/logout/").status_code == 200
    assert browser.get(FACTOR)["Location"] == f"{LOGIN}?next={FACTOR}"


@pytest.mark.usefixtures("_required")
def test_setup_is_in_the_language_of_the_path(editor_with_password):
    browser = Client()
    browser.post(f"/de{LOGIN}", {"username": "ann", "password": PASSWORD})

    sent_on = browser.get(f"/de{LOGIN}?next=/de/admin/")

    assert sent_on["Location"] == f"/de{FACTOR}?next=%2Fde%2Fadmin%2F"
    assert browser.get(sent_on["Location"]).status_code == 200


@pytest.mark.usefixtures("_required")
def test_other_roles_need_none(db):
    create_user("ben", "author", password=PASSWORD)
    browser = Client()
    first_step(browser, name="ben")

    assert is_inside(browser)


@pytest.mark.usefixtures("_required")
def test_superusers_count_as_administrators(superuser):
    browser = browser_for(superuser)

    assert not is_inside(browser)
    set_up(browser)
    assert is_inside(browser)


@pytest.mark.usefixtures("_required")
def test_users_who_get_a_required_role_must_set_it_up_at_once(db):
    ben = create_user("ben", "author", password=PASSWORD)
    browser = browser_for(ben)
    assert is_inside(browser)

    ben.groups.set([Group.objects.get(name="editor")])

    assert not is_inside(browser)


@pytest.mark.usefixtures("_required")
def test_one_that_is_asked_for_cannot_be_removed(app):
    key, _codes = app
    _answer, browser = sign_in_with_code(totp_code(key))

    answer = browser.post(FACTOR, {"remove": "1", "password": PASSWORD})

    assert answer.context["form"].errors == {
        "__all__": ["Your role requires two-factor authentication. You cannot turn it off."]
    }
    assert TOTPDevice.objects.exists()
    assert is_inside(browser)


@pytest.mark.usefixtures("_required")
def test_account_password_of_such_a_role_is_no_way_round(editor_with_password, settings):
    settings.API_ALLOW_ACCOUNT_PASSWORD = True

    assert status_with_password(PASSWORD) == 401


@pytest.mark.usefixtures("_required")
def test_a_mark_of_a_removed_factor_is_none(settings):
    settings.REQUIRE_SECOND_FACTOR = []
    ben = create_user("ben", "author", password=PASSWORD)
    browser = browser_for(ben)
    set_up(browser)
    browser.post(FACTOR, {"remove": "1", "password": PASSWORD})

    settings.REQUIRE_SECOND_FACTOR = ["author"]

    assert not is_inside(browser)


@pytest.mark.parametrize(("roles", "queries"), [([], 0), (["editor"], 1)])
def test_asking_costs_a_query_where_a_role_is_asked_and_none_elsewhere(
    settings, django_assert_num_queries, roles, queries
):
    browser = browser_for(create_user("ben", "author", password=PASSWORD))
    settings.REQUIRE_SECOND_FACTOR = roles

    # session, user, permissions for the menu, the device, the codes
    with django_assert_num_queries(5 + queries):
        browser.get(SECURITY)


def test_signed_in_with_a_code_the_asking_costs_nothing(app, settings, django_assert_num_queries):
    key, _codes = app
    _answer, browser = sign_in_with_code(totp_code(key))
    settings.REQUIRE_SECOND_FACTOR = ["editor"]

    with django_assert_num_queries(5):
        browser.get(SECURITY)
