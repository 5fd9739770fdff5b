"""The image picker on the form of a record."""

from playwright.sync_api import expect


def test_picker_shows_an_image_changed_in_its_popup(page_as, record_ids):
    page = page_as("editor")
    page.goto(f"/admin/events/event/{record_ids['event']}/change/")
    control = page.locator(".image-picker")
    caption = control.locator("figcaption")
    before = caption.inner_text()

    page.locator("[data-id=related-widget-wrapper-image]").get_by_text("more_vert").click()
    with page.expect_popup() as opened:
        page.get_by_title("Change selected image").click()
    popup = opened.value
    popup.get_by_label("Alternative text").fill("Two halves of a square")
    popup.get_by_label("Name", exact=True).fill("Both halves")
    popup.locator("[name=_save]").click()

    assert before != "Two halves of a square"
    expect(caption).to_have_text("Two halves of a square")
    expect(control.locator(".select2-selection__rendered")).to_contain_text("Both halves")
