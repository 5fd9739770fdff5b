"""An administrator manages users and custom fields, and publishes and unpublishes an event."""

import re

from playwright.sync_api import expect

from tests.support.browser.admin_site import (
    PASSWORD,
    expect_message,
    fill_in_event,
    open_from_menu,
    save_form,
    sign_in,
    sign_out,
)


def test_administrator_adds_and_deactivates_a_user(nobody, new_window, own):
    name = own("nora")
    sign_in(nobody, "administrator")
    open_from_menu(nobody, "Users")
    nobody.get_by_role("link", name="Add user").click()
    nobody.get_by_label("Username").fill(name)
    nobody.get_by_role("checkbox", name=re.compile("^Editor")).check()
    nobody.get_by_label("Password (enter it below)").check()
    nobody.get_by_label("Password", exact=True).fill(PASSWORD)
    nobody.get_by_label("Password confirmation").fill(PASSWORD)
    save_form(nobody)
    expect_message(nobody, "was added successfully")

    nora = new_window()
    sign_in(nora, name)
    expect(nora.get_by_role("link", name="Events")).to_be_visible()
    expect(nora.get_by_role("link", name="Users")).to_have_count(0)

    open_from_menu(nobody, "Users")
    nobody.get_by_role("link", name=name, exact=True).click()
    nobody.get_by_label("Active").uncheck()
    save_form(nobody)
    expect_message(nobody, "was changed successfully")
    nora.reload()
    expect(nora).to_have_url(re.compile("/admin/login/"))
    sign_out(nobody)


def test_administrator_adds_and_deletes_a_custom_field(page_as):
    page = page_as("administrator")
    page.goto("/admin/custom_fields/customfield/add/")
    page.get_by_label("Label").fill("Room on the day")
    page.get_by_label("Name").fill("room_on_the_day")
    page.get_by_label("Applies to*").select_option(label="events")
    page.get_by_label("Type").select_option(label="Text")
    save_form(page)
    expect_message(page, "was added successfully")

    page.goto("/admin/events/event/add/")
    expect(page.get_by_label("Room on the day")).to_be_visible()

    page.goto("/admin/custom_fields/customfield/?q=room")
    page.get_by_role("link", name="Room on the day").click()
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name=re.compile("Yes|Delete")).click()
    expect_message(page, "was deleted successfully")
    page.goto("/admin/events/event/add/")
    expect(page.get_by_label("Room on the day")).to_have_count(0)


def test_administrator_publishes_and_unpublishes_an_event(page_as, nobody):
    page = page_as("administrator")
    page.goto("/admin/")
    fill_in_event(page, "A night at the observatory")
    set_status(page, "Published", "was added successfully")
    path = page.get_by_role("link", name="View on site").get_attribute("href")
    nobody.goto(path)
    expect(nobody.get_by_role("heading", level=1)).to_have_text("A night at the observatory")

    set_status(page, "Draft", "was changed successfully")
    nobody.watch.expect_status(404)
    assert nobody.reload().status == 404


def set_status(page, status, message):
    page.locator("select[name=status]").select_option(label=status)
    page.get_by_role("button", name="Save and continue editing").click()
    expect_message(page, message)
