"""Leaving a form with unsaved changes, and restoring them."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser.admin_site import PASSWORD, choose_related, open_more_fields, press, save_new_event

PHONE = {"width": 390, "height": 844}
PAGES = {
    "event": "/admin/events/event/{}/change/",
    "venue": "/admin/venues/venue/{}/change/",
    "organizer": "/admin/organizers/organizer/{}/change/",
    "category": "/admin/taxonomy/category/{}/change/",
    "tag": "/admin/taxonomy/tag/{}/change/",
    "image": "/admin/media/image/{}/change/",
}
WARNS = """() => {
    const event = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
}"""


@pytest.fixture
def event_page(page_as):
    """The form of a new event of an editor, which has been published."""

    def opened(title):
        page = page_as("editor")
        page.goto("/admin/events/event/add/")
        save_new_event(page, title)
        return page

    return opened


def backup(page):
    return page.locator(".draft-status")


def notice(page):
    return page.get_by_role("region", name="Unsaved changes")


def expect_backup(page):
    expect(backup(page)).to_contain_text("Backup")


def leave_by_link(page, name="Venues"):
    page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()


def wait_until_loaded(page):
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("kind", PAGES)
def test_untouched_form_has_no_unsaved_changes(page_as, record_ids, kind):
    page = page_as("editor")
    page.goto(PAGES[kind].format(record_ids[kind]))
    wait_until_loaded(page)
    page.get_by_role("heading").first.click()
    page.keyboard.press("Tab")

    assert page.evaluate(WARNS) is False
    leave_by_link(page, "Trash")
    page.wait_for_url("**/admin/trash/")


def test_changed_category_has_unsaved_changes_until_they_are_undone(page_as, record_ids):
    page = page_as("editor")
    page.goto(PAGES["category"].format(record_ids["category"]))
    box = page.get_by_label("Name")
    before = box.input_value()

    box.fill(f"{before} x")
    warned = page.evaluate(WARNS)
    expect_backup(page)
    box.fill(before)

    assert (warned, page.evaluate(WARNS)) == (True, False)
    # Nothing is left to restore.
    expect(backup(page)).to_be_hidden()
    page.reload()
    expect(notice(page)).to_have_count(0)


def test_link_asks_before_leaving_and_changes_are_restored(event_page):
    page = event_page("Concert by the lake")
    path = page.url
    page.get_by_label("Title").fill("Concert at the lake")
    page.locator(".ProseMirror").click()
    page.keyboard.type("With lanterns.")
    page.locator(".field-tags .select2-search__field").click()
    page.keyboard.type("lanterns at dusk,")
    choose_related(page, "Venues", "Foundry")
    open_more_fields(page)
    page.get_by_role("link", name=re.compile("Add another Ticket", re.I)).click()
    page.locator("#id_tickets-0-name").fill("Standard")

    leave_by_link(page)
    dialog = page.get_by_role("dialog", name="Leave without saving?")
    dialog.get_by_role("button", name="Stay on this page").click()
    expect(page.get_by_label("Title")).to_have_value("Concert at the lake")
    leave_by_link(page)
    dialog.get_by_role("button", name="Leave").click()
    page.wait_for_url("**/admin/venues/venue/")

    page.goto(path)
    expect(page.get_by_label("Title")).to_have_value("Concert by the lake")
    notice(page).get_by_role("link", name="Restore").click()
    expect(notice(page)).to_contain_text("have been restored, but not saved")
    expect(page.get_by_label("Title")).to_have_value("Concert at the lake")
    expect(page.locator(".ProseMirror")).to_have_text("With lanterns.")
    expect(page.locator(".field-tags .select2-selection__choice")).to_contain_text(["lanterns at dusk"])
    expect(page.locator(".field-ordered_venues .select2-selection__choice")).to_contain_text(["Foundry"])
    expect(page.locator("#id_tickets-0-name")).to_have_value("Standard")
    assert "_form_draft" not in page.url
    assert page.evaluate(WARNS) is True

    page.locator("#id_tickets-0-price").fill("10")
    page.locator("#id_tickets-0-currency").fill("EUR")
    press(page, "Save and continue editing")
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    expect(page.get_by_label("Title")).to_have_value("Concert at the lake")
    expect(notice(page)).to_have_count(0)
    assert page.evaluate(WARNS) is False


def test_saving_and_deleting_do_not_ask(event_page):
    page = event_page("Tea in the garden")
    questions = []
    page.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))
    page.get_by_label("Title").fill("Coffee in the garden")
    press(page, "Save and continue editing")
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    page.get_by_label("Title").fill("Cake in the garden")
    page.get_by_role("button", name="Move to trash").click()
    page.wait_for_url("**/admin/events/event/**")

    assert questions == []


def test_cancelling_an_event_keeps_a_backup_of_the_form(event_page):
    """Although the last changes are younger than the last backup."""
    page = event_page("Cake in the park")
    page.get_by_label("Title").fill("Cake in the park at noon")

    page.get_by_role("button", name="Cancel event").click()
    expect(page.get_by_text("Cancelled: Cake in the park.")).to_be_visible()

    expect(page.get_by_label("Title")).to_have_value("Cake in the park")
    expect(notice(page)).to_contain_text("You have unsaved changes.")
    # The user alone has saved the event since.
    expect(notice(page)).not_to_contain_text("has been saved since then")
    notice(page).get_by_role("link", name="Restore").click()
    expect(page.get_by_label("Title")).to_have_value("Cake in the park at noon")


def test_recurrence_of_a_new_event_is_restored(page_as, own):
    page, title = page_as("editor"), own("Choir practice")
    page.goto("/admin/events/event/add/")
    page.get_by_label("Title").fill(title)
    page.locator("#id_start").fill("2030-05-07T19:00")
    page.locator("#id_end").fill("2030-05-07T21:00")
    choices = {
        "frequency": "MONTHLY", "month_by": "weekday", "position": "2", "weekday": "TU", "ends": "count"
    }  # fmt: skip
    for name, value in choices.items():
        page.locator(f"[name=recurrence-{name}]").select_option(value)
    page.locator("[name=recurrence-interval]").fill("3")
    page.locator("[name=recurrence-count]").fill("4")
    left_out = page.locator(".recurrence-preview input[value^='2030-08-13']")
    left_out.uncheck()
    expect(page.locator("[name=recurrence-exdate]")).to_have_value(re.compile("^2030-08-13"))
    leave_by_link(page)
    page.get_by_role("dialog", name="Leave without saving?").get_by_role("button", name="Leave").click()
    page.wait_for_url("**/admin/venues/venue/")

    page.goto("/admin/events/event/add/")
    notice(page).filter(has_text=title).get_by_role("link", name="Restore").click()
    expect(page.get_by_label("Title")).to_have_value(title)

    for name, value in {**choices, "interval": "3", "count": "4"}.items():
        expect(page.locator(f"[name=recurrence-{name}]")).to_have_value(value)
    expect(page.locator("[name=recurrence-exdate]")).to_have_value(re.compile("^2030-08-13"))
    expect(left_out).not_to_be_checked()
    expect(page.locator(".recurrence-preview input[value^='2030-05-14']")).to_be_checked()


def test_buttons_beside_related_records_have_distinct_names(page_as, record_ids):
    page = page_as("editor")
    page.goto(PAGES["event"].format(record_ids["event"]))
    wait_until_loaded(page)

    names = page.locator(".related-widget-wrapper [role=button][aria-label]").evaluate_all(
        "buttons => buttons.map((button) => button.getAttribute('aria-label'))"
    )

    assert names
    assert len(names) == len(set(names))
    assert all(name.startswith("More: ") for name in names)


def test_browser_asks_before_the_window_is_closed(event_page):
    page = event_page("Fireworks")
    questions = []
    page.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))
    page.get_by_label("Title").fill("Fireworks at midnight")
    expect_backup(page)

    page.reload()

    assert questions == ["beforeunload"]
    expect(notice(page)).to_contain_text("You have unsaved changes.")


def test_backup_survives_a_crash_and_is_discarded(event_page):
    page = event_page("Puppet theatre")
    path = page.url
    page.get_by_label("Title").fill("Puppet theatre for all")
    expect_backup(page)
    window = page.context
    page.close()

    page = window.new_page()
    page.goto(path)
    notice(page).get_by_role("button", name="Discard").click()
    expect(notice(page)).to_have_count(0)
    page.reload()
    expect(page.get_by_label("Title")).to_have_value("Puppet theatre")
    expect(notice(page)).to_have_count(0)


def test_form_goes_on_after_signing_in_again(event_page):
    page = event_page("Open stage")
    page.context.clear_cookies(name="sessionid")
    page.get_by_label("Title").fill("Open stage night")
    expect(backup(page)).to_contain_text("You are signed out, so your changes are not backed up.")

    with page.expect_popup() as opened:
        backup(page).get_by_role("link", name="Sign in in a new tab").click()
    tab = opened.value
    tab.get_by_label("Username").fill("editor")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Sign in").click()
    tab.wait_for_url("**/admin/")
    tab.close()
    page.bring_to_front()
    page.get_by_label("Title").fill("Open stage nights")

    expect_backup(page)
    press(page, "Save and continue editing")
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    expect(page.get_by_label("Title")).to_have_value("Open stage nights")


def test_form_goes_on_after_a_lost_connection(event_page):
    page = event_page("Book fair")
    page.context.set_offline(True)
    page.get_by_label("Title").fill("Book fair in May")
    expect(backup(page)).to_contain_text("cannot be backed up at the moment")
    page.context.set_offline(False)

    expect_backup(page)
    # The requests while there was no connection.
    page.watch.errors.clear()


def test_two_windows_keep_a_backup_each(event_page):
    page = event_page("Flea market")
    other = page.context.new_page()
    other.goto(page.url)
    page.get_by_label("Title").fill("Flea market in spring")
    expect_backup(page)
    other.get_by_label("Title").fill("Flea market in autumn")
    expect_backup(other)

    third = page.context.new_page()
    third.goto(page.url)
    expect(notice(third)).to_have_count(2)
    notice(third).first.get_by_role("link", name="Restore").click()
    expect(third.get_by_label("Title")).to_have_value("Flea market in autumn")


def test_first_button_follows_the_chosen_status(event_page):
    page = event_page("Reading")
    path = page.url
    bar = page.locator("#submit-row .save-buttons > button:visible")
    labels = {}
    for status in ("Private", "Pending review", "Draft", "Published"):
        page.locator("select[name=status]").select_option(label=status)
        labels[status] = [label.strip() for label in bar.all_inner_texts()][:2]
    page.locator("select[name=status]").select_option(label="Private")
    press(page, "Publish privately")
    expect(page.get_by_text("was changed successfully")).to_be_visible()

    page.goto(path)
    expect(page.locator("select[name=status]")).to_have_value("private")
    assert labels == {
        "Private": ["Publish privately", "Switch to draft"],
        "Pending review": ["Save as pending review", "Switch to draft"],
        "Draft": ["Switch to draft"],
        "Published": ["Save", "Switch to draft"],
    }


def test_notice_and_bar_fit_on_a_phone(event_page):
    page = event_page("Picnic")
    page.set_viewport_size(PHONE)
    path = page.url
    page.get_by_label("Title").fill("Picnic for neighbours")
    expect_backup(page)
    expect(page.locator("#submit-row").get_by_role("button", name="More")).to_be_visible()
    window = page.context
    page.close()

    page = window.new_page()
    page.set_viewport_size(PHONE)
    page.goto(path)
    notice(page).get_by_role("link", name="Restore").click()
    expect(page.get_by_label("Title")).to_have_value("Picnic for neighbours")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    notice(page).get_by_role("button", name="Discard").click()
    expect(notice(page)).to_have_count(0)
    expect(page.get_by_label("Title")).to_have_value("Picnic")
