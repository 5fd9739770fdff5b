"""The inputs of categories, tags and slugs on the event form."""

from playwright.sync_api import expect

from tests.support.browser.admin_site import save_new_event

ADD = "/admin/events/event/add/"


def category_tree(page):
    return page.get_by_role("group", name="Categories")


def chips(page):
    return page.locator(".field-tags .select2-selection__choice")


def type_tag(page, text):
    page.locator(".field-tags .select2-search__field").click()
    page.keyboard.type(text)


def test_categories_are_searched_and_checked_with_the_keyboard(new_event_page):
    category_tree(new_event_page).get_by_role("searchbox").fill("choral")

    shown = category_tree(new_event_page).get_by_role("checkbox")
    expect(category_tree(new_event_page).locator("li:visible")).to_have_text(
        ["Music", "Music › Classical", "Music › Classical › Choral"]
    )
    shown.last.focus()
    new_event_page.keyboard.press("Space")
    expect(category_tree(new_event_page).get_by_role("status")).to_have_text("Selected: Music › Classical › Choral")
    save_new_event(new_event_page, "A choir")
    expect(category_tree(new_event_page).get_by_role("status")).to_have_text("Selected: Music › Classical › Choral")


def test_category_is_created_in_a_popup(new_event_page, own):
    name = own("Kite flying")
    with new_event_page.expect_popup() as opened:
        category_tree(new_event_page).get_by_role("link", name="Add a category").click()
    opened.value.get_by_label("Name").fill(name)
    opened.value.get_by_role("button", name="Save", exact=True).click()

    expect(category_tree(new_event_page).get_by_role("status")).to_have_text(f"Selected: {name}")
    save_new_event(new_event_page, "Kites")
    expect(category_tree(new_event_page).get_by_role("checkbox", name=name, exact=True)).to_be_checked()


def test_new_tags_are_typed(new_event_page, own):
    name = own("kites at dusk")
    type_tag(new_event_page, "Free Entry,")
    type_tag(new_event_page, name)
    expect(new_event_page.get_by_role("option", name=f"New tag: {name}")).to_be_visible()
    new_event_page.keyboard.press("Enter")

    expect(chips(new_event_page)).to_have_count(2)
    save_new_event(new_event_page, "Kites at dusk")
    expect(chips(new_event_page).filter(has_text="free entry")).to_have_count(1)
    expect(chips(new_event_page).filter(has_text=name)).to_have_count(1)


def test_the_enter_key_chooses_the_highlighted_tag(new_event_page):
    type_tag(new_event_page, "fre")
    # While results are loading, the key does nothing.
    new_event_page.keyboard.press("Enter")
    expect(new_event_page.get_by_role("option", name="New tag: fre")).to_be_visible()
    expect(chips(new_event_page)).to_have_count(0)
    new_event_page.keyboard.press("Enter")

    expect(chips(new_event_page)).to_have_text(["×free entry"])


def test_leaving_the_field_creates_no_tag(new_event_page):
    type_tag(new_event_page, "fre")
    new_event_page.keyboard.press("Tab")
    type_tag(new_event_page, "unfinished")
    new_event_page.get_by_label("Title").click()

    expect(chips(new_event_page)).to_have_count(0)


def test_suggested_tag_is_selected(new_event_page):
    type_tag(new_event_page, "step-free")
    new_event_page.get_by_role("option", name="step-free access").click()

    expect(chips(new_event_page)).to_have_text(["×step-free access"])


def test_the_slug_follows_the_title_until_it_is_saved_or_written_by_hand(new_event_page):
    title, slug = new_event_page.get_by_label("Title"), new_event_page.locator("[name=slug]")
    title.press_sequentially("Ärger & Größe")
    expect(slug).to_have_value("arger-grosse")
    save_new_event(new_event_page, "Late jazz")
    kept = slug.input_value()
    title.press_sequentially(" again")
    expect(slug).to_have_value(kept)

    new_event_page.goto(ADD)
    slug.fill("by-hand")
    slug.press("Tab")
    title.press_sequentially("Something else")
    expect(slug).to_have_value("by-hand")
