"""What subscribers of calendars see: events that change, move or are withdrawn, and subscriptions of the original."""

from datetime import UTC, datetime, timedelta

import icalendar
import pytest
from django.test import Client

from calendar_site.core import cached_hints
from calendar_site.core.circuit_breaker import CircuitBreaker
from calendar_site.core.permissions import can_publish
from calendar_site.feeds import calendars
from events.models import Event
from events.services import delete_events, save_event, trash_event
from events.withdrawn_models import WithdrawnEvent
from tests.factories import OPERATOR, CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.admin import browser_for
from tests.support.api_client import API
from tests.support.golden import assert_golden_text
from tests.support.html_page import parse_page

pytestmark = pytest.mark.django_db

NOW = datetime(2030, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _site(settings, time_machine):
    settings.SITE_NAME = "City calendar"
    time_machine.move_to(NOW, tick=False)


def create(**changes):
    """A published event that the service has saved."""
    times = {"start": NOW + timedelta(days=3), "end": NOW + timedelta(days=3, hours=2)}
    return save_event(Event(), changes={"title": "Talk", "author_id": OPERATOR.pk, **times, **changes}, user=OPERATOR)


@pytest.fixture(autouse=True)
def _operator(db):
    OPERATOR.save()
    yield
    OPERATOR.pk = None
    OPERATOR._state.adding = True


def read(path="/events.ics", **query):
    response = Client().get(path, query)
    assert response.status_code == 200, response.content
    return icalendar.Calendar.from_ical(response.content)


def events_in(path="/events.ics", **query):
    """The events of a calendar by their identifiers, each with its title and status."""
    components = read(path, **query).walk("VEVENT")
    return {str(each["UID"]): (str(each.get("SUMMARY", "")), str(each.get("STATUS", ""))) for each in components}


def titles(path, **query):
    return sorted(title for title, _status in events_in(path, **query).values())


# --- Identifiers ---------------------------------------------------------------------------------


def test_identifier_is_that_of_the_original_and_never_changes(settings):
    settings.PUBLIC_URL = "https://calendar.example.org"
    event = create()
    (before,) = events_in()

    save_event(event, changes={"start": NOW + timedelta(days=5), "end": NOW + timedelta(days=6)}, user=OPERATOR)
    save_event(event, changes={"title": "Renamed", "slug": "renamed"}, user=OPERATOR)
    settings.PUBLIC_URL = "https://other.example.org"
    trash_event(event, user=OPERATOR)
    save_event(event, changes={"status": "publish"}, user=OPERATOR)

    start = int((NOW + timedelta(days=3)).timestamp())
    assert before == f"{event.pk}-{start}-{start + 2 * 3600}@calendar.example.org"
    assert events_in() == {before: ("Renamed", "CONFIRMED")}
    assert events_in("/event/renamed.ics") == {before: ("Renamed", "CONFIRMED")}


def test_imported_identifier_is_kept():
    event = create()
    Event.objects.filter(pk=event.pk).update(uid="-not-ours")
    Event.objects.filter(pk=event.pk).update(uid="040000008200E00074C5B7101A82E008")

    assert list(events_in()) == ["040000008200E00074C5B7101A82E008"]


def test_draft_gets_its_identifier_when_it_is_published():
    event = create(status="draft")
    save_event(event, changes={"start": NOW + timedelta(days=5), "end": NOW + timedelta(days=5)}, user=OPERATOR)
    assert event.uid == ""

    save_event(event, changes={"status": "publish"}, user=OPERATOR)

    seconds = int((NOW + timedelta(days=5)).timestamp())
    assert list(events_in()) == [f"{event.pk}-{seconds}-{seconds}@testserver"]


def test_copy_has_an_identifier_of_its_own(editor_browser):
    event = create()

    editor_browser.post(f"/admin/events/event/{event.pk}/duplicate/")
    copy = Event.objects.exclude(pk=event.pk).get()
    save_event(copy, changes={"status": "publish"}, user=OPERATOR)

    assert len(events_in()) == 2


# --- Withdrawn events ----------------------------------------------------------------------------


def withdraw_by(how, event, client):
    match how:
        case "delete":
            client.delete(f"{API}/events/{event.pk}")
        case "for good":
            delete_events(Event.objects.filter(pk=event.pk), user=None)
        case "hidden":
            client.patch(f"{API}/events/{event.pk}", {"hide_from_listings": True})
        case "scheduled":
            client.patch(f"{API}/events/{event.pk}", {"date": "2031-01-01 00:00"})
        case _:
            client.patch(f"{API}/events/{event.pk}", {"status": how})


@pytest.mark.parametrize("how", ["delete", "for good", "draft", "private", "pending", "hidden", "scheduled"])
def test_withdrawn_event_is_cancelled_without_its_texts(editor_api, how, time_machine):
    event = create(title="Secret meeting", description="<p>Hidden</p>")
    other = create(title="Other")
    (uid,) = set(events_in()) - set(events_in("/event/other.ics"))

    withdraw_by(how, event, editor_api)
    content = Client().get("/events.ics").content.decode()

    assert events_in() == {uid: ("", "CANCELLED"), **events_in("/event/other.ics")}
    cancelled = next(each for each in read().walk("VEVENT") if each["UID"] == uid)
    assert set(cancelled) == {
        "UID", "DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "DTSTART", "DTEND", "STATUS", "TRANSP",
        "X-MICROSOFT-CDO-BUSYSTATUS",
    }  # fmt: skip
    assert cancelled["DTSTART"].dt == NOW + timedelta(days=3)
    assert "Secret" not in content
    assert "Hidden" not in content
    time_machine.move_to(NOW + timedelta(days=29), tick=False)
    assert uid in events_in()
    time_machine.move_to(NOW + timedelta(days=40), tick=False)
    assert uid not in events_in()
    assert other.pk


def test_withdrawn_event_shows_the_times_that_were_public(editor_api):
    event = create()
    editor_api.patch(f"{API}/events/{event.pk}", {"status": "draft"})

    editor_api.patch(f"{API}/events/{event.pk}", {"start_date": "2030-06-01 10:00", "end_date": "2030-06-01 12:00"})

    (component,) = read().walk("VEVENT")
    assert component["DTSTART"].dt == NOW + timedelta(days=3)


def test_event_that_was_never_public_is_not_mentioned(editor_api):
    for fields in ({"status": "draft"}, {"published_at": NOW + timedelta(days=1)}, {"hide_from_listings": True}):
        event = create(**fields)
        editor_api.delete(f"{API}/events/{event.pk}")

    assert events_in() == {}


def test_event_that_is_back_is_confirmed(editor_api):
    event = create()
    editor_api.delete(f"{API}/events/{event.pk}")
    editor_api.patch(f"{API}/events/{event.pk}", {"status": "publish"})

    assert list(events_in().values()) == [("Talk", "CONFIRMED")]
    assert not WithdrawnEvent.objects.exists()


def test_scheduled_event_that_becomes_public_again_is_confirmed(editor_api, time_machine):
    event = create()
    editor_api.patch(f"{API}/events/{event.pk}", {"date": "2030-05-02 00:00"})
    assert list(events_in().values()) == [("", "CANCELLED")]

    time_machine.move_to(NOW + timedelta(days=1), tick=False)

    assert list(events_in().values()) == [("Talk", "CONFIRMED")]


def test_withdrawn_events_of_a_series_are_cancelled(editor_api):
    times = {"start_date": "2030-05-04 18:00", "end_date": "2030-05-04 20:00"}
    series = editor_api.post(f"{API}/series", {"title": "Choir", **times, "rrule": "FREQ=WEEKLY;COUNT=3"}).json()

    editor_api.patch(f"{API}/series/{series['id']}", {"status": "private"})

    assert list(events_in().values()) == [("", "CANCELLED")] * 3


@pytest.mark.parametrize("kind", ["venue", "organizer", "events/category", "events/tag"])
def test_calendars_of_records_mention_their_own_withdrawn_events_only(editor_api, kind):
    factory = {"venue": VenueFactory, "organizer": OrganizerFactory, "events/category": CategoryFactory}
    factory = factory.get(kind, TagFactory)
    relation = {"venue": "venues", "organizer": "organizers", "events/category": "categories"}.get(kind, "tags")
    own, other = factory(slug="own"), factory(slug="other")
    event = create(**{relation: [own]})

    editor_api.delete(f"{API}/events/{event.pk}")

    assert list(events_in(f"/{kind}/own.ics").values()) == [("", "CANCELLED")]
    assert events_in(f"/{kind}/other.ics") == {}
    assert other.pk


def test_event_that_gets_a_password_is_cancelled_where_its_links_no_longer_show(editor_api):
    categories = [CategoryFactory(slug="own")]
    event = create(categories=categories)
    always = create(categories=categories, password="pw", title="Always")

    save_event(event, changes={"password": "pw"}, user=OPERATOR)
    own = events_in("/events/category/own.ics")

    assert list(own.values()) == [("", "CANCELLED")]
    assert sorted(events_in().values()) == [("Always", ""), ("Talk", "")]

    editor_api.delete(f"{API}/events/{event.pk}")
    editor_api.delete(f"{API}/events/{always.pk}")
    assert events_in("/events/category/own.ics") == own
    assert list(events_in().values()) == [("", "CANCELLED")] * 2

    save_event(Event.objects.get(pk=event.pk), changes={"status": "publish", "password": ""}, user=OPERATOR)
    assert list(events_in("/events/category/own.ics").values()) == [("Talk", "CONFIRMED")]


# --- Size ----------------------------------------------------------------------------------------


def test_calendar_that_is_too_large_has_shorter_descriptions_and_then_fewer_events(monkeypatch):
    for day in range(6):
        words = "word " * (400 if day % 2 else 10)
        EventFactory(title=f"Day {day}", start=f"2030-05-{day + 10} 18:00", description=f"<p>{words}</p>")
    whole = Client().get("/events.ics")
    monkeypatch.setattr(calendars, "MAX_BYTES", 4400)
    shortened = Client().get("/events.ics?x=1")
    monkeypatch.setattr(calendars, "MAX_BYTES", 2500)
    fewer = Client().get("/events.ics?x=2")

    lengths = {
        str(each["SUMMARY"]): len(each["DESCRIPTION"])
        for each in icalendar.Calendar.from_ical(shortened.content).events
    }
    long = [lengths[f"Day {day}"] for day in (1, 3, 5)]
    assert "X-Calendar-Limits" not in whole
    assert shortened["X-Calendar-Limits"] == "left-out=0, shortened=3"
    assert all(500 < length < 600 for length in long)
    assert lengths["Day 0"] == 49
    event = icalendar.Calendar.from_ical(shortened.content).events[1]
    assert str(event["DESCRIPTION"]).endswith(f"\n{event['URL']}")
    assert [str(each["SUMMARY"]) for each in icalendar.Calendar.from_ical(fewer.content).events] == [
        "Day 0",
        "Day 1",
        "Day 2",
    ]
    assert fewer["X-Calendar-Limits"] == "left-out=3, shortened=3"


def test_largest_calendar_is_within_its_limits():
    emoji = "\U0001f600"
    EventFactory.create_batch(60, start="2030-05-10 18:00", description=f"<p>{emoji * 60_000}</p>", title=emoji * 500)

    content = Client().get("/events.ics").content

    assert len(content) < 900_000
    assert 0 < content.count(b"BEGIN:VEVENT") <= 60


# --- Addresses and headers -----------------------------------------------------------------------

PAGES = ["/events", "/event/talk", "/venue/hall", "/organizer/club", "/events/category/music", "/events/tag/free"]


@pytest.fixture
def records():
    EventFactory(
        title="Talk",
        slug="talk",
        start="2030-05-04 18:00",
        venues=[VenueFactory(slug="hall")],
        organizers=[OrganizerFactory(slug="club")],
        categories=[CategoryFactory(slug="music")],
        tags=[TagFactory(slug="free")],
    )


@pytest.mark.parametrize("path", PAGES)
def test_address_without_a_query_is_the_same_calendar(records, path):
    by_query, by_name = Client().get(f"{path}/?ical=1"), Client().get(f"{path}.ics")

    assert by_name.content == by_query.content
    assert by_name["Content-Type"] == "text/calendar; charset=utf-8"
    assert by_name.status_code == Client().get(f"{path}.ics", headers={"Accept": "text/html"}).status_code == 200
    assert Client().get(f"{path}x.ics").status_code == 404


@pytest.mark.parametrize("path", [*(f"{page}.ics" for page in PAGES), "/events/?ical=1", "/event/talk/?ical=1"])
def test_scripts_of_other_sites_may_read_calendars(records, path):
    read = Client().get(path, headers={"Origin": "https://site.example"})
    unchanged = Client().get(path, headers={"Origin": "https://site.example", "If-None-Match": read["ETag"]})
    asked = Client().options(path, headers={"Origin": "https://site.example"})

    assert [response.status_code for response in (read, unchanged, asked)] == [200, 304, 204]
    assert {response["Access-Control-Allow-Origin"] for response in (read, unchanged, asked)} == {"*"}
    assert Client().post(path).status_code == 405


def test_calendars_are_compressed_only_if_the_client_asks(records):
    EventFactory.create_batch(5, start="2030-05-05 10:00")

    plain = Client().get("/events.ics")
    compressed = Client().get("/events.ics", headers={"Accept-Encoding": "gzip"})

    assert "Content-Encoding" not in plain
    assert compressed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in plain["Vary"]


def test_setting_leaves_calendars_uncompressed(records, settings):
    settings.CALENDAR_COMPRESSION = False
    EventFactory.create_batch(5, start="2030-05-05 10:00")

    calendar = Client().get("/events.ics", headers={"Accept-Encoding": "gzip"})
    page = Client().get("/events/", headers={"Accept-Encoding": "gzip"})

    assert "Content-Encoding" not in calendar
    assert calendar.content == Client().get("/events.ics").content
    assert page["Content-Encoding"] == "gzip"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("webcal://testserver/events.ics", "Apple Calendar and other programs"),
        ("https://calendar.google.com/calendar/render?cid=webcal%3A%2F%2Ftestserver%2Fevents.ics", "Google Calendar"),
        (
            "https://outlook.live.com/calendar/0/addfromweb?url=http%3A%2F%2Ftestserver%2Fevents.ics&name=Upcoming%20events",
            "Outlook.com",
        ),
        (
            "https://outlook.office.com/calendar/0/addfromweb?url=http%3A%2F%2Ftestserver%2Fevents.ics"
            "&name=Upcoming%20events",
            "Microsoft 365",
        ),
        ("webcal:http://testserver/events.ics", "Outlook (Windows)"),
    ],
)
def test_pages_have_a_link_for_each_calendar_program(records, url, words):
    links = {link["href"]: link.text for link in parse_page(Client().get("/")).one("main").all("a")}

    assert links[url] == words


def test_crawlers_may_read_calendars(client):
    response = client.get("/robots.txt")

    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response.content.decode().splitlines() == [
        "User-agent: *", "Disallow: /admin/", "Disallow: /preview/", "Allow: /", "",
        "Sitemap: http://testserver/sitemap.xml",
    ]  # fmt: skip


@pytest.mark.parametrize("path", PAGES[1:])
def test_untranslated_pages_have_one_canonical_url(records, path):
    page = parse_page(Client().get(f"/de{path}/"))

    assert page.one("link", rel="canonical")["href"] == f"http://testserver{path}/"
    assert [link for link in page.all("link", rel="alternate") if "hreflang" in link.attributes] == []


def test_unchanged_responses_do_not_count_for_the_limit_of_anonymous_clients(settings, client):
    settings.THROTTLE_ANONYMOUS = "3/min"
    etag = client.get(f"{API}/events")["ETag"]

    statuses = [client.get("/events.ics").status_code for _number in range(6)]

    assert statuses == [200] * 6
    assert etag


# --- Addresses of the original -------------------------------------------------------------------


@pytest.fixture
def theatre():
    arts = CategoryFactory(slug="arts")
    theatre, music = CategoryFactory(slug="theatre", parent=arts), CategoryFactory(slug="music")
    free, outdoors = TagFactory(slug="free"), TagFactory(slug="outdoors")
    day = {"start": "2030-05-04 18:00"}
    EventFactory(title="Play", categories=[theatre], tags=[free], **day)
    EventFactory(title="Concert", categories=[music], tags=[free], start="2030-06-04 18:00")
    EventFactory(title="Walk", tags=[outdoors], **day)
    EventFactory(title="Old play", categories=[theatre], start="2030-01-04 18:00")
    EventFactory(title="Protected", categories=[theatre], tags=[free], password="x", **day)


SUBSCRIBE = {"post_type": "tribe_events", "ical": "1", "eventDisplay": "list"}


@pytest.mark.parametrize("path", ["/", "/events/"])
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["Concert", "Play", "Protected", "Walk"]),
        ({"tribe_events_cat": "theatre"}, ["Play"]),
        ({"tribe_events_cat": "arts"}, ["Play"]),
        ({"tribe_events_cat": "arts/theatre"}, ["Play"]),
        ({"tribe_events_cat": "theatre,music"}, ["Concert", "Play"]),
        ({"tribe_events_cat[]": "theatre"}, ["Play"]),
        ({"post_tag": "free"}, ["Concert", "Play"]),
        ({"post_tag": "free", "tribe_events_cat": "music"}, ["Concert"]),
        ({"tribe-bar-date": "2030-06-01"}, ["Concert"]),
        ({"tribe-bar-search": "play"}, ["Play"]),
        ({"tribe_event_display": "past", "tribe_events_cat": "theatre"}, ["Old play"]),
        ({"tribe_event_display": "month"}, ["Concert", "Play", "Protected", "Walk"]),
        ({"tribe_events_cat": ""}, ["Concert", "Play", "Protected", "Walk"]),
        # Never more than was asked for.
        ({"tribe_events_cat": "unknown"}, []),
        ({"tribe_events_cat": "music/theatre"}, []),
        ({"tribe_events_cat": "theatre,unknown"}, []),
        ({"post_tag": "unknown"}, []),
        ({"tribe-bar-date": "never"}, []),
        ({"tribe_unknown_filter": "1"}, []),
        ({"tribe_events_cat": "theatre", "tribe-bar-price": "5"}, []),
    ],
)
def test_subscription_of_the_original_has_the_events_that_it_asks_for(theatre, path, query, found):
    assert titles(path, **SUBSCRIBE, **query) == found


def test_selection_mentions_no_withdrawn_events(theatre, editor_api):
    assert can_publish(OPERATOR, Event)
    editor_api.delete(f"{API}/events/{Event.objects.get(title='Walk').pk}")

    assert titles("/", **SUBSCRIBE, tribe_events_cat="theatre") == ["Play"]


# --- Properties ----------------------------------------------------------------------------------


def test_values_are_written_as_the_format_requires():
    EventFactory(
        slug="talk",
        start="2030-05-04 18:00",
        attendance_mode="mixed",
        online_url="https://müller.example/straße?ü",
        venues=[VenueFactory(geo_lat=51.4779, geo_lng=0.00002)],
        organizers=[OrganizerFactory(title="Club", email="call us")],
    )

    content = Client().get("/event/talk.ics").content.decode().replace("\r\n ", "")

    assert "GEO:51.4779;0.00002\r\n" in content
    assert "CONFERENCE;VALUE=URI:https://xn--mller-kva.example/stra%C3%9Fe?%C3%BC\r\n" in content
    assert "ORGANIZER" not in content


def test_subscriptions_mark_nobody_as_busy():
    EventFactory(slug="talk", start="2030-05-04 18:00")

    subscription, file = Client().get("/events.ics").content, Client().get("/event/talk.ics").content

    assert b"TRANSP:TRANSPARENT\r\nURL" in subscription
    assert b"X-MICROSOFT-CDO-BUSYSTATUS:FREE" in subscription
    assert b"TRANSP:OPAQUE" in file
    for name in (b"X-WR-", b"REFRESH-INTERVAL", b"X-PUBLISHED-TTL", b"X-ORIGINAL-URL"):
        assert name not in file


# --- Complete files ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/events.ics", "/event/open-air.ics", "/venue/hall.ics"])
def test_complete_calendar(settings, path):
    """Since each process orders sets in its own way, it also shows that all of them send the same bytes."""
    settings.PUBLIC_URL = "https://calendar.example.org"
    place = {"address": "1 Main St", "city": "Zürich", "geo_lat": 47.37, "geo_lng": 8.5}
    hall = VenueFactory(title="Hall; small, old", slug="hall", **place)
    links = {
        "venues": [hall],
        "organizers": [OrganizerFactory(title="Choir", email="choir@example.org")],
        "categories": [CategoryFactory(name="Music, live"), CategoryFactory(name="Outdoor")],
    }
    text = (
        '<p>Bring <a href="https://example.org/a?b=1&amp;c=2">friends</a> &amp; an <b>umbrella</b>.</p><ul><li>One</ul>'
    )
    fields = {"time_zone": "Europe/Zurich", "description": text, "cost": "12 €"}
    events = [
        create(title="Open air – “Été”", slug="open-air", **fields, **links),
        create(title="Fair", slug="fair", all_day=True, venues=[hall], event_status="cancelled"),
        create(title="Gone", slug="gone", venues=[hall]),
        create(title="Closed", slug="closed", password="secret", description="Hidden"),
    ]
    trash_event(events[2], user=OPERATOR)

    content = Client().get(path).content.decode()

    for event in events:
        content = content.replace(f"UID:{event.pk}-", f"UID:{event.slug.partition('__')[0]}-")
    assert_golden_text(content, f"calendars{path.replace('/', '-')}")


def test_editors_see_which_calendars_were_too_large(monkeypatch, editor, contributor):
    hall = VenueFactory(title="Hall")
    for day in range(3):
        EventFactory(title=f"Day {day}", start=f"2030-05-1{day} 18:00", description=f"<p>{'word ' * 400}</p>")
    EventFactory(title="Short", start="2030-05-20 18:00", venues=[hall])

    def noted(user):
        sections = browser_for(user).get("/admin/").context["sections"]
        titles = "Calendars that are too large for calendar programs"
        return [
            (row["title"], row["detail"], row["url"])
            for section in sections
            for row in section["rows"]
            if str(section["title"]) == titles
        ]

    assert noted(editor) == []
    monkeypatch.setattr(calendars, "MAX_BYTES", 2800)
    Client().get("/events.ics")
    Client().get("/venue/hall.ics")
    # The parameters of the original select any events.
    Client().get("/?post_type=tribe_events&ical=1&tribe-bar-search=Day")

    limited = [("City calendar", "1 event left out, 3 descriptions shortened", "http://testserver/")]
    assert noted(editor) == limited
    assert noted(contributor) == []
    monkeypatch.setattr(calendars, "MAX_BYTES", 900_000)
    Client().get("/events.ics?again=1")
    assert noted(editor) == []


def test_cache_that_fails_keeps_no_calendar_from_its_readers(monkeypatch, caplog):
    EventFactory(title="Talk", start="2030-05-20 18:00")

    def fail(*_values):
        raise OSError("No cache")

    monkeypatch.setattr(cached_hints.cache, "get", fail)
    monkeypatch.setattr(cached_hints, "_breaker", CircuitBreaker(10))

    assert [Client().get(f"/events.ics?{number}").status_code for number in range(2)] == [200, 200]
    assert [record.getMessage() for record in caplog.records] == [
        "No hints for 10 s, because the cache does not respond: No cache"
    ]
