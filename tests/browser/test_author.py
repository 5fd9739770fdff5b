"""An author publishes and unpublishes one of their own events, and cannot edit the events of others."""

from playwright.sync_api import expect

from tests.support.browser.admin_site import expect_message, fill_in_event, press, sign_in, sign_out


def test_author_publishes_an_own_event(nobody, new_window):
    page = nobody
    sign_in(page, "author")
    fill_in_event(page, "A story read aloud")
    page.locator("select[name=status]").select_option(label="Published")
    page.get_by_role("button", name="Save and continue editing").click()
    expect_message(page, "was added successfully")

    guest = new_window()
    path = page.get_by_role("link", name="View on site").get_attribute("href")
    guest.goto(path)
    expect(guest.get_by_role("heading", level=1)).to_have_text("A story read aloud")

    press(page, "Switch to draft")
    expect_message(page, "was changed successfully")
    guest.watch.expect_status(404)
    assert guest.goto(path).status == 404
    sign_out(page)


def test_author_cannot_edit_events_of_others(page_as, record_ids):
    page = page_as("author")
    page.goto(f"/admin/events/event/{record_ids['event']}/change/")

    expect(page.get_by_text("A long evening in the observatory").first).to_be_visible()
    expect(page.get_by_role("textbox", name="Title")).to_have_count(0)
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    expect(page.get_by_role("button", name="Move to trash")).to_have_count(0)
