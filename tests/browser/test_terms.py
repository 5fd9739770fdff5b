"""Choosing categories, typing tags, and the slug that is made of a title, in a browser."""

import pytest
from playwright.sync_api import expect

ADD = "/admin/events/event/add/"


@pytest.fixture
def page(page_as):
    page = page_as("editor")
    page.goto(ADD)
    return page


def tree(page):
    return page.get_by_role("group", name="Categories")


def chips(page):
    return page.locator(".field-tags .select2-selection__choice")


def type_tag(page, text):
    page.locator(".field-tags .select2-search__field").click()
    page.keyboard.type(text)


def save(page, title):
    page.get_by_label("Title").fill(title)
    page.locator("[name=start]").fill("2031-03-10T18:00")
    page.locator("[name=end]").fill("2031-03-10T20:00")
    page.get_by_role("button", name="Save and continue editing").click()
    page.wait_for_url("**/change/")


def test_categories_are_found_by_words_and_ticked_by_keys(page):
    tree(page).get_by_role("searchbox").fill("choral")

    shown = tree(page).get_by_role("checkbox")
    expect(tree(page).locator("li:visible")).to_have_text(["Music", "Music › Classical", "Music › Classical › Choral"])
    shown.last.focus()
    page.keyboard.press("Space")
    expect(tree(page).get_by_role("status")).to_have_text("Chosen: Music › Classical › Choral")
    save(page, "A choir")
    expect(tree(page).get_by_role("status")).to_have_text("Chosen: Music › Classical › Choral")


def test_a_category_is_made_without_leaving_the_form(page):
    with page.expect_popup() as opened:
        tree(page).get_by_role("link", name="Add a category").click()
    opened.value.get_by_label("Name").fill("Kite flying")
    opened.value.get_by_role("button", name="Save", exact=True).click()

    expect(tree(page).get_by_role("status")).to_have_text("Chosen: Kite flying")
    save(page, "Kites")
    expect(tree(page).get_by_role("checkbox", name="Kite flying")).to_be_checked()


def test_tags_are_typed(page):
    type_tag(page, "Free Entry,")
    type_tag(page, "kites at dusk")
    page.keyboard.press("Enter")
    type_tag(page, "left standing")
    page.keyboard.press("Tab")

    expect(chips(page)).to_have_count(3)
    save(page, "Kites at dusk")
    expect(chips(page).filter(has_text="free entry")).to_have_count(1)
    expect(chips(page).filter(has_text="kites at dusk")).to_have_count(1)
    expect(chips(page).filter(has_text="left standing")).to_have_count(1)


def test_a_tag_that_comes_up_is_chosen(page):
    type_tag(page, "step-free")
    page.get_by_role("option", name="step-free access").click()

    expect(chips(page)).to_have_text(["×step-free access"])


def test_the_slug_follows_the_title_until_it_is_saved_or_written_by_hand(page):
    title, slug = page.get_by_label("Title"), page.locator("[name=slug]")
    title.press_sequentially("Ärger & Größe")
    expect(slug).to_have_value("arger-grosse")
    save(page, "Late jazz")
    kept = slug.input_value()
    title.press_sequentially(" again")
    expect(slug).to_have_value(kept)

    page.goto(ADD)
    slug.fill("by-hand")
    slug.press("Tab")
    title.press_sequentially("Something else")
    expect(slug).to_have_value("by-hand")
