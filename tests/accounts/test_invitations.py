"""Inviting users: the link by email or to pass on, its lifetime, and who may invite."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.test import Client

from calendar_site.accounts.models import User
from calendar_site.accounts.services import create_user
from tests.support.admin import browser_for, messages_in
from tests.support.history import recorded_changes
from tests.support.mail import link_in, sent_html, sent_mail

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

NOON = datetime(2030, 1, 15, 12, tzinfo=UTC)
USERS = "/admin/accounts/user/"
NEW = {"new_password1": "a new long password", "new_password2": "a new long password"}

ENGLISH = """An account at Event calendar has been created for you. Your username is: ben

Choose a password to sign in.

Choose a password
{url}

The link is valid until 29 Jan 2030, 12:00. It works once.

If you do not know why you got this email, ignore it.

-- 
Event calendar
http://127.0.0.1:8000/
"""
GERMAN = """Für Sie wurde ein Konto bei „Event calendar“ angelegt. Ihr Benutzername: ben

Wählen Sie ein Passwort, um sich anzumelden.

Passwort wählen
{url}

Der Link ist bis 29. Jan. 2030 um 12:00\N{NO-BREAK SPACE}Uhr gültig. Er funktioniert nur einmal.

Wenn Sie nicht wissen, warum Sie diese E-Mail bekommen haben, ignorieren Sie sie.

-- 
Event calendar
http://127.0.0.1:8000/
"""


@pytest.fixture(autouse=True)
def _noon(time_machine):
    time_machine.move_to(NOON, tick=False)


@pytest.fixture
def ada_in_admin(ada):
    return browser_for(ada)


def add_user(browser, **changes):
    fields = {
        "username": "ben",
        "email": "ben@example.org",
        "usable_password": "invitation",
        "groups": [Group.objects.get(name="editor").pk],
        "is_staff": "on",
        **changes,
    }
    return browser.post(f"{USERS}add/", fields)


def invited_user(email="ben@example.org"):
    """Return an invited user and the path of the link."""
    browser = browser_for(create_user("inviter", "administrator"))
    ben = create_user("ben", "editor", email=email)
    browser.post(f"{USERS}{ben.pk}/invite/")
    (message,) = sent_mail()
    return ben, link_in(message)


def follow(path, browser=None, fields=NEW):
    """Open a link, and submit the form with a new password."""
    browser = browser or Client()
    response = browser.get(path)
    if response.status_code == 302:
        return browser.post(response["Location"], fields)
    return response


def paragraphs(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


@pytest.mark.parametrize(
    ("language", "subject", "text"),
    [("en", "Your account at Event calendar", ENGLISH), ("de", "Ihr Konto bei „Event calendar“", GERMAN)],
)
def test_new_user_gets_an_invitation(ada_in_admin, language, subject, text):
    ada_in_admin.defaults["HTTP_ACCEPT_LANGUAGE"] = language

    response = add_user(ada_in_admin)

    ben = User.objects.get(username="ben")
    assert response["Location"] == f"{USERS}{ben.pk}/change/"
    assert mail.outbox == []
    (message,) = sent_mail()
    url = f"http://127.0.0.1:8000{link_in(message)}"
    assert message == (["ben@example.org"], subject, text.format(url=url))
    assert not ben.has_usable_password()
    assert recorded_changes(ben) == [("created", "ada", "admin", [])]


def test_message_says_where_the_invitation_goes(ada_in_admin):
    assert "An invitation is on its way to ben@example.org." in messages_in(add_user(ada_in_admin))


def test_html_has_the_same_content_and_is_marked_as_automatic(ada_in_admin):
    add_user(ada_in_admin, username="ben")

    (html,) = sent_html()

    message = mail.outbox[0]
    url = re.search(r"http://127\S+/admin/\S+", message.body)[0]
    assert html == (
        "Event calendar Your account at Event calendar An account at Event calendar has been created for you. "
        "Your username is: ben Choose a password to sign in. Choose a password "
        f"If the button does not work, copy this link into your browser: {url} "
        "The link is valid until 29 Jan 2030, 12:00. It works once. "
        "If you do not know why you got this email, ignore it. http://127.0.0.1:8000/"
    )
    assert message.extra_headers == {"Auto-Submitted": "auto-generated"}
    assert message.from_email == "calendar@localhost"


def test_invited_user_chooses_a_password_and_signs_in():
    ben, path = invited_user()
    browser = Client()

    response = follow(path, browser)

    assert response["Location"] == "/admin/login/"
    assert messages_in(response) == ["Your password has been set. You can now sign in with it."]
    assert browser.get("/admin/").status_code == 302
    browser.post("/admin/login/", {"username": "ben", "password": NEW["new_password1"]})
    assert browser.get("/admin/").status_code == 200
    assert recorded_changes(ben)[-1] == ("changed", "ben", "admin", ["password"])


def test_page_names_the_user_and_hides_the_token_from_its_url():
    _ben, path = invited_user()
    browser = Client()

    response = browser.get(path, follow=True)

    assert "Your username is ben ." in paragraphs(response)
    ((url, _status),) = response.redirect_chain
    assert url.endswith("/set-password/")
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize(
    "fields", [{**NEW, "new_password2": "another"}, dict.fromkeys(NEW, "ben"), dict.fromkeys(NEW, "12345678"), {}]
)
def test_weak_or_different_passwords_are_refused(fields):
    ben, path = invited_user()

    response = follow(path, fields=fields)

    assert response.context["form"].errors
    ben.refresh_from_db()
    assert not ben.has_usable_password()


def test_link_works_once():
    _ben, path = invited_user()
    follow(path)

    response = follow(path, fields=dict.fromkeys(NEW, "yet another password"))

    assert "It has been used already, has expired, or has been replaced by a newer one." in paragraphs(response)
    assert User.objects.get(username="ben").check_password(NEW["new_password1"])


def test_link_that_is_open_in_two_windows_works_once():
    _ben, path = invited_user()
    first, second = Client(), Client()
    urls = [browser.get(path)["Location"] for browser in (first, second)]
    first.post(urls[0], NEW)

    response = second.post(urls[1], dict.fromkeys(NEW, "yet another password"))

    assert "It has been used already" in paragraphs(response)
    assert User.objects.get(username="ben").check_password(NEW["new_password1"])


@pytest.mark.parametrize(("after", "is_valid"), [(timedelta(days=14), True), (timedelta(days=14, seconds=1), False)])
def test_link_expires(time_machine, after, is_valid):
    ben, path = invited_user()
    time_machine.move_to(NOON + after, tick=False)

    follow(path)

    ben.refresh_from_db()
    assert ben.has_usable_password() == is_valid


@pytest.mark.parametrize("changes", [{"is_active": False}, {"email": "other@example.org"}])
def test_link_is_not_valid_after_a_change_of_the_account(changes):
    ben, path = invited_user()
    User.objects.filter(pk=ben.pk).update(**changes)

    response = follow(path)

    assert "This link is no longer valid" in paragraphs(response)


def test_new_invitation_replaces_the_last_one(ada_in_admin, time_machine):
    ben, path = invited_user()
    time_machine.move_to(NOON + timedelta(days=1), tick=False)

    ada_in_admin.post(f"{USERS}{ben.pk}/invite/")

    (message,) = sent_mail()
    assert follow(path).status_code == 200
    assert follow(link_in(message)).status_code == 302
    assert recorded_changes(ben)[1:3] == [
        ("changed", "inviter", "admin", ["invited_at"]),
        ("changed", "ada", "admin", ["invited_at"]),
    ]


@pytest.mark.parametrize("path", ["MQ/x.y", "MQ/set-password", "%00/x", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5/x", "€/x"])
def test_links_that_were_made_up_are_not_valid(path):
    create_user("ben", "editor")

    response = Client().get(f"/admin/invitation/{path}/")

    assert "This link is no longer valid" in paragraphs(response)


def test_link_of_an_invitation_does_not_reset_a_password():
    _ben, path = invited_user()

    response = follow(path.replace("/invitation/", "/password-reset/"))

    assert "This link is no longer valid" in paragraphs(response)


def test_account_page_shows_the_invitation(ada_in_admin, time_machine):
    ben, _path = invited_user()
    page = f"{USERS}{ben.pk}/change/"

    assert (
        "Invited on 15 Jan 2030, 12:00. The link is valid until 29 Jan 2030, 12:00. Invite again Set password"
        in paragraphs(ada_in_admin.get(page))
    )
    time_machine.move_to(NOON + timedelta(days=15), tick=False)
    ada_in_admin.force_login(User.objects.get(username="ada"))
    assert "The link expired on 29 Jan 2030, 12:00. Invite again" in paragraphs(ada_in_admin.get(page))


@pytest.mark.parametrize("fields", [{"is_active": False}, {"password": "md5$salt$digest"}])
def test_inactive_users_and_users_with_a_password_are_not_invited(ada_in_admin, fields):
    ben = create_user("ben", "editor", email="ben@example.org")
    User.objects.filter(pk=ben.pk).update(**fields)

    response = ada_in_admin.post(f"{USERS}{ben.pk}/invite/")

    assert messages_in(response)[0].startswith("The account")
    assert sent_mail() == []


def test_user_who_gets_a_password_meanwhile_gets_no_invitation(ada_in_admin):
    add_user(ada_in_admin)
    ben = User.objects.get(username="ben")
    ben.set_password("a long password")
    ben.save()

    assert sent_mail() == []


def test_user_who_may_not_manage_the_account_does_not_invite(editor_browser):
    ben = create_user("ben", "editor", email="ben@example.org")

    assert editor_browser.post(f"{USERS}{ben.pk}/invite/").status_code == 403
    assert sent_mail() == []


# --- Without email ---------------------------------------------------------------------------------


def shown_link(response):
    return re.search(r"http://testserver(/admin/invitation/[^<]+)", response.content.decode())[1]


@pytest.mark.parametrize(("is_enabled", "email"), [(False, "ben@example.org"), (True, "")])
def test_administrator_hands_over_the_link(ada_in_admin, settings, is_enabled, email):
    settings.MAIL_ENABLED = is_enabled

    response = add_user(ada_in_admin, email=email)

    assert follow(shown_link(response))["Location"] == "/admin/login/"
    assert User.objects.get(username="ben").has_usable_password()
    assert sent_mail() == []


def test_new_link_is_shown(ada_in_admin, settings):
    settings.MAIL_ENABLED = False
    ben = create_user("ben", "editor")

    page = ada_in_admin.get(f"{USERS}{ben.pk}/invite/")
    response = ada_in_admin.post(f"{USERS}{ben.pk}/invite/")

    assert "You will get a link to pass on" in paragraphs(page)
    assert follow(shown_link(response)).status_code == 302
    assert "no-store" in response["Cache-Control"]
