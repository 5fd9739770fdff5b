"""Recurrence rules: the examples of RFC 5545, section 3.8.5.3, and any other rule, compared with dateutil."""

import re
import time
from datetime import UTC, datetime, timedelta
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


@pytest.mark.parametrize(
    ("text", "start"), [(text, start) for text, start, _expected in EXAMPLES if "COUNT" in text or "UNTIL" in text]
)
def test_rule_of_the_rfc_ends(text, start):
    rule = Rule.parse(text)
    endless = Rule.parse(re.sub(r";(COUNT|UNTIL)=\w+", "", text)).occurrences(start, LAST, NEW_YORK)
    if rule.count:
        expected = list(islice(endless, rule.count))
    else:
        until = datetime.strptime(rule.until, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        expected = [moment for moment in endless if moment.replace(tzinfo=NEW_YORK) <= until]

    assert list(rule.occurrences(start, LAST, NEW_YORK)) == expected
    assert rule.ends_by(start, LAST, NEW_YORK)
    assert not rule.ends_by(start, expected[-1] - timedelta(days=1), NEW_YORK)


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Without a part for the day, the weekday of the first occurrence counts.
        ("FREQ=YEARLY;BYWEEKNO=20", "1997/5: 12; 1998/5: 11; 1999/5: 17"),
        # Each part adds days: dateutil finds none.
        ("FREQ=MONTHLY;BYDAY=1FR,-1MO;COUNT=4", "5: 26; 6: 6 30; 7: 4"),
        ("FREQ=MONTHLY;BYDAY=1FR,MO;COUNT=6", "5: 12 19 26; 6: 2 6 9"),
        # Positions count from the begin of the week, also in the week of the first occurrence.
        ("FREQ=WEEKLY;BYDAY=SU,TU,TH;BYSETPOS=1;COUNT=3", "5: 13 20 27"),
        ("FREQ=WEEKLY;BYDAY=SU,TU,TH;BYSETPOS=1;WKST=SU;COUNT=3", "5: 18 25; 6: 1"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR;BYSETPOS=1,-1;COUNT=4", "5: 12 16 26 30"),
        # The last week of a year, which contains days of the next one.
        ("FREQ=YEARLY;BYWEEKNO=1;BYDAY=WE,TH", "1997/12: 31; 1998/1: 1; 1999/1: 6 7"),
        (
            "FREQ=YEARLY;BYWEEKNO=52;BYDAY=TU;WKST=TH;COUNT=5",
            "1997/12: 30; 1998/12: 29; 1999/12: 28; 2000/12: 26; 2002/1: 1",
        ),
        ("FREQ=YEARLY;BYWEEKNO=52,53;BYDAY=FR,SU;COUNT=6", "1997/12: 26 28; 1998/12: 25 27; 1999/1: 1 3"),
    ],
)
def test_rule_has_the_dates_of_its_conditions(text, expected):
    found = list(islice(Rule.parse(text).occurrences(datetime(1997, 5, 12, 9), LAST, NEW_YORK), 6))

    year, moments = 1997, []
    for group in expected.split("; "):
        month = group.split(":")[0]
        year = int(month.split("/")[0]) if "/" in month else year
        moments += dates(group, year)
    assert found[: len(moments)] == moments
    assert len(found) == len(moments) or "COUNT" not in text


IMPOSSIBLE = [
    "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2",
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=" + ",".join(map(str, range(8, 105))),
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1",
    "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-6",
    "FREQ=MONTHLY;BYMONTH=4,6;BYMONTHDAY=31",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=5;BYDAY=MO",
    "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=5",
    "FREQ=YEARLY;BYWEEKNO=1,2;BYSETPOS=4",
    "FREQ=YEARLY;BYYEARDAY=1;BYMONTH=2",
]


@pytest.mark.parametrize("text", ["FREQ=MONTHLY;BYDAY=1MO,53TU", "FREQ=YEARLY;BYMONTH=12;BYDAY=-6MO,-1MO"])
def test_weekday_that_no_month_has_is_refused_when_it_is_sent(text):
    with pytest.raises(InvalidRule, match="Not a valid recurrence rule: “BYDAY="):
        Rule.parse_sent(text)

    # It may be stored.
    assert list(islice(Rule.parse(text).occurrences(START, LAST, NEW_YORK), 3))


@pytest.mark.parametrize("text", IMPOSSIBLE)
def test_rule_that_never_matches_is_refused_when_it_is_sent(text):
    with pytest.raises(InvalidRule, match="No day ever matches"):
        Rule.parse_sent(text)


@pytest.mark.parametrize(
    "text",
    [
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU",
        "FREQ=MONTHLY;BYDAY=5MO;BYMONTH=2",
        "FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU",
        # On some weekdays only: that of the first occurrence.
        "FREQ=YEARLY;BYWEEKNO=1;BYMONTH=12",
        "FREQ=YEARLY;BYWEEKNO=14;BYMONTH=3",
        "FREQ=YEARLY;BYWEEKNO=1,2;BYSETPOS=2",
        "FREQ=YEARLY;BYYEARDAY=366;BYDAY=MO",
        "FREQ=YEARLY;BYDAY=-53FR",
        "FREQ=YEARLY;BYMONTH=2",
        "FREQ=YEARLY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=1;UNTIL=19990101",
    ],
)
def test_rule_that_matches_seldom_is_accepted(text):
    assert str(Rule.parse_sent(text))


# The others depend on the first occurrence.
@pytest.mark.parametrize(
    "text", [*IMPOSSIBLE, "FREQ=DAILY;INTERVAL=7;BYDAY=SU", "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31"]
)
def test_rule_without_a_match_takes_little_time(text):
    rule = Rule.parse(text)
    begin = time.process_time()

    assert not list(rule.occurrences(datetime(1927, 2, 7), datetime(2029, 2, 7), NEW_YORK))
    assert time.process_time() - begin < 0.5


DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


@st.composite
def rules(draw):
    """A rule with parts of every kind."""
    frequency = draw(st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]))
    parts = [f"FREQ={frequency}", f"INTERVAL={draw(st.integers(1, 4))}", f"WKST={draw(st.sampled_from(DAYS))}"]
    days = draw(st.lists(st.sampled_from(DAYS), max_size=3, unique=True))
    by = {}
    if days and frequency in ("MONTHLY", "YEARLY") and draw(st.booleans()):
        days = [f"{draw(st.sampled_from([-5, -2, -1, 1, 2, 4, 5]))}{day}" for day in days]
    elif days and frequency == "YEARLY" and draw(st.booleans()):
        # dateutil counts a week too many in some years, if the first day of the next year is in the last week.
        by["BYWEEKNO"] = draw(st.lists(st.integers(1, 51), min_size=1, max_size=4))
    if days:
        by["BYDAY"] = days
    if draw(st.booleans()):
        by["BYMONTH"] = draw(st.lists(st.integers(1, 12), min_size=1, max_size=4))
    if frequency != "WEEKLY" and draw(st.booleans()):
        by["BYMONTHDAY"] = draw(st.lists(st.integers(-31, 31).filter(bool), min_size=1, max_size=4))
    if frequency == "YEARLY" and draw(st.booleans()):
        by["BYYEARDAY"] = draw(st.lists(st.integers(-366, 366).filter(bool), min_size=1, max_size=30))
    if by and frequency in ("MONTHLY", "YEARLY") and draw(st.booleans()):
        by["BYSETPOS"] = draw(st.lists(st.integers(-7, 7).filter(bool), min_size=1, max_size=4))
    parts += [f"{name}={','.join(map(str, values))}" for name, values in by.items()]
    if draw(st.booleans()):
        parts.append(f"COUNT={draw(st.integers(1, 40))}")
    return ";".join(parts)


# The calendar is the same after 400 years. dateutil looks for rules without a match until the year 9999.
LATER = 19 * 400


def move(moment, years):
    return moment.replace(year=moment.year + years)


@settings(deadline=None, max_examples=150)
@given(text=rules(), start=st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)))
def test_rule_has_the_dates_of_dateutil(text, start):
    start = start.replace(microsecond=0)
    last = start + timedelta(days=1500)

    found = rrulestr(text, dtstart=move(start, LATER)).between(move(start, LATER), move(last, LATER), inc=True)

    rule = Rule.parse(text)
    assert list(rule.occurrences(start, last, NEW_YORK)) == [move(moment, -LATER) for moment in found]
    assert not rule.never_matches() or not found
