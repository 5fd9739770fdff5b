"""Recurrence rules: the examples of RFC 5545, section 3.8.5.3, and any other rule, compared with dateutil."""

from datetime import datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given, settings
from hypothesis import strategies as st

from events.recurrence.rules import InvalidRule, Rule

NEW_YORK = ZoneInfo("America/New_York")
START = datetime(1997, 9, 2, 9)
LAST = datetime(2007, 9, 2)


def dates(text, year=1997):
    """Return the days in a text such as `9: 2 3; 10: 1`, by month; `1998/1` begins another year."""
    found = []
    for group in text.split("; "):
        month, days = group.split(": ")
        if "/" in month:
            first, month = month.split("/")
            year = int(first)
        found += [datetime(year, int(month), int(day), 9) for day in days.split()]
    return found


# The rule, the start if it is another one, and the first dates that the RFC names.
EXAMPLES = [
    ("FREQ=DAILY;COUNT=10", START, "9: 2 3 4 5 6 7 8 9 10 11"),
    ("FREQ=DAILY;UNTIL=19971224T000000Z", START, "9: 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24"),
    ("FREQ=DAILY;INTERVAL=2", START, "9: 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30; 10: 2 4 6"),
    ("FREQ=DAILY;INTERVAL=10;COUNT=5", START, "9: 2 12 22; 10: 2 12"),
    (
        "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
        datetime(1998, 1, 1, 9),
        "1998/1: 1 2 3",
    ),
    ("FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", datetime(1998, 1, 1, 9), "1998/1: 1 2 3 4 5"),
    ("FREQ=WEEKLY;COUNT=10", START, "9: 2 9 16 23 30; 10: 7 14 21 28; 11: 4"),
    ("FREQ=WEEKLY;UNTIL=19971224T000000Z", START, "9: 2 9 16 23 30; 10: 7 14 21 28; 11: 4 11 18 25; 12: 2 9 16 23"),
    ("FREQ=WEEKLY;INTERVAL=2;WKST=SU", START, "9: 2 16 30; 10: 14 28; 11: 11 25; 12: 9 23; 1998/1: 6 20; 2: 3 17"),
    ("FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", START, "9: 2 4 9 11 16 18 23 25 30; 10: 2"),
    ("FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", START, "9: 2 4 9 11 16 18 23 25 30; 10: 2"),
    (
        "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
        datetime(1997, 9, 1, 9),
        "9: 1 3 5 15 17 19 29; 10: 1 3 13 15 17 27 29 31; 11: 10 12 14 24 26 28; 12: 8 10 12 22",
    ),
    ("FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", START, "9: 2 4 16 18 30; 10: 2 14 16"),
    (
        "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
        datetime(1997, 9, 5, 9),
        "9: 5; 10: 3; 11: 7; 12: 5; 1998/1: 2; 2: 6; 3: 6; 4: 3; 5: 1; 6: 5",
    ),
    ("FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", datetime(1997, 9, 5, 9), "9: 5; 10: 3; 11: 7; 12: 5"),
    (
        "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
        datetime(1997, 9, 7, 9),
        "9: 7 28; 11: 2 30; 1998/1: 4 25; 3: 1 29; 5: 3 31",
    ),
    ("FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", datetime(1997, 9, 22, 9), "9: 22; 10: 20; 11: 17; 12: 22; 1998/1: 19; 2: 16"),
    ("FREQ=MONTHLY;BYMONTHDAY=-3", datetime(1997, 9, 28, 9), "9: 28; 10: 29; 11: 28; 12: 29; 1998/1: 29; 2: 26"),
    ("FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", START, "9: 2 15; 10: 2 15; 11: 2 15; 12: 2 15; 1998/1: 2 15"),
    (
        "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
        datetime(1997, 9, 30, 9),
        "9: 30; 10: 1 31; 11: 1 30; 12: 1 31; 1998/1: 1 31; 2: 1",
    ),
    (
        "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
        datetime(1997, 9, 10, 9),
        "9: 10 11 12 13 14 15; 1999/3: 10 11 12 13",
    ),
    (
        "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
        START,
        "9: 2 9 16 23 30; 11: 4 11 18 25; 1998/1: 6 13 20 27; 3: 3 10 17 24 31",
    ),
    (
        "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
        datetime(1997, 6, 10, 9),
        "6: 10; 7: 10; 1998/6: 10; 7: 10; 1999/6: 10; 7: 10",
    ),
    (
        "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
        datetime(1997, 3, 10, 9),
        "3: 10; 1999/1: 10; 2: 10; 3: 10; 2001/1: 10",
    ),
    (
        "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
        datetime(1997, 1, 1, 9),
        "1: 1; 4: 10; 7: 19; 2000/1: 1; 4: 9; 7: 18; 2003/1: 1; 4: 10; 7: 19; 2006/1: 1",
    ),
    ("FREQ=YEARLY;BYDAY=20MO", datetime(1997, 5, 19, 9), "5: 19; 1998/5: 18; 1999/5: 17"),
    ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", datetime(1997, 5, 12, 9), "5: 12; 1998/5: 11; 1999/5: 17"),
    ("FREQ=YEARLY;BYMONTH=3;BYDAY=TH", datetime(1997, 3, 13, 9), "3: 13 20 27; 1998/3: 5 12 19 26; 1999/3: 4 11 18 25"),
    (
        "FREQ=YEARLY;BYMONTH=6,7,8;BYDAY=TH",
        datetime(1997, 6, 5, 9),
        "6: 5 12 19 26; 7: 3 10 17 24 31; 8: 7 14 21 28; 1998/6: 4 11",
    ),
    ("FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", START, "1998/2: 13; 3: 13; 11: 13; 1999/8: 13; 2000/10: 13"),
    (
        "FREQ=MONTHLY;BYMONTHDAY=7,8,9,10,11,12,13;BYDAY=SA",
        datetime(1997, 9, 13, 9),
        "9: 13; 10: 11; 11: 8; 12: 13; 1998/1: 10; 2: 7; 3: 7; 4: 11; 5: 9; 6: 13",
    ),
    (
        "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYMONTHDAY=2,3,4,5,6,7,8;BYDAY=TU",
        datetime(1996, 11, 5, 9),
        "1996/11: 5; 2000/11: 7; 2004/11: 2",
    ),
    ("FREQ=MONTHLY;COUNT=3;BYSETPOS=3;BYDAY=TU,WE,TH", datetime(1997, 9, 4, 9), "9: 4; 10: 7; 11: 6"),
    (
        "FREQ=MONTHLY;BYSETPOS=-2;BYDAY=MO,TU,WE,TH,FR",
        datetime(1997, 9, 29, 9),
        "9: 29; 10: 30; 11: 27; 12: 30; 1998/1: 29",
    ),
    ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", datetime(1997, 8, 5, 9), "8: 5 10 19 24"),
    ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", datetime(1997, 8, 5, 9), "8: 5 17 19 31"),
    ("FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", datetime(2007, 1, 15, 9), "2007/1: 15 30; 2: 15; 3: 15 30"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "start", "expected"), EXAMPLES)
def test_rule_has_the_dates_of_the_rfc(text, start, expected):
    found = list(islice(Rule.parse(text).occurrences(start, LAST, NEW_YORK), len(dates(expected))))

    assert found == dates(expected)


@pytest.mark.parametrize(("text", "start", "expected"), EXAMPLES)
def test_rule_is_the_same_after_it_is_written(text, start, expected):
    rule = Rule.parse(text)

    assert Rule.parse(str(rule)) == rule


@pytest.mark.parametrize(
    "text",
    [
        "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z",
        "FREQ=MINUTELY;INTERVAL=15;COUNT=6",
        "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
        "",
        "FREQ",
        "COUNT=3",
        "FREQ=WEEKLY;FREQ=DAILY",
        "FREQ=WEEKLY;COUNT=0",
        "FREQ=WEEKLY;INTERVAL=1001",
        "FREQ=WEEKLY;BYDAY=1MO",
        "FREQ=WEEKLY;BYMONTHDAY=3",
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=MONTHLY;BYMONTHDAY=32",
        "FREQ=MONTHLY;BYMONTHDAY=0",
        "FREQ=YEARLY;BYMONTH=-1",
        "FREQ=YEARLY;BYWEEKNO=20;BYDAY=2MO",
        "FREQ=MONTHLY;BYSETPOS=1",
        "FREQ=MONTHLY;BYEASTER=1",
        "FREQ=WEEKLY;WKST=",
        "FREQ=WEEKLY;WKST=1",
        "FREQ=WEEKLY;UNTIL=20270231",
        "FREQ=WEEKLY;UNTIL=99999999T999999Z",
        "FREQ=WEEKLY;COUNT=٣",
        "FREQ=WEEKLY;BYDAY=" + ",".join(["MO"] * 200),
    ],
)
def test_rule_that_is_not_supported_is_refused(text):
    with pytest.raises(InvalidRule):
        Rule.parse(text)


@pytest.mark.parametrize(
    ("until", "last"),
    [
        ("20270330", "2027-03-30 23:30:00"),
        ("20270330T233000", "2027-03-30 23:30:00"),
        # Midnight in New York is 04:00 in UTC, in summer.
        ("20270331T033000Z", "2027-03-30 23:30:00"),
        ("20270331T032959Z", "2027-03-29 23:30:00"),
    ],
)
def test_until_is_a_day_a_local_time_or_a_moment(until, last):
    rule = Rule.parse(f"FREQ=DAILY;UNTIL={until}")

    *_others, found = rule.occurrences(datetime(2027, 3, 20, 23, 30), datetime(2028, 1, 1), NEW_YORK)

    assert str(found) == last


def test_rule_that_never_matches_ends_at_once():
    for text in ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;INTERVAL=7;BYDAY=SU"):
        assert not list(Rule.parse(text).occurrences(datetime(2027, 3, 1), datetime(2029, 3, 1), NEW_YORK))


DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


@st.composite
def rules(draw):
    """A rule with parts of every kind."""
    frequency = draw(st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]))
    parts = [f"FREQ={frequency}", f"INTERVAL={draw(st.integers(1, 4))}", f"WKST={draw(st.sampled_from(DAYS))}"]
    days = draw(st.lists(st.sampled_from(DAYS), max_size=3, unique=True))
    if days and frequency in ("MONTHLY", "YEARLY") and draw(st.booleans()):
        days = [f"{draw(st.sampled_from([-2, -1, 1, 2, 4]))}{day}" for day in days]
    if days:
        parts.append(f"BYDAY={','.join(days)}")
    if draw(st.booleans()):
        parts.append(f"BYMONTH={','.join(map(str, draw(st.lists(st.integers(1, 12), min_size=1, max_size=4))))}")
    # Without days that few months have: dateutil looks for impossible dates until the year 9999.
    if frequency != "WEEKLY" and all(len(day) == 2 for day in days) and draw(st.booleans()):
        numbers = st.integers(-28, 28).filter(bool)
        parts.append(f"BYMONTHDAY={','.join(map(str, draw(st.lists(numbers, min_size=1, max_size=4))))}")
    if draw(st.booleans()):
        parts.append(f"COUNT={draw(st.integers(1, 40))}")
    return ";".join(parts)


@settings(deadline=None, max_examples=150)
@given(text=rules(), start=st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)))
def test_rule_has_the_dates_of_dateutil(text, start):
    start = start.replace(microsecond=0)
    last = start + timedelta(days=1500)

    expected = rrulestr(text, dtstart=start).between(start, last, inc=True)

    assert list(Rule.parse(text).occurrences(start, last, NEW_YORK)) == expected
