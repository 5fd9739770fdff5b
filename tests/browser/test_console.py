"""The API console: each operation that reads can be tried at once."""

import pytest
from playwright.sync_api import expect

OPERATIONS = (
    "getIndex", "getDocument", "listEvents", "getEvent", "getEventBySlug", "listVenues", "getVenue", "getVenueBySlug",
    "listOrganizers", "getOrganizer", "getOrganizerBySlug", "listCategories", "getCategory", "listTags", "getTag",
    "listSeries", "getSeries",
)  # fmt: skip
NEED_AUTHENTICATION = ("getMe",)


@pytest.fixture
def console(nobody):
    nobody.goto("/cal/events/v1/doc")
    expect(nobody.locator(".opblock-get")).to_have_count(len(OPERATIONS + NEED_AUTHENTICATION))
    return nobody


def test_operations_that_read_can_be_tried_without_entering_anything(console):
    for operation in OPERATIONS:
        block = console.locator(f".opblock-get[id$='-{operation}']")
        block.locator(".opblock-summary-control").click()
        block.locator(".try-out__btn").click()

        block.locator(".execute").click()

        # The status of the response, not of a documented one.
        expect(block.locator(".live-responses-table .response-col_status").last).to_contain_text("200")
        block.locator(".opblock-summary-control").click()


def test_lists_are_tried_without_the_dates_of_a_day(console):
    block = console.locator(".opblock-get[id$='-listEvents']")
    block.locator(".opblock-summary-control").click()
    block.locator(".try-out__btn").click()
    block.locator(".execute").click()

    url = block.locator(".request-url").inner_text()
    assert url.strip().endswith("/events?page=1&per_page=9&strict_dates=false&geoloc_radius=25")
