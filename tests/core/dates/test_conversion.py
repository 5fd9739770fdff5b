"""Time zones, and how dates are formatted."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calendar_site.core.dates.conversion import (
    _zone_names,
    date_details,
    day_end,
    day_start,
    from_local,
    keep_same_time,
    parse_zone,
    site_zone,
    to_rfc3339,
    to_site_wire,
    to_utc_wire,
    to_wire,
    zone_abbreviation,
)
from calendar_site.core.dates.parser import parse_wire_date
from tests.support.zones import NEW_YORK, NOW, ROME, UTC_ZONE

INVALID_ZONE_MESSAGES = (
    r"Not a valid time zone\. Use a name such as Europe/Rome, UTC or UTC\+2\.",
    r"A decimal UTC offset must be in quarter hours: \.25, \.5 or \.75\.",
    r"A UTC offset must be between UTC-12 and UTC\+14\.",
)


# --- Zones ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("Europe/Rome", "Europe/Rome", True),
        ("Europe/Rome", "Europe/Berlin", True),
        ("Europe/Rome", "UTC+1", False),
        ("Africa/Lagos", "UTC+1", True),
        ("America/Phoenix", "America/Denver", False),
        ("Europe/London", "UTC", False),
    ],
)
def test_zones_that_keep_the_same_time(first, second, is_same):
    zones = parse_zone(first), parse_zone(second)

    assert (keep_same_time(*zones), keep_same_time(*reversed(zones))) == (is_same, is_same)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("UTC", "UTC"),
        ("utc", "UTC"),
        ("Z", "UTC"),
        (" UTC ", "UTC"),
        ("europe/rome", "Europe/Rome"),
        ("AMERICA/ARGENTINA/BUENOS_AIRES", "America/Argentina/Buenos_Aires"),
        ("Etc/GMT+5", "Etc/GMT+5"),
    ],
)
def test_zone_has_its_canonical_name(text, name):
    assert parse_zone(text).name == name


@pytest.mark.parametrize(
    ("text", "name", "minutes"),
    [
        ("UTC+2", "UTC+2", 120),
        ("utc-5", "UTC-5", -300),
        ("UTC+5.5", "UTC+5.5", 330),
        ("UTC+5:30", "UTC+5.5", 330),
        ("UTC+5.75", "UTC+5.75", 345),
        ("UTC+8:45", "UTC+8.75", 525),
        ("UTC+0", "UTC+0", 0),
        ("-00:00", "UTC+0", 0),
        ("+02:00", "UTC+2", 120),
        ("-0530", "UTC-5.5", -330),
        ("-0:30", "UTC-0.5", -30),
        ("+05:20", "UTC+5:20", 320),
        ("UTC+14", "UTC+14", 840),
        ("UTC-12", "UTC-12", -720),
    ],
)
def test_offset_is_fixed_in_summer_too(text, name, minutes):
    zone = parse_zone(text)

    assert zone.name == name
    assert parse_zone(zone.name) == zone
    for month in (1, 7):
        assert datetime(2027, month, 1, tzinfo=zone.tz).utcoffset() == timedelta(minutes=minutes)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "sometime",
        "EDT",
        "localtime",
        "Factory",
        "posix/Europe/Rome",
        "right/UTC",
        "../x",
        "/etc/passwd",
        "Europe",
        "Europe/Rome\x00",
        "\x00",
        "Europe/Rome" * 1000,
        "UTC+15",
        "UTC+14:15",
        "UTC-12.25",
        "UTC+5.3",
        "UTC+5:60",
        "UTC+",
        "+99999",
        "UTC+\u0662",
    ],
)
def test_invalid_zone_is_refused(text):
    with pytest.raises(ValueError, match=rf"\A(?:{'|'.join(INVALID_ZONE_MESSAGES)})\Z"):
        parse_zone(text)


@given(st.text(max_size=80) | st.text("utczUTCZ+-:.0123456789/", max_size=12))
def test_any_text_is_a_zone_or_raises_value_error(text):
    try:
        zone = parse_zone(text)
    except ValueError:
        return

    assert parse_zone(zone.name) == zone


def test_every_zone_can_be_named_and_used():
    for name in _zone_names().values():
        zone = parse_zone(name)

        assert zone.name == name
        assert zone_abbreviation(NOW, zone)
        assert parse_wire_date(to_rfc3339(NOW, zone), zone) == NOW.replace(microsecond=0)


def test_site_zone_is_the_one_of_the_settings(settings):
    settings.SITE_TIME_ZONE = "Europe/Rome"

    assert site_zone() == ROME
    assert to_site_wire(NOW) == "2027-03-10 09:15:30"


# --- Printing ------------------------------------------------------------------------------------


def test_moments_are_formatted_in_their_zone_and_in_utc():
    moment = datetime(2027, 7, 10, 9, 5, 3, 123_456, tzinfo=NEW_YORK.tz)

    assert to_wire(moment) == "2027-07-10 09:05:03"
    assert to_utc_wire(moment) == "2027-07-10 13:05:03"
    assert to_rfc3339(moment, ROME) == "2027-07-10T15:05:03+02:00"
    assert to_rfc3339(moment, UTC_ZONE) == "2027-07-10T13:05:03+00:00"


def test_offset_with_seconds_is_formatted_in_whole_minutes():
    moment = from_local("1800-01-01 12:00:00", ROME)  # local mean time, +00:49:56

    assert to_rfc3339(moment, ROME) == "1800-01-01T11:59:04+00:49"
    assert parse_wire_date("1800-01-01T11:59:04+00:49", ROME) == moment


def test_details_are_texts_with_leading_zeros():
    assert date_details("2027-03-09 08:05:00") == {
        "year": "2027",
        "month": "03",
        "day": "09",
        "hour": "08",
        "minutes": "05",
        "seconds": "00",
    }


@pytest.mark.parametrize(
    ("zone", "winter", "summer"),
    [
        ("America/New_York", "EST", "EDT"),
        ("Europe/Rome", "CET", "CEST"),
        ("Asia/Tokyo", "JST", "JST"),
        ("Asia/Kathmandu", "+0545", "+0545"),
        ("America/Argentina/Buenos_Aires", "-03", "-03"),
        ("UTC+2", "UTC+2", "UTC+2"),
        ("UTC+5:30", "UTC+5.5", "UTC+5.5"),
        ("UTC+0", "UTC+0", "UTC+0"),
        ("UTC", "UTC", "UTC"),
    ],
)
def test_abbreviation_is_the_one_in_force(zone, winter, summer):
    zone = parse_zone(zone)

    assert zone_abbreviation(datetime(2027, 1, 10, 10, tzinfo=UTC), zone) == winter
    assert zone_abbreviation(datetime(2027, 7, 10, 10, tzinfo=UTC), zone) == summer


@pytest.mark.parametrize(
    ("zone", "local", "start", "end"),
    [
        ("UTC", "2027-03-10 10:30:00", "2027-03-10T00:00:00+00:00", "2027-03-10T23:59:59+00:00"),
        ("America/New_York", "2027-03-14 10:00:00", "2027-03-14T00:00:00-05:00", "2027-03-14T23:59:59-04:00"),
        ("America/New_York", "2027-11-07 10:00:00", "2027-11-07T00:00:00-04:00", "2027-11-07T23:59:59-05:00"),
        (
            "America/Sao_Paulo",
            "2018-11-04 10:00:00",
            "2018-11-04T01:00:00-02:00",
            "2018-11-04T23:59:59-02:00",
        ),
        ("Asia/Kathmandu", "2027-03-10 00:00:00", "2027-03-10T00:00:00+05:45", "2027-03-10T23:59:59+05:45"),
    ],
)
def test_day_starts_and_ends_in_its_own_zone(zone, local, start, end):
    moment = from_local(local, parse_zone(zone))

    assert day_start(moment).isoformat() == start
    assert day_end(moment).isoformat() == end


def test_day_of_a_moment_with_a_plain_offset():
    moment = datetime(2027, 3, 10, 23, 30, tzinfo=timezone(timedelta(hours=-9, minutes=-30)))

    assert day_start(moment).isoformat() == "2027-03-10T00:00:00-09:30"
    assert day_end(moment).isoformat() == "2027-03-10T23:59:59-09:30"
