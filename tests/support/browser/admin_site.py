"""Steps of a user in the admin. Each account is named after its role."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, Response, expect

PASSWORD = "correct-horse-battery-staple"


def sign_in(page: Page, name: str, password: str = PASSWORD, expected_url: str = "**/admin/") -> None:
    """Sign in with the form to which the start page redirects."""
    page.goto("/admin/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(expected_url)


def sign_out(page: Page) -> None:
    """Sign out with the user menu."""
    page.locator("[x-data*=openUserLinks] > [role=button]").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/admin/logout/")


def open_from_menu(page: Page, name: str) -> None:
    """Open a list from the sidebar."""
    page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()


def save_form(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()


def press(page: Page, button: str) -> None:
    """Press a button of the bar below a form, such as "Publish" or "Save draft"."""
    page.locator("#submit-row").get_by_role("button", name=button, exact=True).click()


def open_more_fields(page: Page) -> None:
    """Unfold the fields that plain events do not need."""
    page.locator("details.more-fields:not([open]) > summary").click()


def save_new_event(page: Page, title: str) -> None:
    """Fill in the required fields if the event is new, save it, and stay on its form."""
    page.get_by_label("Title").fill(title)
    if "/add/" in page.url:
        page.locator("[name=start]").fill("2031-03-10T18:00")
        page.locator("[name=end]").fill("2031-03-10T20:00")
    page.get_by_role("button", name="Save and continue editing").click()
    page.wait_for_url("**/change/")


def expect_message(page: Page, text: str) -> None:
    """Expect the text on the page, such as a message about the last action."""
    expect(page.locator("body")).to_contain_text(text)


def searched_words(response: Response) -> list[str]:
    """Return the words for which an autocomplete field asked the server."""
    return parse_qs(urlsplit(response.url).query).get("term", [])


def choose_related(page: Page, field: str, words: str) -> None:
    """Type the words into an autocomplete field and choose the first match."""
    box = page.get_by_role("searchbox", name=field)
    box.click()
    # The results of the words replace those of the empty field, and a click on a row that is being replaced is lost.
    with page.expect_response(lambda response: searched_words(response) == [words]):
        box.press_sequentially(words)
    expect(page.locator(".select2-results__option.loading-results")).to_have_count(0)
    page.locator(".select2-results__option").filter(has_text=words).first.click()
    expect(page.locator(".select2-selection__choice").filter(has_text=words)).to_be_visible()


def add_in_place(page: Page, field: str, value: str) -> None:
    """Add a related record that a search does not find, in the dialog of the field."""
    page.get_by_role("searchbox", name=field).click()
    page.keyboard.type(value)
    page.get_by_role("option", name=f"Create “{value}”").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Name")).to_have_value(value)
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator(".select2-selection__choice").filter(has_text=value)).to_be_visible()


def fill_in_event(page: Page, title: str) -> None:
    """Open the form of a new event and fill in its required fields."""
    open_from_menu(page, "Events")
    page.get_by_role("link", name="Add event").click()
    page.get_by_label("Title").fill(title)
    page.get_by_label("Starts").fill("2030-06-01T19:00")
    page.get_by_label("Ends").fill("2030-06-01T21:00")
