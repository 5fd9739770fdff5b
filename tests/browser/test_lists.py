"""Working in the lists of the admin: menus of rows, and quick edit."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser.accessibility import accessibility_problems
from tests.support.browser.admin_site import sign_in

VENUES = "/admin/venues/venue/"
SIZES = {
    "desktop": {"width": 1440, "height": 900},
    "tablet": {"width": 820, "height": 1100},
    "phone": {"width": 390, "height": 844},
}


def open_quick_edit(page, row=0):
    page.locator("button.row-menu").nth(row).click()
    page.get_by_role("button", name="Quick edit", exact=True).click()
    expect(page.locator("#quick-edit form")).to_be_visible()


# A venue for each size, because tests run at the same time.
@pytest.mark.parametrize(
    ("size", "name"),
    [("desktop", "Foundry Climbing Centre"), ("tablet", "Dockside Makerspace"), ("phone", "Customs House Gallery")],
)
def test_quick_edit_of_a_venue(page_as, size, name):
    page = page_as("editor", viewport=SIZES[size])
    page.goto(f'{VENUES}?q="{name}"')
    expect(page.locator("#result_list tbody tr")).to_have_count(1)
    open_quick_edit(page)
    city = page.get_by_label("City").input_value()

    page.get_by_label("City").fill("Elsewhere")
    page.get_by_role("button", name="Save", exact=True).dblclick()

    expect(page.locator("#list-message")).to_contain_text("Changed:")
    expect(page.locator("#quick-edit")).not_to_be_visible()
    expect(page.locator("#result_list tbody .field-city").first).to_have_text("Elsewhere")
    expect(page.locator("button.row-menu").first).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#result_list tbody .field-city").first).to_have_text(city)


def test_quick_edit_without_connection_keeps_the_entries(page_as, base):
    page = page_as("editor")
    page.goto("/admin/taxonomy/tag/")
    open_quick_edit(page)
    name = page.get_by_label("Name").input_value()

    page.route("**/quick-edit/", lambda route: route.abort("internetdisconnected"))
    page.get_by_label("Name").fill(f"{name} kept")
    page.get_by_role("button", name="Save", exact=True).click()

    expect(page.get_by_role("alert")).to_contain_text("The server did not respond.")
    assert page.get_by_label("Name").input_value() == f"{name} kept"
    page.watch.errors.clear()


def test_quick_edit_after_the_session_has_ended(new_window):
    page = new_window()
    page.watch.expect_status(403)
    sign_in(page, "otto")
    page.goto("/admin/taxonomy/tag/")
    open_quick_edit(page)
    name = page.get_by_label("Name").input_value()

    page.context.clear_cookies()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("You are signed out")
    other = page.context.new_page()
    sign_in(other, "otto")
    page.get_by_role("button", name="Save", exact=True).click()

    expect(page.locator("#list-message")).to_contain_text(f"Changed: {name}.")


@pytest.mark.parametrize("size", SIZES)
def test_the_search_button_opens_the_palette_and_gets_the_focus_back(page_as, size):
    page = page_as("editor", viewport=SIZES[size])
    page.goto("/admin/")

    page.get_by_role("button", name="Search pages and records").click()
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.get_by_role("button", name="Search pages and records")).to_be_focused()


@pytest.mark.parametrize("size", SIZES)
def test_saved_views_are_marked_renamed_and_deleted(page_as, size):
    page = page_as("author", viewport=SIZES[size])
    # A query of its own: a view for the same one is marked instead of saved.
    page.goto(f"{VENUES}?q={size}")
    page.get_by_role("button", name="Save this view").click()
    page.get_by_label("Name").fill(f"Halls {size}")
    page.get_by_role("button", name="Save", exact=True).click()
    current = page.get_by_role("navigation", name="Saved views").locator("[aria-current]")
    expect(current).to_have_text(f"Halls {size}")
    assert accessibility_problems(page) == []

    page.get_by_role("button", name="Edit view").click()
    page.get_by_role("button", name="Delete view").click()

    expect(page.get_by_role("link", name=f"Halls {size}")).to_have_count(0)


@pytest.mark.parametrize("path", [f"{VENUES}?status=trash", "/admin/taxonomy/category/", "/admin/events/event/"])
def test_menus_are_accessible(page_as, path):
    page = page_as("administrator", viewport=SIZES["tablet"])
    page.goto(path)

    page.locator("button.row-menu").first.press("Enter")

    expect(page.locator("#row-menu > :not([hidden])").first).to_be_focused()
    assert accessibility_problems(page) == []


def hold_searches(page, words):
    """Hold the responses to searches for these words, and return the list of their routes."""
    held = []
    page.route(re.compile(rf"/autocomplete/\?(.*&)?term={words}(&|$)"), lambda route: held.append(route))
    return held


@pytest.mark.parametrize("place", ["form", "quick edit"])
def test_enter_does_not_choose_a_result_of_the_previous_search(page_as, place):
    page = page_as("editor")
    if place == "form":
        page.goto("/admin/events/event/add/")
        field = page.locator(".field-ordered_venues")
    else:
        page.goto("/admin/events/event/?lacks=venue&time=coming")
        open_quick_edit(page)
        field = page.locator("#quick-edit .field-venues")
    held = hold_searches(page, "foundry")
    field.get_by_role("searchbox").click()
    results = page.locator(".select2-results__option--selectable, .select2-results__option[data-select2-id]")
    expect(results.first).to_be_visible()

    page.keyboard.type("foundry")
    page.wait_for_function("() => document.querySelector('.select2-search__field').value === 'foundry'")
    page.keyboard.press("Enter")
    chosen = field.locator(".select2-selection__choice")
    expect(chosen).to_have_count(0)

    for _attempt in range(50):
        if held:
            break
        page.wait_for_timeout(100)
    page.keyboard.press("Enter")
    expect(chosen).to_have_count(0)
    held[-1].continue_()
    # Results of the first letters, if these were typed slowly, begin with it as well.
    expect(page.locator(".select2-results__option.loading-results")).to_have_count(0)
    expect(page.locator(".select2-results__option--highlighted")).to_contain_text("Foundry Climbing Centre")
    page.keyboard.press("Enter")
    expect(chosen).to_have_count(1)
    expect(chosen).to_contain_text("Foundry Climbing Centre")


LISTS = ("events/event", "events/series", "venues/venue", "organizers/organizer", "taxonomy/category", "media/image")
LANGUAGES = ("", "/de", "/es", "/fr", "/it", "/nl", "/pl", "/pt")
ROOM_FOR_HINT = """
(field) => {
    const style = getComputedStyle(field);
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.font = style.font;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return room - canvas.measureText(field.placeholder).width;
}
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_hint_of_the_search_is_not_cut_on_phones(page_as, language):
    page = page_as("editor", viewport=SIZES["phone"])
    cut = []

    for path in LISTS:
        page.goto(f"{language}/admin/{path}/")
        search = page.locator("#searchbar")
        if search.evaluate(ROOM_FOR_HINT) < 0:
            cut.append((path, search.get_attribute("placeholder")))

    assert cut == []


def test_button_for_the_filters_keeps_its_name_on_phones(page_as):
    page = page_as("editor", viewport=SIZES["phone"])
    page.goto(VENUES)

    page.get_by_role("button", name="Filters").click()

    expect(page.get_by_role("link", name="Step-free access")).to_be_in_viewport()
