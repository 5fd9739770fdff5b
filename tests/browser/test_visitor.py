"""A visitor looks for something to do: month, filters, the page of an event, on a phone and without a script."""

import re

import pytest
from playwright.sync_api import expect

PHONE = {"viewport": {"width": 320, "height": 640}}
NO_SCRIPT = {"java_script_enabled": False}


def first_entry(page):
    """The first event in the cells of the month."""
    return page.locator("table.month td li:not(.more) a").first


@pytest.mark.parametrize("options", [{}, NO_SCRIPT], ids=["script", "no script"])
def test_visitor_finds_an_event_in_the_month_and_adds_it_to_a_calendar(new_window, options):
    page = new_window(**options)
    page.goto("/")
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Month").click()
    expect(page.get_by_role("table")).to_be_visible()

    first_entry(page).click()

    expect(page).to_have_url(re.compile("/event/"))
    page.get_by_text("Add to calendar").click()
    link = page.get_by_role("link", name="Google Calendar")
    expect(link).to_be_visible()
    assert link.get_attribute("href").startswith("https://calendar.google.com/calendar/render?action=TEMPLATE")


def test_visitor_filters_and_takes_the_filter_off(nobody):
    nobody.goto("/events/list/")
    nobody.get_by_label("Search").fill("zzzz")
    nobody.get_by_role("button", name="Show").click()

    expect(nobody.get_by_text("No upcoming events.")).to_be_visible()
    nobody.get_by_role("list", name="Active filters").get_by_role("link").click()
    expect(nobody.locator("a.event-title").first).to_be_visible()
    expect(nobody).to_have_url(re.compile("/events/list/$"))


def test_visitor_goes_to_another_month_by_the_date_field(nobody):
    nobody.goto("/events/month/")
    heading = nobody.get_by_role("heading", level=1)
    before = heading.inner_text()
    nobody.get_by_role("navigation", name="Other dates").get_by_role("link", name="Next").click()
    expect(heading).not_to_have_text(before)
    nobody.get_by_role("navigation", name="Other dates").get_by_role("link", name="Today").click()
    expect(heading).to_have_text(before)


def test_visitor_chooses_a_day_on_a_phone(new_window):
    page = new_window(**PHONE)
    page.goto("/events/month/")
    day = page.locator("table.month a.to-list").last
    expect(page.locator(".month-days section.chosen")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = day.bounding_box()
    assert box["width"] >= 24
    assert box["height"] >= 24

    day.click()

    chosen = page.locator(".month-days section:target")
    expect(chosen).to_be_visible()
    assert page.locator(".month-days section:visible").count() == 1
    expect(chosen.get_by_role("link").first).to_be_in_viewport()


def test_visitor_uses_the_keyboard_only(nobody):
    nobody.goto("/events/month/")
    nobody.keyboard.press("Tab")
    expect(nobody.get_by_role("link", name="Skip to main content")).to_be_focused()
    nobody.keyboard.press("Enter")
    for _press in range(60):
        nobody.keyboard.press("Tab")
        if nobody.evaluate("document.activeElement.matches('table.month td li a')"):
            break
    title = nobody.evaluate("document.activeElement.textContent")
    nobody.keyboard.press("Enter")
    expect(nobody).to_have_url(re.compile("/event/"))
    assert nobody.get_by_role("heading", level=1).inner_text() in title


def test_visitor_subscribes_and_switches_the_language(nobody):
    nobody.goto("/events/list/?attendance_mode=in_person")
    nobody.get_by_text("Subscribe to this calendar").click()
    field = nobody.get_by_label("URL for other programs")
    expect(field).to_have_value(re.compile(r"/events\.ics\?attendance_mode=in_person$"))
    nobody.get_by_role("navigation", name="Language").get_by_role("link", name="Deutsch").click()
    expect(nobody).to_have_url(re.compile(r"/de/events/list/\?attendance_mode=in_person$"))
    expect(nobody.locator("html")).to_have_attribute("lang", "de")


def test_visitor_elsewhere_sees_the_time_of_an_online_event_on_their_own_clock(new_window, record_ids):
    page = new_window(timezone_id="Asia/Tokyo", locale="en-GB")
    note = (
        '<span hidden id="clock" data-local-start="2030-05-04T18:00:00+02:00" data-offset-minutes="120" '
        'data-text="{time} on your clock"></span></main>'
    )

    def add_note(route):
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace("</main>", note))

    path = record_ids["public"]["event"]
    page.route(f"**{path}", add_note)
    page.goto(path)

    expect(page.locator("#clock")).to_have_text("Sunday 5 May at 01:00 on your clock")
