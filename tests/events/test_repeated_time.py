"""Hours and days that occur twice or not at all (D43): moments are compared as instants."""

from datetime import UTC, datetime

import pytest

from events.models import Event, Series
from events.services import save_event
from tests.factories import OPERATOR, EventFactory
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import created_record

pytestmark = pytest.mark.django_db

EVENTS = f"{API}/events"

# A zone, a start and an end in UTC whose end is earlier on the clock, and what the clock shows.
REPEATED = [
    ("Europe/Berlin", "2027-10-31T00:30:00Z", "2027-10-31T01:15:00Z", "02:30:00", "02:15:00"),
    ("America/New_York", "2027-11-07T05:45:00Z", "2027-11-07T06:30:00Z", "01:45:00", "01:30:00"),
    ("Australia/Lord_Howe", "2027-04-03T14:50:00Z", "2027-04-03T15:10:00Z", "01:50:00", "01:40:00"),
]


def at(text):
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(("zone", "start", "end", "start_clock", "end_clock"), REPEATED)
def test_end_in_the_repeated_hour_is_kept(editor_api, zone, start, end, start_clock, end_clock):
    data = {"title": "Night", "timezone": zone, "start_date": start, "end_date": end}

    created = created_record(editor_api.post(EVENTS, data))
    moved = editor_api.patch(f"{EVENTS}/{created['id']}", {"end_date": end})
    sent_back = editor_api.put(f"{EVENTS}/{created['id']}", {"title": "Renamed"})

    event = Event.objects.get()
    assert (created["start_date"][11:], created["end_date"][11:]) == (start_clock, end_clock)
    assert [response.status_code for response in (moved, sent_back)] == [200, 200]
    assert (event.start, event.end) == (at(start), at(end))


def test_end_before_the_start_is_moved_to_it(editor_api):
    data = {"title": "Night", "timezone": "Europe/Berlin", "start_date": "2027-10-31T01:15:00Z"}

    created = created_record(editor_api.post(EVENTS, {**data, "end_date": "2027-10-31T00:30:00Z"}))

    assert created["utc_end_date"] == created["utc_start_date"] == "2027-10-31 01:15:00"


def test_saving_an_event_in_the_repeated_hour_changes_no_date(editor):
    event = EventFactory(time_zone="Europe/Berlin")
    start, end = at("2027-10-31T01:30:00Z"), at("2027-10-31T01:45:00Z")
    save_event(event, changes={"start": start, "end": end}, user=OPERATOR)

    changes = {"start": start, "end": end, "title": "Renamed"}
    save_event(Event.objects.get(pk=event.pk), changes=changes, user=OPERATOR)

    revision = event.history.latest("history_id")
    assert revision.history_changed == ["title"]


@pytest.mark.parametrize(
    ("zone", "day", "start", "end"),
    [
        # The day has 25 hours, and 23:00 to 24:00 twice.
        ("America/Asuncion", "2023-03-25", "2023-03-25T03:00:00Z", "2023-03-26T03:59:59Z"),
        # It has 23 hours: the clock skips from 00:00 to 01:00.
        ("America/Asuncion", "2023-10-01", "2023-10-01T04:00:00Z", "2023-10-02T02:59:59Z"),
        ("Europe/Berlin", "2027-10-31", "2027-10-30T22:00:00Z", "2027-10-31T22:59:59Z"),
        # The next day was left out.
        ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z", "2011-12-30T09:59:59Z"),
        ("Australia/Lord_Howe", "2027-04-04", "2027-04-03T13:00:00Z", "2027-04-04T13:29:59Z"),
    ],
)
def test_all_day_event_has_the_length_of_its_day(editor_api, zone, day, start, end):
    data = {"title": "Fair", "timezone": zone, "start_date": day, "end_date": day, "all_day": True}

    created = created_record(editor_api.post(EVENTS, data))

    event = Event.objects.get()
    assert (event.start, event.end) == (at(start), at(end))
    assert (created["start_date"][:10], created["end_date"]) == (day, f"{day} 23:59:59")


def test_series_in_the_repeated_hour_has_its_duration(editor_api):
    data = {
        "title": "Night",
        "timezone": "Europe/Berlin",
        "start_date": "2027-10-31T00:30:00Z",
        "end_date": "2027-10-31T01:15:00Z",
        "rrule": "FREQ=DAILY;COUNT=2",
    }

    assert editor_api.post(f"{API}/series", data).status_code == 201

    last = Event.objects.order_by("start").last()
    assert (last.start, last.end) == (
        datetime(2027, 11, 1, 1, 30, tzinfo=UTC),
        datetime(2027, 11, 1, 2, 15, tzinfo=UTC),
    )
    assert {event.series_id for event in Event.objects.all()} == {Series.objects.get().pk}


# --- Days without a time in series (D46)

CHOIR = {
    "title": "Choir",
    "start_date": "2027-03-16 19:00",
    "end_date": "2027-03-16 20:00",
    "rrule": "FREQ=WEEKLY;COUNT=3",
}


@pytest.mark.parametrize("path", ["series/preview", "series"])
def test_day_alone_means_the_start_time_of_the_series(editor_api, path, time_machine):
    time_machine.move_to("2027-03-10 12:00Z", tick=False)

    response = editor_api.post(f"{API}/{path}", {**CHOIR, "exdate": ["2027-03-23"], "rdate": ["2027-03-25"]})

    assert response.status_code in (200, 201), response.content
    if path == "series/preview":
        starts = [row["start_date"] for row in response.json()["occurrences"]]
    else:
        starts = sorted(Event.objects.values_list("start_local", flat=True))
        assert response.json()["exdate"] == ["2027-03-23 19:00:00"]
    assert starts == ["2027-03-16 19:00:00", "2027-03-25 19:00:00", "2027-03-30 19:00:00"]


@pytest.mark.parametrize("path", ["series/preview", "series"])
@pytest.mark.parametrize("exdate", ["2027-03-24", "2027-03-23 18:00:00", "2027-04-06"])
def test_excluded_date_without_an_event_is_reported(editor_api, path, exdate, time_machine):
    time_machine.move_to("2027-03-10 12:00Z", tick=False)

    response = editor_api.post(f"{API}/{path}", {**CHOIR, "exdate": [exdate, "2027-03-23"]})

    shown = exdate if len(exdate) > 10 else f"{exdate} 19:00:00"
    assert invalid_params(response) == {
        "exdate": f"The series has no event at these times: {shown}. Use the start of an event, or its day alone."
    }
    assert not Series.objects.exists()


def test_excluded_dates_of_a_series_can_be_sent_back(editor_api, time_machine):
    time_machine.move_to("2027-03-10 12:00Z", tick=False)
    series = editor_api.post(f"{API}/series", {**CHOIR, "exdate": ["2027-03-23"]}).json()

    shorter = editor_api.patch(f"{API}/series/{series['id']}", {"rrule": "FREQ=WEEKLY;COUNT=1"})
    sent_back = editor_api.put(f"{API}/series/{series['id']}", {**shorter.json(), "title": "Big choir"})

    assert (shorter.status_code, sent_back.status_code) == (200, 200)
    assert sent_back.json()["exdate"] == ["2027-03-23 19:00:00"]


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=WEEKLY;BYDAY=TU,WE;COUNT=3;",
        ";FREQ=WEEKLY;;BYDAY=TU,WE;COUNT=3",
        "freq = weekly ; byday = tu , we; count=3 ",
        "RRULE:FREQ=WEEKLY;BYDAY=TU, WE;COUNT=3\n",
    ],
)
def test_rule_may_have_spaces_and_empty_parts(editor_api, rule, time_machine):
    time_machine.move_to("2027-03-10 12:00Z", tick=False)

    preview = editor_api.post(f"{API}/series/preview", {**CHOIR, "rrule": rule}).json()

    assert [row["start_date"][:10] for row in preview["occurrences"]] == ["2027-03-16", "2027-03-17", "2027-03-23"]
