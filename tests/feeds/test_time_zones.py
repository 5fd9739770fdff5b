"""Definitions of time zones in calendars, read by another parser and compared with the zone database (F1)."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import icalendar
import pytest
from dateutil.rrule import rrulestr

from calendar_site.feeds.time_zones import define_zone

FIRST, LAST = 2020, 2045
ZONES = sorted(
    name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "posix", "right"))
)


def changes_of(text):
    """The changes of the clock from FIRST to LAST by a definition: moments in UTC, with the offset after each."""
    zone = icalendar.Component.from_ical(text)
    found = {}
    for part in zone.subcomponents:
        start, before, after = part["DTSTART"].dt, part["TZOFFSETFROM"].td, part["TZOFFSETTO"].td
        if "RRULE" in part:
            rule = rrulestr(part["RRULE"].to_ical().decode(), dtstart=start)
            clocks = rule.between(datetime(FIRST, 1, 1), datetime(LAST + 1, 1, 1), inc=True)
        else:
            clocks = [start] if start.year >= FIRST else []
        found |= {(clock - before).replace(tzinfo=UTC): after for clock in clocks if before != after}
    return found


def changes_in_database(tz):
    """The same from the zone database, by looking at each hour around which it changes."""
    found, moment, end = {}, datetime(FIRST, 1, 1, tzinfo=UTC), datetime(LAST + 1, 1, 1, tzinfo=UTC)
    # By days, then hours, then minutes.
    while moment < end:
        following = moment + timedelta(days=1)
        if moment.astimezone(tz).utcoffset() != following.astimezone(tz).utcoffset():
            first, last = moment, following
            while last - first > timedelta(minutes=1):
                middle = first + (last - first) / 2
                middle = middle.replace(second=0, microsecond=0)
                if middle.astimezone(tz).utcoffset() == moment.astimezone(tz).utcoffset():
                    first = middle
                else:
                    last = middle
            found[last] = last.astimezone(tz).utcoffset()
        moment = following
    return found


def is_inside(moment):
    # Local years differ from those in UTC by hours.
    return FIRST < moment.year < LAST


@pytest.mark.parametrize("letter", sorted({name[0] for name in ZONES}))
def test_each_change_of_each_zone_is_that_of_the_database(letter):
    for name in ZONES:
        if name[0] == letter:
            tz = ZoneInfo(name)
            text = define_zone(name, tz, {FIRST, LAST}).to_ical()

            assert b"RDATE" not in text, name
            written = {moment: offset for moment, offset in changes_of(text).items() if is_inside(moment)}
            stored = {moment: offset for moment, offset in changes_in_database(tz).items() if is_inside(moment)}
            assert written == stored, name


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("Europe/Rome", {"BYDAY=-1SU;BYMONTH=3", "BYDAY=-1SU;BYMONTH=10"}),
        ("America/New_York", {"BYDAY=2SU;BYMONTH=3", "BYDAY=1SU;BYMONTH=11"}),
        ("Australia/Lord_Howe", {"BYDAY=1SU;BYMONTH=4", "BYDAY=1SU;BYMONTH=10"}),
        ("Europe/Dublin", {"BYDAY=-1SU;BYMONTH=3", "BYDAY=-1SU;BYMONTH=10"}),
        ("Asia/Jerusalem", {"BYDAY=FR;BYMONTHDAY=23,24,25,26,27,28,29;BYMONTH=3", "BYDAY=-1SU;BYMONTH=10"}),
    ],
)
def test_zone_with_a_regular_law_has_two_yearly_rules(name, rules):
    text = define_zone(name, ZoneInfo(name), {2026, 2027}).to_ical().decode().replace("\r\n ", "")

    found = re.findall(r"RRULE:FREQ=YEARLY;(.*)\r\n", text)
    assert {frozenset(rule.split(";")) for rule in found} == {frozenset(rule.split(";")) for rule in rules}
    assert (text.count("BEGIN:STANDARD"), text.count("BEGIN:DAYLIGHT")) == (1, 1)


@pytest.mark.parametrize("name", ["Africa/Casablanca", "Antarctica/Troll", "Asia/Tokyo", "America/Sao_Paulo"])
def test_other_zones_have_a_part_for_each_change(name):
    text = define_zone(name, ZoneInfo(name), {2026, 2027}).to_ical()

    changes = len(changes_of(text))
    assert (b"RRULE" in text) == (name == "Antarctica/Troll")
    assert text.count(b"BEGIN:") - 1 >= max(1, changes if b"RRULE" not in text else 2)
