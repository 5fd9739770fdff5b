"""Calendars in the format iCalendar, as calendar programs get them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
import pytest

from calendar_site.feeds import calendars, components, loading
from events.models import Event
from events.services import cancel_event
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.html_page import parse_page

pytestmark = pytest.mark.django_db

PAST = "2020-01-05 08:00"


@pytest.fixture(autouse=True)
def _site(settings, time_machine):
    settings.SITE_NAME = "City calendar"
    time_machine.move_to("2030-05-01 12:00", tick=False)


def text_of(client, path, **query):
    """Return the lines of a calendar, with folded lines joined."""
    response = client.get(path, {"ical": "1", **query})
    assert response.status_code == 200, response.content
    assert all(len(line) <= 75 for line in response.content.split(b"\r\n"))
    return response.content.decode().replace("\r\n ", "").replace("\r\n", "\n")


def titles_of(client, path, **query):
    calendar = icalendar.Calendar.from_ical(text_of(client, path, **query))
    return [str(event["SUMMARY"]) for event in calendar.walk("VEVENT")]


def part(text, name):
    """Return the first component of a calendar with this name, as lines."""
    return text[text.index(f"BEGIN:{name}\n") : text.index(f"END:{name}\n")].splitlines()[1:]


def test_calendar_of_an_event(client, django_assert_num_queries):
    venue = VenueFactory(
        title="Old Hall", address="1 Quay", city="Lima", zip="15001", country="Peru", geo_lat=-12.05, geo_lng=-77.04
    )
    event = EventFactory(
        title="Open air; jazz, swing",
        slug="open-air",
        start="2030-05-04 18:00",
        end="2030-05-04 20:30",
        time_zone="Europe/Rome",
        description="<p>First &amp; <strong>bold</strong></p><ul><li>one</li><li>two</li></ul>",
        online_url="https://meet.example.org/jazz",
        attendance_mode="mixed",
        venues=[venue],
        organizers=[OrganizerFactory(title='The "Club"', email="club@example.org"), OrganizerFactory()],
        categories=[CategoryFactory(name="Jazz, Blues"), CategoryFactory(name="Music")],
    )
    Event.objects.filter(pk=event.pk).update(
        published_at=datetime(2029, 1, 5, 8, tzinfo=UTC), modified_at=datetime(2029, 2, 5, 8, tzinfo=UTC)
    )

    with django_assert_num_queries(9):
        text = text_of(client, "/event/open-air/")

    assert text.splitlines() == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Event Calendar//Event Calendar//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        "BEGIN:VTIMEZONE",
        "TZID:Europe/Rome",
        "BEGIN:DAYLIGHT",
        "DTSTART:20290325T020000",
        "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
        "TZNAME:CEST",
        "TZOFFSETFROM:+0100",
        "TZOFFSETTO:+0200",
        "END:DAYLIGHT",
        "BEGIN:STANDARD",
        "DTSTART:20291028T030000",
        "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
        "TZNAME:CET",
        "TZOFFSETFROM:+0200",
        "TZOFFSETTO:+0100",
        "END:STANDARD",
        "END:VTIMEZONE",
        "BEGIN:VEVENT",
        "SUMMARY:Open air\\; jazz\\, swing",
        "DTSTART;TZID=Europe/Rome:20300504T180000",
        "DTEND;TZID=Europe/Rome:20300504T203000",
        "DTSTAMP:20290205T080000Z",
        f"UID:{event.pk}-1904148000-1904157000@testserver",
        "SEQUENCE:918288000",
        "CATEGORIES:Jazz\\, Blues,Music",
        "CONFERENCE;VALUE=URI:https://meet.example.org/jazz",
        "CREATED:20290105T080000Z",
        "DESCRIPTION:First & bold\\n- one\\n- two",
        "GEO:-12.05;-77.04",
        "LAST-MODIFIED:20290205T080000Z",
        "LOCATION:Old Hall\\, 1 Quay\\, Lima\\, 15001\\, Peru",
        """ORGANIZER;CN="The 'Club'":mailto:club@example.org""",
        "STATUS:CONFIRMED",
        "TRANSP:OPAQUE",
        "URL:http://testserver/event/open-air/",
        "X-MICROSOFT-CDO-BUSYSTATUS:BUSY",
        "END:VEVENT",
        "END:VCALENDAR",
    ]


def test_headers_of_a_calendar(client):
    EventFactory(slug="open-air", start="2030-05-04 18:00")

    response = client.get("/event/open-air?ical")
    head = client.head("/events/?ical=0")

    assert {name: response[name] for name in ("Content-Type", "Content-Disposition", "X-Robots-Tag")} == {
        "Content-Type": "text/calendar; charset=utf-8",
        "Content-Disposition": 'attachment; filename="open-air.ics"',
        "X-Robots-Tag": "noindex, nofollow",
    }
    assert (head.status_code, head.content) == (200, b"")
    assert head["Content-Disposition"] == 'attachment; filename="events.ics"'
    assert client.post("/events/?ical=1").status_code == 405


def test_all_day_events_have_days_and_an_exclusive_end(client):
    EventFactory(slug="fair", start="2030-05-04", end="2030-05-05", all_day=True, time_zone="Asia/Tokyo")
    EventFactory(slug="end-of-time", start="9998-12-31", end="9998-12-31", all_day=True)

    assert "DTSTART;VALUE=DATE:20300504\nDTEND;VALUE=DATE:20300506\n" in text_of(client, "/event/fair/")
    assert "VTIMEZONE" not in text_of(client, "/event/fair/")
    assert "DTSTART;VALUE=DATE:99981231\nDTEND;VALUE=DATE:99990101\n" in text_of(client, "/event/end-of-time/")


@pytest.mark.parametrize(
    ("zone", "start", "expected"),
    [
        ("UTC", "2030-05-04 18:00", "DTSTART:20300504T180000Z"),
        # Programs know no zones with a fixed offset.
        ("UTC+5.5", "2030-05-04 18:00", "DTSTART:20300504T123000Z"),
        ("Europe/Rome", "2030-10-27 02:30", "DTSTART;TZID=Europe/Rome:20301027T023000"),
    ],
)
def test_start_in_the_zone_of_the_event(client, zone, start, expected):
    EventFactory(slug="talk", start=start, end=start, time_zone=zone)

    text = text_of(client, "/event/talk/")

    # An end must be later than the start, so this event has none.
    assert [line for line in part(text, "VEVENT") if line.startswith("DT")] == [expected, "DTSTAMP:20300501T120000Z"]


@pytest.mark.parametrize("zone", ["America/New_York", "UTC", "Asia/Tokyo"])
def test_last_and_first_dates_that_a_database_may_contain(client, zone):
    event = EventFactory(slug="talk", start="2030-05-04 18:00", end="2030-05-04 20:00", time_zone=zone)
    for moment in (datetime(9999, 12, 31, 12, tzinfo=UTC), datetime(1, 1, 2, tzinfo=UTC)):
        local = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None).isoformat(" ")
        Event.objects.filter(pk=event.pk).update(start=moment, start_local=local, end=moment, end_local=local)

        assert titles_of(client, "/event/talk/") == [event.title]


def test_cancelled_event_replaces_the_version_that_was_imported(client, editor, time_machine):
    event = EventFactory(slug="talk", start="2030-05-04 18:00", end="2030-05-04 20:00")
    (before,) = icalendar.Calendar.from_ical(text_of(client, "/event/talk/")).walk("VEVENT")
    time_machine.move_to("2030-05-02 12:00:10", tick=False)
    cancel_event(Event.objects.get(pk=event.pk), user=editor)

    (after,) = icalendar.Calendar.from_ical(text_of(client, "/event/talk/")).walk("VEVENT")

    assert (after["UID"], str(after["STATUS"])) == (before["UID"], "CANCELLED")
    assert after["SEQUENCE"] - before["SEQUENCE"] == 24 * 60 * 60 + 10
    assert [after[name].dt for name in ("DTSTAMP", "LAST-MODIFIED")] == [
        datetime(2030, 5, 2, 12, 0, 10, tzinfo=UTC)
    ] * 2
    assert after["CREATED"].dt == before["CREATED"].dt


def test_version_of_a_scheduled_event_is_its_publication(client, time_machine):
    event = EventFactory(slug="talk", start="2030-05-04 18:00")
    published_at = datetime(2030, 5, 2, 12, 0, 10, tzinfo=UTC)
    Event.objects.filter(pk=event.pk).update(
        status="future", published_at=published_at, modified_at=datetime(2030, 5, 1, 12, tzinfo=UTC)
    )
    time_machine.move_to("2030-05-03 12:00", tick=False)

    (talk,) = icalendar.Calendar.from_ical(text_of(client, "/event/talk/")).walk("VEVENT")

    assert [talk[name].dt for name in ("DTSTAMP", "LAST-MODIFIED", "CREATED")] == [published_at] * 3
    assert talk["SEQUENCE"] == (published_at - datetime(2000, 1, 1, tzinfo=UTC)).total_seconds()


def test_second_of_two_equal_times_on_the_clock_is_in_utc(client):
    event = EventFactory(slug="talk", start="2030-10-27 02:30", end="2030-10-27 02:30", time_zone="Europe/Rome")
    Event.objects.filter(pk=event.pk).update(end=event.end.astimezone(UTC) + timedelta(hours=1))

    text = text_of(client, "/event/talk/")

    assert "DTSTART:20301027T003000Z\nDTEND:20301027T013000Z\n" in text


@pytest.mark.parametrize("zone", ["America/New_York", "Africa/Casablanca", "Australia/Lord_Howe", "Europe/Dublin"])
def test_definitions_of_zones_give_the_times_of_all_events(client, zone):
    moments = [
        f"{year}-{month:02}-{day:02} 05:30" for year in (2031, 2040) for month in range(1, 13) for day in (1, 15)
    ]
    for moment in moments:
        EventFactory(start=moment, end=moment, time_zone=zone)

    text = text_of(client, "/events/")

    # Read with the definitions in the calendar, and not with those of this machine.
    read = icalendar.Calendar.from_ical(text.replace(zone, f"Test of {zone}"))
    starts = [event["DTSTART"].dt.astimezone(UTC) for event in read.walk("VEVENT")]
    assert starts == [
        datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC) for moment in moments
    ]


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("scheduled", "CONFIRMED"),
        ("cancelled", "CANCELLED"),
        ("postponed", "TENTATIVE"),
        ("rescheduled", "CONFIRMED"),
        ("moved_online", "CONFIRMED"),
    ],
)
def test_status(client, status, expected):
    event = EventFactory(slug="talk", start="2030-05-04 18:00")
    Event.objects.filter(pk=event.pk).update(event_status=status)

    assert f"STATUS:{expected}" in text_of(client, "/event/talk/").splitlines()


def test_place_of_an_online_event_is_its_url_when_everybody_may_see_it(client, time_machine):
    EventFactory(
        slug="talk",
        start="2030-05-04 18:00",
        attendance_mode="online",
        online_url="https://meet.example.org/talk",
        hide_online_url=True,
        venues=[VenueFactory()],
    )

    before = text_of(client, "/event/talk/")
    time_machine.move_to("2030-05-04 17:30")
    after = text_of(client, "/event/talk/")

    assert ("LOCATION" in before, "meet.example.org" in before) == (False, False)
    assert ("LOCATION" in after, "CONFERENCE;VALUE=URI:https://meet.example.org/talk\n" in after) == (False, True)


def test_event_in_person_has_no_online_url(client, editor):
    EventFactory(slug="talk", start="2030-05-04 18:00", online_url="https://meet.example.org/talk")
    client.force_login(editor)

    assert "meet.example.org" not in text_of(client, "/event/talk/")


def test_event_with_a_password_shows_title_and_times_only(client, editor):
    EventFactory(
        slug="talk",
        title="Talk",
        start="2030-05-04 00:00:00",
        end="2030-05-04 23:59:59",
        password="swordfish",
        description="Secret",
        venues=[VenueFactory(slug="hall")],
    )
    # An editor sees these fields on the page. A subscription is public.
    client.force_login(editor)

    text = text_of(client, "/event/talk/")

    assert [line.partition(":")[0] for line in part(text, "VEVENT")] == [
        "SUMMARY", "DTSTART;VALUE=DATE", "DTEND;VALUE=DATE", "DTSTAMP", "UID", "SEQUENCE", "CREATED",
        "LAST-MODIFIED", "TRANSP", "URL", "X-MICROSOFT-CDO-BUSYSTATUS",
    ]  # fmt: skip
    assert titles_of(client, "/events/") == ["Talk"]
    assert titles_of(client, "/venue/hall/") == []


def test_calendar_of_upcoming_events(client):
    EventFactory(title="Long ago", start="2030-03-30 10:00", end="2030-03-30 11:00")
    EventFactory(title="Over", start="2030-04-02 10:00", end="2030-04-02 11:00")
    EventFactory(title="Hidden", start="2030-05-04 10:00", hide_from_listings=True)
    EventFactory(title="Draft", start="2030-05-04 10:00", status="draft")
    EventFactory(title="Private", start="2030-05-04 10:00", status="private")
    EventFactory(title="Later", start="2030-05-05 10:00")
    EventFactory(title="Now", start="2030-05-01 10:00", end="2030-05-01 15:00")

    assert titles_of(client, "/events/") == ["Over", "Now", "Later"]
    assert titles_of(client, "/") == ["Over", "Now", "Later"]
    assert titles_of(client, "/de/events/") == ["Over", "Now", "Later"]


def test_calendar_without_events_is_empty(client):
    assert "BEGIN:VEVENT" not in text_of(client, "/events/")
    assert "X-WR-CALNAME:City calendar\n" in text_of(client, "/events/")


def test_calendars_of_linked_records(client):
    hall, club = VenueFactory(slug="hall", title="Hall"), OrganizerFactory(slug="club")
    music = CategoryFactory(slug="music", name="Music")
    jazz, free = CategoryFactory(slug="jazz", parent=music), TagFactory(slug="free")
    dates = {"start": "2030-05-04 18:00"}
    EventFactory(title="A", venues=[hall], organizers=[club], **dates)
    EventFactory(title="B", categories=[jazz], tags=[free], **dates)
    EventFactory(title="C", venues=[VenueFactory()], categories=[CategoryFactory()], tags=[TagFactory()], **dates)

    assert titles_of(client, "/venue/hall/") == ["A"]
    assert titles_of(client, "/organizer/club/") == ["A"]
    assert titles_of(client, "/events/category/music/") == ["B"]
    assert titles_of(client, "/events/category/jazz/") == ["B"]
    assert titles_of(client, "/events/tag/free/") == ["B"]
    assert "X-WR-CALNAME:Hall – City calendar\n" in text_of(client, "/venue/hall/")


def test_past_and_hidden_events_have_calendars_of_their_own(client):
    EventFactory(slug="over", title="Over", start="2020-01-01 10:00")
    EventFactory(slug="hidden", title="Hidden", start="2030-05-04 10:00", hide_from_listings=True)

    assert titles_of(client, "/event/over/") == ["Over"]
    assert titles_of(client, "/event/hidden/") == ["Hidden"]


@pytest.mark.parametrize(
    "path", ["/event/draft/", "/event/no/", "/venue/no/", "/events/category/no/", "/events/tag/no/"]
)
def test_records_that_are_not_public_have_no_calendar(client, editor, path):
    EventFactory(slug="draft", start="2030-05-04 10:00", status="draft")
    client.force_login(editor)

    assert client.get(path, {"ical": "1"}).status_code == 404


def test_number_of_queries_does_not_depend_on_the_number_of_events(client, django_assert_num_queries):
    for number in range(12):
        EventFactory(
            start=f"2030-05-{number + 2:02} 18:00",
            venues=[VenueFactory()],
            organizers=[OrganizerFactory()],
            categories=[CategoryFactory()],
        )

    with django_assert_num_queries(10):
        assert len(titles_of(client, "/events/")) == 12


def test_calendar_has_a_limit_of_events_and_descriptions(client, monkeypatch):
    monkeypatch.setattr(calendars, "MAX_EVENTS", 2)
    monkeypatch.setattr(loading, "MAX_DESCRIPTIONS", 20)
    EventFactory(title="A", start="2030-05-04 10:00", description="<p>Fifteen</p>")
    EventFactory(title="B", start="2030-05-05 10:00", description="<p>More than that</p>")
    EventFactory(title="C", start="2030-05-06 10:00")

    text = text_of(client, "/events/")

    assert titles_of(client, "/events/") == ["A", "B"]
    assert [line for line in text.splitlines() if line.startswith("DESCRIPTION")] == [
        "DESCRIPTION:Fifteen",
        "DESCRIPTION:",
    ]


def test_calendar_has_a_limit_of_names_of_categories(client, monkeypatch):
    monkeypatch.setattr(components, "MAX_CATEGORIES", 10)
    for day, name in enumerate(("Music", "Theatre", "Film"), 4):
        EventFactory(title=name, start=f"2030-05-{day:02} 10:00", categories=[CategoryFactory(name=name)])

    lines = text_of(client, "/events/").splitlines()

    assert [line for line in lines if line.startswith("CATEGORIES")] == [
        "CATEGORIES:Music",
        "CATEGORIES:Film",
    ]


def test_control_characters_and_line_breaks_stay_within_a_property(client):
    event = EventFactory(slug="talk", start="2030-05-04 18:00")
    Event.objects.filter(pk=event.pk).update(title="One\x07\r\nATTENDEE:mailto:x@example.org")

    text = text_of(client, "/event/talk/")

    assert "SUMMARY:One\\nATTENDEE:mailto:x@example.org\n" in text
    assert "\nATTENDEE" not in text


def test_unknown_form_of_series_is_refused(client):
    assert client.get("/events/", {"ical": "1", "series": "none"}).status_code == 400


@pytest.mark.parametrize(
    ("path", "feed"),
    [
        ("/", "http://testserver/events.ics"),
        ("/event/talk/", "http://testserver/event/talk.ics"),
        ("/venue/hall/", "http://testserver/venue/hall.ics"),
        ("/de/venue/hall/", "http://testserver/de/venue/hall.ics"),
    ],
)
def test_pages_link_to_their_calendar(client, path, feed):
    EventFactory(slug="talk", start="2030-05-04 18:00", venues=[VenueFactory(slug="hall")])

    page = parse_page(client.get(path))

    assert page.one("link", type="text/calendar")["href"] == feed
    assert feed in [link["href"] for link in page.one("main").all("a")]


def test_page_of_a_draft_links_to_no_calendar(client, editor):
    EventFactory(slug="talk", start="2030-05-04 18:00", status="draft")
    client.force_login(editor)

    assert b".ics" not in client.get("/event/talk/").content
