"""Importing a table, and deciding about events that two sources have in common."""

from playwright.sync_api import expect

from tests.support.browser.admin_site import expect_message

TABLE = b"What,When,Where\nLantern market,2031-06-01 19:00,Old mill\nBoat parade,2031-06-02,Harbour\n"


def test_columns_of_an_uploaded_table_are_chosen(page_as):
    page = page_as("editor")
    page.goto("/admin/transfer/source/add/")
    page.get_by_label("Name").fill("Harbour festival")
    page.get_by_label("Format").select_option("table")
    page.locator("[name=file]").set_input_files({"name": "harbour.csv", "mimeType": "text/csv", "buffer": TABLE})
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_role("heading", name="Preview: waiting")).to_be_visible()

    page.goto("/admin/transfer/source/")
    page.get_by_role("link", name="Harbour festival").first.click()
    source = page.url.partition("/change/")[0]
    page.goto(f"{source}/columns/")
    for field, column in (("Title", "What"), ("Start date", "When"), ("Venue", "Where")):
        page.get_by_label(field, exact=True).select_option(column)
    page.get_by_role("button", name="Save and preview").click()

    expect(page.get_by_role("heading", name="Preview: waiting")).to_be_visible()
    page.goto(f"{source}/columns/")
    expect(page.get_by_label("Title", exact=True)).to_have_value("What")
    expect(page.get_by_label("End date", exact=True)).to_have_value("-")


def test_events_of_two_sources_are_merged_and_parted_again(page_as):
    page = page_as("editor")
    page.goto("/admin/transfer/source/")
    page.get_by_role("link", name="Possible duplicates: 1").click()
    second = page.get_by_role("row").nth(1).get_by_role("link").nth(1).inner_text()

    page.get_by_role("button", name="Merge", exact=True).click()
    expect_message(page, "The events are merged.")
    expect(page.get_by_text("There is nothing to decide.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()

    expect_message(page, "They are two events again.")
    expect(page.get_by_role("row").nth(1)).to_contain_text(second)
