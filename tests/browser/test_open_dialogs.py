"""Accessibility of what opens above a page of the admin: dialogs, details and notices."""

from playwright.sync_api import expect

from tests.support.browser.accessibility import accessibility_problems

EVENT = "/admin/events/event/{}/change/"


def test_quick_edit(page_as):
    page = page_as("editor")
    page.goto("/admin/events/event/")
    page.locator("button.row-menu").first.click()
    page.get_by_role("button", name="Quick edit", exact=True).click()
    expect(page.locator("#quick-edit form")).to_be_visible()

    assert accessibility_problems(page) == []


def test_notice_of_unsaved_changes(page_as, record_ids):
    page = page_as("editor")
    page.goto(EVENT.format(record_ids["event"]))
    page.get_by_label("Title").fill("Not saved yet")
    expect(page.locator(".draft-status")).to_contain_text("Backup")
    page.evaluate("window.onbeforeunload = null")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.get_by_role("region", name="Unsaved changes")).to_be_visible()

    problems = accessibility_problems(page)

    page.get_by_role("region", name="Unsaved changes").get_by_role("button", name="Discard").click()
    assert problems == []


def test_image_dialog(page_as, record_ids):
    page = page_as("editor")
    page.goto(EVENT.format(record_ids["event"]))
    page.get_by_role("button", name="Choose or upload an image…").click()
    expect(page.locator(".image-grid button").first).to_be_visible()
    page.get_by_role("dialog").get_by_text("Upload an image").first.click()

    assert accessibility_problems(page) == []


def test_dialog_that_moves_an_event(page_as):
    page = page_as("editor")
    page.goto("/admin/events/event/calendar/?view=month")
    page.locator("#calendar .calendar-card").first.hover()
    page.locator("#calendar .calendar-move-button").first.click()
    expect(page.get_by_role("dialog", name="Move event")).to_be_visible()

    assert accessibility_problems(page) == []


def test_dialog_that_adds_a_venue(page_as):
    page = page_as("editor")
    page.goto("/admin/events/event/add/")
    page.get_by_role("searchbox", name="Venues").click()
    page.keyboard.type("A hall without a name")
    page.get_by_role("option", name="Create “A hall without a name”").click()
    expect(page.get_by_role("dialog").get_by_label("Name")).to_have_value("A hall without a name")

    assert accessibility_problems(page) == []


def test_palette(page_as):
    page = page_as("editor")
    page.goto("/admin/")
    page.keyboard.press("Control+k")
    page.keyboard.type("foundry")
    expect(page.locator("#palette [role=option]").filter(has_text="Foundry").first).to_be_visible()

    assert accessibility_problems(page) == []
