"""Calendars and RSS at the addresses of the original."""

import xml.etree.ElementTree as ET
from datetime import UTC, datetime

import icalendar
import pytest

from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, UserFactory, VenueFactory
from tests.support.api_client import JSONClient

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def present(time_machine, db):
    time_machine.move_to(NOW, tick=False)


@pytest.fixture
def programme():
    """Events before, now and later; one of a child category, one with a tag, one hidden and one with a password."""
    music = CategoryFactory(name="Music")
    jazz, talks = CategoryFactory(name="Jazz", parent=music), CategoryFactory(name="Talks")
    EventFactory(title="Old", start="2027-02-01 10:00", end="2027-02-01 11:00")
    EventFactory(title="Older", start="2027-01-01 10:00", end="2027-01-01 11:00")
    EventFactory(title="Runs", start="2027-03-01 10:00", end="2027-03-20 11:00")
    EventFactory(title="Earlier this month", start="2027-03-02 10:00", end="2027-03-02 11:00")
    EventFactory(title="Jazz night", start="2027-03-12 20:00", end="2027-03-12 22:00", categories=[jazz])
    EventFactory(
        title="Talk",
        start="2027-04-05 20:00",
        end="2027-04-05 22:00",
        categories=[talks],
        tags=[TagFactory(name="Free")],
    )
    EventFactory(title="Hidden", start="2027-03-13 20:00", end="2027-03-13 22:00", hide_from_listings=True)
    EventFactory(
        title="Party",
        start="2027-03-14 20:00",
        end="2027-03-14 22:00",
        password="secret",
        description="Champagne",
        venues=[VenueFactory(title="Cellar")],
        categories=[jazz],
    )
    EventFactory(title="Draft", start="2027-03-15 20:00", end="2027-03-15 22:00", status="draft")


COMING = ["Runs", "Jazz night", "Party", "Talk"]


def calendar_at(client, url: str) -> icalendar.Calendar:
    response = client.get(url)
    assert response.status_code == 200, response.content
    assert response["Content-Type"] == "text/calendar; charset=UTF-8"
    assert response["Content-Disposition"].endswith('.ics"')
    assert response["X-Robots-Tag"] == "noindex, nofollow"
    return icalendar.Calendar.from_ical(response.content)


def titles_at(client, url: str) -> list[str]:
    return [str(event["SUMMARY"]) for event in calendar_at(client, url).walk("VEVENT")]


@pytest.mark.parametrize(
    ("url", "titles"),
    [
        ("/events/?ical=1", COMING),
        ("/events/?ical", COMING),
        ("/?ical=0", COMING),
        ("/events/list/?ical=1", COMING),
        ("/events/ical/", COMING),
        ("/?post_type=tribe_events&ical=1&eventDisplay=list", COMING),
        ("/events/list/?eventDisplay=past&ical=1", ["Earlier this month", "Old", "Older"]),
        ("/events/2027-02/?ical=1", ["Old"]),
        ("/events/2027-03/?ical=1", ["Runs", "Jazz night", "Party"]),
        ("/events/month/?ical=1", ["Runs", "Jazz night", "Party"]),
        ("/events/?ical=1&tribe-bar-date=2027-04&tribe_event_display=month", ["Talk"]),
        ("/events/2027-03-12/?ical=1", ["Runs", "Jazz night"]),
        ("/events/today/?ical=1", ["Runs"]),
        ("/events/category/music/?ical=1", ["Jazz night"]),
        ("/events/category/music/jazz/?ical=1", ["Jazz night"]),
        ("/events/category/music/jazz/list/?ical=1", ["Jazz night"]),
        ("/events/tag/free/?ical=1", ["Talk"]),
        ("/tag/free/?ical=1", ["Talk"]),
        ("/events/?ical=1&tribe-bar-search=talk", ["Talk"]),
        ("/events/?ical=1&tribe-bar-search=champagne", []),
        ("/events/?ical=1&tribe-bar-date=2027-02-01", ["Old", *["Runs", "Earlier this month"], *COMING[1:]]),
        ("/?post_type=tribe_events&ical=1&tribe_events_cat=music/jazz", ["Jazz night"]),
        ("/?post_type=tribe_events&ical=1&tribe_events_cat=jazz&tribe-bar-search=talk", []),
        ("/?post_type=tribe_events&ical=1&tribe_events_cat=talks&post_tag=free", ["Talk"]),
        ("/events/?ical=1&tribe_events_cat=nobody", []),
        ("/events/?ical=1&post_tag=nobody", []),
        ("/events/?ical=1&tribe_unknown=1", []),
    ],
)
def test_events_of_a_calendar(programme, anonymous, editor_api, url, titles):
    assert titles_at(anonymous, url) == titles
    # Feeds are public: credentials do not matter.
    assert titles_at(editor_api, url) == titles


@pytest.mark.parametrize(
    "url",
    [
        "/events/category/nobody/?ical=1", "/events/category/jazz/music/?ical=1", "/events/tag/nobody/?ical=1",
        "/event/nobody/?ical=1", "/event/draft/?ical=1", "/events/2027-13/?ical=1", "/events/0000-01-01/?ical=1",
    ],
)  # fmt: skip
def test_unknown_calendars(programme, anonymous, url):
    assert anonymous.get(url).status_code == 404


def test_events_by_their_ids(anonymous):
    one, two, draft = EventFactory(title="One"), EventFactory(title="Two"), EventFactory(status="draft")

    assert titles_at(anonymous, f"/?event_ids={two.pk},{draft.pk},999,x&ical=1") == ["Two"]
    assert titles_at(anonymous, f"/?event_ids={one.pk},{two.pk}&ical=1") == ["One", "Two"]


def test_calendar_has_thirty_events(anonymous):
    EventFactory.create_batch(32)

    assert len(titles_at(anonymous, "/events/?ical=1")) == 30
    # That of the service has all of them.
    assert anonymous.get("/events.ics").content.count(b"BEGIN:VEVENT") == 32


def test_properties_of_a_calendar(settings, anonymous):
    settings.SITE_NAME = "Town hall"

    calendar = calendar_at(anonymous, "/events/?ical=1")

    assert {
        name: str(calendar[name]) for name in ("VERSION", "METHOD", "CALSCALE", "X-WR-CALNAME", "X-WR-CALDESC")
    } == {
        "VERSION": "2.0",
        "METHOD": "PUBLISH",
        "CALSCALE": "GREGORIAN",
        "X-WR-CALNAME": "Town hall",
        "X-WR-CALDESC": "Events of Town hall",
    }
    assert "X-WR-CALNAME" not in calendar_at(anonymous, "/events/?outlook-ical=1")


def test_events_hide_what_a_password_hides(programme, anonymous):
    (party,) = [
        event for event in calendar_at(anonymous, "/events/?ical=1").walk("VEVENT") if event["SUMMARY"] == "Party"
    ]

    assert (party["DESCRIPTION"], "LOCATION" in party, "CATEGORIES" in party) == ("", False, False)


def test_text_of_a_description(anonymous):
    event = EventFactory(title="List", description="<p>First &amp; <b>bold</b></p><ul><li>one</li><li>two</li></ul>")

    for url in ("/events/?ical=1", "/event/list/?ical=1"):
        (component,) = calendar_at(anonymous, url).walk("VEVENT")
        assert str(component["DESCRIPTION"]) == "First & bold\none\ntwo"
        assert str(component["UID"]).startswith(f"{event.pk}-")


@pytest.mark.parametrize("title", ["Old", "Hidden", "Party"])
def test_calendar_of_one_event(programme, anonymous, title):
    calendar = calendar_at(anonymous, f"/event/{title.lower()}/?ical=1")

    assert [str(event["SUMMARY"]) for event in calendar.walk("VEVENT")] == [title]
    assert "X-WR-CALNAME" not in calendar


@pytest.mark.parametrize("url", ["/events/?ical=1", "/event/talk/?ical=1", "/events/feed/"])
def test_head_and_other_methods(programme, anonymous, url):
    head = anonymous.head(url)

    assert (head.status_code, head.content) == (200, b"")
    assert anonymous.post(url).status_code == 405


@pytest.mark.parametrize("url", ["/events/?ical=1", "/events/category/music/?ical=1", "/events/feed/"])
def test_queries_do_not_grow_with_the_events(anonymous, django_assert_max_num_queries, url):
    music = CategoryFactory(name="Music")
    for _number in range(5):
        EventFactory(venues=[VenueFactory()], organizers=[OrganizerFactory()], categories=[music], author=UserFactory())

    with django_assert_max_num_queries(14):
        anonymous.get(url)


# --- RSS


def feed_at(client, url: str) -> ET.Element:
    response = client.get(url)
    assert response.status_code == 200, response.content
    assert response["Content-Type"] == "application/rss+xml; charset=UTF-8"
    # Written by the service itself.
    channel = ET.fromstring(response.content).find("channel")  # noqa: S314
    assert channel is not None
    return channel


def test_feed(anonymous):
    author = UserFactory(first_name="Mia", last_name="Berg", username="secret-name")
    EventFactory(
        title="A & B",
        start="2027-03-12 20:00",
        end="2027-03-12 22:00",
        time_zone="America/New_York",
        description="<p>Hello</p>",
        excerpt="Short",
        author=author,
        tags=[TagFactory(name="open air")],
    )

    channel = feed_at(anonymous, "/events/feed/")

    (item,) = channel.findall("item")
    values = {element.tag.rpartition("}")[2]: element.text for element in item}
    assert values == {
        "title": "A & B",
        "link": "http://testserver/event/a-b/",
        "guid": "http://testserver/event/a-b/",
        "description": values["description"],
        "pubDate": "Sat, 13 Mar 2027 01:00:00 +0000",
        "category": "open air",
        "creator": "Mia Berg",
        "encoded": "<p>Hello</p>",
    }
    assert "Short" in (values["description"] or "")
    assert b"secret-name" not in anonymous.get("/events/feed/").content
    assert channel.findtext("link") == "http://testserver/events/"


@pytest.mark.parametrize(
    ("url", "titles"),
    [
        ("/events/feed", COMING),
        ("/?post_type=tribe_events&feed=rss2", COMING),
        ("/events/category/music/feed/", ["Jazz night"]),
        ("/events/category/music/jazz/feed/", ["Jazz night"]),
        ("/events/category/talks/?feed=rss2", ["Talk"]),
        ("/events/tag/free/feed/", ["Talk"]),
        ("/tag/free/feed/", ["Talk"]),
    ],
)
def test_items_of_a_feed(programme, anonymous, url, titles):
    assert [item.findtext("title") for item in feed_at(anonymous, url).findall("item")] == titles


def test_pages_of_a_feed(anonymous):
    EventFactory.create_batch(12)

    assert len(feed_at(anonymous, "/events/feed/").findall("item")) == 10
    assert len(feed_at(anonymous, "/events/feed/?paged=2").findall("item")) == 2
    for wrong in ("0", "-1", "x", "9999999"):
        assert anonymous.get(f"/events/feed/?paged={wrong}").status_code == 404


def test_unknown_feed(anonymous):
    assert anonymous.get("/events/category/nobody/feed/").status_code == 404
    assert anonymous.get("/events/tag/nobody/feed/").status_code == 404


def test_feed_leads_to_the_api_and_has_validators(programme, anonymous):
    response = anonymous.get("/events/feed/")

    assert response["X-TEC-API-ROOT"] == "http://testserver/wp-json/tribe/events/v1/"
    assert response["Last-Modified"]
    assert JSONClient().get("/events/feed/", headers={"If-None-Match": response["ETag"]}).status_code == 304
