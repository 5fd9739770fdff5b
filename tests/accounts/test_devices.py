"""Emails about sign-ins with new devices, and the cookie that recognizes known ones."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from calendar_site.accounts.services import create_user
from calendar_site.mail.models import MailPreferences
from tests.support.admin import browser_for
from tests.support.mail import sent_mail
from tests.support.two_factor import totp_code

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

NOON = datetime(2030, 1, 15, 12, tzinfo=UTC)
PASSWORD = "a long password"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 "
    "Mobile/15E148 Safari/604.1"
)
ENGLISH = """Your account was used to sign in with a new device or browser.

Username: ann

Time: 15 Jan 2030, 12:00

Device: Firefox, Linux

This was not me
http://127.0.0.1:8000/admin/password_change/

If it was you, there is nothing to do.

If it was not you, change your password at once. This also ends all other sessions.

-- 
Event calendar
http://127.0.0.1:8000/

Choose which emails you get:
http://127.0.0.1:8000/admin/account/email/
"""
ITALIAN = """È stato effettuato un accesso al tuo account da un nuovo dispositivo o browser.

Nome utente: ann

Ora: 15 gen 2030 alle 12:00

Dispositivo: Safari, iOS

Non sono stato io
http://127.0.0.1:8000/admin/password_change/

Se sei stato tu, non devi fare nulla.

Se non sei stato tu, modifica subito la password. Così si chiudono anche tutte le altre sessioni.

-- 
Event calendar
http://127.0.0.1:8000/

Scegli quali e-mail ricevere:
http://127.0.0.1:8000/admin/account/email/
"""


@pytest.fixture(autouse=True)
def _noon(time_machine):
    time_machine.move_to(NOON, tick=False)


@pytest.fixture
def known_ann(_noon, db):
    """A user who has signed in before, with another browser."""
    user = create_user("ann", "editor", email="ann@example.org", password=PASSWORD)
    signed_in()
    return user


def signed_in(browser=None, name="ann", **headers):
    browser = browser or Client()
    browser.post("/admin/login/", {"username": name, "password": PASSWORD}, headers=headers)
    return browser


@pytest.mark.parametrize(
    ("language", "user_agent", "subject", "text"),
    [
        ("en", FIREFOX, "New sign-in to Event calendar", ENGLISH),
        ("it", SAFARI, "Nuovo accesso a «Event calendar»", ITALIAN),
    ],
)
def test_sign_in_with_a_new_device_sends_an_email(known_ann, language, user_agent, subject, text):
    signed_in(accept_language=language, user_agent=user_agent)

    assert sent_mail() == [(["ann@example.org"], subject, text)]


def test_unknown_user_agent_is_not_described(known_ann):
    signed_in(user_agent="<script>\r\nBcc: x")

    (message,) = sent_mail()
    assert "Device" not in message.text
    assert "Bcc" not in message.text


def test_known_device_sends_no_email(known_ann, time_machine):
    browser = signed_in()
    assert len(sent_mail()) == 1

    time_machine.move_to(NOON + timedelta(days=364), tick=False)
    signed_in(browser)
    time_machine.move_to(NOON + timedelta(days=700), tick=False)
    signed_in(browser)
    assert sent_mail() == []

    signed_in()
    assert len(sent_mail()) == 1


def test_first_sign_in_sends_no_email():
    create_user("ann", "editor", email="ann@example.org", password=PASSWORD)

    browser = signed_in()

    assert browser.get("/admin/").status_code == 200
    assert sent_mail() == []


def test_first_sign_in_after_an_upgrade_sends_no_email():
    """The user has signed in with a version that remembered no browsers."""
    user = create_user("ann", "editor", email="ann@example.org", password=PASSWORD)
    user.last_login = NOON - timedelta(days=1)
    user.save()

    browser = signed_in()
    signed_in(browser)
    assert sent_mail() == []

    signed_in()
    assert [message.to for message in sent_mail()] == [["ann@example.org"]]


def test_device_of_another_user_is_new(known_ann):
    create_user("ben", "editor", email="ben@example.org", password=PASSWORD)
    browser = signed_in(name="ben")

    signed_in(browser)
    signed_in(browser, name="ben")

    assert [message.to for message in sent_mail()] == [["ann@example.org"]]


@pytest.mark.parametrize("cookie", ["x", "[1]:x:y", "W10:x:y", ""])
def test_cookie_that_was_made_up_is_not_trusted(known_ann, cookie):
    browser = Client()
    browser.cookies["known_users"] = cookie

    signed_in(browser)

    assert len(sent_mail()) == 1


def test_cookie_is_not_for_scripts_or_other_sites(known_ann, settings):
    settings.SESSION_COOKIE_SECURE = True

    cookie = signed_in().cookies["known_users"]

    assert (cookie["httponly"], cookie["secure"], cookie["samesite"], cookie["max-age"]) == (
        True,
        True,
        "Lax",
        31536000,
    )
    assert "ann" not in cookie.value


def test_email_is_sent_after_the_second_factor(known_ann):
    browser = browser_for(known_ann)
    key = browser.get("/admin/account/second-factor/").context["key"]
    browser.post("/admin/account/second-factor/", {"code": totp_code(key, -1)})

    new = signed_in()
    assert sent_mail() == []
    new.post("/admin/login/code/", {"code": totp_code(key)})

    assert len(sent_mail()) == 1


def test_wrong_password_sends_no_email(known_ann):
    Client().post("/admin/login/", {"username": "ann", "password": "wrong"})

    assert sent_mail() == []


def test_user_turns_the_email_off(known_ann):
    MailPreferences.objects.filter(user=known_ann).update(wants_sign_ins=False)

    signed_in()

    assert sent_mail() == []


def test_language_of_the_sign_in_is_remembered(known_ann):
    browser = signed_in(accept_language="nl")
    assert MailPreferences.objects.get().sign_in_language == "nl"

    signed_in(browser, accept_language="es")
    assert MailPreferences.objects.get().sign_in_language == "es"


def test_nothing_is_sent_without_email(known_ann, settings):
    settings.MAIL_ENABLED = False

    assert signed_in().get("/admin/").status_code == 200
    assert sent_mail() == []
