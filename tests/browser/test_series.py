"""Series in the admin on a desktop, a tablet and a phone: create one, and change one and all of its events."""

import pytest
from playwright.sync_api import expect

from tests.support.browser.admin_site import expect_message, press

ADD = "/admin/events/event/add/"
WIDTHS = {"desktop": (1440, 900), "tablet": (820, 1180), "phone": (390, 844)}


def fill_in_series(page, title):
    page.goto(ADD)
    page.get_by_label("Title").fill(title)
    page.locator("[name=start]").fill("2031-03-11T18:00")
    page.locator("[name=end]").fill("2031-03-11T19:30")
    page.get_by_label("Repeats").select_option("Weekly")
    page.get_by_label("Stops").select_option("After a number of times")
    page.get_by_label("Number of times").fill("4")


@pytest.mark.parametrize("size", WIDTHS)
def test_weekly_series(page_as, size):
    page = page_as("editor")
    page.set_viewport_size(dict(zip(("width", "height"), WIDTHS[size], strict=True)))
    title = f"Yoga on a {size}"

    fill_in_series(page, title)
    # The day of the event is chosen.
    expect(page.locator(".recurrence-sentence")).to_have_text(
        "Every week on Tuesday, 4 times. 4 events, the last one on 1 Apr 2031."
    )
    page.get_by_label("Tue 25 Mar 2031").uncheck()
    expect(page.locator(".recurrence-sentence")).to_contain_text("3 events")
    page.get_by_role("button", name="Pick dates").click()
    page.get_by_label("Thursday, March 20, 2031").click()
    expect(page.locator(".recurrence-sentence")).to_contain_text("and on 1 more date. 4 events")
    press(page, "Publish")

    page.wait_for_url("**/admin/events/series/*/change/")
    expect_message(page, f"The series “{title}” was created with 4 events.")
    series = page.url
    page.locator(".series-events").get_by_role("link", name=title).nth(1).click()
    page.get_by_label("Title").fill(f"Concert on a {size}")
    press(page, "Save")
    expect_message(page, "was changed successfully")
    page.goto(series)
    expect(page.locator(".series-events .mark")).to_have_text(["Changed", "Removed"])

    page.locator(".series-events").get_by_role("link", name=title).first.click()
    page.get_by_label("Title").fill(f"Pilates on a {size}")
    page.get_by_label("Apply the changes to").select_option("all")
    press(page, "Save")
    expect_message(page, "The series was changed. It has 4 events.")
    page.goto(series)
    links = page.locator(".series-events").get_by_role("link", name=f"on a {size}")
    expect(links).to_have_text([f"Pilates on a {size}", f"Concert on a {size}", *[f"Pilates on a {size}"] * 2])

    links.last.click()
    page.get_by_role("button", name="Cancel event").click()
    expect_message(page, "Cancelled:")
    page.goto(series)
    expect(page.locator(".series-events .mark")).to_have_text(["Changed", "Removed", "Cancelled"])
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
