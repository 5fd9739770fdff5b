"""The page of the admin that makes the lines with which another site shows the calendar."""

import pytest

from tests.factories import CategoryFactory, TagFactory
from tests.support.html_page import parse_page

URL = "/admin/events/event/embed/"


def lines_of(response):
    page = parse_page(response)
    return [page.one("code", id=name).text.strip() for name in ("embed-script", "embed-frame")]


def test_lines_of_the_whole_calendar(editor_browser):
    script, frame = lines_of(editor_browser.get(URL))

    assert script == (
        '<script src="http://testserver/embed.js" data-view="list"></script> '
        '<noscript><a href="http://testserver/events/list/">Events</a></noscript>'
    )
    assert frame == (
        '<iframe src="http://testserver/events/list/?embed=1" title="Events" '
        'style="width: 100%; height: 60rem; border: 0"></iframe>'
    )


def test_lines_of_a_category_with_colors(editor_browser, client):
    CategoryFactory(name="Music & more")
    query = "view=day&category=music-more&title=Our+concerts&link_color=%230b5cad&background_color=fff"

    response = editor_browser.get(f"{URL}?{query}")

    script, frame = lines_of(response)
    assert script == (
        '<script src="http://testserver/embed.js" data-view="day" data-category="music-more" '
        'data-title="Our concerts" data-colors="link:0b5cad,background:fff"></script> '
        '<noscript><a href="http://testserver/events/category/music-more/today/">Our concerts</a></noscript>'
    )
    path = "/events/category/music-more/today/?embed=1&amp;colors=link:0b5cad,background:fff"
    assert f'src="http://testserver{path}"' in frame
    preview = parse_page(response).one("iframe")["src"]
    shown = client.get(preview)
    assert shown.status_code == 200
    assert "frame-ancestors 'self'" in shown["Content-Security-Policy"]
    assert "X-Frame-Options" not in shown
    assert "frame-src 'self'" in response["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("link_color=red", "Enter a color such as #0b5cad."),
        ("category=music&tag=free", "Choose a category or a tag, not both."),
        ("view=year", "Select a valid choice"),
        ("category=nobody", "Select a valid choice"),
    ],
)
def test_invalid_choices_make_no_lines(editor_browser, query, error):
    CategoryFactory(name="Music")
    TagFactory(name="Free")

    response = editor_browser.get(f"{URL}?{query}")

    assert error in response.content.decode()
    assert b"embed-script" not in response.content


def test_title_is_only_text(editor_browser):
    script, _frame = lines_of(editor_browser.get(URL, {"title": '"><script>alert(1)</script>'}))

    assert 'data-title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"' in script


def test_page_says_if_no_site_may_show_the_calendar(editor_browser, settings):
    assert b"EMBED_HOSTS" in editor_browser.get(URL).content
    settings.EMBED_HOSTS = ["https://www.example.org"]
    assert b"EMBED_HOSTS" not in editor_browser.get(URL).content


def test_page_is_for_those_who_see_events(client, subscriber):
    assert client.get(URL).status_code == 302
    client.force_login(subscriber)
    assert client.get(URL).status_code == 302
