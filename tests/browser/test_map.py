"""Picking the place of a venue on the map of its form."""

import pytest
from playwright.sync_api import expect

ADD = "/admin/venues/venue/add/"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture
def form(page_as):
    return opened(page_as("author"))


def opened(page):
    page.goto(ADD)
    # It begins where the other venues are.
    expect(page.locator(".map-dot").first).to_be_visible()
    page.locator(".venue-map").scroll_into_view_if_needed()
    return page


def place(form):
    return tuple(float(form.get_by_label(name).input_value() or "nan") for name in ("Latitude", "Longitude"))


def test_a_click_and_drawing_the_mark_set_the_place(form):
    canvas = form.get_by_role("application", name="Map")
    canvas.click(position={"x": 200, "y": 150})
    first = place(form)
    mark = form.get_by_role("button", name="Place of the venue")
    box = mark.bounding_box()
    x, y = box["x"] + 20, box["y"] + 20
    form.mouse.move(x, y)
    form.mouse.down()
    form.mouse.move(x + 60, y + 40, steps=5)
    form.mouse.up()
    second = place(form)

    assert second[0] < first[0]
    assert second[1] > first[1]
    assert all(len(form.get_by_label(name).input_value().partition(".")[2]) == 6 for name in ("Latitude", "Longitude"))


def test_the_place_is_set_by_keys_alone(form):
    form.get_by_role("button", name="Put the mark into the middle").press("Enter")
    mark = form.get_by_role("button", name="Place of the venue")
    expect(mark).to_be_focused()
    middle = place(form)
    mark.press("ArrowRight")
    east = place(form)
    mark.press("Shift+ArrowUp")
    north = place(form)
    form.get_by_role("button", name="Take the mark away").press("Enter")

    assert east[0] == middle[0]
    assert east[1] > middle[1]
    assert north[1] == east[1]
    assert north[0] - east[0] > 5 * (east[1] - middle[1])
    expect(mark).to_have_count(0)
    assert form.get_by_label("Latitude").input_value() == form.get_by_label("Longitude").input_value() == ""


def test_typed_degrees_move_the_mark_and_are_saved(form):
    mark = form.get_by_role("button", name="Place of the venue")
    form.get_by_label("Name").fill("The far end")
    form.get_by_label("Latitude").fill("-17.7")
    expect(mark).to_have_count(0)
    form.get_by_label("Longitude").fill("178.1")
    expect(mark).to_be_in_viewport()
    expect(form.locator(".map-degrees", has_text="° S").first).to_be_visible()
    form.get_by_role("button", name="Save and continue editing").click()
    form.wait_for_url("**/change/")

    assert place(form) == (-17.7, 178.1)
    expect(mark).to_be_visible()
    # Its own dot would stay behind where it was.
    expect(form.locator(".map-dot")).to_have_count(0)


def test_the_map_works_by_finger_on_a_phone(page_as):
    form = opened(page_as("author", **PHONE))
    form.get_by_role("application", name="Map").tap(position={"x": 100, "y": 100})

    expect(form.get_by_role("button", name="Place of the venue")).to_be_visible()
    assert form.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
