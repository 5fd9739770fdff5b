"""Daily tasks of editors, with the number of clicks and keystrokes that they take."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.admin_site import expect_message

# Title, the day of a year and the time as typed into the control of a browser in American English, and the first
# letters of the venue.
EVENTS = (
    ("Open rehearsal of the brass band", ("0514", "0730PM"), "saltw", "Saltworks Theatre"),
    ("Pottery for beginners", ("0515", "0600PM"), "dock", "Dockside Makerspace"),
    ("Stargazing night", ("0516", "0900PM"), "orr", "Orrery Planetarium"),
    ("Climbing for families", ("0517", "1000AM"), "foun", "Foundry Climbing Centre"),
    ("Story hour", ("0518", "0300PM"), "harbourl", "Harbourlight Library"),
)


class CountedPage:
    """A page on which a user clicks and types; counts both."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = self.keystrokes = 0

    def click(self, locator, **options) -> None:
        locator.click(**options)
        self.clicks += 1

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.keystrokes += len(text)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.keystrokes += 1


@pytest.fixture
def counted_page(page_as):
    return CountedPage(page_as("editor", locale="en-US"))


def test_five_events_take_less_than_25_clicks(counted_page, attempt):
    editor, page = counted_page, counted_page.page
    year = 2030 + attempt
    page.goto("/admin/")
    editor.click(page.get_by_role("navigation").get_by_role("link", name="Events", exact=True))
    editor.click(page.get_by_role("link", name="Add event").first)
    for title, (day, time), letters, venue in EVENTS:
        expect(page.get_by_label("Title")).to_be_focused()
        editor.type(title)
        # At the beginning, where the control has the month.
        editor.click(page.get_by_label("Starts"), position={"x": 20, "y": 12})
        # Straight through: a year has four digits.
        editor.type(f"{day}{year}")
        editor.type(time)
        editor.click(page.get_by_role("searchbox", name="Venues"))
        editor.type(letters)
        expect(page.locator(".select2-results__option--highlighted, .select2-results__option").first).to_contain_text(
            venue
        )
        editor.press("Enter")
        editor.click(page.get_by_role("button", name="Save and add another"))
        # The message about the event before has the same words.
        expect_message(page, f"“{title}” was added successfully")

    print(f"five events: {editor.clicks} clicks, {editor.keystrokes} keystrokes")
    assert (editor.clicks, editor.keystrokes) == (17, 199)
    page.goto(f"/admin/events/event/?from={year}-05-14&to={year}-05-18")
    for title, _start, _letters, venue in EVENTS:
        row = page.get_by_role("row").filter(has_text=title)
        expect(row).to_contain_text(venue)
        expect(row).to_contain_text("Published")
