"""The list of events by date: windows to the second, in every zone, and the order."""

from datetime import UTC, datetime, timedelta
from random import Random
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from calendar_site.core.dates.conversion import to_wire
from tests.factories import EventFactory
from tests.support.api_client import API, invalid_params, listed_ids

NOW = datetime(2027, 3, 10, 12, 30, 15, tzinfo=UTC)

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine(NOW, tick=False)]
DATES = ("start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after")
DAY = "2027-03-10"
CLOCK = "2027-03-10 10:30:00"


def create_event(start, end=None, zone="UTC", **fields):
    end = end or start
    return EventFactory(title=f"{start} to {end} {zone}", start=start, end=end, time_zone=zone, **fields)


def titles_for(client, **query):
    """The titles in the list, all on one page."""
    response = client.get(f"{API}/events?{urlencode({'per_page': 100} | query)}")
    assert response.status_code == 200, response.content
    return [record["title"] for record in response.json()["events"]]


def assert_window(client, query, inside, outside):
    """Asserts that of events from and to these dates (UTC) the list shows those inside, and in their order."""
    rows = {dates: create_event(*dates).title for dates in (*inside, *outside)}

    assert titles_for(client, **query) == [rows[dates] for dates in inside]


# --- The default window


def test_default_window_is_from_yesterday_to_24_months_ahead(client):
    assert_window(
        client,
        {},
        inside=[
            ("2027-03-09 00:00:00", "2027-03-09 00:00:00"),
            ("2027-03-10 12:30:15", "2027-03-10 12:30:15"),
            ("2028-01-01 00:00:00", "2029-03-10 23:59:59"),
            ("2029-03-10 23:59:59", "2029-03-10 23:59:59"),
        ],
        outside=[
            ("2027-03-08 23:59:59", "2027-03-08 23:59:59"),
            # What began earlier and still runs is not listed, nor is what ends later.
            ("2027-03-08 23:59:59", "2027-03-12 00:00:00"),
            ("2027-03-10 12:00:00", "2029-03-11 00:00:00"),
            ("2029-03-11 00:00:00", "2029-03-11 00:00:00"),
        ],
    )


def test_default_window_counts_days_of_the_site(client, settings, time_machine):
    settings.SITE_TIME_ZONE = "America/New_York"
    time_machine.move_to("2027-03-10T03:00:00Z", tick=False)  # 22:00 on the ninth

    assert_window(
        client,
        {},
        inside=[
            ("2027-03-08 05:00:00", "2027-03-08 05:00:00"),
            # By then New York has its winter time still: midnight is five hours behind.
            ("2029-03-10 04:59:59", "2029-03-10 04:59:59"),
        ],
        outside=[
            ("2027-03-08 04:59:59", "2027-03-08 04:59:59"),
            ("2029-03-10 05:00:00", "2029-03-10 05:00:00"),
        ],
    )


def test_default_window_moves_with_the_day(client, time_machine):
    create_event("2027-03-10 00:00:00")

    time_machine.move_to("2027-03-11T23:59:59Z", tick=False)
    assert len(titles_for(client)) == 1
    time_machine.move_to("2027-03-12T00:00:00Z", tick=False)
    assert titles_for(client) == []


def test_strict_default_window(client):
    assert_window(
        client,
        {"strict_dates": "true"},
        inside=[
            ("2027-03-09 23:59:00", "2027-03-09 23:59:00"),
            ("2029-03-10 12:30:15", "2029-03-10 12:30:15"),
        ],
        outside=[
            ("2027-03-09 23:58:59", "2027-03-09 23:58:59"),
            ("2029-03-10 12:30:16", "2029-03-10 12:30:16"),
        ],
    )


def test_leap_day_has_its_window(client, time_machine):
    time_machine.move_to("2028-02-29T12:00:00Z", tick=False)

    assert_window(
        client,
        {},
        inside=[("2028-02-28 00:00:00", "2028-02-28 00:00:00"), ("2030-03-01 23:59:59", "2030-03-01 23:59:59")],
        outside=[("2028-02-27 23:59:59", "2028-02-27 23:59:59"), ("2030-03-02 00:00:00", "2030-03-02 00:00:00")],
    )


# --- Each parameter, by days and to the second

MIDNIGHT, LAST = "2027-03-10 00:00:00", "2027-03-10 23:59:59"
EVE, NEXT = "2027-03-09 23:59:59", "2027-03-11 00:00:00"
BEFORE, AT, AFTER = "2027-03-10 10:29:59", "2027-03-10 10:30:00", "2027-03-10 10:30:01"
LONG_AGO, LATER = "2026-06-01 00:00:00", "2027-03-20 00:00:00"


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("start_date", [(MIDNIGHT, LATER), (LAST, LATER)], [(EVE, LATER)]),
        ("end_date", [("2027-03-09 00:00:00", MIDNIGHT), (MIDNIGHT, LAST)], [(MIDNIGHT, NEXT)]),
        # A day counts with its last second, and strictly: that very second belongs to neither side.
        ("starts_before", [(LONG_AGO, LATER), ("2027-03-10 23:59:58", LATER)], [(LAST, LATER), (NEXT, LATER)]),
        ("starts_after", [(NEXT, LATER)], [(MIDNIGHT, LATER), (LAST, LATER)]),
        (
            "ends_before",
            [(LONG_AGO, MIDNIGHT), (MIDNIGHT, "2027-03-10 23:59:58")],
            [(LONG_AGO, LAST), (MIDNIGHT, NEXT)],
        ),
        ("ends_after", [(LONG_AGO, LATER), (MIDNIGHT, NEXT)], [(LONG_AGO, LAST), (LONG_AGO, MIDNIGHT)]),
    ],
)
@pytest.mark.parametrize("value", [DAY, CLOCK])
def test_days_count_as_wholes(client, name, inside, outside, value):
    assert_window(client, {name: value}, inside, outside)


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("start_date", [(AT, LATER)], [(BEFORE, LATER)]),
        ("end_date", [("2027-03-09 23:59:00", AT)], [("2027-03-09 23:59:01", AFTER)]),
        ("starts_before", [(LONG_AGO, LATER), (BEFORE, LATER)], [(AT, LATER), (AFTER, LATER)]),
        ("starts_after", [(AFTER, LATER)], [(BEFORE, LATER), (AT, LATER)]),
        ("ends_before", [(LONG_AGO, BEFORE)], [(LONG_AGO, AT), (BEFORE, AFTER)]),
        ("ends_after", [(LONG_AGO, AFTER)], [(LONG_AGO, BEFORE), (LONG_AGO, AT)]),
    ],
)
def test_strict_dates_count_to_the_second(client, name, inside, outside):
    assert_window(client, {name: CLOCK, "strict_dates": "true"}, inside, outside)


@pytest.mark.parametrize("value", ["true", "1", "yes", "on", "TRUE", "Yes"])
def test_strict_dates_are_switched_on(client, value):
    create_event("2027-03-10 10:00:00")

    assert titles_for(client, start_date="2027-03-10 11:00:00", strict_dates=value) == []


@pytest.mark.parametrize("value", ["false", "0", "no", "off", "False"])
def test_strict_dates_are_switched_off(client, value):
    row = create_event("2027-03-10 10:00:00")

    assert titles_for(client, start_date="2027-03-10 11:00:00", strict_dates=value) == [row.title]


# --- Windows of two


def test_events_must_fit_into_the_window(client):
    assert_window(
        client,
        {"start_date": "2026-01-02", "end_date": "2026-01-03"},
        inside=[
            ("2026-01-02 00:00:00", "2026-01-02 00:00:00"),
            ("2026-01-02 00:00:00", "2026-01-03 23:59:59"),
            ("2026-01-03 23:59:59", "2026-01-03 23:59:59"),
        ],
        outside=[
            ("2026-01-01 23:59:59", "2026-01-02 12:00:00"),
            ("2026-01-02 12:00:00", "2026-01-04 00:00:00"),
            ("2025-01-01 00:00:00", "2027-01-01 00:00:00"),
        ],
    )


def test_window_of_a_second(client):
    assert_window(
        client,
        {"start_date": CLOCK, "end_date": CLOCK, "strict_dates": "1"},
        inside=[(AT, AT)],
        outside=[(BEFORE, AT), (AT, AFTER), (BEFORE, BEFORE), (AFTER, AFTER)],
    )


def test_reversed_window_is_empty(client):
    create_event("2027-03-12 10:00:00")

    assert titles_for(client, start_date="2027-03-13", end_date="2027-03-11") == []


def test_first_date_alone_keeps_the_last_day_by_default(client):
    assert_window(
        client,
        {"start_date": "2020-01-01"},
        inside=[("2020-01-01 00:00:00", "2029-03-10 23:59:59")],
        outside=[("2020-01-01 00:00:00", "2029-03-11 00:00:00")],
    )


def test_last_date_alone_keeps_the_first_day_by_default(client):
    assert_window(
        client,
        {"end_date": "2035-01-01"},
        inside=[("2027-03-09 00:00:00", "2035-01-01 23:59:59")],
        outside=[("2027-03-08 23:59:59", "2027-04-01 00:00:00")],
    )


@pytest.mark.parametrize("name", ["starts_before", "starts_after", "ends_before", "ends_after"])
def test_each_relative_date_switches_the_default_window_off(client, name):
    far = create_event("2020-01-01 10:00:00") if name.endswith("before") else create_event("2040-01-01 10:00:00")

    assert titles_for(client, **{name: "2030-01-01"}) == [far.title]


def test_relative_dates_narrow_a_window_that_is_asked_for(client):
    assert_window(
        client,
        {"start_date": "2026-01-01", "starts_before": "2026-01-05", "ends_after": "2026-01-03"},
        inside=[("2026-01-02 10:00:00", "2026-01-04 00:00:00")],
        outside=[
            ("2025-12-31 10:00:00", "2026-01-04 10:00:00"),
            ("2026-01-02 10:00:00", "2026-01-03 23:59:59"),
            ("2026-01-06 10:00:00", "2026-01-06 12:00:00"),
        ],
    )


def test_a_start_date_beside_other_dates_has_no_default_end(client):
    """`start_date` and `end_date` apply only if they are sent beside another date parameter (D20)."""
    assert_window(
        client,
        {"start_date": "2026-01-01", "ends_after": "2026-01-03"},
        inside=[("2026-01-02 10:00:00", "2031-01-01 00:00:00")],
        outside=[
            ("2025-12-31 10:00:00", "2026-01-04 10:00:00"),
            ("2026-01-02 10:00:00", "2026-01-03 23:59:59"),
        ],
    )


def test_an_end_date_beside_other_dates_has_no_default_start(client):
    assert_window(
        client,
        {"end_date": "2026-02-01", "ends_after": "2026-01-03"},
        inside=[("2020-01-02 10:00:00", "2026-01-04 00:00:00")],
        outside=[
            ("2026-01-02 10:00:00", "2026-02-02 10:00:00"),
            ("2026-01-02 10:00:00", "2026-01-03 23:59:59"),
        ],
    )


def test_relative_dates_together(client):
    assert_window(
        client,
        {"starts_after": "2026-01-01", "ends_before": "2026-01-04"},
        inside=[("2026-01-02 00:00:00", "2026-01-04 23:59:58")],
        outside=[("2026-01-01 23:59:59", "2026-01-03 00:00:00"), ("2026-01-02 00:00:00", "2026-01-04 23:59:59")],
    )


def test_running_events_are_found_by_both_ends(client):
    """What is on at a moment: it has begun, and it has not ended."""
    assert_window(
        client,
        {"starts_before": "2027-03-10 12:00:01", "ends_after": "2027-03-10 11:59:59", "strict_dates": "true"},
        inside=[
            ("2020-01-01 00:00:00", "2030-01-01 00:00:00"),
            ("2027-03-10 00:00:00", "2027-03-10 12:00:00"),
            ("2027-03-10 12:00:00", "2027-03-10 12:00:00"),
        ],
        outside=[("2027-03-10 09:00:00", "2027-03-10 11:59:59"), ("2027-03-10 12:00:01", "2027-03-10 13:00:00")],
    )


# --- Long and short


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Etc/GMT+12", "Europe/Rome"])
@pytest.mark.parametrize(
    "start",
    [
        "2000-01-01 00:00:00",  # decades
        "2026-03-11 00:00:00",  # a year
        "2027-03-03 23:59:59",  # seven days and a second
        "2027-03-04 00:00:00",  # seven days
        "2027-03-04 00:00:01",
        "2027-03-10 23:59:00",  # a minute
        "2027-03-11 00:00:00",  # no time
    ],
)
def test_end_is_looked_at_however_long_the_event(client, start, zone):
    row = create_event(start, "2027-03-11 00:00:00", zone)
    moment = row.end.astimezone(UTC)
    query = {"strict_dates": "true"}

    def utc(seconds):
        return f"@{int(moment.timestamp()) + seconds}"

    assert titles_for(client, ends_after=utc(-1), **query) == [row.title]
    assert titles_for(client, ends_after=utc(0), **query) == []
    assert titles_for(client, ends_before=utc(1), **query) == [row.title]
    assert titles_for(client, ends_before=utc(0), **query) == []


def test_all_day_events_are_their_days(client):
    row = create_event("2027-03-12 15:00", "2027-03-13 16:00", all_day=True)

    assert titles_for(client, start_date="2027-03-12", end_date="2027-03-13") == [row.title]
    assert titles_for(client, start_date="2027-03-12", end_date="2027-03-12") == []
    assert titles_for(client, start_date="2027-03-12 00:00:01", strict_dates="true") == []
    assert titles_for(client, ends_after="2027-03-13 23:59:58", strict_dates="true") == [row.title]
    assert titles_for(client, ends_after="2027-03-13") == []


def test_lists_agree_with_a_plain_reading_of_their_dates(client):
    """Events of any length in any zone, and windows of any size: what is listed is what the words say."""
    random = Random(2027)
    zones = ["UTC", "Europe/Rome", "America/New_York", EAST, WEST, "UTC+5.75", "Asia/Tokyo"]
    rows = []
    for number in range(60):
        start = NOW + timedelta(minutes=random.randint(-20_000, 20_000))
        length = timedelta(minutes=random.choice([0, 1, 90, 1440, 10_079, 10_080, 10_081, 100_000, 1_000_000]))
        rows.append(create_event(to_wire(start), to_wire(start + length), random.choice(zones), slug=str(number)))
    meanings = {
        "start_date": lambda row, moment: row.start >= moment,
        "end_date": lambda row, moment: row.end <= moment,
        "starts_before": lambda row, moment: row.start < moment,
        "starts_after": lambda row, moment: row.start > moment,
        "ends_before": lambda row, moment: row.end < moment,
        "ends_after": lambda row, moment: row.end > moment,
    }

    for _ in range(120):
        names = random.sample(DATES[2:], random.randint(1, 3)) + random.choice([[], ["start_date", "end_date"]])
        # Moments of the events themselves, so that edges are met.
        asked = {name: getattr(random.choice(rows), random.choice(["start", "end"])) for name in names}
        query = {name: to_wire(moment.astimezone(UTC)) for name, moment in asked.items()}
        expected = [row for row in rows if all(meanings[name](row, moment) for name, moment in asked.items())]
        expected.sort(key=lambda row: (row.start_local, row.pk))

        assert titles_for(client, strict_dates="true", **query) == [row.title for row in expected], query


# --- Zones: what counts are the moments

EAST, WEST = "Pacific/Kiritimati", "Etc/GMT+12"  # fourteen hours ahead of UTC, twelve behind


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        (
            "start_date",
            [("2027-03-10 14:00:00", EAST), ("2027-03-09 12:00:00", WEST), ("2027-03-10 01:00:00", "Europe/Rome")],
            [("2027-03-10 13:59:59", EAST), ("2027-03-09 11:59:59", WEST), ("2027-03-10 00:59:59", "Europe/Rome")],
        ),
        (
            "end_date",
            [("2027-03-11 13:59:59", EAST), ("2027-03-10 11:59:59", WEST), ("2027-03-11 00:59:59", "Europe/Rome")],
            [("2027-03-11 14:00:00", EAST), ("2027-03-10 12:00:00", WEST), ("2027-03-11 01:00:00", "Europe/Rome")],
        ),
        (
            "starts_after",
            [("2027-03-11 14:00:00", EAST), ("2027-03-10 12:00:00", WEST)],
            [("2027-03-11 13:59:59", EAST), ("2027-03-10 11:59:59", WEST)],
        ),
        (
            "starts_before",
            [("2027-03-11 13:59:58", EAST), ("2027-03-10 11:59:58", WEST)],
            [("2027-03-11 13:59:59", EAST), ("2027-03-10 11:59:59", WEST)],
        ),
        (
            "ends_after",
            [("2027-03-11 14:00:00", EAST), ("2027-03-10 12:00:00", WEST)],
            [("2027-03-11 13:59:59", EAST), ("2027-03-10 11:59:59", WEST)],
        ),
        (
            "ends_before",
            [("2027-03-11 13:59:58", EAST), ("2027-03-10 11:59:58", WEST)],
            [("2027-03-11 13:59:59", EAST), ("2027-03-10 11:59:59", WEST)],
        ),
    ],
)
def test_events_of_any_zone_count_by_their_moment(client, name, inside, outside):
    rows = {place: create_event(place[0], zone=place[1]).title for place in (*inside, *outside)}

    assert set(titles_for(client, **{name: DAY})) == {rows[place] for place in inside}


@pytest.mark.parametrize(
    ("zone", "first", "last"),
    [
        ("America/New_York", "2027-03-14 05:00:00", "2027-03-15 03:59:59"),  # a day of 23 hours
        ("Europe/Rome", "2027-03-13 23:00:00", "2027-03-14 22:59:59"),
        ("Pacific/Kiritimati", "2027-03-13 10:00:00", "2027-03-14 09:59:59"),
        ("UTC-12", "2027-03-14 12:00:00", "2027-03-15 11:59:59"),
        ("UTC+14", "2027-03-13 10:00:00", "2027-03-14 09:59:59"),
        ("Asia/Kathmandu", "2027-03-13 18:15:00", "2027-03-14 18:14:59"),
    ],
)
def test_days_are_those_of_the_site(client, settings, zone, first, last):
    settings.SITE_TIME_ZONE = zone
    before = to_wire(datetime.fromisoformat(first) - timedelta(seconds=1))
    after = to_wire(datetime.fromisoformat(last) + timedelta(seconds=1))

    assert_window(
        client,
        {"start_date": "2027-03-14", "end_date": "2027-03-14"},
        inside=[(first, first), (last, last)],
        outside=[(before, before), (after, after), (before, first), (last, after)],
    )


def test_day_of_25_hours_is_whole(client, settings):
    settings.SITE_TIME_ZONE = "America/New_York"

    assert_window(
        client,
        {"start_date": "2027-11-07", "end_date": "2027-11-07"},
        inside=[("2027-11-07 04:00:00", "2027-11-07 04:00:00"), ("2027-11-08 04:59:59", "2027-11-08 04:59:59")],
        outside=[("2027-11-07 03:59:59", "2027-11-07 03:59:59"), ("2027-11-08 05:00:00", "2027-11-08 05:00:00")],
    )


def test_date_in_the_skipped_hour_is_an_hour_later(client, settings):
    settings.SITE_TIME_ZONE = "America/New_York"

    # 02:30 is not on any clock there; it is 03:30 in summer time.
    assert_window(
        client,
        {"start_date": "2027-03-14 02:30:00", "strict_dates": "true"},
        inside=[("2027-03-14 07:30:00", "2027-03-14 07:30:00")],
        outside=[("2027-03-14 07:29:59", "2027-03-14 07:29:59")],
    )


def test_date_in_the_doubled_hour_is_its_first_turn(client, settings):
    settings.SITE_TIME_ZONE = "America/New_York"

    assert_window(
        client,
        {"start_date": "2027-11-07 01:30:00", "strict_dates": "true"},
        inside=[("2027-11-07 05:30:00", "2027-11-07 05:30:00"), ("2027-11-07 06:30:00", "2027-11-07 06:30:00")],
        outside=[("2027-11-07 05:29:59", "2027-11-07 05:29:59")],
    )


def test_event_keeps_its_clock_over_a_change_of_time(client):
    spring = create_event("2027-03-28 01:30:00", "2027-03-28 03:30:00", "Europe/Rome")  # an hour long, on clocks two
    autumn = create_event("2027-10-31 01:30:00", "2027-10-31 03:30:00", "Europe/Rome")  # three hours long

    records = client.get(f"{API}/events").json()["events"]

    dates = ("id", "start_date", "end_date", "utc_start_date", "utc_end_date", "timezone_abbr")
    assert [tuple(record[name] for name in dates) for record in records] == [
        (
            spring.pk,
            "2027-03-28 01:30:00", "2027-03-28 03:30:00", "2027-03-28 00:30:00", "2027-03-28 01:30:00", "CET"
        ),
        (
            autumn.pk,
            "2027-10-31 01:30:00", "2027-10-31 03:30:00", "2027-10-30 23:30:00", "2027-10-31 02:30:00", "CEST"
        ),
    ]  # fmt: skip


# --- Spellings


@pytest.mark.parametrize(
    "value",
    [
        "2027-03-12",
        "2027-03-12 10:30",
        "2027-03-12 10:30:00",
        "2027-03-12T10:30:00",
        "2027/03/12 10:30",
        "03/12/2027 10:30",
        "March 12, 2027 10am",
        "12 March 2027 10:30",
        "2027-03-12 10:30 PM",
        "20270312T103000",
        "20270312",
        "@1804847400",
        "1804847400",
        "+2 days",
        "next friday",
        "friday",
        "2027-03-12T10:30:00Z",
        "2027-03-12T22:30:00+05:00",
        "2027-03-12 10:30 Europe/Rome",
        "2027-071",
        "2027-W10-5",
        "12 mar",
        "March 12th 8pm",
        "Friday, March 12, 2027",
        "Fri, 12 Mar 2027 10:30:00 +0000",
        "second friday of march 2027 6:30pm",
        "friday this week",
        "now +2 days",
        "1 day 24 hours",
        "noon +48 hours",
    ],
)
def test_dates_are_read_in_every_spelling(client, value):
    create_event("2027-03-11 23:59:59")
    row = create_event("2027-03-12 00:00:00")

    assert titles_for(client, start_date=value) == [row.title]


@pytest.mark.parametrize(
    ("value", "first"),
    [
        ("now", "2027-03-10 12:30:15"),
        ("today", "2027-03-10 00:00:00"),
        ("tomorrow 9am", "2027-03-11 09:00:00"),
        ("yesterday noon", "2027-03-09 12:00:00"),
        ("+5 days 09:15:00", "2027-03-15 09:15:00"),
        ("next wednesday 4pm", "2027-03-17 16:00:00"),
        ("-2 hours", "2027-03-10 10:30:15"),
        ("2027-03", "2027-03-01 00:00:00"),
        ("March 2027", "2027-03-01 00:00:00"),
        ("2027-W10", "2027-03-08 00:00:00"),
        ("1 dec", "2027-12-01 00:00:00"),
        ("10:30", "2027-03-10 10:30:00"),
        ("8pm", "2027-03-10 20:00:00"),
        ("first monday of march 2027", "2027-03-01 00:00:00"),
        ("last day of next month", "2027-04-30 12:30:15"),
        ("first thursday of next month 6:30pm", "2027-04-01 18:30:00"),
        ("now +1 hour", "2027-03-10 13:30:15"),
        ("+1 week 2 days", "2027-03-19 12:30:15"),
        ("3 days 1 hour", "2027-03-13 13:30:15"),
    ],
)
def test_words_count_from_now(client, value, first):
    response = client.get(f"{API}/events?{urlencode({'start_date': value, 'strict_dates': 'true'})}")

    query = dict(parse_qsl(urlsplit(response.json()["rest_url"]).query))
    assert query == {"start_date": first, "strict_dates": "true", "end_date": "2029-03-10 12:30:15"}


def test_words_count_on_the_clock_of_the_site(client, settings):
    settings.SITE_TIME_ZONE = "Pacific/Kiritimati"  # where it is the eleventh already

    response = client.get(f"{API}/events?start_date=today&end_date=tomorrow")

    query = dict(parse_qsl(urlsplit(response.json()["rest_url"]).query))
    assert query == {"start_date": "2027-03-11 00:00:00", "end_date": "2027-03-12 23:59:59"}


def test_links_name_the_dates_as_used(client):
    for _ in range(2):
        create_event("2027-03-12 10:00:00")

    body = client.get(f"{API}/events?per_page=1&start_date=tomorrow&starts_before=friday+5pm&ends_after=now").json()

    query = dict(parse_qsl(urlsplit(body["next_rest_url"]).query))
    assert query == {
        "per_page": "1",
        "start_date": "2027-03-11 00:00:00",
        # Words are said as the dates that they mean, so that all pages are of one list.
        "starts_before": "2027-03-12 17:00:00",
        "ends_after": "2027-03-10 12:30:15",
        "page": "2",
    }


def test_no_window_is_linked_where_none_is_used(client):
    row = create_event("2027-03-12 10:00:00")

    for query in ("starts_after=2027-01-01", f"include={row.pk}"):
        linked = urlsplit(client.get(f"{API}/events?{query}").json()["rest_url"]).query
        assert set(dict(parse_qsl(linked))) == {query.split("=")[0]}


def test_strict_switch_is_linked(client):
    url = client.get(f"{API}/events?strict_dates=yes&starts_after=2027-03-12+10:00").json()["rest_url"]

    assert dict(parse_qsl(urlsplit(url).query)) == {"strict_dates": "true", "starts_after": "2027-03-12 10:00:00"}


@pytest.mark.parametrize(
    "value",
    [
        "", " ", "0", "1", "soon", "2027", "2027-13-01", "2027-02-30", "2027-03-10 25:00", "2027-03-10 10:60",
        "0000-00-00", "0000-00-00 00:00:00", "2027-03-10 10:30 Nowhere/Land", "31/12/2027", "99999-01-01",
        "@" + "9" * 100, "x" * 200, "1 " * 50, "monday tuesday", "monday of", "Thu, 10 Mar 2027 10:30:00 GMT",
        "2027-03-10; DROP TABLE", "null", "true", "now()", "٢٠٢٧-٠٣-١٠",
    ],
)  # fmt: skip
def test_what_is_no_date_is_refused_in_every_parameter(client, value):
    query = urlencode(dict.fromkeys(DATES, value))

    assert set(invalid_params(client.get(f"{API}/events?{query}"))) == set(DATES)


@pytest.mark.parametrize("key", ["{}[]", "{}[0]", "{}[date]"])
def test_list_is_no_date(client, key):
    query = urlencode({key.format(name): DAY for name in DATES})

    assert set(invalid_params(client.get(f"{API}/events?{query}"))) == set(DATES)


def test_last_of_repeated_dates_counts(client):
    row = create_event("2027-03-12 10:00:00")

    response = client.get(f"{API}/events?start_date=x&start_date=2027-03-12&start_date=2027-03-11")

    assert listed_ids(response, "events") == [row.pk]


@pytest.mark.parametrize("value", ["", "2", "maybe", "null", "y"])
def test_what_is_no_switch_is_refused(client, value):
    assert set(invalid_params(client.get(f"{API}/events?strict_dates={value}"))) == {"strict_dates"}


def test_refusal_shows_three_accepted_forms(client):
    assert invalid_params(client.get(f"{API}/events?end_date=31%2F12%2F2027&start_date=in+a+while")) == dict.fromkeys(
        ("end_date", "start_date"),
        "Not a valid date. Use a format such as 2027-03-10, 10 March 2027 or tomorrow 9am.",
    )


FAR_AHEAD = ["9998-12-31", "9999-12-31", "9999-12-31 24:00 UTC-12", "@99999999999999", "+9000 years", "9999-12"]
LONG_PAST = ["1000-01-01", "0001-01-01", "0001-01-01 00:00 UTC+14", "@-99999999999999", "-9000 years", "0000-01-01"]


@pytest.mark.parametrize("strict", ["true", "false"])
@pytest.mark.parametrize("zone", ["UTC", "Europe/Rome", "Pacific/Kiritimati", "UTC-12", "UTC+14"])
def test_far_dates_exclude_nothing_or_everything(client, settings, zone, strict):
    settings.SITE_TIME_ZONE = zone
    row = create_event("2027-03-12 10:00:00")

    found = {
        (name, text): titles_for(client, **{name: text, "strict_dates": strict})
        for name in DATES
        for text in FAR_AHEAD + LONG_PAST
    }

    includes_all = {"start_date": LONG_PAST, "starts_after": LONG_PAST, "ends_after": LONG_PAST}
    includes_all |= {"end_date": FAR_AHEAD, "starts_before": FAR_AHEAD, "ends_before": FAR_AHEAD}
    assert found == {(name, text): [row.title] if text in includes_all[name] else [] for name, text in found}


def test_far_date_is_linked_as_used(client):
    url = client.get(f"{API}/events?start_date=0001-01-01&end_date=9999-12-31").json()["rest_url"]

    assert dict(parse_qsl(urlsplit(url).query)) == {
        "start_date": "1000-01-01 00:00:00",
        "end_date": "9998-12-31 23:59:59",
    }
    assert client.get(url).json()["rest_url"] == url


# --- Order


def test_order_is_by_the_clock_on_the_wall(client):
    """Not by the moment: eleven in Rome is before ten in New York, and listed behind it."""
    rome = create_event("2027-03-12 11:00:00", zone="Europe/Rome")
    new_york = create_event("2027-03-12 10:00:00", zone="America/New_York")
    kiritimati = create_event("2027-03-12 23:00:00", zone=EAST)
    baker = create_event("2027-03-12 09:00:00", zone=WEST)

    assert kiritimati.start < rome.start < new_york.start < baker.start
    assert titles_for(client) == [baker.title, new_york.title, rome.title, kiritimati.title]


def test_ties_are_in_the_order_made_and_pages_do_not_overlap(client):
    made = [
        create_event("2027-03-12 10:00:00", end).pk
        for end in ("2027-03-13", "2027-03-12 10:00", "2027-03-12 12:00") * 3
    ]

    pages = [listed_ids(client.get(f"{API}/events?per_page=2&page={page}"), "events") for page in range(1, 6)]

    assert [pk for page in pages for pk in page] == made


def test_sticky_and_featured_events_stay_in_their_place(client):
    first = create_event("2027-03-12 10:00:00")
    second = create_event("2027-03-12 11:00:00", sticky=True, featured=True)

    assert titles_for(client) == [first.title, second.title]


def test_included_events_come_by_their_publication(client):
    late = EventFactory(start="2020-01-01 10:00", published_at=datetime(2019, 1, 2, tzinfo=UTC))
    early = EventFactory(start="2021-01-01 10:00", published_at=datetime(2019, 1, 1, tzinfo=UTC))
    tie = EventFactory(start="2019-06-01 10:00", published_at=datetime(2019, 1, 2, tzinfo=UTC))

    response = client.get(f"{API}/events?include={tie.pk},{late.pk},{early.pk}")

    assert listed_ids(response, "events") == [early.pk, late.pk, tie.pk]
