"""S3, leaks: pages show the same records to the same users as the API, and reveal nothing about others."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from calendar_site.accounts.services import create_user
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.html_page import event_titles, listed_events, parse_page

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

MAKE = {"event": EventFactory, "venue": VenueFactory, "organizer": OrganizerFactory}
JUNE = datetime(2030, 6, 1, 12, tzinfo=UTC)
NOT_PUBLIC = {
    "draft": ({"status": "draft"}, "Draft"),
    "pending": ({"status": "pending"}, "Pending review"),
    "private": ({"status": "private"}, "Private"),
    "future": ({"status": "future", "published_at": JUNE}, "Scheduled"),
}
kinds = pytest.mark.parametrize("kind", MAKE)
statuses = pytest.mark.parametrize("status", NOT_PUBLIC)


def create_record(kind, status, author):
    return MAKE[kind](title="Plans", author=author, **NOT_PUBLIC[status][0])


def browser_with_role(role):
    """Return a browser with a signed-in user of this role, for "" an anonymous one."""
    client = Client()
    if role:
        client.force_login(create_user(f"another-{role}", role))
    return client


@kinds
@statuses
@pytest.mark.parametrize("role", ["", "subscriber", "contributor", "author"])
def test_unpublished_records_are_not_found_for_others(author, kind, status, role):
    create_record(kind, status, author)

    response = browser_with_role(role).get(f"/{kind}/plans/")

    assert response.status_code == 404
    assert "Plans" not in response.content.decode()


@kinds
@statuses
@pytest.mark.parametrize("role", ["editor", "administrator"])
def test_editors_see_unpublished_records_with_a_notice(author, kind, status, role):
    create_record(kind, status, author)

    page = parse_page(browser_with_role(role).get(f"/{kind}/plans/"))

    assert page.one("p", **{"class": "notice"}).text == (
        f"Not public: {NOT_PUBLIC[status][1]}. Only the author and editors can see this page."
    )


@kinds
@statuses
@pytest.mark.parametrize("role", ["author", "contributor"])
def test_authors_see_their_own_unpublished_records(kind, status, role):
    client = Client()
    client.force_login(own := create_user("own", role))
    create_record(kind, status, own)

    response = client.get(f"/{kind}/plans/")

    assert parse_page(response).one("h1").text == "Plans"
    assert response["Cache-Control"] == "private, no-store"


@kinds
@pytest.mark.parametrize("role", ["", "author", "editor"])
def test_trashed_records_are_not_found(author, kind, role):
    MAKE[kind](title="Plans", author=author, status="trash")

    assert browser_with_role(role).get(f"/{kind}/plans/").status_code == 404


@kinds
def test_scheduled_records_become_public_at_their_date(client, time_machine, author, kind):
    create_record(kind, "future", author)
    time_machine.move_to(JUNE, tick=False)

    page = parse_page(client.get(f"/{kind}/plans/"))

    assert page.one("h1").text == "Plans"
    assert page.all("p", **{"class": "notice"}) == []


@kinds
def test_public_pages_are_cached_only_for_anonymous_users(client, author, kind):
    MAKE[kind](title="Plans", author=author)

    public, own = client.get(f"/{kind}/plans/"), browser_with_role("editor").get(f"/{kind}/plans/")

    assert own.content == public.content
    assert (public["Cache-Control"], public["Vary"]) == ("no-cache", "Cookie, Accept-Encoding, Accept-Language")
    assert (own["Cache-Control"], own["Vary"]) == ("private, no-store", "Cookie, Accept-Encoding, Accept-Language")


@pytest.fixture
def event_with_unpublished_links(author):
    """Return a published event that links to one published and one unpublished record of each kind."""
    categories, tags = [CategoryFactory(name="Music")], [TagFactory(name="Outdoor")]
    hidden = {"status": "draft", "author": author}
    event = EventFactory(
        title="Fair",
        parent=EventFactory(title="Secret festival", **hidden),
        venues=[VenueFactory(title="Hall"), VenueFactory(title="Secret cellar", **hidden)],
        organizers=[OrganizerFactory(title="Choir"), OrganizerFactory(title="Secret society", **hidden)],
        categories=categories,
        tags=tags,
    )
    EventFactory(title="Secret part", parent=event, **hidden)
    secret = EventFactory(
        title="Secret gig",
        venues=event.venues.all(),
        organizers=event.organizers.all(),
        categories=categories,
        tags=tags,
        **hidden,
    )
    EventFactory(title="Secret private gig", venues=secret.venues.all(), status="private", author=author)
    return event


# The links that add an event to a calendar.
CALENDARS = ("Google Calendar", "Outlook.com", "Microsoft 365", "Apple Calendar and other programs")
PAGES = ("/", "/event/fair/", "/venue/hall/", "/organizer/choir/", "/events/category/music/", "/events/tag/outdoor/")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("role", ["", "author", "administrator"])
def test_calendars_name_public_records_only(event_with_unpublished_links, path, role):
    response = browser_with_role(role).get(path, {"ical": "1"})

    assert "SUMMARY:Fair" in response.content.decode()
    assert "ecret" not in response.content.decode()


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("role", ["", "subscriber", "contributor", "author"])
def test_pages_do_not_name_hidden_linked_records(event_with_unpublished_links, path, role):
    response = browser_with_role(role).get(path)

    assert "Fair" in response.content.decode()
    assert "ecret" not in response.content.decode()


def test_pages_name_linked_records_that_the_user_may_see(client, event_with_unpublished_links, author):
    client.force_login(author)

    named = [link.text for link in parse_page(client.get("/event/fair/")).one("main").all("a")]
    listed_there = [event_titles(parse_page(client.get(path))) for path in PAGES[2:]]

    assert named == [
        "Hall", "Secret cellar", "Choir", "Secret society", "Secret festival", "Music", "Outdoor", *CALENDARS,
        "Report a mistake",
        "Secret part", "Secret gig", "← Previous event: Secret festival", "Next event: Secret part →",
    ]  # fmt: skip
    assert listed_there == [
        ["Fair", "Secret gig", "Secret private gig"],
        ["Fair", "Secret gig"],
        ["Fair", "Secret gig"],
        ["Fair", "Secret gig"],
    ]


def test_lists_show_the_status_of_unpublished_events(client, author):
    client.force_login(author)
    EventFactory(title="Fair", start="2030-05-05 10:00")
    EventFactory(title="Plans", start="2030-05-05 11:00", status="draft", author=author)
    EventFactory(title="Plans of others", start="2030-05-05 11:00", status="draft")

    assert listed_events(parse_page(client.get("/"))) == [
        ("Sunday 5 May 2030", [("Fair", "10:00"), ("Plans", "Draft", "11:00")]),
    ]


@pytest.mark.parametrize("role", ["", "editor"])
def test_events_hidden_from_listings_have_only_a_page(role):
    links = {
        "venues": [VenueFactory(title="Hall")],
        "organizers": [OrganizerFactory(title="Choir")],
        "categories": [CategoryFactory(name="Music")],
        "tags": [TagFactory(name="Outdoor")],
    }
    fair = EventFactory(title="Fair", **links)
    EventFactory(title="Members’ evening", hide_from_listings=True, parent=fair, **links)
    client = browser_with_role(role)

    assert [event_titles(parse_page(client.get(path))) for path in PAGES] == [["Fair"], [], *[["Fair"]] * 4]
    assert parse_page(client.get("/event/members-evening/")).one("h1").text == "Members’ evening"
