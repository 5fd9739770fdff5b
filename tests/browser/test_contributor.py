"""A contributor submits an event, which an editor sends back, approves and unpublishes."""

from playwright.sync_api import expect

from tests.support.browser.admin_site import expect_message, fill_in_event, open_from_menu, press, sign_in, sign_out


def test_editor_publishes_a_submission_of_a_contributor(nobody, new_window, page_as, own):
    page, title = nobody, own("Songs for a rainy day")
    sign_in(page, "contributor")
    fill_in_event(page, title)
    # Contributors cannot publish.
    expect(page.locator("select[name=status]")).to_have_count(0)
    expect(page.get_by_role("button", name="Publish")).to_have_count(0)
    submit_event(page)

    editor = page_as("editor")
    open_review(editor, title)
    editor.get_by_label("Note").fill("Where is it?")
    editor.get_by_role("button", name="Send back").click()
    expect(editor.get_by_role("link", name=title, exact=True)).to_have_count(0)

    page.goto("/admin/")
    page.get_by_role("link", name=title).first.click()
    expect(page.locator("blockquote")).to_have_text("Where is it?")
    submit_event(page)

    open_review(editor, title)
    editor.get_by_label("Note").fill("Lovely.")
    editor.get_by_role("button", name="Approve").click()
    guest = new_window()
    guest.goto(f"/event/{title.lower().replace(' ', '-')}")
    expect(guest.get_by_role("heading", level=1)).to_have_text(title)
    page.goto("/admin/")
    approved = page.locator("section").filter(has=page.get_by_role("heading", name="Recently approved"))
    approved.get_by_role("link", name=title).click()
    expect(page.locator("blockquote")).to_have_text("Lovely.")

    withdraw_event(editor, title)
    guest.watch.expect_status(404)
    assert guest.reload().status == 404
    page.goto("/admin/")
    expect(page.get_by_role("heading", name="Recently approved")).to_have_count(0)
    sign_out(page)


def submit_event(page):
    press(page, "Submit for review")
    expect(page.locator("body")).to_contain_text("successfully")


def withdraw_event(page, title):
    page.goto("/admin/events/event/?q=Songs")
    page.get_by_role("link", name=title).first.click()
    press(page, "Switch to draft")
    expect_message(page, "was changed successfully")


def open_review(page, title):
    page.goto("/admin/")
    open_from_menu(page, "Review queue")
    page.get_by_role("link", name=f"Review {title}").click()
