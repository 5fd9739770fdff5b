"""Series in calendars: single events that name their series, and recurrence rules for clients that ask for them."""

from datetime import UTC, datetime, time, timedelta
from itertools import chain, islice, takewhile

import icalendar
import pytest
from dateutil.rrule import rrulestr

from calendar_site.feeds import components, loading, series_components
from events.models import Event, Series
from events.series.conversion import repeat_event
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.api_client import API

SERIES = f"{API}/series"
# Until then `expand()` repeats rules without an end.
LAST_YEAR = 2032
CHOIR = {
    "title": "Choir",
    "start_date": "2027-03-16 19:00:00",
    "end_date": "2027-03-16 21:00:00",
    "timezone": "Europe/Rome",
    "rrule": "FREQ=WEEKLY;COUNT=4;BYDAY=TU",
    "date": "2027-01-05 08:00:00",
}


@pytest.fixture(autouse=True)
def _today(time_machine):
    time_machine.move_to("2027-03-10 12:00", tick=False)


@pytest.fixture
def create(editor_api):
    """Return a function that creates a series and returns its id."""

    def post(**fields):
        response = editor_api.post(SERIES, {**CHOIR, **fields})
        assert response.status_code == 201, response.content
        return response.json()["id"]

    return post


def read(client, path="/events/", **query):
    response = client.get(path, {"ical": "1", **query})
    assert response.status_code == 200, response.content
    return icalendar.Calendar.from_ical(response.content)


def expand(calendar):
    """Return the times of all events that a client shows, in order: moments in UTC, or midnights of days.

    As RFC 5545 has it: DTSTART is the first date, whether or not it matches the rule, and counts for COUNT; local times
    that the clock skips are ignored; each event has the exact duration of the first one; exceptions replace dates.
    """
    times = []
    for event in calendar.walk("VEVENT"):
        start, end = midnight(event["DTSTART"].dt), midnight(event["DTEND"].dt) if "DTEND" in event else None
        assert end is None or utc(start) < utc(end)
        length = utc(end) - utc(start) if end else timedelta()
        dates = {start}
        if "RRULE" in event:
            parts = {name: value for name, value in event["RRULE"].items() if name != "COUNT"}
            rule = rrulestr(icalendar.vRecur(parts).to_ical().decode(), dtstart=start)
            matching = (each for each in rule if each > start and is_on_clock(each))
            by_rule = takewhile(lambda each: each.year <= LAST_YEAR, chain([start], matching))
            dates |= set(islice(by_rule, event["RRULE"]["COUNT"][0]) if "COUNT" in event["RRULE"] else by_rule)
        added = {midnight(each.dt) for each in event["RDATE"].dts} if "RDATE" in event else set()
        assert all(each > start for each in added)
        left_out = {midnight(each.dt) for each in event["EXDATE"].dts} if "EXDATE" in event else set()
        replaced = {
            midnight(other["RECURRENCE-ID"].dt)
            for other in calendar.walk("VEVENT")
            if other["UID"] == event["UID"] and "RECURRENCE-ID" in other
        }
        if "RECURRENCE-ID" in event:
            left_out, replaced = set(), set()
        times += [(utc(each), utc(each) + length) for each in (dates | added) - left_out - replaced]
    return sorted(times)


def is_on_clock(moment):
    return not moment.tzinfo or utc(moment).astimezone(moment.tzinfo).replace(tzinfo=None) == moment.replace(
        tzinfo=None
    )


def utc(moment):
    return moment.astimezone(UTC) if moment.tzinfo else moment


def midnight(moment):
    return moment if isinstance(moment, datetime) else datetime.combine(moment, time())


def times_of(series):
    return sorted(Event.objects.filter(series=series, status="publish").values_list("start", "end"))


def clock_of(prop):
    """Return the local times of a property."""
    return [each.dt.replace(tzinfo=None) for each in getattr(prop, "dts", [prop])]


def test_single_events_name_their_series(client, create):
    pk = create()

    events = read(client).walk("VEVENT")

    assert [str(event["RELATED-TO"]) for event in events] == [f"series-{pk}@testserver"] * 4
    assert [event["DTSTART"].dt.replace(tzinfo=None) for event in events] == [
        datetime(2027, 3, 16, 19), datetime(2027, 3, 23, 19), datetime(2027, 3, 30, 19), datetime(2027, 4, 6, 19)
    ]  # fmt: skip
    assert all("RRULE" not in event for event in events)


def test_private_series_is_not_named(client, create):
    pk = create()
    Series.objects.filter(pk=pk).update(status="private")

    events = read(client).walk("VEVENT")
    combined = read(client, series="rule").walk("VEVENT")

    assert (len(events), any("RELATED-TO" in event for event in events)) == (4, False)
    assert (len(combined), any("RRULE" in event for event in combined)) == (4, False)


def test_series_as_a_rule(client, create, django_assert_max_num_queries):
    pk = create()

    with django_assert_max_num_queries(24):
        (event,) = (calendar := read(client, series="rule")).walk("VEVENT")

    lines = event.to_ical().decode().replace("\r\n ", "").splitlines()
    assert lines == [
        "BEGIN:VEVENT",
        "SUMMARY:Choir",
        "DTSTART;TZID=Europe/Rome:20270316T190000",
        "DTEND;TZID=Europe/Rome:20270316T210000",
        "DTSTAMP:20270310T120000Z",
        f"UID:series-{pk}@testserver",
        "SEQUENCE:857995200",
        "RRULE:FREQ=WEEKLY;COUNT=4;BYDAY=TU",
        "CREATED:20270105T080000Z",
        "DESCRIPTION:",
        "LAST-MODIFIED:20270310T120000Z",
        "STATUS:CONFIRMED",
        "TRANSP:TRANSPARENT",
        "URL:http://testserver/event/choir-2027-04-06/",
        "X-MICROSOFT-CDO-BUSYSTATUS:FREE",
        "END:VEVENT",
    ]
    assert expand(calendar) == times_of(pk)
    # The zone is defined for all years after the last event as well.
    (zone,) = calendar.walk("VTIMEZONE")
    assert zone.to_ical().count(b"RRULE:FREQ=YEARLY") == 2


def test_each_event_of_a_series_has_the_calendar_of_the_series(client, create):
    create()

    calendar = read(client, "/event/choir-2027-03-23/", series="rule")

    assert [str(event["SUMMARY"]) for event in calendar.walk("VEVENT")] == ["Choir"]
    assert len(expand(calendar)) == 4


def test_events_that_differ_are_exceptions(client, create, editor_api):
    pk = create(rdate=["2027-05-04 19:00:00"], exdate=["2027-03-30 19:00:00"])
    first, moved, last, _added = Event.objects.filter(series=pk).order_by("series_occurrence")
    editor_api.put(f"{API}/events/{first.pk}", {"title": "Concert"})
    editor_api.put(f"{API}/events/{moved.pk}", {"start_date": "2027-03-24 18:00:00", "end_date": "2027-03-24 20:00:00"})
    editor_api.delete(f"{API}/events/{last.pk}")

    calendar = read(client, series="rule")

    main, concert, shifted = calendar.walk("VEVENT")
    assert {str(event["UID"]) for event in (main, concert, shifted)} == {f"series-{pk}@testserver"}
    assert [each.dt.replace(tzinfo=None) for each in main["EXDATE"].dts] == [
        datetime(2027, 3, 30, 19), datetime(2027, 4, 6, 19)
    ]  # fmt: skip
    assert [each.dt.replace(tzinfo=None) for each in main["RDATE"].dts] == [datetime(2027, 5, 4, 19)]
    assert (str(concert["SUMMARY"]), concert["RECURRENCE-ID"].dt) == ("Concert", concert["DTSTART"].dt)
    assert shifted["RECURRENCE-ID"].dt.replace(tzinfo=None) == datetime(2027, 3, 23, 19)
    assert shifted["DTSTART"].dt.replace(tzinfo=None) == datetime(2027, 3, 24, 18)
    assert expand(calendar) == times_of(pk)


@pytest.mark.parametrize(
    "fields",
    [
        {"rrule": "FREQ=DAILY;COUNT=30"},
        {"rrule": "FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20270420"},
        {"rrule": "FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20270420T180000"},
        {"rrule": "FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20270420T170000Z"},
        {"rrule": "FREQ=MONTHLY;BYDAY=-1FR;COUNT=6", "start_date": "2027-03-26 19:00", "end_date": "2027-03-26 21:00"},
        {"rrule": "", "rdate": ["2027-04-02 20:00:00", "2027-04-09 18:00:00"]},
        {"rrule": "FREQ=DAILY;UNTIL=20270331", "all_day": True, "start_date": "2027-03-16", "end_date": "2027-03-17"},
        {"rrule": "FREQ=WEEKLY;COUNT=5", "timezone": "UTC"},
        # The date that was added comes before the rule begins.
        {"rrule": "FREQ=WEEKLY;INTERVAL=2;COUNT=4", "rdate": ["2027-03-10 19:00:00"]},
        {"rrule": "FREQ=WEEKLY;INTERVAL=2;COUNT=4", "rdate": ["2027-03-10 19:00:00", "2027-03-18 19:00:00"]},
        # The first date does not match the rule.
        {"rrule": "FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO;COUNT=5", "rdate": ["2027-03-16 19:00:00"]},
        {"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=5", "rdate": ["2027-03-16 19:00:00"]},
        {"rrule": "FREQ=YEARLY;BYMONTH=1;COUNT=2", "rdate": ["2027-03-16 19:00:00", "2027-03-18 19:00:00"]},
        # Nights in which the clock is changed have another length; also the first, or most of them.
        {"rrule": "FREQ=DAILY;COUNT=4", "start_date": "2027-03-26 22:00", "end_date": "2027-03-27 06:00"},
        {"rrule": "FREQ=DAILY;COUNT=4", "start_date": "2027-03-27 22:00", "end_date": "2027-03-28 06:00"},
        {"rrule": "FREQ=DAILY;COUNT=4", "start_date": "2027-10-29 22:00", "end_date": "2027-10-30 06:00"},
        {"rrule": "FREQ=DAILY;COUNT=4", "start_date": "2027-10-30 02:30", "end_date": "2027-10-30 03:30"},
        {
            "rrule": "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;COUNT=3",
            "start_date": "2027-10-31 01:30",
            "end_date": "2027-10-31 02:30",
        },
        # The clock skips this time on 28 March: these stay single events.
        {"rrule": "FREQ=DAILY;COUNT=4", "start_date": "2027-03-27 02:30", "end_date": "2027-03-27 04:30"},
        # Without a duration.
        {"rrule": "FREQ=DAILY;COUNT=4", "end_date": "2027-03-16 19:00"},
        # Weekdays differ between the clock and UTC: these stay single events.
        {"rrule": "FREQ=WEEKLY;COUNT=5;BYDAY=TU", "timezone": "UTC+5.5"},
    ],
)
def test_rules_give_the_dates_of_the_events(client, create, fields):
    pk = create(**fields)
    is_all_day = fields.get("all_day", False)

    calendar = read(client, series="rule")

    expected = times_of(pk)
    assert len(expected) > 2
    if is_all_day:
        days = [tuple(text[:10] for text in row) for row in Event.objects.values_list("start_local", "end_local")]
        parse = datetime.fromisoformat
        expected = sorted((parse(first), parse(last) + timedelta(days=1)) for first, last in days)
    assert expand(calendar) == expected


def test_event_before_the_first_date_of_the_rule_stays_a_single_event(client, editor):
    # As in the admin, on a Wednesday: "repeat this event" on Tuesdays and Thursdays.
    event = EventFactory(start="2027-03-17 19:00", end="2027-03-17 21:00", time_zone="Europe/Rome", title="Choir")
    series = repeat_event(event, changes={"rrule": "FREQ=WEEKLY;COUNT=4;BYDAY=TU,TH"}, user=editor)

    main, single = (calendar := read(client, series="rule")).walk("VEVENT")

    assert clock_of(main["DTSTART"]) == [datetime(2027, 3, 18, 19)]
    assert ("RDATE" in main, "RECURRENCE-ID" in single, clock_of(single["DTSTART"])) == (
        False, False, [datetime(2027, 3, 17, 19)]
    )  # fmt: skip
    assert str(single["RELATED-TO"]) == str(main["UID"])
    assert expand(calendar) == times_of(series.pk)
    assert len(times_of(series.pk)) == 5


def test_first_date_of_the_rule_without_an_event_is_left_out(client, create):
    pk = create(exdate=["2027-03-16 19:00:00"])

    (main,) = (calendar := read(client, series="rule")).walk("VEVENT")

    assert (clock_of(main["DTSTART"]), clock_of(main["EXDATE"])) == ([datetime(2027, 3, 16, 19)],) * 2
    assert expand(calendar) == times_of(pk)


def test_rule_has_the_most_frequent_values_of_the_events(client, create, editor_api):
    create(rrule="FREQ=WEEKLY;BYDAY=TU")
    last = Event.objects.latest("start")
    editor_api.put(f"{API}/events/{last.pk}", {"event_status": "cancelled"})

    main, cancelled = read(client, series="rule").walk("VEVENT")

    assert (str(main["STATUS"]), str(cancelled["STATUS"])) == ("CONFIRMED", "CANCELLED")
    assert cancelled["RECURRENCE-ID"].dt == last.start


def test_components_of_a_series_have_the_version_of_its_last_change(client, create, editor_api, time_machine):
    create()
    first, second, *_others = Event.objects.order_by("start")
    versions = [versions_of(read(client, series="rule"))]
    time_machine.move_to("2027-03-11 12:00:01", tick=False)
    editor_api.put(f"{API}/events/{first.pk}", {"event_status": "cancelled"})
    versions.append(versions_of(read(client, series="rule")))
    time_machine.move_to("2027-03-12 12:00:02", tick=False)
    editor_api.put(f"{API}/events/{second.pk}", {"status": "draft"})
    versions.append(versions_of(read(client, series="rule")))

    assert versions == [
        {(857_995_200, datetime(2027, 3, 10, 12, tzinfo=UTC))},
        {(858_081_601, datetime(2027, 3, 11, 12, 0, 1, tzinfo=UTC))},
        {(858_168_002, datetime(2027, 3, 12, 12, 0, 2, tzinfo=UTC))},
    ]


def test_publication_of_a_scheduled_event_is_a_new_version_of_its_series(client, create, editor_api, time_machine):
    pk = create()
    scheduled = Event.objects.filter(series=pk).earliest("start")
    editor_api.put(f"{API}/events/{scheduled.pk}", {"date": "2027-03-11 12:00:01"})
    (before,) = (calendar := read(client, series="rule")).walk("VEVENT")
    time_machine.move_to("2027-03-12 12:00", tick=False)
    (after,) = (published := read(client, series="rule")).walk("VEVENT")

    assert (clock_of(before["EXDATE"]), "EXDATE" in after) == ([datetime(2027, 3, 16, 19)], False)
    assert (versions_of(calendar), versions_of(published)) == (
        {(857_995_200, datetime(2027, 3, 10, 12, tzinfo=UTC))},
        {(858_081_601, datetime(2027, 3, 11, 12, 0, 1, tzinfo=UTC))},
    )


def versions_of(calendar):
    return {(event["SEQUENCE"], event["DTSTAMP"].dt) for event in calendar.walk("VEVENT")}


@pytest.mark.parametrize(
    ("path", "field", "factory"),
    [
        ("/venue/old/", "venue", VenueFactory),
        ("/organizer/old/", "organizer", OrganizerFactory),
        ("/events/category/old/", "categories", CategoryFactory),
        ("/events/tag/old/", "tags", TagFactory),
    ],
)
def test_series_with_events_elsewhere_stays_single_events_in_the_calendar_of_a_record(
    client, create, editor_api, path, field, factory
):
    old, new = factory(slug="old"), factory(slug="new")
    pk = create(**{field: [old.pk]})
    times = times_of(pk)
    whole = read(client, path, series="rule")
    moved = Event.objects.filter(series=pk).earliest("start")
    editor_api.put(f"{API}/events/{moved.pk}", {field: [new.pk]})

    partial, other = read(client, path, series="rule"), read(client, path.replace("old", "new"), series="rule")

    assert (len(whole.walk("VEVENT")), expand(whole)) == (1, times)
    assert (any("RRULE" in event for event in partial.walk("VEVENT")), expand(partial)) == (False, times[1:])
    assert (any("RRULE" in event for event in other.walk("VEVENT")), expand(other)) == (False, times[:1])
    assert expand(read(client, series="rule")) == times


def test_past_events_of_a_series_belong_to_the_rule_in_the_calendar_of_a_venue(client, create, time_machine):
    pk = create(venue=[VenueFactory(slug="hall").pk])
    time_machine.move_to("2027-03-25 12:00", tick=False)

    (main,) = (calendar := read(client, "/venue/hall/", series="rule")).walk("VEVENT")

    assert ("EXDATE" in main, expand(calendar)) == (False, times_of(pk))


@pytest.mark.parametrize(
    "dates",
    [
        {"exdate": ["9999-12-31 23:00:00"]},
        {"end_local": "9999-12-31 23:00:00"},
    ],
)
def test_series_at_the_end_of_the_calendar_stays_single_events(client, create, dates):
    pk = create(timezone="America/New_York")
    create(title="Dance", rrule="FREQ=WEEKLY;COUNT=2")
    # Written by other means than the service, which refuses these dates.
    Series.objects.filter(pk=pk).update(**dates)

    events = read(client, series="rule").walk("VEVENT")

    assert [(str(event["SUMMARY"]), "RRULE" in event) for event in events] == [
        ("Dance", True), *[("Choir", False)] * 4
    ]  # fmt: skip


def test_online_url_that_is_hidden_before_the_start_makes_no_exceptions(client, create, editor_api, time_machine):
    online = {"attendance_mode": "online", "online_url": "https://meet.example.org/choir"}
    pk = create(**online, hide_online_url=True)
    renamed = Event.objects.filter(series=pk).earliest("start")
    editor_api.put(f"{API}/events/{renamed.pk}", {"title": "Concert"})
    before = conferences_of(read(client, series="rule"))
    # Half an hour before the third event.
    time_machine.move_to("2027-03-30 16:30", tick=False)
    after = conferences_of(calendar := read(client, series="rule"))

    assert before == [("Choir", False, ""), ("Concert", True, "")]
    assert after == [("Choir", False, ""), ("Concert", True, online["online_url"])]
    assert expand(calendar) == times_of(pk)


def test_online_url_of_a_single_event_is_an_exception(client, create, editor_api):
    create(attendance_mode="online", online_url="https://meet.example.org/choir")
    first, second, *_others = Event.objects.order_by("start")
    editor_api.put(f"{API}/events/{first.pk}", {"online_url": "https://meet.example.org/guests"})
    editor_api.put(f"{API}/events/{second.pk}", {"hide_online_url": True})

    assert conferences_of(read(client, series="rule")) == [
        ("Choir", False, "https://meet.example.org/choir"),
        ("Choir", True, "https://meet.example.org/guests"),
        ("Choir", True, ""),
    ]


def conferences_of(calendar):
    return [
        (str(event["SUMMARY"]), "RECURRENCE-ID" in event, str(event.get("CONFERENCE", "")))
        for event in calendar.walk("VEVENT")
    ]


def test_limits_of_texts_make_no_exceptions(client, create, editor_api, monkeypatch):
    monkeypatch.setattr(loading, "MAX_DESCRIPTIONS", 30)
    monkeypatch.setattr(components, "MAX_CATEGORIES", 14)
    music, film = CategoryFactory(name="Music"), CategoryFactory(name="Film")
    pk = create(description="<p>Sing with us</p>", categories=[music.pk])
    first, second, third, _last = Event.objects.filter(series=pk).order_by("start")
    editor_api.put(f"{API}/events/{first.pk}", {"description": "<p>Sing alone</p>"})
    editor_api.put(f"{API}/events/{second.pk}", {"categories": [film.pk]})
    editor_api.put(f"{API}/events/{third.pk}", {"title": "Concert"})

    events = (calendar := read(client, series="rule")).walk("VEVENT")

    # The rule comes first; texts of exceptions that are too long for the rest are left out.
    assert [
        (str(event["SUMMARY"]), "RECURRENCE-ID" in event, str(event["DESCRIPTION"]), categories_of(event))
        for event in events
    ] == [
        ("Choir", False, "Sing with us", ["Music"]),
        ("Choir", True, "", ["Music"]),
        ("Choir", True, "", ["Film"]),
        ("Concert", True, "", []),
    ]
    assert expand(calendar) == times_of(pk)


def test_texts_of_rules_come_before_those_of_exceptions(client, create, editor_api, monkeypatch):
    monkeypatch.setattr(loading, "MAX_DESCRIPTIONS", 36)
    choir = create(description="<p>Sing</p>")
    create(title="Dance", description="<p>Long and slow</p>")
    first = Event.objects.filter(series=choir).earliest("start")
    editor_api.put(f"{API}/events/{first.pk}", {"description": "<p>Sing alone</p>"})

    events = read(client, series="rule").walk("VEVENT")

    assert [(str(event["SUMMARY"]), "RRULE" in event, str(event["DESCRIPTION"])) for event in events] == [
        ("Choir", True, "Sing"), ("Choir", False, ""), ("Dance", True, "Long and slow")
    ]  # fmt: skip


def categories_of(event):
    return [str(name) for name in event["CATEGORIES"].cats] if "CATEGORIES" in event else []


def test_series_with_too_many_events_stay_single_events(client, create, monkeypatch):
    monkeypatch.setattr(series_components, "MAX_COMBINED_EVENTS", 5)
    create(title="Choir")
    create(title="Dance", start_date="2027-03-15 19:00:00", end_date="2027-03-15 21:00:00", rrule="FREQ=DAILY;COUNT=6")
    create(title="Poetry", start_date="2027-03-17 19:00:00", end_date="2027-03-17 21:00:00", rrule="FREQ=DAILY;COUNT=2")

    events = read(client, series="rule").walk("VEVENT")

    # One with too many does not keep a smaller one from being combined.
    assert sorted((str(event["SUMMARY"]), "RRULE" in event) for event in events) == [
        ("Choir", True), *[("Dance", False)] * 6, *[("Poetry", False)] * 2
    ]  # fmt: skip


def test_event_with_a_password_is_no_part_of_the_rule(client, create):
    pk = create()
    Event.objects.filter(series=pk, series_occurrence="2027-03-23 19:00:00").update(password="swordfish")

    main, protected = read(client, series="rule").walk("VEVENT")

    assert [each.dt.replace(tzinfo=None) for each in main["EXDATE"].dts] == [datetime(2027, 3, 23, 19)]
    assert ("RRULE" in main, "RELATED-TO" in protected, "RECURRENCE-ID" in protected) == (True, False, False)
