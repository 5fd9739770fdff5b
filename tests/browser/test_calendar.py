"""The calendar of the admin on desktop, tablet and phone: time grid, details of events, moving, and coming back."""

import re
from datetime import date, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.accessibility import accessibility_problems
from tests.support.browser.admin_site import choose_related, expect_message

SIZES = {
    "desktop": {"width": 1440, "height": 900},
    "tablet": {"width": 820, "height": 1180},
    "phone": {"width": 390, "height": 844},
}
CALENDAR = "/admin/events/event/calendar/"
FIRST_WEDNESDAY = date(2031, 1, 1)
# Where an element is held, from its upper left corner, in pixels.
GRIP = {"x": 10, "y": 3}


@pytest.fixture(params=SIZES)
def page(request, page_as, attempt) -> Page:
    """The window of an editor in each size, and an event in a week of its own: on a Wednesday, from 20:00 to 22:00."""
    page = page_as("editor", viewport=SIZES[request.param])
    tests = request.session.items
    page.size = request.param
    page.day = FIRST_WEDNESDAY + timedelta(weeks=tests.index(request.node) + len(tests) * (attempt - 1))
    add_event(page, f"Stargazing on a {request.param}", f"{page.day}T20:00", f"{page.day}T22:00")
    return page


def add_event(page: Page, title: str, start: str, end: str) -> None:
    page.title_of_event = title
    page.goto(f"/admin/events/event/add/?start={start}&end={end}")
    page.get_by_label("Title").fill(title)
    page.locator("#submit-row").get_by_role("button", name="Publish", exact=True).click()
    expect_message(page, "was added successfully")


def event_in(page: Page):
    return page.locator("#calendar").get_by_role("link", name=re.compile(rf"{page.title_of_event}\b"))


def times(page: Page) -> tuple[str, str]:
    return tuple(event_in(page).get_attribute(f"data-{name}") for name in ("starts", "ends"))


def drag(page: Page, element, *, right: float = 0, down: float) -> None:
    # `hover` scrolls, and waits until the element stays in its place.
    element.hover(position=GRIP)
    box = element.bounding_box()
    x, y = box["x"] + GRIP["x"], box["y"] + GRIP["y"]
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=5)
    page.mouse.up()


def test_event_is_moved_and_resized_with_the_keyboard(page):
    page.goto(f"{CALENDAR}?view=day&day={page.day}")

    event_in(page).press("Alt+ArrowDown")
    expect(event_in(page)).to_have_attribute("data-starts", f"{page.day}T20:15")
    event_in(page).press("Alt+Shift+ArrowUp")
    expect(event_in(page)).to_have_attribute("data-ends", f"{page.day}T22:00")
    expect(event_in(page)).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    expect(event_in(page)).to_have_attribute("data-ends", f"{page.day}T22:15")

    assert times(page) == (f"{page.day}T20:15", f"{page.day}T22:15")


def test_event_is_dragged_and_its_edge_as_well(page):
    page.goto(f"{CALENDAR}?view=week&day={page.day}")
    column = page.locator(f".grid-column[data-day='{page.day}']").bounding_box()
    half_an_hour = column["height"] / 48

    drag(page, event_in(page), right=-column["width"], down=half_an_hour)
    expect(event_in(page)).to_have_attribute("data-starts", f"{page.day - timedelta(1)}T20:30")
    event_in(page).hover()
    card = page.locator(".calendar-card").filter(has=page.get_by_role("link", name=re.compile(page.title_of_event)))
    drag(page, card.locator(".grid-resize"), down=-half_an_hour)

    expect(event_in(page)).to_have_attribute("data-ends", f"{page.day - timedelta(1)}T22:00")
    expect(page.locator("#calendar-summary")).to_be_hidden()


def test_escape_ends_dragging_without_a_change(page):
    page.goto(f"{CALENDAR}?view=day&day={page.day}")
    event_in(page).hover()
    box = event_in(page).bounding_box()

    page.mouse.move(box["x"] + 10, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 10, box["y"] + 60, steps=5)
    page.keyboard.press("Escape")
    page.mouse.up()
    page.reload()

    assert times(page) == (f"{page.day}T20:00", f"{page.day}T22:00")


def test_details_have_the_focus_and_give_it_back(page):
    page.goto(f"{CALENDAR}?view=day&day={page.day}")
    details = page.get_by_role("dialog", name=page.title_of_event)

    event_in(page).press("Enter")
    expect(details.get_by_role("heading")).to_be_focused()
    page.keyboard.press("Escape")
    expect(details).to_be_hidden()
    expect(event_in(page)).to_be_focused()
    event_in(page).click()
    expect(details).to_be_visible()
    page.mouse.click(5, 5)
    expect(details).to_be_hidden()


@pytest.mark.parametrize("view", ["month", "week", "day"])
def test_details_are_accessible(page_as, view):
    page = page_as("editor")
    page.goto(f"{CALENDAR}?view={view}")
    page.locator("#calendar a[data-event]").first.press("Enter")
    expect(page.locator("#calendar-summary")).to_be_visible()

    # The focus leaves the details for what is behind them, which closes them.
    problems = [problem for problem in accessibility_problems(page) if "invisible focus" not in problem]

    assert problems == []


def test_event_is_cancelled_and_that_is_undone(page):
    page.goto(f"{CALENDAR}?view=day&day={page.day}")

    event_in(page).click()
    page.get_by_role("button", name="Cancel event").click()
    expect_message(page, "Cancelled:")
    assert "view=day" in page.url
    expect(event_in(page)).to_contain_text("Cancelled")
    event_in(page).click()
    page.get_by_role("button", name="Undo cancellation").click()
    expect_message(page, "Cancellation undone")

    expect(event_in(page)).not_to_contain_text("Cancelled")


def test_errors_stay_until_they_are_closed(page_as):
    page = page_as("editor")
    page.goto(f"{CALENDAR}?view=month")
    page.clock.install()
    page.route("**/summary/**", lambda route: route.abort("internetdisconnected"))
    event = page.locator("#calendar .calendar-card a").first
    event.click()
    message = page.locator("#calendar-message")
    expect(message).to_contain_text("The server did not respond.")

    page.clock.fast_forward(60_000)

    expect(message).to_be_visible()
    message.get_by_role("button", name="Close").click()
    expect(message).not_to_be_visible()
    expect(event).to_be_focused()
    page.watch.errors.clear()


def test_move_asks_for_day_and_times(page):
    page.goto(f"{CALENDAR}?view=week&day={page.day}")

    event_in(page).click()
    page.locator("#calendar-summary").get_by_role("button", name="Move", exact=True).click()
    dialog = page.get_by_role("dialog", name="Move event")
    dialog.get_by_label("Day").fill(str(page.day + timedelta(1)))
    dialog.get_by_label("Starts").fill("21:00")
    dialog.get_by_label("Ends").fill("01:30")
    dialog.get_by_role("button", name="Move").click()

    expect(event_in(page)).to_have_attribute("data-starts", f"{page.day + timedelta(1)}T21:00")
    assert times(page) == (f"{page.day + timedelta(1)}T21:00", f"{page.day + timedelta(2)}T01:30")


def click_on_an_empty_time(page):
    """Click at 10:36 on the day after the event, and return the dialog that opens."""
    page.goto(f"{CALENDAR}?view=day&day={page.day + timedelta(1)}")
    column = page.locator(".grid-column")
    column.scroll_into_view_if_needed()
    height = column.bounding_box()["height"]
    column.click(position={"x": 60, "y": height * 10.6 / 24})
    dialog = page.get_by_role("dialog", name="New event")
    expect(dialog.get_by_label("Title")).to_be_focused()
    return dialog


def test_event_is_added_at_an_empty_time(page, attempt):
    dialog = click_on_an_empty_time(page)
    title = f"Kites above a {page.size} {attempt}"
    expect(dialog.get_by_label("Starts")).to_have_value(f"{page.day + timedelta(1)}T10:30")
    page.keyboard.type(title)
    page.watch.expect_status(400)
    dialog.get_by_label("Ends").fill(f"{page.day + timedelta(1)}T09:00")
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text("An event cannot end before it starts.")

    dialog.get_by_label("Ends").fill(f"{page.day + timedelta(1)}T12:00")
    dialog.get_by_role("button", name="Publish").click()

    expect_message(page, f"Added: {title}.")
    added = page.locator("#calendar").get_by_role("link", name=re.compile(title))
    expect(added).to_have_attribute("data-starts", f"{page.day + timedelta(1)}T10:30")
    page.locator(".messagelist, #main-content").get_by_role("button", name="Undo").first.click()
    expect(added).to_have_count(0)


def test_form_of_an_empty_time_leads_to_all_fields(page):
    dialog = click_on_an_empty_time(page)
    page.keyboard.type("Kites")
    choose_related(page, "Venues", "Saltworks Theatre")

    dialog.get_by_role("link", name="All fields").click()

    page.wait_for_url("**/add/**")
    expect(page.get_by_label("Title")).to_have_value("Kites")
    expect(page.locator("[name=start]")).to_have_value(f"{page.day + timedelta(1)}T10:30")
    expect(page.locator("[name=end]")).to_have_value(f"{page.day + timedelta(1)}T12:30")
    expect(page.locator(".field-ordered_venues .select2-selection__choice")).to_contain_text("Saltworks Theatre")


def test_saving_leads_back_to_the_same_place(page):
    page.goto(f"{CALENDAR}?view=week&day={page.day}")
    event_in(page).scroll_into_view_if_needed()
    event_in(page).click()
    scrolled = page.locator(".time-grid").evaluate("(grid) => grid.scrollTop")

    page.get_by_role("link", name="Edit", exact=True).click()
    page.wait_for_url("**/change/**")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/calendar/**")

    assert f"day={page.day}&view=week" in page.url
    expect(event_in(page)).to_be_focused()
    assert abs(page.locator(".time-grid").evaluate("(grid) => grid.scrollTop") - scrolled) < 2


def test_calendar_opens_with_today(page):
    page.goto(CALENDAR)
    is_phone = page.viewport_size["width"] < 768

    view = page.locator(".calendar-views [aria-current]")
    expect(view).to_have_text("Day" if is_phone else "Month")
    if is_phone:
        expect(page.locator("#calendar [aria-current=date]")).to_be_in_viewport()


@pytest.fixture
def finger(page_as):
    """A tablet with a touch screen, an event on a day of its own, and a function that sends touches."""
    page = page_as("editor", viewport=SIZES["tablet"], has_touch=True)
    session = page.context.new_cdp_session(page)

    def touch(kind, x=None, y=None):
        points = [] if x is None else [{"x": x, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    page.touch = touch
    return page


def drag_with_finger(page: Page, down: tuple[float, float], up: tuple[float, float], rest_ms: int) -> None:
    page.touch("Start", *down)
    page.wait_for_timeout(rest_ms)
    for step in range(1, 6):
        page.touch("Move", *(first + (last - first) * step / 5 for first, last in zip(down, up, strict=True)))
    page.touch("End")


def test_finger_that_rests_on_an_event_drags_it(finger, own):
    add_event(finger, own("Lantern walk"), "2032-03-10T12:00", "2032-03-10T14:00")
    finger.goto(f"{CALENDAR}?view=week&day=2032-03-10")
    event_in(finger).scroll_into_view_if_needed()
    box = event_in(finger).bounding_box()
    column = finger.locator(".grid-column").first.bounding_box()
    down = (box["x"] + 20, box["y"] + 20)
    up = (down[0] + column["width"], down[1] + column["height"] / 48)

    drag_with_finger(finger, down, up, rest_ms=0)
    assert times(finger) == ("2032-03-10T12:00", "2032-03-10T14:00")
    event_in(finger).scroll_into_view_if_needed()
    box = event_in(finger).bounding_box()
    down = (box["x"] + 20, box["y"] + 20)
    drag_with_finger(finger, down, (down[0] + column["width"], down[1] + column["height"] / 48), rest_ms=600)

    expect(event_in(finger)).to_have_attribute("data-starts", "2032-03-11T12:30")
    expect(finger.locator("#calendar-summary")).to_be_hidden()


def test_finger_drags_a_bar_in_a_month_by_the_day_below_it(finger, own):
    add_event(finger, own("Boat fair"), "2032-04-06T12:00", "2032-04-09T14:00")
    finger.goto(f"{CALENDAR}?view=month&day=2032-04-06")
    thursday, monday = (finger.locator(f"td[data-day='2032-04-{day}']").bounding_box() for day in ("08", "12"))
    bar = event_in(finger).bounding_box()
    assert bar["width"] > 3 * thursday["width"]

    down = (thursday["x"] + 20, bar["y"] + 12)
    drag_with_finger(finger, down, (monday["x"] + 20, monday["y"] + 60), rest_ms=600)

    expect(event_in(finger).first).to_have_attribute("data-starts", "2032-04-10T12:00")


def test_mouse_drags_a_bar_in_a_month_by_the_day_below_it(page_as, own):
    page = page_as("editor", viewport=SIZES["desktop"])
    add_event(page, own("Kite fair"), "2032-05-04T12:00", "2032-05-07T14:00")
    page.goto(f"{CALENDAR}?view=month&day=2032-05-04")
    bar = event_in(page).bounding_box()
    wednesday = page.locator("td[data-day='2032-05-05']").bounding_box()

    page.mouse.move(wednesday["x"] + 20, bar["y"] + 12)
    page.mouse.down()
    page.mouse.move(wednesday["x"] + 40, bar["y"] + 60, steps=3)
    friday = page.locator("td[data-day='2032-05-14']").bounding_box()
    page.mouse.move(friday["x"] + 40, friday["y"] + 60, steps=5)
    page.mouse.up()

    expect(event_in(page).first).to_have_attribute("data-starts", "2032-05-13T12:00")
