"""Signing in to the admin and signing out."""

import re

import pytest
from playwright.sync_api import expect

from calendar_site.accounts.roles import STAFF_ROLES
from tests.support.browser.admin_site import PASSWORD, sign_in, sign_out


@pytest.mark.parametrize("role", STAFF_ROLES)
def test_staff_sign_in_and_out(nobody, role):
    sign_in(nobody, role)

    expect(nobody.get_by_role("heading", level=1)).to_be_visible()
    sign_out(nobody)
    expect(nobody.get_by_role("heading", level=1, name="Signed out")).to_be_visible()
    nobody.goto("/admin/")
    expect(nobody).to_have_url(re.compile("/admin/login/"))


def test_invited_user_chooses_a_password(nobody, record_ids, own):
    nobody.goto(record_ids["invitations"][own("irma")])
    for name in ("new_password1", "new_password2"):
        nobody.locator(f"input[name={name}]").fill(PASSWORD)
    nobody.get_by_role("button", name="Save password").click()

    expect(nobody.get_by_text("Your password has been set. You can now sign in with it.")).to_be_visible()
    sign_in(nobody, own("irma"))
    expect(nobody.get_by_role("heading", level=1)).to_be_visible()


def test_user_asks_for_a_new_password(nobody):
    nobody.goto("/admin/")
    nobody.get_by_role("link", name="Forgot your password?").click()
    nobody.get_by_label("Email address").fill("irma@example.org")
    nobody.get_by_role("button", name="Send link").click()

    expect(nobody.get_by_text("If there is an account with this email address")).to_be_visible()


def test_user_enters_a_new_email_address(page_as):
    page = page_as("author")
    page.goto("/admin/account/email/")
    page.get_by_role("link", name="Add email address").click()
    page.get_by_label("New email address").fill("author@example.org")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Send link").click()

    expect(page.get_by_text("A link is on its way to author@example.org.")).to_be_visible()


def test_subscribers_cannot_sign_in_to_the_admin(nobody):
    nobody.goto("/admin/")
    nobody.get_by_label("Username").fill("subscriber")
    nobody.get_by_label("Password").fill(PASSWORD)
    nobody.get_by_role("button", name="Sign in").click()

    expect(nobody.get_by_text("Your account has no access to the admin.")).to_be_visible()
    nobody.goto("/admin/events/event/")
    expect(nobody).to_have_url(re.compile("/admin/login/"))
