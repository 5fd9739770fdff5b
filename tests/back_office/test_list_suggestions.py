"""Searches with a typing error in the lists of the admin: they offer the correction that the API has in its header."""

import pytest

from tests.support.html_page import parse_page

pytestmark = pytest.mark.django_db


def offered(response):
    """Return the text and the URL of the link with the corrected search."""
    found = [box.one("a") for box in parse_page(response).all("p") if box.attributes.get("class") == "list-suggestion"]
    return [(link.text, link["href"]) for link in found]


def test_typing_error_is_corrected(kind, editor_browser):
    kind.factory(title="Carousel on the Pier")

    offers = offered(editor_browser.get(kind.list, {"q": "carosel pier", "status": "publish"}))

    assert offers == [("carousel pier", "?q=carousel+pier&status=publish")]
    assert "Carousel on the Pier" in editor_browser.get(kind.list + offers[0][1]).content.decode()


def test_nothing_is_offered_if_something_is_found_or_nothing_is_similar(kind, editor_browser):
    kind.factory(title="Carousel on the Pier")

    pages = [editor_browser.get(kind.list, {"q": text}) for text in ("carousel", "zzzzzz", "")]

    assert list(map(offered, pages)) == [[], [], []]


def test_words_that_are_not_public_are_not_offered(kind, editor_browser):
    kind.factory(title="Carousel", status="draft")

    assert offered(editor_browser.get(kind.list, {"q": "carosel"})) == []
