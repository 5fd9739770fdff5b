"""Pages show what the API shows: the same rows to the same people, and nothing about others."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from calendar_site.accounts.services import create_user
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.pages.reading import listed, read, titles

pytestmark = pytest.mark.django_db

MAKE = {"event": EventFactory, "venue": VenueFactory, "organizer": OrganizerFactory}
JUNE = datetime(2030, 6, 1, 12, tzinfo=UTC)
NOT_PUBLIC = {
    "draft": ({"status": "draft"}, "draft"),
    "pending": ({"status": "pending"}, "waiting for review"),
    "private": ({"status": "private"}, "private"),
    "future": ({"status": "future", "published_at": JUNE}, "scheduled"),
}
kinds = pytest.mark.parametrize("kind", MAKE)
statuses = pytest.mark.parametrize("status", NOT_PUBLIC)


@pytest.fixture(autouse=True)
def noon(time_machine):
    time_machine.move_to("2030-05-04 12:00Z", tick=False)


def make(kind, status, author):
    return MAKE[kind](title="Plans", author=author, **NOT_PUBLIC[status][0])


def reader(role):
    """A browser in which somebody of this role is signed in to the admin; "" for nobody."""
    client = Client()
    if role:
        client.force_login(create_user(f"another-{role}", role))
    return client


@kinds
@statuses
@pytest.mark.parametrize("role", ["", "subscriber", "contributor", "author"])
def test_what_is_not_public_has_no_page_for_others(author, kind, status, role):
    make(kind, status, author)

    response = reader(role).get(f"/{kind}/plans/")

    assert response.status_code == 404
    assert "Plans" not in response.content.decode()


@kinds
@statuses
@pytest.mark.parametrize("role", ["editor", "administrator"])
def test_editors_see_what_is_not_public_and_are_told_so(author, kind, status, role):
    make(kind, status, author)

    page = read(reader(role).get(f"/{kind}/plans/"))

    assert page.one("p", **{"class": "notice"}).text == (
        f"Not public: {NOT_PUBLIC[status][1]}. Only its author and the editors see this page."
    )


@kinds
@statuses
@pytest.mark.parametrize("role", ["author", "contributor"])
def test_authors_see_their_own(kind, status, role):
    client = Client()
    client.force_login(own := create_user("own", role))
    make(kind, status, own)

    response = client.get(f"/{kind}/plans/")

    assert read(response).one("h1").text == "Plans"
    assert response["Cache-Control"] == "private, no-store"


@kinds
@pytest.mark.parametrize("role", ["", "author", "editor"])
def test_what_is_in_the_trash_has_no_page(author, kind, role):
    MAKE[kind](title="Plans", author=author, status="trash")

    assert reader(role).get(f"/{kind}/plans/").status_code == 404


@kinds
def test_what_is_scheduled_is_public_once_its_date_has_come(client, time_machine, author, kind):
    make(kind, "future", author)
    time_machine.move_to(JUNE, tick=False)

    page = read(client.get(f"/{kind}/plans/"))

    assert page.one("h1").text == "Plans"
    assert page.all("p", **{"class": "notice"}) == []


@kinds
def test_public_pages_are_the_same_for_all_but_may_not_be_kept_for_those_who_are_signed_in(client, author, kind):
    MAKE[kind](title="Plans", author=author)

    public, own = client.get(f"/{kind}/plans/"), reader("editor").get(f"/{kind}/plans/")

    assert own.content == public.content
    assert (public["Cache-Control"], public["Vary"]) == ("no-cache", "Cookie, Accept-Language")
    assert (own["Cache-Control"], own["Vary"]) == ("private, no-store", "Cookie, Accept-Language")


@pytest.fixture
def linked(author):
    """A public event; all that it links to is there once for everybody and once not."""
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


PAGES = ("/", "/event/fair/", "/venue/hall/", "/organizer/choir/", "/events/category/music/", "/events/tag/outdoor/")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("role", ["", "subscriber", "contributor", "author"])
def test_what_a_page_leads_to_is_not_named_to_those_who_may_not_see_it(linked, path, role):
    response = reader(role).get(path)

    assert "Fair" in response.content.decode()
    assert "ecret" not in response.content.decode()


def test_what_a_page_leads_to_is_named_to_those_who_may_see_it(client, linked, author):
    client.force_login(author)

    named = [link.text for link in read(client.get("/event/fair/")).one("main").all("a")]
    listed_there = [titles(read(client.get(path))) for path in PAGES[2:]]

    assert named == [
        "Hall", "Secret cellar", "Choir", "Secret society", "Secret festival", "Music", "Outdoor", "Secret part"
    ]  # fmt: skip
    assert listed_there == [
        ["Fair", "Secret gig", "Secret private gig"],
        ["Fair", "Secret gig"],
        ["Fair", "Secret gig"],
        ["Fair", "Secret gig"],
    ]


def test_lists_say_what_is_not_public(client, author):
    client.force_login(author)
    EventFactory(title="Fair", start="2030-05-05 10:00")
    EventFactory(title="Plans", start="2030-05-05 11:00", status="draft", author=author)
    EventFactory(title="Plans of others", start="2030-05-05 11:00", status="draft")

    assert listed(read(client.get("/"))) == [
        ("Sunday 5 May 2030", [("Fair", "10:00"), ("Plans", "draft", "11:00")]),
    ]


@pytest.mark.parametrize("role", ["", "editor"])
def test_events_hidden_from_listings_are_in_no_list_but_have_a_page(role):
    links = {
        "venues": [VenueFactory(title="Hall")],
        "organizers": [OrganizerFactory(title="Choir")],
        "categories": [CategoryFactory(name="Music")],
        "tags": [TagFactory(name="Outdoor")],
    }
    fair = EventFactory(title="Fair", **links)
    EventFactory(title="Members’ evening", hide_from_listings=True, parent=fair, **links)
    client = reader(role)

    assert [titles(read(client.get(path))) for path in PAGES] == [["Fair"], [], *[["Fair"]] * 4]
    assert read(client.get("/event/members-evening/")).one("h1").text == "Members’ evening"
