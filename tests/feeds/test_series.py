"""Series in calendars: single events that name their series, and recurrence rules for clients that ask for them."""

from datetime import UTC, datetime, time

import icalendar
import pytest
from dateutil.rrule import rruleset, rrulestr

from events.feeds import series_components
from events.models import Event, Series
from tests.support.api_client import API

SERIES = f"{API}/series"
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
    """Return the starts of all events that a client shows, in order: moments in UTC, or midnights of days."""
    starts = []
    for event in calendar.walk("VEVENT"):
        if "RRULE" not in event and "RDATE" not in event:
            starts.append(utc(midnight(event["DTSTART"].dt)))
            continue
        dates, start = rruleset(), midnight(event["DTSTART"].dt)
        if "RRULE" in event:
            rule = event["RRULE"].to_ical().decode()
            dates.rrule(rrulestr(rule, dtstart=start))
        else:
            dates.rdate(start)
        for name, add in (("RDATE", dates.rdate), ("EXDATE", dates.exdate)):
            for each in event[name].dts if name in event else ():
                add(midnight(each.dt))
        replaced = {
            midnight(other["RECURRENCE-ID"].dt)
            for other in calendar.walk("VEVENT")
            if other["UID"] == event["UID"] and "RECURRENCE-ID" in other
        }
        starts += [utc(each) for each in dates if each not in replaced]
    return sorted(starts)


def utc(moment):
    return moment.astimezone(UTC) if moment.tzinfo else moment


def midnight(moment):
    return moment if isinstance(moment, datetime) else datetime.combine(moment, time())


def starts_of(series):
    return sorted(Event.objects.filter(series=series, status="publish").values_list("start", flat=True))


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
        "DTSTAMP:20270105T080000Z",
        f"UID:series-{pk}@testserver",
        "RRULE:FREQ=WEEKLY;COUNT=4;BYDAY=TU",
        "CREATED:20270105T080000Z",
        "DESCRIPTION:",
        "LAST-MODIFIED:20270310T120000Z",
        "STATUS:CONFIRMED",
        "URL:http://testserver/event/choir-2027-04-06/",
        "END:VEVENT",
    ]
    assert expand(calendar) == starts_of(pk)
    # The zone is defined for the years after the last event as well.
    (zone,) = calendar.walk("VTIMEZONE")
    assert zone.to_ical().count(b"2031") > 0


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
    assert expand(calendar) == starts_of(pk)


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
        # Weekdays differ between the clock and UTC: these stay single events.
        {"rrule": "FREQ=WEEKLY;COUNT=5;BYDAY=TU", "timezone": "UTC+5.5"},
    ],
)
def test_rules_give_the_dates_of_the_events(client, create, fields):
    pk = create(**fields)
    is_all_day = fields.get("all_day", False)

    calendar = read(client, series="rule")

    expected = starts_of(pk)
    assert len(expected) > 2
    if is_all_day:
        starts = Event.objects.order_by("start").values_list("start_local", flat=True)
        expected = [datetime.fromisoformat(text) for text in starts]
    assert expand(calendar) == expected


def test_series_with_too_many_events_stay_single_events(client, create, monkeypatch):
    monkeypatch.setattr(series_components, "MAX_EVENTS", 5)
    create(title="Choir")
    create(title="Dance", start_date="2027-03-17 19:00:00", end_date="2027-03-17 21:00:00", rrule="FREQ=WEEKLY;COUNT=2")

    events = read(client, series="rule").walk("VEVENT")

    assert [(str(event["SUMMARY"]), "RRULE" in event) for event in events] == [
        ("Choir", True), ("Dance", False), ("Dance", False)
    ]  # fmt: skip


def test_event_with_a_password_is_no_part_of_the_rule(client, create):
    pk = create()
    Event.objects.filter(series=pk, series_occurrence="2027-03-23 19:00:00").update(password="swordfish")

    main, protected = read(client, series="rule").walk("VEVENT")

    assert [each.dt.replace(tzinfo=None) for each in main["EXDATE"].dts] == [datetime(2027, 3, 23, 19)]
    assert ("RRULE" in main, "RELATED-TO" in protected, "RECURRENCE-ID" in protected) == (True, False, False)
