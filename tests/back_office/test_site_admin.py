"""The page Site of the admin: one form for administrators, with a preview, and environment variables that win."""

import pytest

from calendar_site.site_profile.models import SiteProfile
from calendar_site.site_profile.services import save_site_profile
from tests.support.admin import form_data, form_errors, submit_form
from tests.support.html_page import parse_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

LIST = "/admin/site_profile/siteprofile/"
ADD = f"{LIST}add/"
PREVIEW = f"{LIST}preview/"


def change_path():
    return f"{LIST}{SiteProfile.objects.get().pk}/change/"


@pytest.fixture
def profile(administrator):
    return save_site_profile(SiteProfile(), changes={"name": "Town"}, user=administrator)


def test_there_is_one_profile(administrator_browser):
    assert administrator_browser.get(LIST)["Location"] == ADD

    assert submit_form(administrator_browser, ADD, name="Town").status_code == 302

    assert SiteProfile.objects.get().name == "Town"
    assert administrator_browser.get(LIST)["Location"] == change_path()
    assert administrator_browser.get(ADD)["Location"] == LIST
    assert administrator_browser.post(ADD, {"name": "Other"})["Location"] == LIST
    assert administrator_browser.get(f"{LIST}{SiteProfile.objects.get().pk}/delete/").status_code == 403


def test_changes_have_a_history(administrator_browser, profile):
    submit_form(administrator_browser, change_path(), name="City", font="serif")

    revisions = SiteProfile.history.order_by("history_id").values_list("history_kind", "history_changed", "name")
    assert list(revisions) == [("created", [], "Town"), ("changed", ["name", "font"], "City")]
    page = parse_page(administrator_browser.get(f"{LIST}{profile.pk}/history/"))
    assert "City" in page.one("main").text


@pytest.mark.parametrize("browser", ["editor_browser", "author_browser", "contributor_browser"])
def test_only_administrators_change_it(request, browser, profile):
    other = request.getfixturevalue(browser)

    assert [other.get(path).status_code for path in (LIST, ADD, change_path())] == [403, 403, 403]
    assert other.post(PREVIEW, {"name": "Mine"}).status_code == 403
    assert other.post(change_path(), {"name": "Mine"}).status_code == 403
    assert SiteProfile.objects.get().name == "Town"


LOW = "The contrast with the background is {} to 1. Texts need at least {} to 1."


@pytest.mark.parametrize(
    ("values", "errors"),
    [
        ({"link_color": "blue"}, {"link_color": ["Enter a color such as #0a7ab8."]}),
        ({"link_color": "#ffff00"}, {"link_color": [LOW.format("1.1", "4.5")]}),
        ({"text_color": "#777777"}, {"text_color": [LOW.format("4.5", "7")]}),
        ({"dark_background_color": "#ffffff"}, {
            "dark_link_color": [LOW.format("2.0", "4.5")], "dark_text_color": [LOW.format("1.2", "7")]
        }),
        ({"custom_css": "p { color: red"}, {}),
        ({"custom_css": "p { color: url(https://x.example/a.png) }"}, {
            "custom_css": ["Line 1: url() is not allowed. A style sheet can load no files, and run no scripts."]
        }),
        ({"custom_css": "p {}\n@import 'x.css';"}, {
            "custom_css": ["Line 2: @import is not allowed. A style sheet can load no files, and run no scripts."]
        }),
        ({"custom_css": "@media print { p { background: image-set('a.png' 1x) } }"}, {
            "custom_css": ["Line 1: image-set() is not allowed. A style sheet can load no files, and run no scripts."]
        }),
        ({"custom_css": "p { -moz-binding: none }"}, {
            "custom_css": ["Line 1: -moz-binding is not allowed. A style sheet can load no files, and run no scripts."]
        }),
        ({"custom_css": "p::before { content: '</style><script>' }"}, {
            "custom_css": ["Line 1: < is not allowed. A style sheet can load no files, and run no scripts."]
        }),
        ({"custom_css": "p { color }"}, {"custom_css": ["Line 1 is not valid CSS."]}),
        ({"custom_css": "p{}" * 7000}, {"custom_css": ["A style sheet can have at most 20000 characters."]}),
        ({"header_links": "Town"}, {
            "header_links": [
                "“Town” is not a link. Enter a text and a URL, such as: Town hall | https://town.example/"
            ]
        }),
        ({"footer_links": "X | javascript:alert(1)"}, {"footer_links": ["Enter a URL that starts with http:// or https://."]}),
        ({"footer_links": "X | //evil.example"}, {"footer_links": ["Enter a URL that starts with http:// or https://."]}),
        ({"footer_links": "a | /a\n" * 21}, {"footer_links": ["At most 20 links are possible."]}),
    ],
)  # fmt: skip
def test_invalid_values_are_explained(administrator_browser, profile, values, errors):
    response = submit_form(administrator_browser, change_path(), **values)

    assert (form_errors(response) if errors else response.status_code) == (errors or 302)


def test_variables_replace_their_fields(administrator_browser, profile, settings):
    settings.SITE_NAME, settings.VARIABLES_OF_SITE = "Town", {"SITE_NAME"}

    page = parse_page(administrator_browser.get(change_path()))

    assert page.all("input", name="name") == []
    assert "Set by environment variables: SITE_NAME=Town." in page.one("main").text


def test_preview_shows_the_home_page_and_saves_nothing(administrator_browser, profile):
    data = form_data(administrator_browser.get(change_path())) | {"name": "City", "link_color": "#7a1f5c"}

    response = administrator_browser.post(PREVIEW, data)

    page = parse_page(response)
    assert (response.status_code, page.one("title").text) == (200, "Upcoming events – City")
    assert "--link:#7a1f5c" in page.one("style").text
    assert response["Cache-Control"].startswith("private, no-store")
    assert SiteProfile.objects.get().name == "Town"
    assert SiteProfile.history.count() == 1
    assert administrator_browser.get(PREVIEW).status_code == 405


def test_preview_of_a_new_profile(administrator_browser):
    data = form_data(administrator_browser.get(ADD)) | {"name": "City"}

    response = administrator_browser.post(PREVIEW, data)

    assert parse_page(response).one("title").text == "Upcoming events – City"
    assert not SiteProfile.objects.exists()


def test_preview_of_invalid_values_explains_them(administrator_browser, profile):
    data = form_data(administrator_browser.get(change_path())) | {"link_color": "#ffff00"}

    response = administrator_browser.post(PREVIEW, data)

    assert response.status_code == 400
    assert LOW.format("1.1", "4.5") in parse_page(response).one("main").text
