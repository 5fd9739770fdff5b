"""The focus of forms and lists, which nothing covers, and the fields and rows in view without scrolling."""

from contextlib import suppress

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, expect

SIZES = {
    "desktop": {"width": 1440, "height": 900},
    "tablet": {"width": 820, "height": 1180},
    "phone": {"width": 390, "height": 844},
}
ADD = "/admin/events/event/add/"
LIST = "/admin/events/event/"
FOOTER = '[class*="lg:sticky"][class*="lg:bottom-0"]'

# Focuses the elements one after the other, and returns those that a bar covers. Of a field with several lines, the
# first line must be visible, where the text is entered.
COVERED = """([selector, bar, isBackwards]) => {
    const elements = [...document.querySelectorAll(selector)].filter(
        (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
            && element.tabIndex >= 0 && !element.closest(bar),
    );
    const covered = [];
    for (const element of isBackwards ? elements.reverse() : elements) {
        element.focus();
        const box = element.getBoundingClientRect();
        const { top, bottom } = document.querySelector(bar).getBoundingClientRect();
        const isCovered = box.top < bottom && box.top + Math.min(box.height, 36) > top;
        if (document.activeElement === element && isCovered) covered.push(element.outerHTML.slice(0, 160));
    }
    return [elements.length, covered];
}"""


def covered_elements(page: Page, selector: str, bar: str, *, is_backwards: bool = False) -> list[str]:
    count, covered = page.evaluate(COVERED, [selector, bar, is_backwards])
    assert count > 10
    return covered


def test_first_error_has_the_focus_after_a_refused_save(page_as):
    page = page_as("editor")
    page.goto(ADD)

    page.get_by_role("button", name="Publish", exact=True).click()

    first = page.locator(".error-links a").first
    expect(first).to_be_focused()
    expect(first).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Title")).to_be_focused()


def test_required_fields_and_venue_are_in_view(page_as):
    page = page_as("editor", viewport=SIZES["desktop"])
    page.goto(ADD)
    expect(page.get_by_label("Title")).to_be_focused()

    top_of_bar = page.locator("#submit-row").bounding_box()["y"]
    fields = [*(page.locator(f"[name={name}]") for name in ("title", "start", "end"))]
    for field in [*fields, page.get_by_role("searchbox", name="Venues")]:
        box = field.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= top_of_bar
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("size", SIZES)
def test_save_bar_covers_no_focused_field(page_as, size):
    page = page_as("editor", viewport=SIZES[size])
    page.goto(ADD)
    expect(page.get_by_label("Title")).to_be_focused()

    fields = "#event_form :is(a[href], button, input, select, textarea, [contenteditable=true], [tabindex='0'])"
    assert covered_elements(page, fields, "#submit-row") == []


@pytest.mark.parametrize("size", SIZES)
def test_bar_of_a_list_covers_no_focused_row(page_as, size):
    page = page_as("editor", viewport=SIZES[size])
    page.goto(LIST)
    expect(page.locator("#result_list tbody tr").nth(20)).to_be_attached()

    rows = "#result_list tbody :is(a, button, input)"
    assert covered_elements(page, rows, ".list-bar", is_backwards=True) == []
    if size == "desktop":
        assert covered_elements(page, rows, FOOTER) == []


def test_list_is_a_table_on_tablets_and_cards_on_phones(page_as):
    page = page_as("editor", viewport=SIZES["tablet"])
    page.goto(LIST)
    displays = "() => [...document.querySelectorAll('#result_list, #result_list tbody tr')].slice(0, 2)" \
        ".map((part) => getComputedStyle(part).display)"  # fmt: skip
    heights = "() => document.querySelector('#result_list tbody tr').offsetHeight"

    assert page.evaluate(displays) == ["table", "table-row"]
    page.set_viewport_size(SIZES["phone"])
    assert page.evaluate(displays) == ["block", "flex"]
    assert page.evaluate(heights) < 180


def test_enter_before_the_results_opens_the_first_one(page_as):
    page = page_as("editor")
    page.goto("/admin/")

    page.keyboard.press("Control+k")
    page.keyboard.type("foundry climbing centre")
    page.keyboard.press("Enter")

    page.wait_for_url("**/admin/venues/venue/*/change/")


def test_enter_ignores_late_results_of_an_earlier_search(page_as):
    page = page_as("editor")
    page.goto("/admin/")
    held = []
    page.route(lambda url: url.endswith("/admin/search/?s="), lambda route: held.append(route))

    page.keyboard.press("Control+k")
    expect(page.locator("#palette")).to_be_visible()
    page.keyboard.type("foundry climbing centre")
    page.keyboard.press("Enter")
    for route in held:
        with suppress(PlaywrightError):
            route.fulfill(
                json={"results": [{"url": "/admin/venues/venue/add/", "title": "", "detail": "", "icon": ""}]}
            )

    page.wait_for_url("**/admin/venues/venue/*/change/")
    assert held != []


def test_palette_is_opened_and_used_by_keys(page_as):
    page = page_as("editor")
    page.goto("/admin/")

    page.keyboard.press("Control+k")
    page.keyboard.type("foundry climbing centre")
    chosen = page.locator("#palette [role=option][aria-selected=true]")
    expect(chosen).to_contain_text("Foundry Climbing Centre")
    page.keyboard.press("Enter")

    page.wait_for_url("**/admin/venues/venue/*/change/")
    page.keyboard.press("Control+k")
    expect(page.locator("#palette")).to_be_visible()
    page.keyboard.press("Control+k")
    expect(page.locator("#palette")).not_to_be_visible()
