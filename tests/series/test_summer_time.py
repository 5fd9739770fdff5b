"""Series that are split and ended where the clock is changed, north and south of the equator."""

from datetime import datetime, timedelta

import pytest

from events.models import Event, Series
from events.series.services import end_series
from tests.support.api_client import API, json_of

SERIES = f"{API}/series"
# The zone, and a start that the clock skips or repeats. Lord Howe changes it by half an hour, Santiago at midnight.
CHANGES = [
    ("Europe/Rome", "2027-03-28 02:30:00"),
    ("Europe/Rome", "2027-03-28 03:00:00"),
    ("Europe/Rome", "2027-10-31 02:30:00"),
    ("America/New_York", "2027-03-14 02:30:00"),
    ("America/New_York", "2027-11-07 01:30:00"),
    ("America/Santiago", "2027-09-05 00:30:00"),
    ("America/Santiago", "2027-04-03 23:30:00"),
    ("Australia/Sydney", "2027-10-03 02:30:00"),
    ("Australia/Sydney", "2027-04-04 02:30:00"),
    ("Australia/Lord_Howe", "2027-10-03 02:15:00"),
    ("Australia/Lord_Howe", "2027-04-04 01:45:00"),
]


@pytest.fixture(autouse=True)
def _today(time_machine):
    time_machine.move_to("2027-03-10 12:00", tick=False)


def days(first, count):
    return [str(datetime.fromisoformat(first) + timedelta(days=number)) for number in range(count)]


def create(client, zone, changed, **fields):
    """Create a daily series of five events; the clock is changed on the day of the third one."""
    first = datetime.fromisoformat(changed) - timedelta(days=2)
    data = {
        "title": "Night watch",
        "start_date": str(first),
        "end_date": str(first + timedelta(hours=1)),
        "timezone": zone,
        "rrule": "FREQ=DAILY;COUNT=5",
        **fields,
    }
    response = client.post(SERIES, data)
    assert response.status_code == 201, response.content
    return response.json()["id"]


def occurrences(series):
    return list(
        Event.objects.filter(series=series).order_by("series_occurrence").values_list("series_occurrence", flat=True)
    )


def moments():
    return list(Event.objects.order_by("start").values_list("pk", "start", "end"))


@pytest.mark.parametrize(("zone", "changed"), CHANGES)
def test_series_is_split_where_the_clock_is_changed(editor_api, zone, changed):
    series = create(editor_api, zone, changed)
    dates, before = occurrences(series), moments()
    assert dates == days(dates[0], 5)

    following = json_of(editor_api.patch(f"{SERIES}/{series}", {"from_occurrence": changed}))
    # Neither of them creates or loses an event when it is saved again, whole or in part.
    for pk in (series, following["id"]):
        record = json_of(editor_api.get(f"{SERIES}/{pk}"))
        assert json_of(editor_api.put(f"{SERIES}/{pk}", record)) == record
        assert editor_api.patch(f"{SERIES}/{pk}", {"title": f"Watch {pk}"}).status_code == 200

    assert (occurrences(series), occurrences(following["id"])) == (dates[:2], dates[2:])
    assert (following["start_date"], following["rrule"]) == (changed, "FREQ=DAILY;COUNT=3")
    assert moments() == before


@pytest.mark.parametrize(("zone", "changed"), CHANGES)
def test_new_end_leaves_the_start_where_the_clock_is_changed(editor_api, zone, changed):
    series = create(editor_api, zone, changed)
    dates = occurrences(series)
    following = json_of(editor_api.patch(f"{SERIES}/{series}", {"from_occurrence": changed}))
    end = str(datetime.fromisoformat(changed) + timedelta(hours=3))

    changed_series = json_of(editor_api.patch(f"{SERIES}/{following['id']}", {"end_date": end}))

    assert (changed_series["start_date"], changed_series["end_date"]) == (changed, end)
    assert occurrences(following["id"]) == dates[2:]
    last = Event.objects.order_by("start").last()
    assert (last.start_local, last.end - last.start) == (dates[-1], timedelta(hours=3))


@pytest.mark.parametrize(("zone", "changed"), CHANGES)
def test_series_ends_where_the_clock_is_changed(editor_api, editor, zone, changed):
    pk = create(editor_api, zone, changed)
    dates = occurrences(pk)
    third = Event.objects.get(series_occurrence=changed)

    end_series(Series.objects.get(pk=pk), before=third.start, user=editor)
    editor_api.patch(f"{SERIES}/{pk}", {"title": "Short watch"})

    assert occurrences(pk) == dates[:2]
    assert Event.objects.filter(status="trash").count() == 3


def test_short_event_in_the_skipped_hour_follows_the_series(editor_api):
    series = create(editor_api, "Europe/Rome", "2027-03-28 02:30:00", end_date="2027-03-26 03:00:00")

    editor_api.patch(f"{SERIES}/{series}", {"start_date": "2027-03-26 12:00:00", "end_date": "2027-03-26 12:30:00"})

    events = Event.objects.filter(series=series).order_by("start")
    assert {event.start_local[11:] for event in events} == {"12:00:00"}
    assert {event.end_local[11:] for event in events} == {"12:30:00"}


def test_ending_a_series_after_its_last_event_changes_nothing(editor_api, editor):
    pk = create(editor_api, *CHANGES[0])
    last = Event.objects.order_by("start").last()

    end_series(Series.objects.get(pk=pk), before=last.end, user=editor)

    assert Series.objects.get(pk=pk).rrule == "FREQ=DAILY;COUNT=5"
    assert Series.history.filter(id=pk).count() == 1
