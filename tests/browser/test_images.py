"""The image of a record, in its form."""

from playwright.sync_api import expect


def test_image_that_was_changed_in_its_popup_is_shown_as_it_is_now(page_as, record_ids):
    page = page_as("editor")
    page.goto(f"/admin/events/event/{record_ids['event']}/change/")
    control = page.locator(".image-picker")
    words = control.locator("figcaption")
    before = words.inner_text()

    page.locator("[data-id=related-widget-wrapper-image]").get_by_text("more_vert").click()
    with page.expect_popup() as opened:
        page.get_by_title("Change selected image").click()
    popup = opened.value
    popup.get_by_label("Alternative text").fill("Two halves of a square")
    popup.get_by_label("Name", exact=True).fill("Both halves")
    popup.locator("[name=_save]").click()

    assert before != "Two halves of a square"
    expect(words).to_have_text("Two halves of a square")
    expect(control.locator(".select2-selection__rendered")).to_contain_text("Both halves")
