"""Forgotten passwords: the same response for every address, the link, and what a new password changes."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from calendar_site.accounts.models import User
from calendar_site.accounts.password_links import tasks
from calendar_site.accounts.services import create_application_password, create_user
from calendar_site.mail.messages import send
from calendar_site.mail.models import MailPreferences
from calendar_site.tasks.models import BackgroundTask
from tests.support.admin import browser_for, messages_in
from tests.support.history import recorded_changes
from tests.support.mail import link_in, sent_mail
from tests.support.two_factor import totp_code

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

NOON = datetime(2030, 1, 15, 12, tzinfo=UTC)
RESET = "/admin/password-reset/"
LOGIN = "/admin/login/"
OLD = "a long password"
NEW = "a new long password"
SENT = (
    "If there is an account with this email address, a link to set a new password is on its way. "
    "Check your spam folder if it does not arrive within a few minutes."
)

ENGLISH = """Someone has asked to set a new password for your account. Your username is: ann

Set a new password
{url}

The link is valid until 16 Jan 2030, 12:00. It works once.

If it was not you, ignore this email. Your password stays as it is.

-- 
Event calendar
http://127.0.0.1:8000/
"""
POLISH = """Ktoś poprosił o ustawienie nowego hasła do Twojego konta. Twoja nazwa użytkownika: ann

Ustaw nowe hasło
{url}

Link jest ważny do 16 stycznia 2030 o 12:00. Działa tylko raz.

Jeśli to nie Ty, zignoruj tę wiadomość. Twoje hasło pozostaje bez zmian.

-- 
Event calendar
http://127.0.0.1:8000/
"""


@pytest.fixture(autouse=True)
def _noon(time_machine):
    time_machine.move_to(NOON, tick=False)


@pytest.fixture
def forgetful_ann(db):
    return create_user("ann", "editor", email="ann@example.org", password=OLD)


def ask(email, browser=None, **headers):
    return (browser or Client()).post(RESET, {"email": email}, headers=headers)


def reset_link(email="ann@example.org"):
    ask(email)
    (message,) = sent_mail()
    return link_in(message)


def follow(path, browser=None, password=NEW):
    browser = browser or Client()
    response = browser.get(path)
    if response.status_code == 302:
        return browser.post(response["Location"], {"new_password1": password, "new_password2": password})
    return response


def signed_in(password, browser=None):
    browser = browser or Client()
    browser.post(LOGIN, {"username": "ann", "password": password})
    return browser


def is_inside(browser):
    return browser.get("/admin/").status_code == 200


@pytest.mark.parametrize(
    ("language", "subject", "text"),
    [("en", "New password for Event calendar", ENGLISH), ("pl", "Nowe hasło w serwisie „Event calendar”", POLISH)],
)
def test_user_gets_a_link(forgetful_ann, language, subject, text):
    response = ask("ann@example.org", accept_language=language)

    assert response["Location"] == LOGIN
    assert mail.outbox == []
    (message,) = sent_mail()
    url = f"http://127.0.0.1:8000{link_in(message)}"
    assert message == (["ann@example.org"], subject, text.format(url=url))


def test_email_is_in_the_language_of_the_user(forgetful_ann):
    MailPreferences.objects.create(user=forgetful_ann, language="pl")

    ask("ann@example.org", accept_language="de")

    assert [message.subject for message in sent_mail()] == ["Nowe hasło w serwisie „Event calendar”"]


def test_link_sets_the_password_and_ends_all_sessions(forgetful_ann):
    elsewhere = signed_in(OLD)
    assert is_inside(elsewhere)
    browser = Client()

    response = follow(reset_link(), browser)

    assert messages_in(response) == ["Your password has been set. You can now sign in with it."]
    assert (is_inside(elsewhere), is_inside(browser)) == (False, False)
    assert (is_inside(signed_in(OLD)), is_inside(signed_in(NEW))) == (False, True)
    assert recorded_changes(forgetful_ann)[-1] == ("changed", "ann", "admin", ["password"])


def test_second_factor_is_still_asked_for(forgetful_ann):
    browser = browser_for(forgetful_ann)
    key = browser.get("/admin/account/second-factor/").context["key"]
    browser.post("/admin/account/second-factor/", {"code": totp_code(key, -1)})
    path = reset_link()

    follow(path)

    browser = signed_in(NEW)
    assert not is_inside(browser)
    browser.post("/admin/login/code/", {"code": totp_code(key)})
    assert is_inside(browser)


def test_link_ends_a_lockout_of_this_client(forgetful_ann):
    path = reset_link()
    statuses = [Client().post(LOGIN, {"username": "ann", "password": "wrong"}).status_code for _number in range(6)]

    follow(path)

    assert statuses[-1] == 429
    assert is_inside(signed_in(NEW))


def test_link_works_once(forgetful_ann):
    path = reset_link()
    follow(path)

    assert "This link is no longer valid" in follow(path, password="yet another one").content.decode()
    assert User.objects.get(username="ann").check_password(NEW)


@pytest.mark.parametrize("event", ["a day later", "signed in", "sessions ended"])
def test_link_becomes_invalid(forgetful_ann, time_machine, event):
    path = reset_link()

    if event == "a day later":
        time_machine.move_to(NOON + timedelta(hours=24, seconds=1), tick=False)
    elif event == "signed in":
        signed_in(OLD)
    else:
        browser_for(forgetful_ann).post("/admin/account/security/sign-out-elsewhere/")

    assert "This link is no longer valid" in follow(path).content.decode()


# --- Who gets an email -----------------------------------------------------------------------------


def observe(email):
    """Return what a client sees of the response, and the kinds of queries."""
    with CaptureQueriesContext(connection) as queries:
        response = ask(email)
    sql = [re.sub(r"'[^']*'|\b\d+\b|%s", "?", query["sql"]).split(" ")[0] for query in queries]
    return response.status_code, response["Location"], messages_in(response), sorted(response.cookies), sql


def test_response_does_not_reveal_which_addresses_exist(forgetful_ann):
    create_user("inactive", "editor", email="inactive@example.org", password=OLD)
    User.objects.filter(username="inactive").update(is_active=False)
    create_user("client", "editor", email="client@example.org")
    names = ["ann", "inactive", "client", "nobody"]
    observe("first@example.org")

    seen = {name: observe(f"{name}@example.org") for name in names}

    assert seen == dict.fromkeys(names, seen["nobody"])
    assert seen["nobody"][:3] == (302, LOGIN, [SENT])
    assert [message.to for message in sent_mail()] == [["ann@example.org"]]


def test_case_of_the_address_does_not_matter(forgetful_ann):
    ask("Ann@Example.org")

    assert [message.to for message in sent_mail()] == [["ann@example.org"]]


def test_each_account_with_the_address_gets_a_link(forgetful_ann):
    create_user("ann-too", "author", email="ann@example.org", password=OLD)

    ask("ann@example.org")

    assert sorted(re.search(r"username is: (\S+)", message.text)[1] for message in sent_mail()) == ["ann", "ann-too"]


def test_failed_email_does_not_repeat_those_to_other_accounts(forgetful_ann, monkeypatch):
    other = create_user("ann-too", "author", email="ann@example.org", password=OLD)
    failures = ["the first attempt"]

    def send_once_later(message, user):
        if user == other and failures:
            raise OSError(failures.pop())
        send(message, user)

    monkeypatch.setattr(tasks, "send", send_once_later)
    ask("ann@example.org")

    sent = sent_mail()
    BackgroundTask.objects.filter(status=BackgroundTask.Status.READY).update(run_after=NOON)
    BackgroundTask.objects.run_again()
    sent += sent_mail()

    assert [re.search(r"username is: (\S+)", message.text)[1] for message in sent] == ["ann", "ann-too"]


def test_invited_user_who_lost_the_invitation_gets_a_link():
    ben = create_user("ben", "editor", email="ben@example.org")
    User.objects.filter(pk=ben.pk).update(invited_at=NOON)

    follow(reset_link("ben@example.org"))

    assert User.objects.get(pk=ben.pk).check_password(NEW)


def test_user_who_is_deactivated_or_deleted_meanwhile_gets_no_email(forgetful_ann):
    ask("ann@example.org")
    User.objects.update(is_active=False)
    assert sent_mail() == []

    User.objects.update(is_active=True)
    ask("ann@example.org")
    User.objects.all().delete()
    assert sent_mail() == []


def test_addresses_are_not_stored(forgetful_ann):
    ask("nobody@example.org")
    ask("ann@example.org")

    stored = [str(task.args_kwargs) for task in BackgroundTask.objects.all()]
    assert [text for text in stored if "@" in text] == []
    assert len(stored) == 2


@pytest.mark.parametrize(
    "email", ["", "ann", "ann@example.org\nBcc: x@example.org", "a" * 250 + "@example.org", "a\0@b.c"]
)
def test_invalid_addresses_are_refused(forgetful_ann, email):
    response = ask(email)

    assert (response.status_code, list(response.context["form"].errors)) == (200, ["email"])
    assert sent_mail() == []


# --- Limits ----------------------------------------------------------------------------------------


def test_client_sends_ten_requests_in_an_hour(forgetful_ann, time_machine):
    statuses = [ask(f"{number}@example.org").status_code for number in range(11)]
    refused = ask("ann@example.org")

    assert statuses == [302] * 10 + [429]
    assert (refused.status_code, refused["Retry-After"]) == (429, "3600")
    assert "Too many requests. Try again in 60 minutes." in refused.content.decode()
    assert sent_mail() == []
    assert ask("ann@example.org").status_code == 429
    assert Client().post(RESET, {"email": "ann@example.org"}, REMOTE_ADDR="192.0.2.7").status_code == 302
    time_machine.move_to(NOON + timedelta(hours=1, seconds=1), tick=False)
    assert ask("ann@example.org").status_code == 302


def test_address_gets_three_emails_in_an_hour(forgetful_ann):
    responses = [
        Client().post(RESET, {"email": "ann@example.org"}, REMOTE_ADDR=f"192.0.2.{number}") for number in range(5)
    ]

    assert [messages_in(response) for response in responses] == [[SENT]] * 5
    assert len(sent_mail()) == 3


# --- Without email ---------------------------------------------------------------------------------


def test_login_page_has_a_link(client, settings):
    link = f'href="{RESET}"'
    assert link in client.get(LOGIN).content.decode()

    settings.MAIL_ENABLED = False

    assert link not in client.get(LOGIN).content.decode()
    assert [send(RESET).status_code for send in (client.get, client.post)] == [404, 404]


def test_links_begin_with_the_public_url(forgetful_ann, settings):
    settings.MAIL_BASE_URL = "https://example.org/agenda"

    ask("ann@example.org", host="localhost")

    (message,) = sent_mail()
    assert "\nhttps://example.org/agenda/admin/password-reset/" in message.text


@pytest.mark.parametrize("revoke", [True, False])
def test_application_passwords_may_be_revoked_with_the_reset(forgetful_ann, revoke):
    _password, secret = create_application_password(forgetful_ann, "Ticket shop")
    other = create_user("bob", "editor")
    create_application_password(other, "Ticket shop")
    browser = Client()

    page = browser.get(reset_link(), follow=True)
    browser.post(
        page.request["PATH_INFO"], {"new_password1": NEW, "new_password2": NEW, **({"revoke": "on"} if revoke else {})}
    )

    assert page.context["form"]["revoke"].label == "Revoke all application passwords"
    me = Client().get("/cal/events/v1/me", headers={"Authorization": f"Bearer {secret.replace(' ', '')}"})
    assert me.status_code == (401 if revoke else 200)
    assert other.application_passwords.count() == 1


def test_users_without_application_passwords_are_not_asked(forgetful_ann):
    page = Client().get(reset_link(), follow=True)

    assert list(page.context["form"].fields) == ["new_password1", "new_password2"]
