"""Editors cancel an event, and change many events at once, on a desktop, a tablet and a phone; and undo it."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.admin_site import choose_related, expect_message, save_new_event

WIDTHS = {"desktop": (1440, 900), "tablet": (820, 1180), "phone": (390, 844)}


@pytest.fixture(params=WIDTHS)
def editor_page(page_as, request, own) -> Page:
    """The window of an editor, at each width."""
    width, height = WIDTHS[request.param]
    page = page_as("editor", viewport={"width": width, "height": height})
    page.width_name = own(request.param)
    return page


def add_event(page: Page, title: str) -> str:
    """Save a new event, and return the URL of its form."""
    page.goto("/admin/events/event/add/")
    page.get_by_label("Title").fill(title)
    page.locator("[name=start]").fill("2031-04-10T18:00")
    page.locator("[name=end]").fill("2031-04-10T20:00")
    more = page.locator("#submit-row").get_by_role("button", name="More", exact=True)
    if more.is_visible():
        more.click()
    page.get_by_role("button", name="Save and continue editing").click()
    page.wait_for_url("**/change/")
    return page.url


def listed(page: Page, words: str):
    """Return the rows, or on a phone the cards, of the events whose title contains the words."""
    page.goto(f"/admin/events/event/?q={words.replace(' ', '+')}")
    return page.locator("#result_list tbody tr")


def test_event_is_cancelled_and_the_cancellation_undone(editor_page, nobody):
    page = editor_page
    title = f"Regatta on the {page.width_name}"
    form = add_event(page, title)
    public = page.locator("form a[href^='/event/']").get_attribute("href")

    page.get_by_role("button", name="Cancel event").click()
    expect_message(page, f"Cancelled: {title}. Visitors still see that it was planned.")
    nobody.goto(public)
    expect(nobody.get_by_role("heading", level=1)).to_contain_text(title)
    expect(nobody.locator("main")).to_contain_text("This event has been cancelled.")
    expect(listed(page, title).filter(has_text=title)).to_contain_text("Cancelled")

    page.goto(form)
    page.get_by_role("button", name="Undo cancellation").click()
    expect_message(page, f"Cancellation undone: {title}.")
    nobody.goto(public)
    expect(nobody.locator("main")).not_to_contain_text("cancelled")


def test_selected_events_are_moved_and_moved_back(editor_page):
    page = editor_page
    words = f"Lockgate {page.width_name}"
    for number in ("first", "second"):
        add_event(page, f"{words} {number}")
    add_event(page, f"Sluice {page.width_name}")

    rows = listed(page, words)
    expect(rows).to_have_count(2)
    for row in rows.all():
        row.locator("input[name=_selected_action]").check()
    page.locator("select[name=action]").select_option(label="Change several fields")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_label("Move by days").fill("7")
    page.get_by_label("Move by minutes").fill("30")
    page.get_by_role("button", name="Save", exact=True).click()

    expect_message(page, f"Changed: {words}")
    expect(listed(page, words).filter(has_text="17 Apr 2031, 18:30")).to_have_count(2)
    expect(listed(page, f"Sluice {page.width_name}")).to_contain_text("10 Apr 2031, 18:00")


def test_the_form_warns_of_another_event_at_the_same_venue(page_as):
    page = page_as("editor")
    save_event_at_the_theatre(page, "Choir in the foyer")
    save_event_at_the_theatre(page, "Speeches in the foyer")

    expect_message(page, "Choir in the foyer")


def save_event_at_the_theatre(page: Page, title: str) -> None:
    page.goto("/admin/events/event/add/")
    choose_related(page, "Venues", "Saltworks Theatre")
    save_new_event(page, title)
