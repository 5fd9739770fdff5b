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


def test_subscribers_cannot_sign_in_to_the_admin(nobody):
    nobody.goto("/admin/")
    nobody.get_by_label("Username").fill("subscriber")
    nobody.get_by_label("Password").fill(PASSWORD)
    nobody.get_by_role("button", name="Sign in").click()

    expect(nobody.get_by_text("Please enter the correct username and password for a staff account.")).to_be_visible()
    nobody.goto("/admin/events/event/")
    expect(nobody).to_have_url(re.compile("/admin/login/"))
