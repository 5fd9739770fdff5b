"""The admin site: its menu, sign-in and search."""

import pytest

from tests.factories import EventFactory, VenueFactory
from tests.support.admin import browser_for

MENU = "sidebar_navigation"


def menu_items(client):
    return [
        (str(group["title"]), [(item["title"], item["link"]) for item in group["items"]])
        for group in client.get("/admin/").context[MENU]
    ]


def test_menu_of_an_author_has_the_permitted_pages(author):
    assert menu_items(browser_for(author)) == [
        (
            "Calendar",
            [
                ("Calendar", "/admin/events/event/calendar/"),
                ("Events", "/admin/events/event/"),
                ("Series", "/admin/events/series/"),
                ("Review queue", "/admin/review/"),
                ("Recent changes", "/admin/changes/"),
                ("Trash", "/admin/trash/"),
            ],
        ),
        (
            "Venues and organizers",
            [("Venues", "/admin/venues/venue/"), ("Organizers", "/admin/organizers/organizer/")],
        ),
        ("Categories and tags", [("Categories", "/admin/taxonomy/category/"), ("Tags", "/admin/taxonomy/tag/")]),
        ("Images and custom fields", [("Images", "/admin/media/image/")]),
    ]


def test_nobody_sees_the_menu_without_signing_in():
    response = browser_for(None).get("/admin/")

    assert (response.status_code, response["Location"]) == (302, "/admin/login/?next=/admin/")


def test_signing_in_leads_to_the_first_page(editor):
    client = browser_for(None)
    editor.set_password("a long password")
    editor.save()

    response = client.post("/admin/login/", {"username": editor.username, "password": "a long password"})

    assert (response.status_code, response["Location"]) == (302, "/admin/")


def palette(client, text=""):
    """Return the titles and URLs that the command palette shows for a text."""
    return {match["title"]: match["url"] for match in client.get("/admin/search/", {"s": text}).json()["results"]}


def test_the_palette_offers_pages_and_actions(editor_browser):
    shown = palette(editor_browser)

    assert shown["Add event"] == "/admin/events/event/add/"
    assert shown["Venues"] == "/admin/venues/venue/"
    assert list(palette(editor_browser, "ADD VEN")) == ["Add venue"]


def test_the_palette_finds_records_by_their_names(editor_browser):
    hall = VenueFactory(title="Saltworks Hall")
    event = EventFactory(title="Talk", venues=[hall])
    EventFactory(title="Saltworks in the trash", status="trash")
    EventFactory(title="Elsewhere")

    assert palette(editor_browser, "saltworks") == {
        "Talk": f"/admin/events/event/{event.pk}/change/",
        "Saltworks Hall": f"/admin/venues/venue/{hall.pk}/change/",
    }
    assert palette(editor_browser, "no such thing") == {}
    assert palette(editor_browser, "s\0") is not None


def test_the_palette_shows_only_what_the_user_may_see(author_browser, administrator):
    EventFactory(title="Draft of others", status="draft")
    EventFactory(title="Public of others")

    assert list(palette(author_browser, "of others")) == ["Public of others"]
    assert "Users" not in palette(author_browser)
    assert "Users" in palette(browser_for(administrator))
    assert browser_for(None).get("/admin/search/").status_code == 302


@pytest.mark.parametrize("count", [1, 3])
def test_the_palette_costs_a_fixed_number_of_queries(editor_browser, django_assert_max_num_queries, count):
    for number in range(count):
        EventFactory(title=f"Talk {number}", venues=[VenueFactory(title=f"Talking shop {number}")])

    with django_assert_max_num_queries(12):
        palette(editor_browser, "talk")
