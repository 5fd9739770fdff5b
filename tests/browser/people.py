"""Signing in as people do. Each account is named after its role."""

from playwright.sync_api import Page

PASSWORD = "correct-horse-battery-staple"


def sign_in(page: Page, name: str, password: str = PASSWORD) -> None:
    """As people do it: the first page asks for it, and then is there."""
    page.goto("/admin/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/admin/")
