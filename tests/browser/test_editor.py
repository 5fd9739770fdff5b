"""An editor adds an event, publishes it, moves it, trashes it and deletes it."""

import re

from playwright.sync_api import Page, expect

from tests.support.browser.admin_site import (
    add_in_place,
    choose_related,
    expect_message,
    open_from_menu,
    open_more_fields,
    press,
    sign_in,
    sign_out,
)
from tests.support.image_files import red_blue_image

TITLE = "Lanterns on the canal"
WEEK = "/admin/events/event/calendar/?view=week&day=2030-05-15"


def test_editor_manages_an_event_from_draft_to_deletion(nobody, new_window):
    page = nobody
    sign_in(page, "editor")
    write_draft(page)
    path = publish(page)
    guest = new_window()
    check_public_page(guest, path)
    move_on_calendar(page)
    trash_and_restore(page, guest, path)
    delete_permanently(page)
    sign_out(page)


def write_draft(page: Page) -> None:
    """Fill in the form of a draft from top to bottom."""
    open_from_menu(page, "Events")
    page.get_by_role("link", name="Add event").click()
    # Otherwise, the first keys might be typed while the page is still loading.
    page.wait_for_url("**/add/**")
    page.get_by_label("Title").press_sequentially(TITLE)
    expect(page.get_by_label("Slug")).to_have_value("lanterns-on-the-canal")
    page.get_by_role("textbox", name="Description").click()
    page.keyboard.type("Bring a lantern.")
    upload_image(page, "Lanterns.png", "Lanterns on the water")
    page.get_by_label("Starts").fill("2030-05-15T20:00")
    page.get_by_label("Ends").fill("2030-05-15T22:30")
    choose_related(page, "Venues", "Saltworks Theatre")
    add_in_place(page, "Venues", "The old lock")
    open_more_fields(page)
    page.get_by_label("Cost").fill("8")
    press(page, "Save draft")
    expect_message(page, "was added successfully")


def upload_image(page: Page, name: str, alt: str) -> None:
    """Upload an image with the dialog of the form, and use it."""
    page.get_by_role("button", name="Choose or upload an image").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Upload an image").click()
    dialog.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "image/png", "buffer": red_blue_image()}
    )
    dialog.get_by_role("textbox", name="Alternative text").fill(alt)
    dialog.get_by_role("button", name="Upload and use").click()
    expect(page.locator(".image-picker figure img")).to_be_visible()


def publish(page: Page) -> str:
    """Publish the event and return the path of its public page."""
    page.get_by_role("link", name=TITLE).first.click()
    page.locator("select[name=status]").select_option(label="Published")
    page.get_by_role("button", name="Save and continue editing").click()
    expect_message(page, "was changed successfully")
    return page.get_by_role("link", name="View on site").get_attribute("href")


def check_public_page(guest: Page, path: str) -> None:
    """Check the public page of the event."""
    guest.goto(path)
    expect(guest.get_by_role("heading", level=1)).to_have_text(TITLE)
    for text in ("Bring a lantern.", "Saltworks Theatre", "The old lock", "15 May 2030"):
        expect(guest.locator("main")).to_contain_text(text)
    expect(guest.locator("main img").first).to_be_visible()


def move_on_calendar(page: Page) -> None:
    """Move the event with the keyboard, undo, move it with the mouse, and with the dialog."""
    page.goto(WEEK)
    expect(on(page, "2030-05-15")).to_be_visible()
    on(page, "2030-05-15").press("Alt+ArrowRight")
    expect(on(page, "2030-05-16")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(on(page, "2030-05-15")).to_be_visible()
    drag_to_day(page, "2030-05-15", "2030-05-14")
    expect(on(page, "2030-05-14")).to_contain_text("20:00")
    on(page, "2030-05-14").hover()
    page.get_by_role("button", name=f"Move “{TITLE}”").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=date]").fill("2030-05-17")
    dialog.get_by_role("button", name="Move").click()
    expect(on(page, "2030-05-17")).to_contain_text("20:00")


def drag_to_day(page: Page, old: str, new: str) -> None:
    """Drag the event in the time grid to another day, at the same height."""
    on(page, old).hover()
    here, there = (page.locator(f".grid-column[data-day='{day}']").bounding_box()["x"] for day in (old, new))
    box = on(page, old).bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 10 + there - here, box["y"] + 10, steps=5)
    page.mouse.up()


def on(page: Page, day: str):
    return page.locator(f"[data-day='{day}']").get_by_role("link", name=re.compile(TITLE))


def trash_and_restore(page: Page, guest: Page, path: str) -> None:
    """Move the event to the trash and restore it as it was: published."""
    on(page, "2030-05-17").click()
    page.get_by_role("button", name="Move to trash").click()
    expect_message(page, "Moved to trash")
    guest.watch.expect_status(410)
    assert guest.goto(path).status == 410
    page.goto("/admin/events/event/?status=trash&q=Lanterns")
    page.get_by_role("link", name=TITLE).first.click()
    page.get_by_role("button", name="Restore", exact=True).click()
    expect_message(page, "Restored:")
    expect(page.locator("select[name=status]")).to_have_value("publish")
    assert guest.goto(path).status == 200


def delete_permanently(page: Page) -> None:
    """Delete the event permanently, which is only possible in the trash."""
    page.get_by_role("button", name="Move to trash").click()
    expect_message(page, "Moved to trash")
    page.goto("/admin/events/event/?status=trash&q=Lanterns")
    page.get_by_role("link", name=TITLE).first.click()
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    expect_message(page, "was deleted successfully")
    page.goto("/admin/events/event/?status=trash&q=Lanterns")
    expect(page.get_by_role("link", name=TITLE)).to_have_count(0)
