"""The image picker on the form of a record."""

from playwright.sync_api import expect

from tests.support.image_files import plain_image


def test_picker_shows_an_image_changed_in_its_popup(page_as, record_ids, own):
    page = page_as("editor")
    page.goto(f"/admin/events/event/{record_ids['event']}/change/")
    control = page.locator(".image-picker")
    caption = control.locator("figcaption")
    before = caption.inner_text()

    page.locator("[data-id=related-widget-wrapper-image]").get_by_text("more_vert").click()
    with page.expect_popup() as opened:
        page.get_by_title("Change selected image").click()
    popup = opened.value
    popup.get_by_label("Alternative text").fill(own("Two halves of a square"))
    popup.get_by_label("Name", exact=True).fill(own("Both halves"))
    popup.locator("[name=_save]").click()

    assert before != own("Two halves of a square")
    expect(caption).to_have_text(own("Two halves of a square"))
    expect(control.locator(".select2-selection__rendered")).to_contain_text("Both halves")


def test_contributor_is_told_before_sending_and_then_uploads(page_as):
    page = page_as("contributor")
    sent = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    page.goto("/admin/events/event/add/")
    page.get_by_role("button", name="Choose or upload an image").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Upload an image").click()
    files, text = dialog.locator("input[type=file]"), dialog.get_by_role("textbox", name="Alternative text")
    use = dialog.get_by_role("button", name="Upload and use")

    files.set_input_files({"name": "Poster.png", "mimeType": "image/png", "buffer": bytes(10_485_761)})
    use.click()
    assert files.evaluate("(input) => input.validationMessage") == "Poster.png: The file is larger than 10.0\xa0MB."
    files.set_input_files({"name": "Poster.png", "mimeType": "image/png", "buffer": plain_image(colour="olive")})
    use.click()
    assert text.evaluate("(input) => input.validationMessage") == "Describe the image, or mark it as decorative."
    assert not [url for url in sent if "/media/image/" in url]

    text.fill("A poster")
    use.click()
    expect(page.locator(".image-picker figcaption")).to_have_text("A poster")
