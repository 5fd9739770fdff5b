"""Dates as clients send them: every format of the contract, both changes of daylight saving time, and unusual input."""

import re
from datetime import UTC, datetime, timedelta, timezone

import dateutil.parser
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from calendar_site.core.dates.conversion import (
    date_details,
    day_end,
    day_start,
    from_local,
    parse_zone,
    to_rfc3339,
    to_utc_wire,
    to_wire,
)
from calendar_site.core.dates.parser import parse_date_bound, parse_wire_date
from calendar_site.core.dates.spellings import FORMS, SHOWN_EXAMPLES
from tests.support.zones import KATHMANDU, LORD_HOWE, NEW_YORK, NOW, ROME, UTC_ZONE


def parse(text, zone=UTC_ZONE, now=NOW):
    return to_wire(parse_wire_date(text, zone, now))


INVALID_DATE_MESSAGES = (
    r"Not a valid time zone\. Use a name such as Europe/Rome, UTC or UTC\+2\.",
    r"Not a valid date\. Use a format such as 2027-03-10, 10 March 2027 or tomorrow 9am\.",
    r"\d{4}-[W\d-]+ is not a valid date\.",
    r"The weekday does not match the date \d{4}-\d\d-\d\d\.",
    r"The month does not have five of these weekdays\.",
    r"\d\d:\d\d:\d\d is not a valid time\.",
    r"With am or pm, the hour must be between 1 and 12\.",
    r"The year must be between 1000 and 9998\.",
    r"The date cannot be empty\.",
    r"A date can have at most 100 characters\.",
    r"A date can have either a UTC offset or a time zone, not both\.",
    r"A UTC offset must be between UTC-12 and UTC\+14\.",
)


# The local time of each example of the table, at 09:15:30 on Wednesday, 10 March 2027.
LOCAL_EXAMPLES = {
    "2027-03-10": "2027-03-10 00:00:00",
    "2027/03/10": "2027-03-10 00:00:00",
    "2027-3-10": "2027-03-10 00:00:00",
    "03/10/2027": "2027-03-10 00:00:00",
    "3/10/2027": "2027-03-10 00:00:00",
    "10.03.2027": "2027-03-10 00:00:00",
    "10-03-2027": "2027-03-10 00:00:00",
    "20270310": "2027-03-10 00:00:00",
    "2027-069": "2027-03-10 00:00:00",
    "2027-W10": "2027-03-08 00:00:00",
    "2027-W10-3": "2027-03-10 00:00:00",
    "2027-03": "2027-03-01 00:00:00",
    "March 10, 2027": "2027-03-10 00:00:00",
    "Mar 10 2027": "2027-03-10 00:00:00",
    "Wednesday, March 10, 2027": "2027-03-10 00:00:00",
    "10 March 2027": "2027-03-10 00:00:00",
    "10th Mar 2027": "2027-03-10 00:00:00",
    "10-Mar-2027": "2027-03-10 00:00:00",
    "March 2027": "2027-03-01 00:00:00",
    "Mar 2027": "2027-03-01 00:00:00",
    "Dec 1": "2027-12-01 00:00:00",
    "December 1st": "2027-12-01 00:00:00",
    "1 Dec": "2027-12-01 00:00:00",
    "1st December": "2027-12-01 00:00:00",
    "first day of next month": "2027-04-01 09:15:30",
    "last day of March 2027": "2027-03-31 00:00:00",
    "last day of February": "2027-02-28 00:00:00",
    "first Monday of March 2027": "2027-03-01 00:00:00",
    "last Friday of next month": "2027-04-30 00:00:00",
    "third Tuesday of June": "2027-06-15 00:00:00",
    "first Monday of March": "2027-03-01 00:00:00",
    "last day of Feb": "2027-02-28 00:00:00",
    "today": "2027-03-10 00:00:00",
    "tomorrow 9am": "2027-03-11 09:00:00",
    "yesterday": "2027-03-09 00:00:00",
    "Monday": "2027-03-15 00:00:00",
    "next Wednesday 4pm": "2027-03-17 16:00:00",
    "last Fri": "2027-03-05 00:00:00",
    "Saturday this week": "2027-03-13 00:00:00",
    "next month": "2027-04-10 09:15:30",
    "last year": "2026-03-10 09:15:30",
    "this week": "2027-03-08 09:15:30",
    "10:30": "2027-03-10 10:30:00",
    "2027-03-10 10:30:15": "2027-03-10 10:30:15",
    "2027-03-10 10:30:15.5": "2027-03-10 10:30:15",
    "8pm": "2027-03-10 20:00:00",
    "10:30 p.m.": "2027-03-10 22:30:00",
    "8 AM": "2027-03-10 08:00:00",
    "20270310T103000": "2027-03-10 10:30:00",
    "20270310 1030": "2027-03-10 10:30:00",
    "2027-03-10T1030": "2027-03-10 10:30:00",
    "noon": "2027-03-10 12:00:00",
    "tomorrow noon": "2027-03-11 12:00:00",
    "midnight": "2027-03-10 00:00:00",
    "now": "2027-03-10 09:15:30",
    "now +1 hour": "2027-03-10 10:15:30",
    "+5 days": "2027-03-15 09:15:30",
    "-2 hours": "2027-03-10 07:15:30",
    "+1 week 2 days": "2027-03-19 09:15:30",
    "3 days 1 hour": "2027-03-13 10:15:30",
    "2 weeks ago": "2027-02-24 09:15:30",
    "2027-03-10 10:30 +90 minutes": "2027-03-10 12:00:00",
}
# The examples with an instant or a time zone of their own, in UTC, at 08:15:30 UTC on that day.
INSTANT_EXAMPLES = {
    "2027-03-10T10:30:00Z": "2027-03-10 10:30:00",
    "10:30 +02:00": "2027-03-10 08:30:00",
    "@1804674600": "2027-03-10 10:30:00",
    "@1804674600.5": "2027-03-10 10:30:00",
    "1804674600": "2027-03-10 10:30:00",
    "2027-03-10 10:30 Europe/Rome": "2027-03-10 09:30:00",
    "2027-03-10 10:30 UTC+2": "2027-03-10 08:30:00",
    "8pm EST": "2027-03-11 01:00:00",
    "2027-03-10 Asia/Tokyo": "2027-03-09 15:00:00",
}


def test_every_example_of_the_table_is_tested():
    examples = [example for form in FORMS for example in form.examples]

    assert sorted(examples) == sorted([*LOCAL_EXAMPLES, *INSTANT_EXAMPLES])


@pytest.mark.parametrize(("text", "expected"), LOCAL_EXAMPLES.items())
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"])
def test_local_example_is_in_the_zone(text, expected, zone):
    zone = parse_zone(zone)

    moment = parse_wire_date(text, zone, from_local("2027-03-10 09:15:30", zone))

    assert moment == from_local(expected, zone)
    assert moment.tzinfo is zone.tz


@pytest.mark.parametrize(("text", "expected"), INSTANT_EXAMPLES.items())
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"])
def test_instant_example_is_converted_to_the_zone(text, expected, zone):
    moment = parse_wire_date(text, parse_zone(zone), NOW)

    assert to_utc_wire(moment) == expected
    assert moment.tzinfo is parse_zone(zone).tz


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wed, 10 Mar 2027 10:30:00 +0000", "2027-03-10 10:30:00"),
        ("Wed, 10 Mar 2027 10:30:00 GMT", "2027-03-10 10:30:00"),
        ("10 Mar 2027 10:30:00 -0500", "2027-03-10 15:30:00"),
        ("Wed, 10 Mar 2027 10:30:00 EST", "2027-03-10 15:30:00"),
        ("Sat Mar 13 2027 10:00:00 GMT+0100", "2027-03-13 09:00:00"),
        ("2027-W10-3T10:30Z", "2027-03-10 10:30:00"),
        ("8pm EDT", "2027-03-11 00:00:00"),
        ("10:30 PDT 2027-03-10", "2027-03-10 17:30:00"),
        ("Asia/Tokyo 10:30 2027-03-10", "2027-03-10 01:30:00"),
        ("now UTC", "2027-03-10 08:15:30"),
    ],
)
def test_date_of_another_standard_keeps_its_instant(text, expected):
    assert to_utc_wire(parse_wire_date(text, ROME, NOW)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("first thursday of next month 6:30pm", "2027-04-01 18:30:00"),
        ("last day of next month", "2027-04-30 08:15:30"),
        ("first day of next month +2 days", "2027-04-03 08:15:30"),
        ("first day of +2 months", "2027-05-01 08:15:30"),
        ("first monday of march 2027 10:00", "2027-03-01 10:00:00"),
        ("first monday of march 2027 +1 day", "2027-03-02 00:00:00"),
        ("fifth monday of march 2027", "2027-03-29 00:00:00"),
        ("last sun of feb", "2027-02-28 00:00:00"),
        ("1 week 2 days ago", "2027-03-01 08:15:30"),
        ("-1 week 2 days", "2027-03-05 08:15:30"),
        ("+1 week -2 days", "2027-03-15 08:15:30"),
        ("+5 days, +2 hours", "2027-03-15 10:15:30"),
        ("2 days ago 10:00", "2027-03-08 10:00:00"),
        ("10:00 2 days ago", "2027-03-08 10:00:00"),
        ("+3 hours 10:00", "2027-03-10 13:00:00"),
        ("2027-03-10 10:30 +1 week", "2027-03-17 10:30:00"),
        ("tomorrow +1 hour", "2027-03-11 01:00:00"),
        ("friday +1 week", "2027-03-19 00:00:00"),
        ("third monday", "2027-03-29 00:00:00"),
        ("first wednesday", "2027-03-17 00:00:00"),
        ("monday next week", "2027-03-15 00:00:00"),
        ("last week friday 10:00", "2027-03-05 10:00:00"),
        ("sunday this week", "2027-03-14 00:00:00"),
        ("second month", "2027-05-10 08:15:30"),
        ("next hour", "2027-03-10 09:15:30"),
        ("previous month", "2027-02-10 08:15:30"),
        ("noon tomorrow", "2027-03-11 12:00:00"),
        ("8pm tomorrow", "2027-03-11 20:00:00"),
        ("midnight tomorrow", "2027-03-11 00:00:00"),
        ("now 10:00", "2027-03-10 10:00:00"),
        ("1 dec 10:00", "2027-12-01 10:00:00"),
        ("dec 1 10am", "2027-12-01 10:00:00"),
        ("8pm march 10 2027", "2027-03-10 20:00:00"),
        ("march 2027 10:30", "2027-03-01 10:30:00"),
        ("2027W103", "2027-03-10 00:00:00"),
        ("2026-W53", "2026-12-28 00:00:00"),
        ("2028-366", "2028-12-31 00:00:00"),
    ],
)
def test_forms_are_combined(text, expected):
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2027-03-10", "2027-03-10 00:00:00"),
        ("2027-3-1", "2027-03-01 00:00:00"),
        ("2027-03-10 10:30", "2027-03-10 10:30:00"),
        ("2027-03-10 10:30:15", "2027-03-10 10:30:15"),
        ("  2027-03-10   10:30:15\n", "2027-03-10 10:30:15"),
        ("2027-03-10 9:30", "2027-03-10 09:30:00"),
        ("2027-03-10T10:30:00", "2027-03-10 10:30:00"),
        ("2027-03-10t10:30", "2027-03-10 10:30:00"),
        ("2027/03/10 10:30", "2027-03-10 10:30:00"),
        ("03/10/2027 10:30", "2027-03-10 10:30:00"),
        ("3/10/2027", "2027-03-10 00:00:00"),
        ("10.03.2027 10:30", "2027-03-10 10:30:00"),
        ("10-03-2027", "2027-03-10 00:00:00"),
        ("March 10, 2027 10am", "2027-03-10 10:00:00"),
        ("march 10 2027, 10:30 a.m.", "2027-03-10 10:30:00"),
        ("Mar. 10th, 2027", "2027-03-10 00:00:00"),
        ("10 March 2027 10:30", "2027-03-10 10:30:00"),
        ("1st SEPT 2027", "2027-09-01 00:00:00"),
        ("10-Mar-2027 10:30", "2027-03-10 10:30:00"),
        ("6 May 2019 7am", "2019-05-06 07:00:00"),
        ("2027-03-10 10:30 PM", "2027-03-10 22:30:00"),
        ("2027-03-10 8pm", "2027-03-10 20:00:00"),
        ("2027-03-10 12am", "2027-03-10 00:00:00"),
        ("2027-03-10 12:30 pm", "2027-03-10 12:30:00"),
        ("2027-03-10 noon", "2027-03-10 12:00:00"),
        ("20270310", "2027-03-10 00:00:00"),
        ("20270310T103000", "2027-03-10 10:30:00"),
        ("20270310T1030", "2027-03-10 10:30:00"),
        ("2027-03-10T10:30:15.999999", "2027-03-10 10:30:15"),
        ("2027-03-10 10:30:15,5", "2027-03-10 10:30:15"),
        ("2028-02-29", "2028-02-29 00:00:00"),
        ("2027-03-10 24:00", "2027-03-11 00:00:00"),
        ("2027-12-31 24:00:00", "2028-01-01 00:00:00"),
        ("20270310T240000", "2027-03-11 00:00:00"),
        ("1000-01-01", "1000-01-01 00:00:00"),
        ("9998-12-31 23:59:59", "9998-12-31 23:59:59"),
    ],
)
@pytest.mark.parametrize("zone", [UTC_ZONE, ROME, KATHMANDU, parse_zone("UTC-12"), parse_zone("UTC+14")])
def test_local_time_is_in_the_zone(text, expected, zone):
    moment = parse_wire_date(text, zone, NOW)

    assert moment.replace(tzinfo=None) == datetime.fromisoformat(expected)
    assert moment.tzinfo is zone.tz


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@1804674600", "2027-03-10 10:30:00"),
        ("1804674600", "2027-03-10 10:30:00"),
        ("@1804674600.9", "2027-03-10 10:30:00"),
        ("@0", "1970-01-01 00:00:00"),
        ("@-86400", "1969-12-31 00:00:00"),
        ("100000000", "1973-03-03 09:46:40"),
        ("2027-03-10T10:30:00Z", "2027-03-10 10:30:00"),
        ("2027-03-10T10:30:00.123Z", "2027-03-10 10:30:00"),
        ("2027-03-10T10:30:00+02:00", "2027-03-10 08:30:00"),
        ("2027-03-10 10:30 +0545", "2027-03-10 04:45:00"),
        ("2027-03-10 10:30-05", "2027-03-10 15:30:00"),
        ("20270310T103000Z", "2027-03-10 10:30:00"),
        ("2027-03-10 10:30 UTC", "2027-03-10 10:30:00"),
        ("2027-03-10 10:30 UTC+2", "2027-03-10 08:30:00"),
        ("2027-03-10 10:30 PM America/New_York", "2027-03-11 03:30:00"),
        ("2027-07-10 10:30 america/new_york", "2027-07-10 14:30:00"),
        ("2027-03-10 Asia/Tokyo", "2027-03-09 15:00:00"),
        ("2027-03-10 24:00 Asia/Tokyo", "2027-03-10 15:00:00"),
        ("tomorrow 9am Asia/Tokyo", "2027-03-11 00:00:00"),
        ("now", "2027-03-10 08:15:30"),
        ("+3 hours", "2027-03-10 11:15:30"),
        ("-90 minutes", "2027-03-10 06:45:30"),
        ("10 seconds ago", "2027-03-10 08:15:20"),
    ],
)
@pytest.mark.parametrize("zone", [UTC_ZONE, NEW_YORK, KATHMANDU])
def test_instant_is_kept_in_any_zone(text, expected, zone):
    moment = parse_wire_date(text, zone, NOW)

    assert to_utc_wire(moment) == expected
    assert moment.tzinfo is zone.tz


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("today", "2027-03-10 00:00:00"),
        ("midnight", "2027-03-10 00:00:00"),
        ("noon", "2027-03-10 12:00:00"),
        ("tomorrow", "2027-03-11 00:00:00"),
        ("Tomorrow 9am", "2027-03-11 09:00:00"),
        ("tomorrow noon", "2027-03-11 12:00:00"),
        ("tomorrow 24:00", "2027-03-12 00:00:00"),
        ("yesterday", "2027-03-09 00:00:00"),
        ("yesterday 11:30", "2027-03-09 11:30:00"),
        ("+5 days", "2027-03-15 08:15:30"),
        ("+5 days 09:15:00", "2027-03-15 09:15:00"),
        ("5 days", "2027-03-15 08:15:30"),
        ("5 days ago", "2027-03-05 08:15:30"),
        ("+1 day", "2027-03-11 08:15:30"),
        ("-2 weeks", "2027-02-24 08:15:30"),
        ("+1 month", "2027-04-10 08:15:30"),
        ("-3 months", "2026-12-10 08:15:30"),
        ("+1 year", "2028-03-10 08:15:30"),
        ("next wednesday 4pm", "2027-03-17 16:00:00"),
        ("next thursday", "2027-03-11 00:00:00"),
        ("last friday", "2027-03-05 00:00:00"),
        ("last wednesday", "2027-03-03 00:00:00"),
        ("wednesday", "2027-03-10 00:00:00"),
        ("this wed", "2027-03-10 00:00:00"),
        ("monday", "2027-03-15 00:00:00"),
        ("saturday 10:00", "2027-03-13 10:00:00"),
        ("next day", "2027-03-11 08:15:30"),
        ("next week", "2027-03-15 08:15:30"),
        ("last week", "2027-03-01 08:15:30"),
        ("this week 10:00", "2027-03-08 10:00:00"),
        ("next month", "2027-04-10 08:15:30"),
        ("next year 10:00", "2028-03-10 10:00:00"),
        ("first day of next month", "2027-04-01 08:15:30"),
        ("last day of this month 18:00", "2027-03-31 18:00:00"),
        ("first day of last month", "2027-02-01 08:15:30"),
    ],
)
def test_relative_dates_count_from_now(text, expected):
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("today", "text", "expected"),
    [
        # Days that a month does not have are counted into the next one, as in PHP.
        ("2027-01-31", "+1 month", "2027-03-03 12:00:00"),
        ("2027-01-31", "next month", "2027-03-03 12:00:00"),
        ("2028-02-29", "next year", "2029-03-01 12:00:00"),
        ("2027-03-31", "last month", "2027-03-03 12:00:00"),
        ("2027-12-31", "next month", "2028-01-31 12:00:00"),
        ("2027-05-15", "2027-01-31 +1 month", "2027-03-03 00:00:00"),
        ("2027-01-31", "last day of next month", "2027-02-28 12:00:00"),
        ("2027-03-31", "last day of last month", "2027-02-28 12:00:00"),
        ("2027-01-31", "first Monday of next month", "2027-02-01 00:00:00"),
        ("2027-01-31", "Feb 2027", "2027-02-01 00:00:00"),
        ("2027-01-31", "1 Feb", "2027-02-01 00:00:00"),
        ("2028-01-31", "29 Feb", "2028-02-29 00:00:00"),
        ("2027-01-31", "this week", "2027-01-25 12:00:00"),
        ("2027-01-31", "Sunday this week", "2027-01-31 00:00:00"),
        ("2027-01-31", "Sunday", "2027-01-31 00:00:00"),
        ("2027-01-31", "next Sunday", "2027-02-07 00:00:00"),
        ("2027-12-31", "tomorrow", "2028-01-01 00:00:00"),
        ("2027-12-31", "1 dec", "2027-12-01 00:00:00"),
        ("2027-12-31", "first Thursday of next year", "2028-12-07 00:00:00"),
        ("2027-12-31", "first day of January next year", "2028-01-01 00:00:00"),
    ],
)
def test_relative_date_at_the_end_of_a_month(today, text, expected):
    assert parse(text, now=datetime.fromisoformat(f"{today}T12:00:00+00:00")) == expected


def test_relative_dates_count_in_the_zone():
    late = datetime(2027, 3, 10, 23, 30, tzinfo=UTC)

    assert parse("today", ROME, late) == "2027-03-11 00:00:00"
    assert parse("today", NEW_YORK, late) == "2027-03-10 00:00:00"
    assert parse("tomorrow 9am", KATHMANDU, late) == "2027-03-12 09:00:00"
    assert parse("+1 day", KATHMANDU, late) == "2027-03-12 05:15:00"
    assert parse("thursday", ROME, late) == "2027-03-11 00:00:00"


def test_days_keep_the_local_time_and_hours_the_elapsed_time():
    before_spring = datetime(2027, 3, 13, 17, 0, tzinfo=UTC)  # 12:00 in New York, 14 March is the change
    before_autumn = datetime(2027, 11, 6, 16, 0, tzinfo=UTC)  # 12:00, 7 November is the change

    assert parse("+1 day", NEW_YORK, before_spring) == "2027-03-14 12:00:00"
    assert parse("+24 hours", NEW_YORK, before_spring) == "2027-03-14 13:00:00"
    assert parse("+1 day", NEW_YORK, before_autumn) == "2027-11-07 12:00:00"
    assert parse("+24 hours", NEW_YORK, before_autumn) == "2027-11-07 11:00:00"
    assert parse("+14 hours", NEW_YORK, before_spring) == "2027-03-14 03:00:00"


@pytest.mark.parametrize("as_parsed", [lambda text, zone: parse_wire_date(text, zone, NOW), from_local])
@pytest.mark.parametrize(
    ("zone", "text", "expected"),
    [
        (NEW_YORK, "2027-03-14 01:59:59", "2027-03-14T01:59:59-05:00"),
        (NEW_YORK, "2027-03-14 02:00:00", "2027-03-14T03:00:00-04:00"),
        (NEW_YORK, "2027-03-14 02:30:00", "2027-03-14T03:30:00-04:00"),
        (NEW_YORK, "2027-03-14 03:00:00", "2027-03-14T03:00:00-04:00"),
        (NEW_YORK, "2027-11-07 01:30:00", "2027-11-07T01:30:00-04:00"),
        (NEW_YORK, "2027-11-07 02:00:00", "2027-11-07T02:00:00-05:00"),
        (ROME, "2027-03-28 02:30:00", "2027-03-28T03:30:00+02:00"),
        (ROME, "2027-10-31 02:30:00", "2027-10-31T02:30:00+02:00"),
        (LORD_HOWE, "2027-10-03 02:15:00", "2027-10-03T02:45:00+11:00"),
        (LORD_HOWE, "2027-04-04 01:45:00", "2027-04-04T01:45:00+11:00"),
        (KATHMANDU, "2027-03-10 10:30:00", "2027-03-10T10:30:00+05:45"),
        (parse_zone("Asia/Kolkata"), "2027-03-10 10:30:00", "2027-03-10T10:30:00+05:30"),
        (parse_zone("America/St_Johns"), "2027-03-14 02:30:00", "2027-03-14T03:30:00-02:30"),
        (parse_zone("UTC+2"), "2027-07-10 10:00:00", "2027-07-10T10:00:00+02:00"),
        (UTC_ZONE, "2027-03-28 02:30:00", "2027-03-28T02:30:00+00:00"),
        (parse_zone("Pacific/Apia"), "2011-12-30 10:00:00", "2011-12-31T10:00:00+14:00"),  # a skipped day
    ],
)
def test_nonexistent_time_moves_forward_and_ambiguous_time_is_the_first(as_parsed, zone, text, expected):
    moment = as_parsed(text, zone)

    assert moment.isoformat() == expected
    assert moment.tzinfo is zone.tz
    assert moment.fold == 0


@pytest.mark.parametrize(
    ("zone", "now", "text", "expected"),
    [
        # 02:00 to 03:00 does not exist on 28 March, and occurs twice on 31 October.
        ("Europe/Berlin", "2027-03-27 02:30:00", "tomorrow 2:30", "2027-03-28T03:30:00+02:00"),
        ("Europe/Berlin", "2027-03-27 02:30:00", "+1 day", "2027-03-28T03:30:00+02:00"),
        ("Europe/Berlin", "2027-03-27 02:30:00", "+1 day 1 hour", "2027-03-28T04:30:00+02:00"),
        ("Europe/Berlin", "2027-03-27 02:30:00", "+24 hours", "2027-03-28T03:30:00+02:00"),
        ("Europe/Berlin", "2027-03-27 02:30:00", "last Sunday of March 2:15am", "2027-03-28T03:15:00+02:00"),
        ("Europe/Berlin", "2027-03-27 02:30:00", "Sun, 28 Mar 2027 02:30:00", "2027-03-28T03:30:00+02:00"),
        ("Europe/Berlin", "2027-03-27 02:30:00", "2027-03-28 01:30 +1 hour", "2027-03-28T03:30:00+02:00"),
        ("Europe/Berlin", "2027-03-27 02:30:00", "2027-W12-7 2:30", "2027-03-28T03:30:00+02:00"),
        ("Europe/Berlin", "2027-10-30 02:30:00", "+1 day", "2027-10-31T02:30:00+02:00"),
        ("Europe/Berlin", "2027-10-30 02:30:00", "+25 hours", "2027-10-31T02:30:00+01:00"),
        ("Europe/Berlin", "2027-10-30 02:30:00", "last day of this month", "2027-10-31T02:30:00+02:00"),
        ("Europe/Berlin", "2027-10-30 02:30:00", "2027-10-31 01:30 +2 hours", "2027-10-31T02:30:00+01:00"),
        ("America/New_York", "2027-02-14 02:30:00", "second Sunday of next month 2:30", "2027-03-14T03:30:00-04:00"),
        ("America/New_York", "2027-10-07 01:30:00", "first Sunday of November 1:30", "2027-11-07T01:30:00-04:00"),
        ("America/New_York", "2027-10-07 01:30:00", "Nov 7 1:30 +1 hour", "2027-11-07T01:30:00-05:00"),
        ("Australia/Lord_Howe", "2027-10-01 02:15:00", "Sunday 2:15", "2027-10-03T02:45:00+11:00"),
        ("Australia/Lord_Howe", "2027-04-01 01:45:00", "Sunday 1:45", "2027-04-04T01:45:00+11:00"),
        ("Australia/Lord_Howe", "2027-04-01 01:45:00", "Sunday 1:45 +30 min", "2027-04-04T01:45:00+10:30"),
        ("America/Sao_Paulo", "2018-11-03 12:00:00", "tomorrow", "2018-11-04T01:00:00-02:00"),
        ("Asia/Kolkata", "2027-03-27 02:30:00", "tomorrow 2:30", "2027-03-28T02:30:00+05:30"),
    ],
)
def test_forms_at_a_change_of_summer_time(zone, now, text, expected):
    zone = parse_zone(zone)

    assert parse_wire_date(text, zone, from_local(now, zone)).isoformat() == expected


def test_present_in_the_second_of_two_ambiguous_hours_is_kept():
    second = datetime(2027, 11, 7, 6, 30, tzinfo=UTC)  # 01:30 in New York, for the second time

    assert {text: parse_wire_date(text, NEW_YORK, second).isoformat() for text in ("now", "this day", "+1 hour")} == {
        "now": "2027-11-07T01:30:00-05:00",
        "this day": "2027-11-07T01:30:00-05:00",
        "+1 hour": "2027-11-07T02:30:00-05:00",
    }
    assert parse_wire_date("01:30", NEW_YORK, second).isoformat() == "2027-11-07T01:30:00-04:00"


@pytest.mark.time_machine(NOW, tick=False)
def test_bound_out_of_range_is_the_first_or_last_moment():
    bounds = {
        text: parse_date_bound(text, NEW_YORK).isoformat()
        for text in ("9999-12-31", "+9000 years", "@99999999999999", "0001-01-01", "-3000 years", "2027-03-10")
    }

    first, last = "1000-01-01T00:00:00-04:56", "9998-12-31T23:59:59-05:00"
    assert {text: bound.replace("-04:56:02", "-04:56") for text, bound in bounds.items()} == {
        "9999-12-31": last,
        "+9000 years": last,
        "@99999999999999": last,
        "0001-01-01": first,
        "-3000 years": first,
        "2027-03-10": "2027-03-10T00:00:00-05:00",
    }


@pytest.mark.parametrize("text", ["@1825569000", "2027-11-07T06:30:00Z", "2027-11-07 01:30 -05:00"])
def test_instant_in_the_second_of_two_ambiguous_hours_is_kept(text):
    moment = parse_wire_date(text, NEW_YORK)

    assert moment.isoformat() == "2027-11-07T01:30:00-05:00"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "0",
        "z",
        "soon",
        "soonish",
        "in a while",
        "once upon a time",
        "today soon",
        "domani",
        "2027-13-10 10:00:00",
        "2027-13-45",
        "2027-00-10",
        "2027-02-30",
        "2027-02-29",
        "2027-04-31",
        "30 February 2027",
        "13/10/2027",
        "31/12/2027",
        "0000-00-00",
        "0000-00-00 00:00:00",
        "0999-12-31",
        "9999-01-01",
        "9998-12-31 24:00",
        "20271310",
        "1234567",
        "2027",
        "27-03-10",
        "2027-03/10",
        "2027-03-10 25:00",
        "2027-03-10 24:00:01",
        "2027-03-10 24:01",
        "2027-03-10 10:60",
        "2027-03-10 10:30:60",
        "2027-03-10 13:30 PM",
        "2027-03-10 0am",
        "2027-03-10 10",
        "2027-03-10 10:3",
        "2027-03-10T",
        "2027-03-1010:30",
        "2027-03-10 10:30 +15:00",
        "2027-03-10 10:30 +02:00 UTC",
        "2027-03-10 10:30 Nowhere/Else",
        "2027-03-10 10:30 ../x",
        "2027-03-10 10:30\x00",
        "2027-03-10; DROP TABLE",
        "\u0662\u0660\u0662\u0667-03-10",
        "@",
        "@x",
        "@99999999999999999999",
        "@-99999999999",
        "9" * 100,
        "9" * 101,
        "2027-03-10" + " " * 100,
        "+99999999999 days",
        "+999999999 days",
        "-999999999 years",
        "+999999999 hours",
        "+9000 years",
        "-2000 years",
        "next",
        "monthday",
        "March",
        "March next month",
        "Friday March 2027",
        "Monday Tuesday",
        "yesterday tomorrow",
        "tomorrow 2027-03-10",
        "2027-03-10 2027-03-11",
        "10:00 noon",
        "first day next month",
        "first day of March 10, 2027",
        "first day of next week",
        "first Monday of tomorrow",
        "fifth Monday of February 2027",
        "sixth Monday of March 2027",
        "Monday of March",
        "Monday next month",
        "next Monday this week",
        "2027-03-10 next week",
        "+1 day 10:00 +1 hour",
        "1 week ago ago",
        "ago",
        "30 February",
        "29 Feb",
        "0 March 2027",
        "Thu, 10 Mar 2027 10:30:00 GMT",
        "next Wednesday, March 10, 2027",
        "2027-W53",
        "2027-W00",
        "9998-W54",
        "2027-366",
        "2027-000",
        "27-W10",
        "@1804674600 10:00",
        "@1804674600 UTC",
        "UTC",
        "2027-03-10 UTC UTC",
        "2027-03-10 10:30 IST",
        "tomorrow,",
        ", tomorrow",
        "tomorrow,, 9am",
        "mont10:30",
        "+ days",
        "a" * 10_000,
    ],
)
@pytest.mark.parametrize("zone", [UTC_ZONE, NEW_YORK])
def test_invalid_date_is_refused_with_a_message(text, zone):
    with pytest.raises(ValueError, match=rf"\A(?:{'|'.join(INVALID_DATE_MESSAGES)})\Z"):
        parse_wire_date(text, zone, NOW)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("30 Feb 2027", "2027-02-30 is not a valid date."),
        ("29 Feb", "2027-02-29 is not a valid date."),
        ("2027-w53-1", "2027-W53-1 is not a valid date."),
        ("Thursday, March 10, 2027", "The weekday does not match the date 2027-03-10."),
        ("31/12/2027", "Not a valid date. Use a format such as 2027-03-10, 10 March 2027 or tomorrow 9am."),
        ("in a while", "Not a valid date. Use a format such as 2027-03-10, 10 March 2027 or tomorrow 9am."),
        ("9999-12-31", "The year must be between 1000 and 9998."),
        ("8pm Europe/Rom", "Not a valid time zone. Use a name such as Europe/Rome, UTC or UTC+2."),
    ],
)
def test_error_says_what_is_wrong(text, message):
    with pytest.raises(ValueError, match=rf"^{re.escape(message)}$"):
        parse_wire_date(text, UTC_ZONE, NOW)


def test_examples_in_the_error_message_are_accepted_forms():
    assert set(SHOWN_EXAMPLES) <= {example for form in FORMS for example in form.examples}


PIECES = """
    2027 03 10 - / . : T t 10:30 24:00 @ + 1 99999999 999999999999 days hours month year weeks next last
    monday of first day march 10th , am pm p.m. z utc utc+2 +02:00 -0530 europe/rome noon now today ago é
    0001 9999 0000 w10 -w53 dec second fifth est gmt+0100 069 999999999 @-99999999999999
"""
pieces = st.sampled_from([*PIECES.split(), " ", " ", "\x00"])
words = st.sampled_from([example for form in FORMS for example in form.examples] + PIECES.split())
phrases = st.lists(words, max_size=6).map(" ".join)
zones = st.sampled_from([UTC_ZONE, ROME, NEW_YORK, LORD_HOWE, parse_zone("UTC+14"), parse_zone("UTC-12")])


@given(st.text(max_size=120) | st.lists(pieces, max_size=8).map("".join) | phrases, zones)
@example("@253370764799", parse_zone("UTC+14"))
@example("@-30610224000", parse_zone("UTC-12"))
@example("@253402300799", NEW_YORK)
@example("@-62135596800", NEW_YORK)
@example("1000-01-01 00:00 +14:00", NEW_YORK)
@example("9999-W52-7", NEW_YORK)
@example("0001-W01-1", NEW_YORK)
@example("0000-001", NEW_YORK)
@example("9998-12-31 24:00", UTC_ZONE)
@example("999999999 years", UTC_ZONE)
@example("999999999 weeks 999999999 weeks 999999999 weeks", UTC_ZONE)
@example("9998-12-31 23:59 +999999999 hours", UTC_ZONE)
def test_any_text_is_a_date_or_raises_value_error(text, zone):
    try:
        moment = parse_wire_date(text, zone, NOW)
    except ValueError:
        return

    assert 1000 <= moment.year <= 9998
    assert moment.microsecond == 0
    assert moment.tzinfo is zone.tz


@given(phrases, zones)
@example("9999-12-31", parse_zone("UTC-12"))
@example("9999-12-31 24:00 UTC-12", parse_zone("UTC+14"))
@example("0001-01-01 00:00 UTC+14", parse_zone("UTC-12"))
@example("-999999999 years", LORD_HOWE)
def test_any_bound_is_a_date_or_raises_value_error(text, zone):
    try:
        moment = parse_date_bound(text, zone)
    except ValueError:
        return

    assert 1000 <= moment.year <= 9998
    assert day_start(moment).year >= 1000
    assert day_end(moment).year <= 9998


# What Python's widely used parser reads in the same way.
DATEUTIL_FORMATS = [
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%m/%d/%Y",
    "%Y%m%d",
    "%B %d, %Y",
    "%b %d %Y",
    "%d %B %Y",
    "%d-%b-%Y",
    "%A, %B %d, %Y",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M:%S",
    "%Y%m%dT%H%M%S",
    "%m/%d/%Y %I:%M %p",
    "%B %d, %Y %I:%M%p",
    "%a, %d %b %Y %H:%M:%S",
    "%a %b %d %Y %H:%M:%S",
    "%H:%M %d %B %Y",
    "%Y-%m-%dT%H:%M:%S.%f",
]
minutes = st.integers(-12 * 60, 14 * 60)


@given(st.datetimes(datetime(1000, 1, 1), datetime(9998, 12, 31)), st.sampled_from(DATEUTIL_FORMATS))
def test_absolute_date_has_the_value_of_dateutil(local, date_format):
    text = local.strftime(date_format)

    expected = dateutil.parser.parse(text, default=datetime(2027, 3, 10)).replace(microsecond=0)
    assert parse_wire_date(text, UTC_ZONE, NOW).replace(tzinfo=None) == expected


@given(st.datetimes(datetime(1001, 1, 1), datetime(9997, 12, 31)), minutes, zones)
def test_date_with_an_offset_has_the_instant_of_dateutil(local, offset, zone):
    moment = local.replace(microsecond=0, tzinfo=timezone(timedelta(minutes=offset)))
    texts = [moment.isoformat(), moment.isoformat(" "), moment.strftime("%a, %d %b %Y %H:%M:%S %z")]

    # In UTC: Python takes a time that exists twice for different from the same instant in another zone.
    parsed = [parse_wire_date(text, zone, NOW).astimezone(UTC) for text in texts]

    assert parsed == [dateutil.parser.parse(text) for text in texts] == [moment] * 3


@given(st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)), zones)
def test_formatted_date_parses_to_the_same_instant(instant, zone):
    local = instant.replace(microsecond=0).astimezone(zone.tz)

    again = from_local(to_wire(local), zone)

    assert to_wire(again) == to_wire(local)
    assert parse_wire_date(to_wire(local), zone) == again
    assert parse_wire_date(to_rfc3339(local, zone), zone) == local
    assert to_wire(again) == "{year}-{month}-{day} {hour}:{minutes}:{seconds}".format(**date_details(to_wire(local)))
