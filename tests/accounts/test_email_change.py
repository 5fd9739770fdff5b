"""Users change their own email address: the password, the link to the new address, the notice to the present one."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache

from calendar_site.accounts.models import PendingEmail, User
from calendar_site.accounts.services import create_user
from calendar_site.tasks.models import BackgroundTask
from tests.support.admin import browser_for, messages_in
from tests.support.background_tasks import run_daily_tasks
from tests.support.history import recorded_changes
from tests.support.mail import link_in, sent_mail

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

NOON = datetime(2030, 1, 15, 12, tzinfo=UTC)
PASSWORD = "a long password"
CHANGE = "/admin/account/email/change/"
PREFERENCES = "/admin/account/email/"
NOTICE = """A new email address was entered for your account. It replaces this one as soon as it is confirmed.

Username: ann

New email address: ann@example.net

This was not me
http://127.0.0.1:8000/admin/password_change/

If it was you, there is nothing to do.

If it was not you, change your password at once. The new address can then no longer be confirmed.

-- 
Event calendar
http://127.0.0.1:8000/
"""
CONFIRMATION = """This email address was entered for an account at Event calendar. The username is: ann

Sign in to the account to confirm it.

Confirm email address
{url}

The link is valid until 16 Jan 2030, 12:00. It works once.

If you do not know why you got this email, ignore it.

-- 
Event calendar
http://127.0.0.1:8000/
"""


@pytest.fixture(autouse=True)
def _noon(time_machine):
    time_machine.move_to(NOON, tick=False)
    cache.clear()


@pytest.fixture
def moving_user(db):
    return create_user("ann", "contributor", email="ann@example.org", password=PASSWORD)


@pytest.fixture
def moving_browser(moving_user):
    return browser_for(moving_user)


def enter(browser, email="ann@example.net", password=PASSWORD):
    return browser.post(CHANGE, {"email": email, "password": password})


def confirmation_link(browser):
    enter(browser)
    confirmation, _notice = sent_mail()
    return link_in(confirmation)


def email_of(user):
    return User.objects.get(pk=user.pk).email


def test_new_address_is_confirmed_by_a_link(moving_user, moving_browser):
    response = enter(moving_browser)

    assert response["Location"] == PREFERENCES
    assert messages_in(response) == ["A link is on its way to ann@example.net. Follow it to confirm the address."]
    confirmation, notice = sent_mail()
    link = link_in(confirmation)
    assert notice == (["ann@example.org"], "New email address for Event calendar", NOTICE)
    assert confirmation == (
        ["ann@example.net"],
        "Confirm your email address for Event calendar",
        CONFIRMATION.format(url=f"http://127.0.0.1:8000{link}"),
    )

    page = moving_browser.get(link)
    assert "Use ann@example.net for your account?" in page.content.decode()
    # Mail servers open links to scan them.
    assert email_of(moving_user) == "ann@example.org"
    confirmed = moving_browser.post(link)

    assert confirmed["Location"] == PREFERENCES
    assert messages_in(confirmed)[-1] == "Your email address is now ann@example.net."
    assert email_of(moving_user) == "ann@example.net"
    assert recorded_changes(moving_user)[-1] == ("changed", "ann", "admin", ["email"])
    assert not PendingEmail.objects.exists()
    assert moving_browser.get(PREFERENCES).status_code == 200


def test_queue_contains_no_address(moving_browser):
    enter(moving_browser)

    assert "example" not in str(list(BackgroundTask.objects.values()))


def test_user_without_an_address_adds_one():
    user = create_user("ann", "contributor", password=PASSWORD)
    browser = browser_for(user)

    enter(browser)

    (confirmation,) = sent_mail()
    browser.post(link_in(confirmation))
    assert email_of(user) == "ann@example.net"


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"password": "wrong"}, "The password is incorrect."),
        ({"password": ""}, "This field is required."),
        ({"email": "x"}, "Enter a valid email address."),
        ({"email": "a@example.net\nBcc: b@example.net"}, "Enter a valid email address."),
        ({"email": "ann@example.org"}, "This is already the email address of your account."),
    ],
)
def test_invalid_input_sends_nothing(moving_user, moving_browser, fields, error):
    response = enter(moving_browser, **fields)

    assert (response.status_code, error in response.content.decode()) == (200, True)
    assert sent_mail() == []
    assert not PendingEmail.objects.exists()


def test_link_works_once_and_for_a_day(moving_user, moving_browser, time_machine):
    link = confirmation_link(moving_browser)
    time_machine.move_to(NOON + timedelta(hours=25), tick=False)

    assert "This link is no longer valid" in moving_browser.post(link).content.decode()
    assert email_of(moving_user) == "ann@example.org"

    time_machine.move_to(NOON + timedelta(hours=23), tick=False)
    moving_browser.post(link)
    User.objects.filter(pk=moving_user.pk).update(email="ann@example.com")
    assert "This link is no longer valid" in moving_browser.post(link).content.decode()
    assert email_of(moving_user) == "ann@example.com"


def test_link_is_for_its_user_only(moving_user, moving_browser):
    """Otherwise, the owner of a mistyped address would get the account."""
    link = confirmation_link(moving_browser)
    ben = create_user("ben", "contributor", email="ben@example.org", password=PASSWORD)

    anonymous = browser_for(None).post(link)
    other = browser_for(ben).post(link)

    assert anonymous["Location"].startswith("/admin/login/?next=")
    assert "This link is no longer valid" in other.content.decode()
    assert (email_of(moving_user), email_of(ben)) == ("ann@example.org", "ben@example.org")


@pytest.mark.parametrize("change", ["password", "email", "another request"])
def test_changes_of_the_account_make_the_link_invalid(moving_user, moving_browser, change):
    link = confirmation_link(moving_browser)
    if change == "password":
        user = User.objects.get(pk=moving_user.pk)
        user.set_password("a new long password")
        user.save()
        moving_browser = browser_for(user)
    elif change == "email":
        User.objects.filter(pk=moving_user.pk).update(email="ann@example.com")
    else:
        enter(moving_browser, "other@example.net")
    before = email_of(moving_user)

    assert "This link is no longer valid" in moving_browser.post(link).content.decode()
    assert email_of(moving_user) == before


@pytest.mark.parametrize("token", ["x", "a.b.c", "é", "x" * 5000])
def test_made_up_links_are_refused(moving_user, moving_browser, token):
    enter(moving_browser)

    response = moving_browser.post(f"/admin/account/email/confirm/{token}/")

    assert "This link is no longer valid" in response.content.decode()
    assert email_of(moving_user) == "ann@example.org"


def test_number_of_new_addresses_is_limited(moving_browser):
    for number in range(5):
        enter(moving_browser, f"{number}@example.net")

    response = enter(moving_browser, "6@example.net")

    assert (response.status_code, response["Retry-After"]) == (429, "3600")
    assert "Too many requests. Try again in 60 minutes." in response.content.decode()
    assert PendingEmail.objects.get().email == "4@example.net"


def test_addresses_that_were_not_confirmed_are_deleted(moving_browser, time_machine):
    enter(moving_browser)
    time_machine.move_to(NOON + timedelta(hours=23), tick=False)
    run_daily_tasks()
    assert PendingEmail.objects.exists()

    time_machine.move_to(NOON + timedelta(hours=49), tick=False)
    run_daily_tasks()
    assert not PendingEmail.objects.exists()


def test_nothing_is_offered_without_email(moving_user, moving_browser, settings):
    link = confirmation_link(moving_browser)
    settings.MAIL_ENABLED = False

    assert [moving_browser.get(path).status_code for path in (CHANGE, link, PREFERENCES)] == [404] * 3
    assert [enter(moving_browser).status_code, moving_browser.post(link).status_code] == [404, 404]
    assert email_of(moving_user) == "ann@example.org"


def test_anonymous_visitors_sign_in_first():
    assert enter(browser_for(None))["Location"] == f"/admin/login/?next={CHANGE}"
    assert not PendingEmail.objects.exists()
