"""The dates of an event in requests and responses: formats, zones, all-day events, daylight saving time."""

from datetime import UTC, datetime

import pytest

from events.models import Event
from tests.factories import EventFactory
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import created_record, event_data, stored_rows, updated_record

EVENTS = f"{API}/events"
# A Tuesday.
NOW = datetime(2030, 1, 15, 12, 30, 45, tzinfo=UTC)

pytestmark = pytest.mark.time_machine(NOW, tick=False)


def times_of(event):
    return event["start_date"], event["end_date"]


def utc_times(event):
    return event["utc_start_date"], event["utc_end_date"]


# --- Spellings ------------------------------------------------------------------------------------

SPELLINGS = {
    "2030-03-10": "2030-03-10 00:00:00",
    "2030-03-10 10:30": "2030-03-10 10:30:00",
    "2030-03-10 10:30:15": "2030-03-10 10:30:15",
    "2030-03-10T10:30:00": "2030-03-10 10:30:00",
    "2030/03/10 10:30": "2030-03-10 10:30:00",
    "03/10/2030 10:30": "2030-03-10 10:30:00",
    "March 10, 2030 10am": "2030-03-10 10:00:00",
    "10 March 2030 10:30": "2030-03-10 10:30:00",
    "2030-03-10 10:30 PM": "2030-03-10 22:30:00",
    "20300310T103000": "2030-03-10 10:30:00",
    "20300310": "2030-03-10 00:00:00",
    # Moments: three hours ahead of them in this zone.
    "@1899800000": "2030-03-15 13:13:20",
    "1899800000": "2030-03-15 13:13:20",
    "2030-03-10T10:30:00Z": "2030-03-10 13:30:00",
    "2030-03-10T10:30:00+02:00": "2030-03-10 11:30:00",
    "2030-03-10 10:30 America/New_York": "2030-03-10 17:30:00",
    # From now, which is 15:30:45 there.
    "now": "2030-01-15 15:30:45",
    "today": "2030-01-15 00:00:00",
    "tomorrow 9am": "2030-01-16 09:00:00",
    "+5 days 09:15:00": "2030-01-20 09:15:00",
    "next wednesday 4pm": "2030-01-16 16:00:00",
    "March 2030": "2030-03-01 00:00:00",
    "2030-03": "2030-03-01 00:00:00",
    "2030-W10": "2030-03-04 00:00:00",
    "2030-069": "2030-03-10 00:00:00",
    "1 dec": "2030-12-01 00:00:00",
    "10:30": "2030-01-15 10:30:00",
    "8pm": "2030-01-15 20:00:00",
    "Sun, 10 Mar 2030 10:30:00 +0000": "2030-03-10 13:30:00",
    "Sun, 10 Mar 2030 10:30:00 EST": "2030-03-10 18:30:00",
    "Sunday, March 10, 2030": "2030-03-10 00:00:00",
    "first monday of march 2030": "2030-03-04 00:00:00",
    "last friday of march 2030 10:30": "2030-03-29 10:30:00",
    "last day of next month": "2030-02-28 15:30:45",
    "first thursday of next month 6:30pm": "2030-02-07 18:30:00",
    "saturday this week": "2030-01-19 00:00:00",
    "midnight tomorrow": "2030-01-16 00:00:00",
    "now +1 hour": "2030-01-15 16:30:45",
    "+1 week 2 days": "2030-01-24 15:30:45",
    "3 days 1 hour": "2030-01-18 16:30:45",
}


def test_dates_are_read_in_every_spelling_in_the_zone_of_the_event(editor_api):
    body = event_data(timezone="Europe/Moscow", end_date="2030-12-31")

    responses = {text: created_record(editor_api.post(EVENTS, {**body, "start_date": text})) for text in SPELLINGS}

    assert {text: event["start_date"] for text, event in responses.items()} == SPELLINGS


NO_DATES = ["", " ", "soon", "0", "2030-13-01", "2030-02-30", "0000-00-00", "2030-03-10 25:00", "2030-03-10 10:61"]
NO_DATES += ["31/12/2030", "March", "Mon, 10 Mar 2030 10:30:00 GMT", "30 feb", "fifth monday of february 2030"]
NO_DATES += ["9999-12-31", "0001-01-01", "9999-12-31 24:00 UTC-12", "+9000 years", "-3000 years", "@-99999999999999"]
NO_DATES += ["2030-03-10 10:30 Mars/Base", "1999999999999999", "x" * 1000, 1_899_800_000, True, ["2030-03-10"], {}]


@pytest.mark.parametrize("name", ["start_date", "end_date"])
def test_what_is_no_date_is_refused(editor_api, name):
    event = EventFactory()
    before = stored_rows()

    creates = [editor_api.post(EVENTS, event_data(**{name: value})) for value in NO_DATES]
    updates = [editor_api.post(f"{EVENTS}/{event.pk}", {name: value}) for value in NO_DATES]

    assert [list(invalid_params(response)) for response in creates] == [[name]] * len(NO_DATES)
    assert [list(invalid_params(response)) for response in updates] == [[name]] * len(NO_DATES)
    assert stored_rows() == before


@pytest.mark.parametrize("site", ["UTC", "Pacific/Kiritimati", "UTC-12"])
@pytest.mark.parametrize("zone", ["Europe/Rome", "UTC+14", "UTC-12"])
@pytest.mark.parametrize(("start", "end"), [("1000-01-01", "1000-01-02"), ("9998-12-30", "9998-12-31 23:59:59")])
def test_first_and_last_dates_are_kept_in_every_zone(editor_api, client, settings, site, zone, start, end):
    settings.SITE_TIME_ZONE = site
    tickets = [{"name": "Seat", "price": 5, "currency": "EUR", "available_from": start, "available_until": end}]
    body = event_data(timezone=zone, start_date=start, end_date=end, tickets=tickets)

    event = created_record(editor_api.post(EVENTS, body))
    moved = updated_record(editor_api.patch(f"{EVENTS}/{event['id']}", {"timezone": "Pacific/Apia", "all_day": True}))

    last_day = end[:10]
    assert times_of(event) == (f"{start} 00:00:00", end if len(end) > 10 else f"{end} 00:00:00")
    assert times_of(moved) == (f"{start} 00:00:00", f"{last_day} 23:59:59")
    assert times_of(editor_api.get(f"{EVENTS}/{event['id']}").json()) == times_of(moved)
    assert created_record(editor_api.post(EVENTS, body | {"date": end}))["date"][:10] == last_day
    assert editor_api.get(event["url"]).status_code == 200
    assert editor_api.get(f"{EVENTS}?start_date=0001-01-01&end_date=9999-12-31").status_code == 200


@pytest.mark.parametrize("name", ["date", "date_utc"])
@pytest.mark.parametrize(("path", "title"), [("events", "title"), ("venues", "venue"), ("organizers", "organizer")])
def test_publication_date_out_of_range_is_refused(editor_api, settings, path, title, name):
    settings.SITE_TIME_ZONE = "Pacific/Kiritimati"
    texts = ["9999-12-31", "0001-01-01", "9999-12-31 24:00 UTC-12", "+9000 years", "@-99999999999999", "0000-00-00"]

    refused = {
        text: list(invalid_params(editor_api.post(f"{API}/{path}", event_data(**{title: "Name", name: text}))))
        for text in texts
    }

    assert refused == {text: [name] for text in texts}


@pytest.mark.parametrize("name", ["available_from", "available_until"])
def test_ticket_date_out_of_range_is_refused(editor_api, name):
    ticket = {"name": "Seat", "price": 5, "currency": "EUR"}
    refused = {
        text: invalid_params(editor_api.post(EVENTS, event_data(tickets=[ticket | {name: text}])))["tickets"]
        for text in ("9999-12-31", "0001-01-01", "9999-12-31 24:00 UTC-12", "+9000 years")
    }

    assert refused == dict.fromkeys(refused, f"tickets[0].{name}: The year must be between 1000 and 9998.")


def test_date_with_a_moment_of_its_own_is_answered_on_the_clock_of_the_event(editor_api):
    body = event_data(start_date="@1899800000", end_date="2030-03-16T00:00:00-05:00", timezone="Asia/Kathmandu")

    event = created_record(editor_api.post(EVENTS, body))

    assert times_of(event) == ("2030-03-15 15:58:20", "2030-03-16 10:45:00")
    assert utc_times(event) == ("2030-03-15 10:13:20", "2030-03-16 05:00:00")


def test_dates_are_answered_in_all_their_forms(editor_api):
    body = event_data(start_date="2030-07-04 09:05:07", end_date="2030-12-04 01:00", timezone="Europe/Rome")

    event = created_record(editor_api.post(EVENTS, body))

    parts = ("year", "month", "day", "hour", "minutes", "seconds")
    expected = {
        "start_date": "2030-07-04 09:05:07",
        "start_date_details": dict(zip(parts, ("2030", "07", "04", "09", "05", "07"), strict=True)),
        "end_date": "2030-12-04 01:00:00",
        "end_date_details": dict(zip(parts, ("2030", "12", "04", "01", "00", "00"), strict=True)),
        "utc_start_date": "2030-07-04 07:05:07",
        "utc_start_date_details": dict(zip(parts, ("2030", "07", "04", "07", "05", "07"), strict=True)),
        "utc_end_date": "2030-12-04 00:00:00",
        "utc_end_date_details": dict(zip(parts, ("2030", "12", "04", "00", "00", "00"), strict=True)),
        "start": "2030-07-04T09:05:07+02:00",
        "end": "2030-12-04T01:00:00+01:00",
        "timezone": "Europe/Rome",
        "timezone_abbr": "CEST",
    }
    assert {name: event[name] for name in expected} == expected


# --- Start and end --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "end", "answered"),
    [
        ("2030-05-04 18:00", "2030-05-04 18:00", "2030-05-04 18:00:00"),
        ("2030-05-04 18:00", "2030-05-04 17:59:59", "2030-05-04 18:00:00"),
        ("2030-05-04 18:00", "2029-01-01", "2030-05-04 18:00:00"),
        ("2030-05-04 18:00", "2031-05-04", "2031-05-04 00:00:00"),
    ],
)
def test_end_is_not_before_the_start(editor_api, start, end, answered):
    event = created_record(editor_api.post(EVENTS, event_data(start_date=start, end_date=end, timezone="UTC+2")))

    assert times_of(event) == ("2030-05-04 18:00:00", answered)
    assert utc_times(event)[0] == "2030-05-04 16:00:00"
    assert (event["end"] == event["start"]) == (answered == "2030-05-04 18:00:00")


def test_update_of_one_date_keeps_the_other(editor_api):
    event = EventFactory(start="2030-05-04 18:00", end="2030-05-04 20:00")
    path = f"{EVENTS}/{event.pk}"

    later_end = updated_record(editor_api.post(path, {"end_date": "2030-05-04 22:00"}))
    earlier_start = updated_record(editor_api.post(path, {"start_date": "2030-05-04 17:00"}))
    start_past_the_end = updated_record(editor_api.post(path, {"start_date": "2030-05-05 12:00"}))
    end_before_the_start = updated_record(editor_api.post(path, {"end_date": "2030-05-04"}))

    assert times_of(later_end) == ("2030-05-04 18:00:00", "2030-05-04 22:00:00")
    assert times_of(earlier_start) == ("2030-05-04 17:00:00", "2030-05-04 22:00:00")
    assert times_of(start_past_the_end) == ("2030-05-05 12:00:00", "2030-05-05 12:00:00")
    assert times_of(end_before_the_start) == ("2030-05-05 12:00:00", "2030-05-05 12:00:00")


# --- Zones ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "name", "abbreviation", "utc"),
    [
        ("UTC", "UTC", "UTC", "2030-07-04 12:00:00"),
        ("utc", "UTC", "UTC", "2030-07-04 12:00:00"),
        ("Z", "UTC", "UTC", "2030-07-04 12:00:00"),
        ("UTC+0", "UTC+0", "UTC+0", "2030-07-04 12:00:00"),
        ("UTC+2", "UTC+2", "UTC+2", "2030-07-04 10:00:00"),
        ("UTC-5", "UTC-5", "UTC-5", "2030-07-04 17:00:00"),
        ("UTC+5.5", "UTC+5.5", "UTC+5.5", "2030-07-04 06:30:00"),
        ("+02:00", "UTC+2", "UTC+2", "2030-07-04 10:00:00"),
        ("UTC+14", "UTC+14", "UTC+14", "2030-07-03 22:00:00"),
        ("UTC-12", "UTC-12", "UTC-12", "2030-07-05 00:00:00"),
        ("Europe/Rome", "Europe/Rome", "CEST", "2030-07-04 10:00:00"),
        ("europe/rome", "Europe/Rome", "CEST", "2030-07-04 10:00:00"),
        ("America/New_York", "America/New_York", "EDT", "2030-07-04 16:00:00"),
        ("Asia/Kathmandu", "Asia/Kathmandu", "+0545", "2030-07-04 06:15:00"),
        ("America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires", "-03", "2030-07-04 15:00:00"),
    ],
)
def test_zone_is_answered_in_its_canonical_spelling(editor_api, value, name, abbreviation, utc):
    body = event_data(start_date="2030-07-04 12:00", end_date="2030-07-04 12:00", timezone=value)

    event = created_record(editor_api.post(EVENTS, body))

    assert (event["timezone"], event["timezone_abbr"], event["utc_start_date"]) == (name, abbreviation, utc)
    assert event["start_date"] == "2030-07-04 12:00:00"


def test_event_without_a_zone_is_in_that_of_the_site(editor_api, settings):
    settings.SITE_TIME_ZONE = "America/New_York"

    event = created_record(editor_api.post(EVENTS, event_data()))

    assert (event["timezone"], event["timezone_abbr"]) == ("America/New_York", "EDT")
    assert utc_times(event) == ("2030-05-04 22:00:00", "2030-05-05 00:00:00")


def test_change_of_the_zone_alone_keeps_the_clock_and_moves_the_moments(editor_api):
    event = EventFactory(start="2030-05-04 18:00", end="2030-05-04 20:00")

    moved = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"timezone": "Asia/Tokyo"}))

    assert times_of(moved) == ("2030-05-04 18:00:00", "2030-05-04 20:00:00")
    assert utc_times(moved) == ("2030-05-04 09:00:00", "2030-05-04 11:00:00")
    assert (moved["timezone"], moved["timezone_abbr"]) == ("Asia/Tokyo", "JST")


def test_dates_of_an_update_are_in_the_zone_that_holds_afterwards(editor_api):
    event = EventFactory(start="2030-05-04 18:00", end="2030-05-04 20:00", time_zone="Asia/Tokyo")
    path = f"{EVENTS}/{event.pk}"

    in_old_zone = updated_record(editor_api.post(path, {"end_date": "2030-05-04 21:00"}))
    in_new_zone = updated_record(editor_api.post(path, {"timezone": "UTC+2", "start_date": "2030-05-04 19:00"}))

    assert utc_times(in_old_zone) == ("2030-05-04 09:00:00", "2030-05-04 12:00:00")
    assert utc_times(in_new_zone) == ("2030-05-04 17:00:00", "2030-05-04 19:00:00")
    assert times_of(in_new_zone) == ("2030-05-04 19:00:00", "2030-05-04 21:00:00")


def test_wrong_zone_is_the_only_fault_it_makes(editor_api):
    response = editor_api.post(EVENTS, event_data(timezone="Mars/Base"))

    assert list(invalid_params(response)) == ["timezone"]


# --- Summer time ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "answered", "utc"),
    [
        # Clocks go from 2 to 3 on 31 March.
        ("2030-03-31 01:59:59", "2030-03-31 01:59:59", "2030-03-31 00:59:59"),
        ("2030-03-31 02:00:00", "2030-03-31 03:00:00", "2030-03-31 01:00:00"),
        ("2030-03-31 02:30:00", "2030-03-31 03:30:00", "2030-03-31 01:30:00"),
        ("2030-03-31 03:00:00", "2030-03-31 03:00:00", "2030-03-31 01:00:00"),
        # And from 3 to 2 on 27 October.
        ("2030-10-27 01:59:59", "2030-10-27 01:59:59", "2030-10-26 23:59:59"),
        ("2030-10-27 02:30:00", "2030-10-27 02:30:00", "2030-10-27 00:30:00"),
        ("2030-10-27 03:00:00", "2030-10-27 03:00:00", "2030-10-27 02:00:00"),
        # The second turn can be named by its offset.
        ("2030-10-27T02:30:00+01:00", "2030-10-27 02:30:00", "2030-10-27 01:30:00"),
    ],
)
def test_skipped_hour_moves_on_and_doubled_hour_is_the_first_turn(editor_api, value, answered, utc):
    body = event_data(start_date=value, end_date="2030-11-01", timezone="Europe/Rome")

    event = created_record(editor_api.post(EVENTS, body))

    assert (event["start_date"], event["utc_start_date"]) == (answered, utc)


def test_event_over_the_change_of_clocks_has_two_offsets(editor_api):
    body = event_data(start_date="2030-03-30 23:00", end_date="2030-03-31 05:00", timezone="Europe/Rome")

    event = created_record(editor_api.post(EVENTS, body))

    assert utc_times(event) == ("2030-03-30 22:00:00", "2030-03-31 03:00:00")
    assert (event["start"], event["end"]) == ("2030-03-30T23:00:00+01:00", "2030-03-31T05:00:00+02:00")
    assert event["timezone_abbr"] == "CET"


def test_change_of_zone_into_a_skipped_hour_moves_on(editor_api):
    event = EventFactory(start="2030-03-31 02:30", end="2030-03-31 02:45")

    moved = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"timezone": "Europe/Rome"}))

    assert times_of(moved) == ("2030-03-31 03:30:00", "2030-03-31 03:45:00")


# --- Whole days -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "start", "end", "days", "utc"),
    [
        ("UTC", "2030-05-04 18:00", "2030-05-04 20:00", ("04", "04"), ("2030-05-04 00:00:00", "2030-05-04 23:59:59")),
        ("UTC", "2030-05-04", "2030-05-06", ("04", "06"), ("2030-05-04 00:00:00", "2030-05-06 23:59:59")),
        ("UTC+9", "2030-05-04 08:00", "2030-05-04", ("04", "04"), ("2030-05-03 15:00:00", "2030-05-04 14:59:59")),
        # The end before the start is moved to the day of the start.
        ("UTC", "2030-05-04 18:00", "2030-05-03", ("04", "04"), ("2030-05-04 00:00:00", "2030-05-04 23:59:59")),
    ],
)
def test_all_day_event_has_whole_days_of_its_zone(editor_api, zone, start, end, days, utc):
    body = event_data(start_date=start, end_date=end, timezone=zone, all_day="true")

    event = created_record(editor_api.post(EVENTS, body))

    assert event["all_day"] is True
    assert times_of(event) == (f"2030-05-{days[0]} 00:00:00", f"2030-05-{days[1]} 23:59:59")
    assert utc_times(event) == utc


@pytest.mark.parametrize(
    ("day", "utc"),
    [
        # Days of 23 and of 25 hours.
        ("2030-03-31", ("2030-03-30 23:00:00", "2030-03-31 21:59:59")),
        ("2030-10-27", ("2030-10-26 22:00:00", "2030-10-27 22:59:59")),
    ],
)
def test_all_day_event_lasts_the_whole_day_on_which_clocks_change(editor_api, day, utc):
    body = event_data(start_date=day, end_date=day, timezone="Europe/Rome", all_day=True)

    event = created_record(editor_api.post(EVENTS, body))

    assert times_of(event) == (f"{day} 00:00:00", f"{day} 23:59:59")
    assert utc_times(event) == utc


def test_event_becomes_all_day_and_stays_so(editor_api):
    event = EventFactory(start="2030-05-04 18:00", end="2030-05-05 01:00")
    path = f"{EVENTS}/{event.pk}"

    whole = updated_record(editor_api.post(path, {"all_day": True}))
    moved = updated_record(editor_api.post(path, {"start_date": "2030-05-03 10:00"}))
    zoned = updated_record(editor_api.post(path, {"timezone": "Asia/Tokyo"}))

    assert times_of(whole) == ("2030-05-04 00:00:00", "2030-05-05 23:59:59")
    assert times_of(moved) == times_of(zoned) == ("2030-05-03 00:00:00", "2030-05-05 23:59:59")
    assert utc_times(zoned) == ("2030-05-02 15:00:00", "2030-05-05 14:59:59")


def test_event_is_no_longer_all_day(editor_api):
    event = EventFactory(start="2030-05-04 18:00", end="2030-05-04 20:00", all_day=True)
    path = f"{EVENTS}/{event.pk}"

    kept = updated_record(editor_api.post(path, {"all_day": False}))
    timed = updated_record(editor_api.post(path, {"start_date": "2030-05-04 18:00", "end_date": "2030-05-04 20:00"}))

    assert (kept["all_day"], times_of(kept)) == (False, ("2030-05-04 00:00:00", "2030-05-04 23:59:59"))
    assert (timed["all_day"], times_of(timed)) == (False, ("2030-05-04 18:00:00", "2030-05-04 20:00:00"))


def test_what_lists_go_by_follows_every_change(editor_api, client):
    event = EventFactory(start="2030-05-04 18:00", end="2030-05-04 20:00")

    def is_listed(day):
        return client.get(f"{EVENTS}?start_date={day}&end_date={day}").json()["total"]

    before = is_listed("2030-05-04"), is_listed("2030-05-05")
    updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"timezone": "UTC-10"}))
    after = is_listed("2030-05-04"), is_listed("2030-05-05")
    updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"start_date": "2030-01-20", "end_date": "2031-01-20"}))

    assert (before, after) == ((1, 0), (0, 1))
    assert Event.objects.get().is_long
    assert client.get(f"{EVENTS}?ends_after=2030-12-01").json()["total"] == 1
