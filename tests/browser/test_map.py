"""The map on the form of a venue."""

import pytest
from playwright.sync_api import expect

ADD = "/admin/venues/venue/add/"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture
def venue_form(page_as):
    return opened(page_as("author"))


def opened(page):
    page.goto(ADD)
    # The map initially shows the other venues.
    expect(page.locator(".map-dot").first).to_be_visible()
    page.locator(".venue-map").scroll_into_view_if_needed()
    return page


def coordinates(form):
    return tuple(float(form.get_by_label(name).input_value() or "nan") for name in ("Latitude", "Longitude"))


def test_marker_is_placed_by_click_and_drag(venue_form):
    canvas = venue_form.get_by_role("application", name="Map")
    canvas.click(position={"x": 200, "y": 150})
    first = coordinates(venue_form)
    marker = venue_form.get_by_role("button", name="Venue location")
    box = marker.bounding_box()
    x, y = box["x"] + 20, box["y"] + 20
    venue_form.mouse.move(x, y)
    venue_form.mouse.down()
    venue_form.mouse.move(x + 60, y + 40, steps=5)
    venue_form.mouse.up()
    second = coordinates(venue_form)

    assert second[0] < first[0]
    assert second[1] > first[1]
    assert all(
        len(venue_form.get_by_label(name).input_value().partition(".")[2]) == 6 for name in ("Latitude", "Longitude")
    )


def test_marker_is_placed_with_the_keyboard(venue_form):
    venue_form.get_by_role("button", name="Place marker at center").press("Enter")
    marker = venue_form.get_by_role("button", name="Venue location")
    expect(marker).to_be_focused()
    middle = coordinates(venue_form)
    marker.press("ArrowRight")
    east = coordinates(venue_form)
    marker.press("Shift+ArrowUp")
    north = coordinates(venue_form)
    venue_form.get_by_role("button", name="Remove marker").press("Enter")

    assert east[0] == middle[0]
    assert east[1] > middle[1]
    assert north[1] == east[1]
    assert north[0] - east[0] > 5 * (east[1] - middle[1])
    expect(marker).to_have_count(0)
    assert venue_form.get_by_label("Latitude").input_value() == venue_form.get_by_label("Longitude").input_value() == ""


def test_typed_coordinates_move_the_marker_and_are_saved(venue_form, attempt):
    marker = venue_form.get_by_role("button", name="Venue location")
    venue_form.get_by_label("Name").fill("The far end")
    # The dot of the venue of another attempt is elsewhere.
    latitude = -16.7 - attempt
    venue_form.get_by_label("Latitude").fill(str(latitude))
    expect(marker).to_have_count(0)
    venue_form.get_by_label("Longitude").fill("178.1")
    expect(marker).to_be_in_viewport()
    expect(venue_form.locator(".map-degrees", has_text="° S").first).to_be_visible()
    venue_form.get_by_role("button", name="Save and continue editing").click()
    venue_form.wait_for_url("**/change/")

    assert coordinates(venue_form) == (latitude, 178.1)
    expect(marker).to_be_visible()
    # The dot of the venue itself would keep the previous position.
    expect(venue_form.locator(".map-dot")).to_have_count(0)


def test_map_works_with_touch(page_as):
    form = opened(page_as("author", **PHONE))
    form.get_by_role("application", name="Map").tap(position={"x": 100, "y": 100})

    expect(form.get_by_role("button", name="Venue location")).to_be_visible()
    assert form.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
