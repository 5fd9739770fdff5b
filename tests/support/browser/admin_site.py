"""Signing in as people do. Each account is named after its role."""

from playwright.sync_api import Page, expect

PASSWORD = "correct-horse-battery-staple"


def sign_in(page: Page, name: str, password: str = PASSWORD, then: str = "**/admin/") -> None:
    """As people do it: the first page asks for it, and then is there."""
    page.goto("/admin/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(then)


def sign_out(page: Page) -> None:
    """By the menu behind one's own name."""
    page.locator("[x-data*=openUserLinks] > [role=button]").click()
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/admin/logout/")


def open_from_menu(page: Page, name: str) -> None:
    """Goes to a list by the menu at the side."""
    page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()


def save_form(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()


def save_new_event(page: Page, title: str) -> None:
    """Fill in what a new event needs, if it is one, and save it without leaving its form."""
    page.get_by_label("Title").fill(title)
    if "/add/" in page.url:
        page.locator("[name=start]").fill("2031-03-10T18:00")
        page.locator("[name=end]").fill("2031-03-10T20:00")
    page.get_by_role("button", name="Save and continue editing").click()
    page.wait_for_url("**/change/")


def expect_message(page: Page, text: str) -> None:
    """The page tells this about what was just done."""
    expect(page.locator("body")).to_contain_text(text)


def choose_related(page: Page, field: str, words: str) -> None:
    """Of a field that finds records while its name is typed, the first one that has the words."""
    box = page.get_by_role("searchbox", name=field)
    box.click()
    box.press_sequentially(words)
    page.locator(".select2-results__option").filter(has_text=words).first.click()
    expect(page.locator(".select2-selection__choice").filter(has_text=words)).to_be_visible()


def add_with_popup(page: Page, field: str, name: str, value: str) -> None:
    """A new record beside the field in which it is wanted, in a window of its own."""
    page.locator(f"[data-id*=related-widget-wrapper][data-id*={field}] [role=button]").last.click()
    with page.expect_popup() as opened:
        page.locator(f"nav:visible .add-related[id*={field}]").click()
    opened.value.get_by_label(name).fill(value)
    with opened.value.expect_event("close"):
        save_form(opened.value)
    expect(page.locator(".select2-selection__choice").filter(has_text=value)).to_be_visible()


def fill_in_event(page: Page, title: str) -> None:
    """The form of a new event with all that it must have."""
    open_from_menu(page, "Events")
    page.get_by_role("link", name="Add event").click()
    page.get_by_label("Title").fill(title)
    page.get_by_label("Starts").fill("2030-06-01T19:00")
    page.get_by_label("Ends").fill("2030-06-01T21:00")
