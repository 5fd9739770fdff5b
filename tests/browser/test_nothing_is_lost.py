"""Saving a form when the session has ended or the service does not answer: what was typed stays, and is saved later."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser.admin_site import PASSWORD, expect_message, press

SESSION = "sessionid"
PUT_BACK = "for (const [key, text] of Object.entries(JSON.parse(copies))) localStorage.setItem(key, text);"


@pytest.fixture
def title(request, own):
    # Other tests leave unsaved forms of the same accounts behind.
    return own(f"Lantern walk {request.session.items.index(request.node)}.")


@pytest.fixture
def form(page_as, title):
    page = page_as("editor")
    page.goto("/admin/events/event/add/")
    page.get_by_label("Title").fill(title)
    page.locator("[name=start]").fill("2031-03-10T18:00")
    page.locator("[name=end]").fill("2031-03-10T20:00")
    return page


def end_session(page):
    page.context.clear_cookies(name=SESSION)


def notice(page, title):
    return page.get_by_role("region", name="Unsaved changes").filter(has_text=title)


def saved_message(page):
    return page.get_by_role("listitem").filter(has_text="successfully")


@pytest.mark.parametrize("cookies", ["session", "all"])
def test_signing_in_beside_the_form_saves_it(form, title, cookies):
    if cookies == "all":
        # A backup may be sent between this line and the next one.
        form.watch.expect_status(403)
        form.context.clear_cookies()
    else:
        end_session(form)

    press(form, "Save draft")
    dialog = form.get_by_role("dialog", name="Sign in to save")
    expect(dialog).to_be_visible()
    with form.context.expect_page() as opened:
        dialog.get_by_role("button", name="Sign in").click()
    sign_in = opened.value
    sign_in.get_by_label("Username").fill("editor")
    sign_in.get_by_label("Password").fill(PASSWORD)
    sign_in.get_by_role("button", name=re.compile("Log in|Sign in")).click()

    expect_message(form, "was added successfully")
    form.goto(f"/admin/events/event/?q={title}")
    expect(form.get_by_role("link", name=title).first).to_be_visible()


def test_cut_line_keeps_the_form_and_the_same_click_works_later(form, title):
    form.context.set_offline(True)
    form.watch.ignore_failed_requests()

    press(form, "Publish")
    expect(form.locator(".draft-status")).to_contain_text("does not respond, so nothing was sent")
    expect(form.get_by_label("Title")).to_have_value(title)

    form.context.set_offline(False)
    press(form, "Publish")
    expect_message(form, "was added successfully")
    form.goto("/admin/events/event/add/")
    expect(notice(form, title)).to_have_count(0)


def test_copy_in_the_browser_is_offered_after_a_crash_and_restored(form, title):
    form.wait_for_function("Object.keys(localStorage).some((key) => key.startsWith('form-copy:'))")
    form.context.set_offline(True)
    form.get_by_label("Title").fill(f"{title} by the lake")
    form.wait_for_function("Object.values(localStorage).some((text) => text.includes('by the lake'))")
    form.on("dialog", lambda dialog: dialog.accept())
    form.watch.ignore_failed_requests()

    other = form.context.new_page()
    form.close(run_before_unload=False)
    other.context.set_offline(False)
    other.goto("/admin/events/event/add/")
    offered = notice(other, title).filter(
        has_text=f"This browser has kept input that was not saved: “{title} by the lake”"
    )
    offered.get_by_role("button", name="Restore").click()

    restored = other.get_by_role("region", name="Unsaved changes").filter(has_text="have been restored, but not saved")
    expect(restored).to_be_visible()
    expect(other.get_by_label("Title")).to_have_value(f"{title} by the lake")
    expect(other.locator("[name=start]")).to_have_value("2031-03-10T18:00")
    press(other, "Save draft")
    expect_message(other, "was added successfully")
    other.goto("/admin/events/event/add/")
    expect(notice(other, title)).to_have_count(0)
    assert other.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('form-copy:'))") == []


def test_copy_of_another_user_is_not_offered(form, page_as, title):
    form.wait_for_function("Object.keys(localStorage).some((key) => key.startsWith('form-copy:'))")
    copies = form.evaluate("JSON.stringify(localStorage)")

    page = page_as("author")
    page.goto("/admin/events/event/add/")
    page.evaluate(
        "copies => Object.entries(JSON.parse(copies)).forEach(([key, text]) => localStorage.setItem(key, text))", copies
    )
    page.reload()

    expect(page.get_by_label("Title")).to_have_value("")
    expect(notice(page, title)).to_have_count(0)


def test_partly_filled_date_says_so_and_stays(form, title):
    form.locator("[name=end]").fill("")
    form.locator("[name=end]").focus()
    form.keyboard.type("12")

    press(form, "Publish")

    expect(form.get_by_role("alert").filter(has_text="Enter the date and the time completely.")).to_be_visible()
    expect(form.get_by_label("Title")).to_have_value(title)
    assert form.url.endswith("/add/")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("5 Dec 2031 10-13", "2031-12-05T10:00", "2031-12-05T13:00"),
        ("12-14 June 2031", "2031-06-12", "2031-06-14"),
        ("5 Dec 2031 7pm", "2031-12-05T19:00", "2031-12-05T21:00"),
    ],
)
def test_line_of_text_fills_in_both_times(form, text, start, end):
    form.get_by_label("When, in words").fill(text)

    expect(form.locator("[name=start]")).to_have_value(start)
    expect(form.locator("[name=end]")).to_have_value(end)


def test_line_that_is_no_date_says_so(form):
    form.get_by_label("When, in words").fill("at some point")

    expect(form.locator("#written-times_hint_error")).to_contain_text("Not a valid date.")
    expect(form.locator("[name=start]")).to_have_value("2031-03-10T18:00")


def test_enter_sends_nothing_and_keys_save(form, title):
    form.get_by_label("Title").press("Enter")
    assert form.url.endswith("/add/")

    form.keyboard.press("Control+s")
    expect_message(form, "was added successfully")
    expect(form).to_have_url(re.compile("/change/"))
    form.get_by_label("Title").fill(f"{title} at dusk")
    form.keyboard.press("Control+Enter")
    expect_message(form, "was changed successfully")
    message = saved_message(form)
    expect(message.get_by_role("link", name="View page")).to_be_visible()
    expect(message.get_by_role("button", name="Undo")).to_be_visible()


def test_message_undoes_a_change_of_a_single_event(form, title):
    press(form, "Publish")
    message = saved_message(form)
    expect(message.get_by_role("link", name="Edit")).to_be_visible()

    message.get_by_role("button", name="Undo").click()

    expect_message(form, title)
    form.goto(f"/admin/events/event/?status=trash&q={title}")
    expect(form.get_by_role("link", name=title).first).to_be_visible()
