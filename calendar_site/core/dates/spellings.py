"""The forms that a part of a date can have.

Each form has the meaning that it has for PHP's date parser, because clients of the contract rely on it. Decision record
0035 lists the exceptions.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone, tzinfo
from typing import NamedTuple

from django.utils.translation import gettext as _

from calendar_site.core.dates.conversion import parse_zone
from calendar_site.core.dates.parts import (
    DAY_SECONDS,
    WEEK_DAYS,
    CalendarDate,
    DayOfMonth,
    Step,
    TimeOfDay,
    Units,
    Weekday,
    check_year,
    from_unix,
)

# In the error message for other texts: complete dates that are among the examples.
SHOWN_EXAMPLES = ("2027-03-10", "10 March 2027", "tomorrow 9am")

_YEAR, _DAY, _NTH_DAY = r"(?P<year>\d{4})", r"(?P<day>\d{1,2})", r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_MONTH_NUMBER = r"(?P<month>\d{1,2})"
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_WEEKDAY = (
    r"(?P<weekday>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?)"
)
_WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_NAMED_DAYS = {"today": 0, "tomorrow": 1, "yesterday": -1}
_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
}
_DIRECTIONS = {"next": 1, "last": -1, "previous": -1, "this": 0}
_NTH_WORDS = _ORDINALS | _DIRECTIONS
_NTH = f"(?P<nth>{'|'.join(_NTH_WORDS)})"
UNITS = {
    "year": Units(months=12),
    "month": Units(months=1),
    "week": Units(days=WEEK_DAYS),
    "day": Units(days=1),
    "hour": Units(seconds=3600),
    "minute": Units(seconds=60),
    "min": Units(seconds=60),
    "second": Units(seconds=1),
    "sec": Units(seconds=1),
}
_UNIT_NAMES = "|".join(UNITS)
_UNIT = f"(?P<unit>{_UNIT_NAMES})"
_COUNTED_UNIT = rf"(?P<sign>[+-]?) ?(?P<number>\d{{1,9}}) ?{_UNIT}s?"
# A group has one name in a pattern, so the repetition has none.
_NAMELESS_UNIT = re.sub(r"\?P<\w+>", "?:", _COUNTED_UNIT)
# Not the number of a unit: "10:30 +2 days".
_OFFSET = rf"(?P<offset>z|(?:utc|gmt)?[+-]\d{{1,2}}(?::?\d\d)?(?! ?(?:{_UNIT_NAMES})))"
# The abbreviations of RFC 2822. Others have several meanings.
_ZONE_HOURS = {"ut": 0, "edt": -4, "est": -5, "cdt": -5, "cst": -6, "mdt": -6, "mst": -7, "pdt": -7, "pst": -8}


def _read_date(match: re.Match[str]) -> CalendarDate:
    groups = match.groupdict()
    name, year, day = groups["month"], groups.get("year"), groups.get("day")
    month = int(name) if name.isdigit() else _MONTHS.index(name[:3]) + 1
    if not 1 <= month <= 12:
        raise invalid_date_error()
    return CalendarDate(int(year) if year else None, month, int(day) if day else None)


def _read_day_of_year(match: re.Match[str]) -> CalendarDate:
    year = int(match["year"])
    check_year(year)
    day = date(year, 1, 1) + timedelta(days=int(match["number"]) - 1)
    if day.year != year:
        raise missing_day_error(match[0])
    return CalendarDate(day.year, day.month, day.day)


def _read_week(match: re.Match[str]) -> CalendarDate:
    year = int(match["year"])
    check_year(year)
    try:
        day = date.fromisocalendar(year, int(match["week"]), int(match["number"] or 1))
    except ValueError:
        raise missing_day_error(match[0]) from None
    return CalendarDate(day.year, day.month, day.day)


def _read_time(match: re.Match[str]) -> TimeOfDay:
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            raise ValueError(_("With am or pm, the hour must be between 1 and 12."))
        hour = hour % 12 + (12 if match["half"] == "p" else 0)
    return _time_of_day(match, hour)


def _read_compact_time(match: re.Match[str]) -> TimeOfDay:
    return _time_of_day(match, int(match["hour"]))


def _time_of_day(match: re.Match[str], hour: int) -> TimeOfDay:
    minute, second = int(match["minute"] or 0), int(match["second"] or 0)
    seconds = hour * 3600 + minute * 60 + second
    if minute > 59 or second > 59 or seconds > DAY_SECONDS:
        raise ValueError(_("%(time)s is not a valid time.") % {"time": f"{hour:02}:{minute:02}:{second:02}"})
    return TimeOfDay(seconds, _zone_named(match["offset"]) if match["offset"] else None)


def _read_named_time(match: re.Match[str]) -> TimeOfDay:
    return TimeOfDay(12 * 3600 if match[0] == "noon" else 0, None)


def _read_weekday(match: re.Match[str]) -> Weekday:
    return Weekday(_weekday_number(match), _NTH_WORDS[match["nth"]] if match["nth"] else None)


def _read_day_of_month(match: re.Match[str]) -> DayOfMonth:
    return DayOfMonth(_NTH_WORDS[match["nth"]], _weekday_number(match) if match["weekday"] else None)


def _weekday_number(match: re.Match[str]) -> int:
    return _WEEKDAYS.index(match["weekday"][:3])


def _read_units(match: re.Match[str]) -> Units:
    units = Units()
    for counted in re.finditer(_COUNTED_UNIT, match[0]):
        is_negative = (counted["sign"] == "-") != bool(match["ago"])
        number = int(counted["number"])
        units = units.plus(-number if is_negative else number, UNITS[counted["unit"]])
    return units


def _read_instant(match: re.Match[str]) -> datetime:
    return from_unix(int(match["at"] or match["digits"]))


def _read_zone(match: re.Match[str]) -> tzinfo:
    name = match[0]
    if name in _ZONE_HOURS:
        return timezone(timedelta(hours=_ZONE_HOURS[name]))
    try:
        return _zone_named(name)
    except ValueError:
        # The end of a zone name that is misspelt, or any other word.
        if "/" in name:
            raise
        raise invalid_date_error() from None


def _zone_named(name: str) -> tzinfo:
    return parse_zone(name.removeprefix("gmt") if name.startswith(("gmt+", "gmt-")) else name).tz


class DateForm(NamedTuple):
    """A form that a part of a date can have.

    `sets` is the part, in the names of `DateParts`, which a text can contain once. `examples` are complete dates with
    this form, and `meaning` describes it; both are in the documentation.
    """

    sets: str
    examples: tuple[str, ...]
    meaning: str
    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], object]


def _form(sets: str, examples: str, meaning: str, pattern: str, read: Callable[[re.Match[str]], object]) -> DateForm:
    # A form ends before a space, with or without a comma, or before the T of ISO 8601.
    ending = r"(?=,? |(?<=\d)t\d|$)"
    return DateForm(sets, tuple(examples.split("; ")), meaning, re.compile(f"(?:{pattern}){ending}", re.ASCII), read)


# The first form that matches at a place in the text is used, so "last monday of" comes before "last monday".
FORMS = [
    _form(
        "date",
        "2027-03-10; 2027/03/10; 2027-3-10",
        "A day, as in ISO 8601.",
        rf"{_YEAR}(?P<dash>[-/]){_MONTH_NUMBER}(?P=dash){_DAY}",
        _read_date,
    ),
    _form(
        "date",
        "03/10/2027; 3/10/2027",
        "A day. With slashes, the month comes first.",
        rf"{_MONTH_NUMBER}/{_DAY}/{_YEAR}",
        _read_date,
    ),
    _form(
        "date",
        "10.03.2027; 10-03-2027",
        "A day. With dots or dashes, the day comes first.",
        rf"{_DAY}(?P<dot>[.-]){_MONTH_NUMBER}(?P=dot){_YEAR}",
        _read_date,
    ),
    _form("date", "20270310", "A day.", rf"{_YEAR}(?P<month>\d\d)(?P<day>\d\d)", _read_date),
    _form("date", "2027-069", "A day of a year.", rf"{_YEAR}-(?P<number>\d{{3}})", _read_day_of_year),
    _form(
        "date",
        "2027-W10; 2027-W10-3",
        "The Monday of a week of ISO 8601, or another day of it.",
        rf"{_YEAR}-?w(?P<week>\d\d)(?:-?(?P<number>[1-7]))?",
        _read_week,
    ),
    _form("date", "2027-03", "The first day of a month.", rf"{_YEAR}-{_MONTH_NUMBER}", _read_date),
    _form(
        "date",
        "March 10, 2027; Mar 10 2027; Wednesday, March 10, 2027",
        "A day. Its weekday may be added, and must be correct.",
        rf"{_MONTH} {_NTH_DAY}(?:, ?| ){_YEAR}",
        _read_date,
    ),
    _form(
        "date",
        "10 March 2027; 10th Mar 2027; 10-Mar-2027",
        "A day.",
        rf"{_NTH_DAY}[ -]{_MONTH},?[ -]{_YEAR}",
        _read_date,
    ),
    _form("date", "March 2027; Mar 2027", "The first day of a month.", rf"{_MONTH},? {_YEAR}", _read_date),
    _form("date", "Dec 1; December 1st", "A day of this year.", rf"{_MONTH} {_NTH_DAY}", _read_date),
    _form("date", "1 Dec; 1st December", "A day of this year.", rf"{_NTH_DAY} {_MONTH}", _read_date),
    _form(
        "day_of_month",
        "first day of next month; last day of March 2027; last day of February",
        "The first or last day of a month.",
        r"(?P<nth>first|last) day of(?P<weekday>)",
        _read_day_of_month,
    ),
    _form(
        "day_of_month",
        "first Monday of March 2027; last Friday of next month; third Tuesday of June",
        "A weekday in a month, from `first` to `fifth`, or `last`.",
        rf"(?P<nth>first|second|third|fourth|fifth|last) {_WEEKDAY} of",
        _read_day_of_month,
    ),
    # Only after a day of the month.
    _form("date", "first Monday of March; last day of Feb", "After `of`, a month of this year.", _MONTH, _read_date),
    _form("named_day", "today; tomorrow 9am; yesterday", "A day.", "|".join(_NAMED_DAYS), lambda m: _NAMED_DAYS[m[0]]),
    _form(
        "weekday",
        "Monday; next Wednesday 4pm; last Fri; Saturday this week",
        "The next day with this name, which may be today. `next` and `last` exclude today, and `third` is the third "
        "after today.",
        rf"(?:{_NTH} )?{_WEEKDAY}",
        _read_weekday,
    ),
    _form(
        "step",
        "next month; last year; this week",
        "The same day and time in the next, last or this unit. A week means its Monday.",
        rf"{_NTH} {_UNIT}",
        lambda match: Step(_NTH_WORDS[match["nth"]], match["unit"]),
    ),
    _form(
        "time",
        "10:30; 2027-03-10 10:30:15; 2027-03-10T10:30:00Z; 10:30 +02:00; 2027-03-10 10:30:15.5",
        "A time of day, of today if there is no day. The UTC offset after it is optional, fractions are ignored.",
        rf"(?P<hour>\d{{1,2}}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?(?: ?(?P<half>[ap])\.?m\.?)?"
        rf"(?: ?{_OFFSET})?",
        _read_time,
    ),
    _form(
        "time",
        "8pm; 10:30 p.m.; 8 AM",
        "A time of day with `am` or `pm`.",
        rf"(?P<hour>\d{{1,2}})(?P<minute>)(?P<second>) ?(?P<half>[ap])\.?m\.?(?: ?{_OFFSET})?",
        _read_time,
    ),
    _form(
        "time",
        "20270310T103000; 20270310 1030; 2027-03-10T1030",
        "A time of day without colons, after `T` or a day without dashes.",
        r"(?:(?<=\dt)|(?<=\d{8} ))(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?(?:[.,]\d+)?"
        rf"(?: ?{_OFFSET})?",
        _read_compact_time,
    ),
    _form("time", "noon; tomorrow noon; midnight", "12:00 or 00:00.", "noon|midnight", _read_named_time),
    _form("now", "now; now +1 hour", "The present time.", "now", lambda match: True),
    _form(
        "units",
        "+5 days; -2 hours; +1 week 2 days; 3 days 1 hour; 2 weeks ago; 2027-03-10 10:30 +90 minutes",
        "Added to the rest of the date, or to the present time. Years, months, weeks and days keep the time of day; "
        "hours, minutes and seconds are elapsed time. `ago` reverses all signs.",
        rf"{_NAMELESS_UNIT}(?:,? {_NAMELESS_UNIT})*(?P<ago> ago)?",
        _read_units,
    ),
    _form(
        "instant",
        "@1804674600; @1804674600.5; 1804674600",
        "A Unix time. Without `@`, it needs more than eight digits. It cannot be combined with other forms.",
        r"@(?P<at>-?\d+)(?:\.\d+)?|(?P<digits>\d{9,})",
        _read_instant,
    ),
    _form(
        "zone",
        "2027-03-10 10:30 Europe/Rome; 2027-03-10 10:30 UTC+2; 8pm EST; 2027-03-10 Asia/Tokyo",
        "The time zone of the date: a name, a UTC offset, or an abbreviation of RFC 2822 such as `EST` or `GMT`.",
        r"[a-z][a-z0-9_+/:.-]*",
        _read_zone,
    ),
]


def invalid_date_error() -> ValueError:
    """Return the error of a text that contains something other than the forms."""
    first, second, third = SHOWN_EXAMPLES
    examples = {"first": first, "second": second, "third": third}
    return ValueError(_("Not a valid date. Use a format such as %(first)s, %(second)s or %(third)s.") % examples)


def missing_day_error(name: str) -> ValueError:
    """Return the error of a day that the calendar does not have."""
    return ValueError(_("%(day)s is not a valid date.") % {"day": name.upper()})
