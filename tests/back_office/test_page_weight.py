"""The weight of pages of the admin: short HTML, only the fonts in use, and no unused scripts."""

import re
import sys

import pytest

from tests.factories import CategoryFactory, EventFactory, VenueFactory
from tests.support.programs import ROOT, run_program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

LIST = "/admin/events/event/"
MAX_HTML_BYTES = 150_000
FONTS = ROOT / "calendar_site/static/back_office/fonts"
UNUSED = ("htmx.js", "chart.js", "xregexp", "urlify.js", "Material-Symbols-Outlined.woff2")


def test_a_page_of_fifty_events_is_short(editor_browser):
    category = CategoryFactory(name="Contemporary theatre")
    for number in range(50):
        venue = VenueFactory(title=f"The long name of a venue {number}")
        EventFactory(title=f"An event with a title of a common length {number}", venues=[venue], categories=[category])

    page = editor_browser.get(LIST).content

    assert page.count(b'class="action-select"') == 50
    assert len(page) < MAX_HTML_BYTES
    assert re.search(rb">\s{2,}<", page) is None


@pytest.mark.parametrize("path", ["/admin/", LIST, f"{LIST}add/", f"{LIST}calendar/", "/admin/venues/venue/"])
def test_pages_load_no_unused_scripts(editor_browser, path):
    page = editor_browser.get(path).content.decode()

    assert [name for name in UNUSED if name in page] == []
    assert "back_office/fonts/fonts.css" in page


def test_fonts_contain_every_icon_in_use():
    done = run_program([sys.executable, ".ci/admin_fonts.py", "check"])

    assert (done.returncode, done.stderr) == (0, "")


def test_fonts_are_small():
    sizes = {file.name: file.stat().st_size for file in FONTS.glob("*.woff2")}

    assert sorted(sizes) == [
        "icons.woff2", "inter-bold.woff2", "inter-medium.woff2", "inter-regular.woff2", "inter-semibold.woff2"
    ]  # fmt: skip
    assert max(sizes.values()) < 30_000


def test_the_style_sheet_names_each_font():
    style = (FONTS / "fonts.css").read_text()

    assert sorted(re.findall(r"url\(([^./)]+\.woff2)\)", style)) == sorted(file.name for file in FONTS.glob("*.woff2"))


def test_the_sign_in_page_has_the_landmark_and_the_link(client):
    page = client.get("/admin/login/").content.decode()

    assert '<a class="skip-link" href="#main-content">Skip to main content</a>' in page
    assert re.findall(r'<main id="([^"]*)" tabindex="-1"', page) == ["main-content"]


def test_a_button_opens_the_command_palette(editor_browser, client):
    button = '<button type="button" class="palette-button" data-opens="palette"'

    assert editor_browser.get(LIST).content.decode().count(button) == 1
    assert button not in client.get("/admin/login/").content.decode()
    assert button not in editor_browser.get("/admin/venues/venue/add/?_popup=1").content.decode()


def test_the_content_of_a_page_is_a_landmark_that_a_link_leads_to(editor_browser):
    page = editor_browser.get(LIST).content.decode()

    assert '<a class="skip-link" href="#main-content">Skip to main content</a>' in page
    assert len(re.findall(r"<main ", page)) == 1
    assert '<main id="main-content" tabindex="-1"' in page
