"""The hints, errors and inputs of the event form while it is filled in."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser.admin_site import add_in_place, choose_related, expect_message, open_more_fields

ADD = "/admin/events/event/add/"
HINT = "output.hint"
OTHER_ZONE = "Different time zone"


@pytest.fixture
def event_form(page_as):
    page = page_as("author")
    page.goto(ADD)
    return page


def form_times(form):
    return [form.get_by_label(name).input_value() for name in ("Starts", "Ends")]


def test_hint_shows_both_time_zones_and_end_follows_start(event_form):
    event_form.get_by_label("Starts").fill("2030-05-04T20:00")
    event_form.get_by_role("button", name=OTHER_ZONE).click()
    event_form.get_by_label("Time zone").fill("Asia/Tokyo")

    expect(event_form.locator(HINT).first).to_have_text(
        "Sat 4 May 2030, 20:00 – 22:00 in Tokyo is 11:00 – 13:00 in the site's time zone (UTC). Duration: 2 hours."
    )
    event_form.get_by_label("Ends").fill("2030-05-04T23:00")
    event_form.get_by_label("Starts").fill("2030-05-04T21:30")
    expect(event_form.locator(HINT).first).to_have_text(
        "Sat 4 May 2030, 21:30 – 23:00 in Tokyo is 12:30 – 14:00 in the site's time zone (UTC). "
        "Duration: 1 hour, 30 minutes."
    )


def test_time_zone_is_shown_if_it_is_not_that_of_the_site(event_form):
    zone, button = event_form.get_by_label("Time zone"), event_form.get_by_role("button", name=OTHER_ZONE)
    expect(zone).to_be_hidden()

    button.click()

    expect(zone).to_be_focused()
    expect(button).to_be_hidden()
    zone.fill("Asia/Tokyo")
    event_form.get_by_label("Title").fill("Street party")
    event_form.get_by_label("Starts").fill("2030-05-04T20:00")
    event_form.get_by_role("button", name="Save and continue editing").click()
    event_form.wait_for_url("**/change/")
    expect(zone).to_have_value("Asia/Tokyo")
    expect(zone).to_be_visible()


def test_new_event_takes_the_time_zone_of_its_venue_until_another_one_is_set(event_form):
    zone = event_form.get_by_label("Time zone")
    event_form.get_by_label("Starts").fill("2030-05-04T20:00")

    choose_related(event_form, "Venues", "Harbourlight Library")

    expect(zone).to_have_value("America/Halifax")
    expect(zone).to_be_visible()
    expect(event_form.locator(HINT).first).to_contain_text("in Halifax is")
    event_form.locator(".field-ordered_venues .select2-selection__choice__remove").click()
    expect(zone).to_have_value("UTC")
    expect(zone).to_be_hidden()
    event_form.keyboard.press("Escape")
    event_form.get_by_role("button", name=OTHER_ZONE).click()
    zone.fill("Asia/Tokyo")
    choose_related(event_form, "Venues", "Harbourlight Library")
    expect(event_form.locator(HINT).first).to_contain_text("in Tokyo is")
    expect(zone).to_have_value("Asia/Tokyo")


def test_untouched_end_follows_start(event_form):
    event_form.get_by_label("Starts").fill("2030-05-04T23:00")
    event_form.get_by_label("Starts").fill("2030-12-31T22:30")

    assert form_times(event_form) == ["2030-12-31T22:30", "2031-01-01T00:30"]


def test_all_day_hides_times_and_shows_them_again(event_form):
    event_form.get_by_label("Title").fill("Fair")
    event_form.get_by_label("Starts").fill("2030-05-04T20:15")
    event_form.get_by_label("All day").check()
    folded = form_times(event_form)
    event_form.get_by_label("All day").uncheck()
    unfolded = form_times(event_form)
    event_form.get_by_label("All day").check()
    event_form.get_by_label("Ends").fill("2030-05-05")

    expect(event_form.locator(HINT).first).to_have_text("Sat 4 May 2030 – Sun 5 May 2030, all day (2 full days).")
    event_form.get_by_role("button", name="Save and continue editing").click()
    event_form.wait_for_url("**/change/")
    assert (folded, unfolded) == (["2030-05-04", "2030-05-04"], ["2030-05-04T20:15", "2030-05-04T22:15"])
    assert form_times(event_form) == ["2030-05-04", "2030-05-05"]
    event_form.get_by_label("All day").uncheck()
    assert form_times(event_form) == ["2030-05-04T19:00", "2030-05-05T21:00"]


def test_errors_appear_at_their_field_while_typing(event_form):
    event_form.get_by_label("Starts").fill("2030-05-04T20:00")
    event_form.get_by_label("Ends").fill("2030-05-04T19:00")
    error = event_form.locator("#id_end_hint_error")

    expect(error).to_have_text("An event cannot end before it starts.")
    expect(event_form.get_by_label("Ends")).to_have_attribute("aria-invalid", "true")
    event_form.get_by_label("Ends").fill("2030-05-04T21:00")
    expect(error).to_be_hidden()
    event_form.get_by_role("button", name=OTHER_ZONE).click()
    event_form.get_by_label("Time zone").fill("Mars")
    expect(event_form.locator("#id_time_zone_hint_error")).to_have_text(
        "Not a valid time zone. Use a name such as Europe/Rome, UTC or UTC+2."
    )


def test_error_of_the_server_disappears_with_the_invalid_value(event_form):
    event_form.get_by_label("Starts").fill("2030-05-04T20:00")
    event_form.get_by_label("Ends").fill("2030-05-04T19:00")
    event_form.get_by_role("button", name="Publish", exact=True).click()
    line = event_form.locator(".field-line.field-end")
    expect(line.locator(".errorlist")).to_have_text("An event cannot end before it starts.")
    event_form.get_by_label("Ends").fill("2030-05-04T21:00")

    expect(event_form.locator(HINT).first).to_have_text(
        "Sat 4 May 2030, 20:00 – 21:00 in the site's time zone (UTC). Duration: 1 hour."
    )
    expect(line.locator(".errorlist")).to_have_count(0)
    assert "errors" not in line.get_attribute("class").split()
    # The title is still missing.
    expect(event_form.locator(".field-line.field-title .errorlist")).to_have_text("This field is required.")


def test_hint_shows_the_cost_in_the_api(event_form):
    open_more_fields(event_form)
    event_form.get_by_label("Cost").fill("EUR 10 - 30")
    hint = event_form.locator(HINT).last

    expect(hint).to_have_text("Shown as EUR10 – EUR30. API clients receive 10 – 30, with EUR before the number.")
    event_form.get_by_label("Cost").fill("-5")
    expect(event_form.locator("#id_cost_hint_error")).to_have_text("A cost cannot be negative.")
    expect(hint).to_be_empty()


def test_a_venue_is_added_in_place(event_form):
    add_in_place(event_form, "Venues", "A hall that was missing")

    expect(event_form.locator("#id_ordered_venues option:checked")).to_have_text(["A hall that was missing"])
    # The cursor is where it was.
    expect(event_form.get_by_role("searchbox", name="Venues")).to_be_focused()


def test_hint_stays_while_newer_requests_are_pending(event_form):
    open_more_fields(event_form)
    event_form.get_by_label("Cost").fill("5 EUR")
    output = event_form.locator("output.hint[for=id_cost]")
    expect(output).to_contain_text("5")
    hint = output.text_content()
    event_form.route("**/hints/cost/**", lambda route: None)
    for cost in ("6 EUR", "7 EUR"):
        with event_form.expect_request("**/hints/cost/**"):
            event_form.get_by_label("Cost").fill(cost)

    expect(output).to_have_text(hint)


def test_tickets_are_ordered_by_dragging_and_with_the_keyboard(page_as, own):
    page = page_as("editor")
    page.goto(ADD)
    page.get_by_label("Title").fill(own("Three prices"))
    page.locator("[name=start]").fill("2031-08-10T18:00")
    page.locator("[name=end]").fill("2031-08-10T20:00")
    open_more_fields(page)
    for number, name in enumerate(("Adults", "Children", "Groups")):
        page.get_by_role("link", name=re.compile("Add another Ticket", re.I)).click()
        page.locator(f"#id_tickets-{number}-name").fill(name)
        page.locator(f"#id_tickets-{number}-price").fill("5")
    page.get_by_role("button", name="Save and continue editing").click()
    page.wait_for_url("**/change/")
    handles = page.locator("button.inline-order")
    expect(handles).to_have_count(3)

    page.get_by_role("button", name="Change the order of Groups").press("ArrowUp")
    handles.nth(1).hover()
    page.mouse.down()
    above = handles.nth(0).bounding_box()
    page.mouse.move(above["x"] + 15, above["y"] - 5, steps=20)
    page.mouse.up()
    page.get_by_role("button", name="Save and continue editing").click()
    expect_message(page, "was changed successfully")

    assert [field.input_value() for field in page.locator("input[name$=-name][name^=tickets-]").all()][:3] == [
        "Groups",
        "Adults",
        "Children",
    ]
