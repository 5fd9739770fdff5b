"""The rich text editor of descriptions."""

import pytest
from playwright.sync_api import expect

from tests.support.browser.admin_site import save_new_event

ADD = "/admin/events/event/add/"
# HTML that the editor supports, formatted unlike its own output.
KNOWN = (
    "<table>\n<tbody><tr><td><p>1</p></td></tr></tbody>\n</table>\n\n<figure>\n  "
    '<img src="/static/pages/icon.svg" alt="">\n  <figcaption>A <b>drawing</b></figcaption>\n</figure>'
    "\n<dl><dt>Doors</dt><dd>at six</dd></dl>"
)
# HTML that the editor does not support.
UNKNOWN = "<table><caption>Prices</caption><tbody><tr><td>1</td></tr></tbody></table>"


def editor_of(page):
    # The textarea has the same role and name.
    return page.locator(".ProseMirror[role=textbox][aria-label=Description]")


def tool(page, name):
    return page.get_by_role("toolbar", name="Formatting toolbar").get_by_role("button", name=name, exact=True)


def source(page):
    return page.locator("textarea[name=description]")


def write_source(page, html):
    page.get_by_role("button", name="HTML source").click()
    source(page).fill(html)
    page.get_by_role("group", name="Editor mode").get_by_role("button", name="Text", exact=True).click()


def test_bold_words_are_written_and_kept(new_event_page):
    editor_of(new_event_page).click()
    tool(new_event_page, "Bold").click()
    new_event_page.keyboard.type("Loud")
    new_event_page.keyboard.press("Control+b")
    new_event_page.keyboard.type(" and quiet")
    save_new_event(new_event_page, "Loud and quiet")

    expect(source(new_event_page)).to_have_value("<p><strong>Loud</strong> and quiet</p>")
    expect(editor_of(new_event_page)).to_have_text("Loud and quiet")


@pytest.mark.parametrize("html", [KNOWN, UNKNOWN])
def test_opening_and_saving_changes_no_markup(new_event_page, html):
    new_event_page.get_by_role("button", name="HTML source").click()
    source(new_event_page).fill(html)
    save_new_event(new_event_page, "Kept")
    new_event_page.get_by_role("group", name="Editor mode").wait_for()
    expect(editor_of(new_event_page)).to_have_count(int(html == KNOWN))
    save_new_event(new_event_page, "Kept again")

    expect(new_event_page.get_by_label("Title")).to_have_value("Kept again")
    expect(source(new_event_page)).to_have_value(html)


def test_undo_restores_the_original_markup(new_event_page):
    write_source(new_event_page, KNOWN)
    new_event_page.locator(".ProseMirror dd").click()
    new_event_page.keyboard.type("x")

    expect(source(new_event_page)).to_have_value(
        '<table><tbody><tr><td><p>1</p></td></tr></tbody></table><figure><img src="/static/pages/icon.svg" alt="">'
        "<figcaption>A <b>drawing</b></figcaption></figure><dl><dt>Doors</dt><dd>at sixx</dd></dl>"
    )
    tool(new_event_page, "Undo").click()
    expect(source(new_event_page)).to_have_value(KNOWN)


def test_unsupported_html_stays_source_with_a_message(new_event_page):
    write_source(new_event_page, UNKNOWN)

    expect(new_event_page.get_by_text("This text contains HTML that the editor cannot display.")).to_be_visible()
    expect(source(new_event_page)).to_be_visible()
    expect(source(new_event_page)).to_have_value(UNKNOWN)
    write_source(new_event_page, "<p>Now it can</p>")
    expect(editor_of(new_event_page)).to_have_text("Now it can")
    expect(source(new_event_page)).to_be_hidden()


def test_toolbar_is_one_tab_stop(new_event_page):
    new_event_page.get_by_role("button", name="HTML source").focus()
    new_event_page.keyboard.press("Tab")
    expect(new_event_page.get_by_label("Paragraph style")).to_be_focused()
    new_event_page.keyboard.press("ArrowRight")
    expect(tool(new_event_page, "Bold")).to_be_focused()
    new_event_page.keyboard.press("Tab")
    expect(editor_of(new_event_page)).to_be_focused()
    new_event_page.keyboard.press("Tab")
    expect(editor_of(new_event_page)).not_to_be_focused()


def test_links_with_other_schemes_are_rejected_with_a_message(new_event_page):
    editor_of(new_event_page).click()
    new_event_page.keyboard.press("Control+k")
    path = new_event_page.get_by_role("dialog").get_by_label("URL")
    path.fill("javascript:alert(1)")
    path.press("Enter")
    assert path.evaluate("input => input.validationMessage") == (
        "Enter a URL that starts with https://, mailto: or tel:."
    )
    path.fill("example.org")
    path.press("Enter")

    expect(source(new_event_page)).to_have_value('<p><a href="https://example.org">example.org</a></p>')


def test_pasted_formatting_is_removed(new_event_page):
    editor_of(new_event_page).click()
    new_event_page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.setData("text/html", `<p class="MsoNormal" style="color: red"><span lang="EN-US"><b>Word</b> said
                <o:p></o:p></span></p><img src="file:///a.png">`);
            const event = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
            document.querySelector(".ProseMirror").dispatchEvent(event);
        }"""
    )

    expect(source(new_event_page)).to_have_value("<p><b>Word</b> said</p>")
