"""The admin site: its menu, sign-in and search."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from calendar_site.accounts.services import create_application_password
from calendar_site.media.library import prepare_image, store_image
from events.models import Event
from tests.factories import (
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    SeriesFactory,
    TagFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.admin import browser_for
from tests.support.image_files import red_blue_image

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
                ("Show in another site", "/admin/events/event/embed/"),
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


def test_palette_finds_records_of_every_searched_list(administrator):
    user = UserFactory(username="owl-watcher", role="author")
    category, tag = CategoryFactory(name="Owl walks"), TagFactory(name="Owls")
    image = store_image(prepare_image(red_blue_image(), "Owl at night.png"), user=administrator, alt="An owl")
    series = SeriesFactory(title="Owl evenings")
    Event.objects.all().update(status="trash")
    for model in (CategoryFactory, TagFactory):
        model(name="Bats")

    assert palette(browser_for(administrator), "owl") == {
        "Owl evenings": f"/admin/events/series/{series.pk}/change/",
        "Owl walks": f"/admin/taxonomy/category/{category.pk}/change/",
        "Owls": f"/admin/taxonomy/tag/{tag.pk}/change/",
        str(image): f"/admin/media/image/{image.pk}/change/",
        "owl-watcher": f"/admin/accounts/user/{user.pk}/change/",
    }


def test_palette_hides_what_a_contributor_may_not_view(contributor, contributor_browser, administrator):
    EventFactory(title="Owl draft of others", status="draft")
    OrganizerFactory(title="Owls pending", status="pending")
    UserFactory(username="owl-watcher", role="author")
    create_application_password(administrator, "Owl client")
    own = EventFactory(title="Own owl", status="draft", author=contributor)

    assert palette(contributor_browser, "owl") == {"Own owl": f"/admin/events/event/{own.pk}/change/"}
    assert {"Owl draft of others", "Owls pending", "owl-watcher"} < palette(browser_for(administrator), "owl").keys()


def test_palette_ranks_titles_like_the_fields_for_related_records(editor_browser):
    titles = ["The Saltworks", "Near the sea", "Unsalted", "Saltworks Hall"]
    for title in titles:
        VenueFactory(title=title, address="1 Salt Street" if title == "Near the sea" else "")

    assert list(palette(editor_browser, "salt")) == ["Saltworks Hall", "The Saltworks", "Unsalted", "Near the sea"]


def test_palette_searches_records_from_words_of_three_characters_on(editor_browser):
    VenueFactory(title="Sa sa")

    assert palette(editor_browser, "sa sa") == {}
    with CaptureQueriesContext(connection) as queries:
        palette(editor_browser, "sa")
    assert not any("search_text" in query["sql"] for query in queries)


@pytest.mark.parametrize("count", [1, 3])
def test_the_palette_costs_a_fixed_number_of_queries(editor_browser, django_assert_num_queries, count):
    for number in range(count):
        EventFactory(title=f"Talk {number}", venues=[VenueFactory(title=f"Talking shop {number}")])

    # session, user and permissions; two queries for each kind with an index, one for series, two more for events, and
    # one to find the records of venues
    with django_assert_num_queries(18):
        palette(editor_browser, "talk")
