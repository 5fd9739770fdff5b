"""Users manage two-factor authentication and the application passwords of their own account."""

from base64 import b64encode

from playwright.sync_api import expect

from tests.support.browser.admin_site import expect_message, sign_in, sign_out
from tests.support.two_factor import totp_code


def test_two_factor_authentication_is_set_up_and_required(nobody, own):
    page = nobody
    sign_in(page, own("otto"))
    page.goto("/admin/account/second-factor/")
    key = page.locator("code").first.inner_text()
    # The previous code, because the current one is needed to sign in.
    page.get_by_label("Verification code").fill(totp_code(key, -1))
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_role("heading", name="Your backup codes")).to_be_visible()
    sign_out(page)

    sign_in(page, own("otto"), expected_url="**/admin/login/code/**")
    page.get_by_role("textbox").first.fill(totp_code(key))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()


def test_application_passwords_are_created_used_and_revoked(page_as):
    page = page_as("author")
    page.goto("/admin/account/application-passwords/")
    page.get_by_label("Client").fill("Ticket shop")
    page.get_by_role("button", name="Create").click()
    secret = page.locator("#secret").inner_text()
    basic = b64encode(f"author:{secret}".encode()).decode()

    def read():
        drafts = "/cal/events/v1/events?status=draft"
        return page.request.get(drafts, headers={"Authorization": f"Basic {basic}"}).status

    assert read() == 200
    row = page.get_by_role("row").filter(has_text="Ticket shop")
    row.get_by_text("Revoke…").click()
    row.get_by_role("button", name="Revoke").click()
    expect_message(page, "The application password has been revoked.")
    page.watch.expect_status(401)
    assert read() == 401
