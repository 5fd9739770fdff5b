"""Parses the dates that clients send.

A date consists of the forms in `FORMS`, such as a day, a time and a time zone, in any order. Each form has the meaning
that it has for PHP's date parser, because clients of the contract rely on it. Decision record 0035 lists the
exceptions.
"""

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from calendar_site.core import clock
from calendar_site.core.dates import Zone, parse_zone, resolve_local

_MAX_DATE_LENGTH = 100
_FIRST_YEAR, _LAST_YEAR = 1000, 9998  # one year of margin, so that no conversion leaves the range of datetime
_FIRST_DAY, _LAST_DAY = date(_FIRST_YEAR, 1, 1).toordinal(), date(_LAST_YEAR, 12, 31).toordinal()
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_SECONDS = 24 * 60 * 60
_WEEK_DAYS = 7


class DateOutOfRange(ValueError):
    """A date before the first year or after the last."""

    def __init__(self, *, is_past: bool) -> None:
        years = {"first": _FIRST_YEAR, "last": _LAST_YEAR}
        super().__init__(_("The year must be between %(first)s and %(last)s.") % years)
        self.is_past = is_past


def parse_wire_date(text: str, zone: Zone, now: datetime | None = None) -> datetime:
    """Parse a date into an aware datetime in `zone`, without fractions of a second.

    Relative dates count from `now` in `zone`. A text with an offset or zone of its own keeps its instant. A local time
    that does not exist moves forward by the length of the gap; of an ambiguous one the first is meant. Raises
    ValueError with a message for the client, and DateOutOfRange for a year that cannot be stored.
    """
    if len(text) > _MAX_DATE_LENGTH:
        raise ValueError(_("A date can have at most %(limit)s characters.") % {"limit": _MAX_DATE_LENGTH})
    clean = " ".join(text.lower().split())
    if not clean:
        raise ValueError(_("The date cannot be empty."))
    result = _resolve(_scan(clean), now, zone.tz).astimezone(zone.tz)
    _check_day(result.toordinal())
    return result


def parse_date_bound(text: str, zone: Zone) -> datetime:
    """Parse a date like `parse_wire_date`, but return the first or last possible moment for one that is out of range.

    Clients use dates such as 9999-12-31 for "no end".
    """
    try:
        return parse_wire_date(text, zone)
    except DateOutOfRange as error:
        local = datetime(_FIRST_YEAR, 1, 1) if error.is_past else datetime(_LAST_YEAR, 12, 31, 23, 59, 59)
        return resolve_local(local, zone.tz)


# --- Values --------------------------------------------------------------------------------------


class _Date(NamedTuple):
    """A day; a month if `day` is None; without a year, the present one."""

    year: int | None
    month: int
    day: int | None


class _Clock(NamedTuple):
    """The time since midnight in seconds, and the UTC offset behind it."""

    seconds: int
    offset: tzinfo | None


class _Weekday(NamedTuple):
    """A weekday (Monday is 0): the next one (1), the last one (-1), or one that may be today (0 or None)."""

    number: int
    nth: int | None


class _DayOfMonth(NamedTuple):
    """The first day (1) or the last day (-1) of a month, or of all its days with this weekday, up to the fifth."""

    nth: int
    weekday: int | None


class _Units(NamedTuple):
    """A duration. Days and months are of the calendar, seconds are elapsed time."""

    months: int = 0
    days: int = 0
    seconds: int = 0

    def plus(self, number: int, unit: "_Units") -> "_Units":
        return _Units(
            self.months + number * unit.months,
            self.days + number * unit.days,
            self.seconds + number * unit.seconds,
        )


class _Step(NamedTuple):
    """The unit before or after the present one. A week begins on Monday."""

    nth: int
    unit: str

    @property
    def is_week(self) -> bool:
        return self.unit == "week"


@dataclass(frozen=True)
class _Parts:
    """The parts of a parsed text, named as in `DateForm.sets`."""

    date: _Date | None = None
    time: _Clock | None = None
    zone: tzinfo | None = None
    instant: datetime | None = None
    now: bool | None = None
    named_day: int | None = None
    weekday: _Weekday | None = None
    day_of_month: _DayOfMonth | None = None
    units: _Units | None = None
    step: _Step | None = None

    def names(self) -> set[str]:
        return {name for name, value in vars(self).items() if value is not None}


# --- Forms ---------------------------------------------------------------------------------------

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
_UNITS = {
    "year": _Units(months=12),
    "month": _Units(months=1),
    "week": _Units(days=_WEEK_DAYS),
    "day": _Units(days=1),
    "hour": _Units(seconds=3600),
    "minute": _Units(seconds=60),
    "min": _Units(seconds=60),
    "second": _Units(seconds=1),
    "sec": _Units(seconds=1),
}
_UNIT_NAMES = "|".join(_UNITS)
_UNIT = f"(?P<unit>{_UNIT_NAMES})"
_COUNTED_UNIT = rf"(?P<sign>[+-]?) ?(?P<number>\d{{1,9}}) ?{_UNIT}s?"
# A group has one name in a pattern, so the repetition has none.
_NAMELESS_UNIT = re.sub(r"\?P<\w+>", "?:", _COUNTED_UNIT)
# Not the number of a unit: "10:30 +2 days".
_OFFSET = rf"(?P<offset>z|(?:utc|gmt)?[+-]\d{{1,2}}(?::?\d\d)?(?! ?(?:{_UNIT_NAMES})))"
# The abbreviations of RFC 2822. Others have several meanings.
_ZONE_HOURS = {"ut": 0, "edt": -4, "est": -5, "cdt": -5, "cst": -6, "mdt": -6, "mst": -7, "pdt": -7, "pst": -8}


def _read_date(match: re.Match[str]) -> _Date:
    groups = match.groupdict()
    name, year, day = groups["month"], groups.get("year"), groups.get("day")
    month = int(name) if name.isdigit() else _MONTHS.index(name[:3]) + 1
    if not 1 <= month <= 12:
        raise _not_a_date()
    return _Date(int(year) if year else None, month, int(day) if day else None)


def _read_day_of_year(match: re.Match[str]) -> _Date:
    year = int(match["year"])
    _check_year(year)
    day = date(year, 1, 1) + timedelta(days=int(match["number"]) - 1)
    if day.year != year:
        raise _no_such_day(match[0])
    return _Date(day.year, day.month, day.day)


def _read_week(match: re.Match[str]) -> _Date:
    year = int(match["year"])
    _check_year(year)
    try:
        day = date.fromisocalendar(year, int(match["week"]), int(match["number"] or 1))
    except ValueError:
        raise _no_such_day(match[0]) from None
    return _Date(day.year, day.month, day.day)


def _read_time(match: re.Match[str]) -> _Clock:
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            raise ValueError(_("With am or pm, the hour must be between 1 and 12."))
        hour = hour % 12 + (12 if match["half"] == "p" else 0)
    return _clock(match, hour)


def _read_compact_time(match: re.Match[str]) -> _Clock:
    return _clock(match, int(match["hour"]))


def _clock(match: re.Match[str], hour: int) -> _Clock:
    minute, second = int(match["minute"] or 0), int(match["second"] or 0)
    seconds = hour * 3600 + minute * 60 + second
    if minute > 59 or second > 59 or seconds > _DAY_SECONDS:
        raise ValueError(_("%(time)s is not a valid time.") % {"time": f"{hour:02}:{minute:02}:{second:02}"})
    return _Clock(seconds, _zone_named(match["offset"]) if match["offset"] else None)


def _read_named_time(match: re.Match[str]) -> _Clock:
    return _Clock(12 * 3600 if match[0] == "noon" else 0, None)


def _read_weekday(match: re.Match[str]) -> _Weekday:
    return _Weekday(_weekday_number(match), _NTH_WORDS[match["nth"]] if match["nth"] else None)


def _read_day_of_month(match: re.Match[str]) -> _DayOfMonth:
    return _DayOfMonth(_NTH_WORDS[match["nth"]], _weekday_number(match) if match["weekday"] else None)


def _weekday_number(match: re.Match[str]) -> int:
    return _WEEKDAYS.index(match["weekday"][:3])


def _read_units(match: re.Match[str]) -> _Units:
    units = _Units()
    for counted in re.finditer(_COUNTED_UNIT, match[0]):
        is_negative = (counted["sign"] == "-") != bool(match["ago"])
        number = int(counted["number"])
        units = units.plus(-number if is_negative else number, _UNITS[counted["unit"]])
    return units


def _read_instant(match: re.Match[str]) -> datetime:
    return _from_unix(int(match["at"] or match["digits"]))


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
        raise _not_a_date() from None


def _zone_named(name: str) -> tzinfo:
    return parse_zone(name.removeprefix("gmt") if name.startswith(("gmt+", "gmt-")) else name).tz


class DateForm(NamedTuple):
    """A form that a part of a date can have.

    `sets` is the part, in the names of `_Parts`, which a text can contain once. `examples` are complete dates with this
    form, and `meaning` describes it; both are in the documentation.
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
        lambda match: _Step(_NTH_WORDS[match["nth"]], match["unit"]),
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
# In the error message for other texts: complete dates that are among the examples.
SHOWN_EXAMPLES = ("2027-03-10", "10 March 2027", "tomorrow 9am")


# --- Scanning ------------------------------------------------------------------------------------

_SEPARATOR = re.compile(r"(?:,? |t(?=\d))?", re.ASCII)
# A text has one of these parts, or two that belong together.
_DAYS = {"date", "now", "named_day", "weekday", "day_of_month"}
_DAY_PAIRS = ({"date", "weekday"}, {"date", "day_of_month"})
# A text of only these keeps the present time.
_FROM_NOW = {"now", "units", "step", "zone"}


@lru_cache(maxsize=256)
def _scan(text: str) -> _Parts:
    """Return the parts of a text. Kept, because most requests contain the same few texts."""
    found: dict[str, Any] = {}
    position = 0
    while position < len(text):
        form, match = _form_at(text, position)
        if form.sets in found:
            raise _not_a_date()
        found[form.sets] = form.read(match)
        separator = _SEPARATOR.match(text, match.end())
        position = separator.end() if separator else match.end()
    parts = _Parts(**found)
    _check_parts(parts)
    return parts


def _form_at(text: str, position: int) -> tuple[DateForm, re.Match[str]]:
    for form in FORMS:
        if match := form.pattern.match(text, position):
            return form, match
    raise _not_a_date()


def _check_parts(parts: _Parts) -> None:
    """Raise ValueError for parts that do not belong together, such as two days."""
    names = parts.names()
    if parts.zone and parts.time and parts.time.offset:
        raise ValueError(_("A date can have either a UTC offset or a time zone, not both."))
    days = names & _DAYS
    is_invalid = (
        names == {"zone"}
        or ("instant" in names and names != {"instant"})
        or (len(days) > 1 and days not in _DAY_PAIRS)
        or not _has_valid_month(parts)
        or not _has_valid_step(parts, days)
    )
    if is_invalid:
        raise _not_a_date()


def _has_valid_month(parts: _Parts) -> bool:
    """Return whether a month belongs to a day of the month, or else has a year and no weekday."""
    if parts.date is None:
        return True
    if parts.day_of_month:
        return parts.date.day is None
    if parts.date.day is None:
        return parts.date.year is not None and parts.weekday is None
    return parts.weekday is None or parts.weekday.nth is None


def _has_valid_step(parts: _Parts, days: set[str]) -> bool:
    """Return whether "this week" follows a weekday alone, and "next month" does not follow a weekday."""
    if parts.step is None:
        return True
    if parts.step.is_week:
        return not days or (days == {"weekday"} and parts.weekday is not None and parts.weekday.nth is None)
    return "weekday" not in days


# --- Resolving -----------------------------------------------------------------------------------


def _resolve(parts: _Parts, now: datetime | None, tz: tzinfo) -> datetime:
    """Return the moment of the parts, in any time zone."""
    if parts.instant:
        return parts.instant
    tz = (parts.time and parts.time.offset) or parts.zone or tz
    local = (now or _present(parts, tz)).replace(microsecond=0).astimezone(tz)
    units = _sum_units(parts)
    day, seconds = _local_day(parts, local.date(), units), _seconds_of_day(parts, local)
    # 24:00 is the midnight at the end of the day.
    day, seconds = day + seconds // _DAY_SECONDS, seconds % _DAY_SECONDS
    _check_day(day)
    moment = datetime.combine(date.fromordinal(day), time()) + timedelta(seconds=seconds)
    # The present keeps its instant, also if its local time is the second of two.
    if moment != local.replace(tzinfo=None) or not parts.names() <= _FROM_NOW:
        local = resolve_local(moment, tz)
    return _from_unix(int(local.timestamp()) + units.seconds) if units.seconds else local


def _present(parts: _Parts, tz: tzinfo) -> datetime:
    """Return the present as exactly as the text needs it, so that responses with other dates can be stored."""
    if parts.date and parts.date.year is not None:
        return _EPOCH
    if _keeps_present_time(parts):
        return clock.now()
    return resolve_local(datetime.combine(clock.today(tz), time()), tz)


def _sum_units(parts: _Parts) -> _Units:
    units = parts.units or _Units()
    return units.plus(parts.step.nth, _UNITS[parts.step.unit]) if parts.step else units


def _seconds_of_day(parts: _Parts, local: datetime) -> int:
    """Return the time of the text; 00:00 for a day without a time, and the present time for other texts."""
    if parts.time:
        return parts.time.seconds
    return local.hour * 3600 + local.minute * 60 + local.second if _keeps_present_time(parts) else 0


def _keeps_present_time(parts: _Parts) -> bool:
    names_a_day = parts.date or parts.weekday or parts.named_day is not None
    names_a_weekday_of_month = parts.day_of_month and parts.day_of_month.weekday is not None
    return not (parts.time or names_a_day or names_a_weekday_of_month)


def _local_day(parts: _Parts, today: date, units: _Units) -> int:
    """Return the number of the day, which may be outside the range of `date`."""
    year, month, day = parts.date or (None, today.month, today.day)
    year = today.year if year is None else year
    if parts.day_of_month:
        year, month = _add_months(year, month, units.months)
        return _find_day(parts.day_of_month, year, month) + units.days
    day = 1 if day is None else day
    if parts.date:
        _check_date(year, month, day, parts.weekday)
    elif parts.weekday or (parts.step and parts.step.is_week):
        today = date.fromordinal(_find_weekday(parts, today))
        year, month, day = today.year, today.month, today.day
    year, month = _add_months(year, month, units.months)
    # Added to the first day of the month: 31 January + 1 month is 3 March, as in PHP.
    return date(year, month, 1).toordinal() + day - 1 + (parts.named_day or 0) + units.days


def _find_weekday(parts: _Parts, today: date) -> int:
    week_start = today.toordinal() - today.weekday()
    if parts.step and parts.step.is_week:
        return week_start + (parts.weekday.number if parts.weekday else 0)
    number, nth = parts.weekday or (0, None)
    days = (number - today.weekday()) % _WEEK_DAYS
    if not nth:
        return today.toordinal() + days
    if nth < 0:
        return today.toordinal() + days - _WEEK_DAYS
    return today.toordinal() + (days or _WEEK_DAYS) + (nth - 1) * _WEEK_DAYS


def _find_day(wanted: _DayOfMonth, year: int, month: int) -> int:
    weekday, length = calendar.monthrange(year, month)
    first = date(year, month, 1).toordinal()
    last = first + length - 1
    if wanted.weekday is None:
        return first if wanted.nth > 0 else last
    if wanted.nth < 0:
        return last - (weekday + length - 1 - wanted.weekday) % _WEEK_DAYS
    day = first + (wanted.weekday - weekday) % _WEEK_DAYS + (wanted.nth - 1) * _WEEK_DAYS
    if day > last:
        raise ValueError(_("The month does not have five of these weekdays."))
    return day


def _add_months(year: int, month: int, count: int) -> tuple[int, int]:
    months = year * 12 + month - 1 + count
    year, month = months // 12, months % 12 + 1
    _check_year(year)
    return year, month


def _check_date(year: int, month: int, day: int, weekday: _Weekday | None) -> None:
    _check_year(year)
    name = f"{year:04}-{month:02}-{day:02}"
    if not 1 <= day <= calendar.monthrange(year, month)[1]:
        raise _no_such_day(name)
    if weekday and weekday.number != date(year, month, day).weekday():
        raise ValueError(_("The weekday does not match the date %(day)s.") % {"day": name})


def _from_unix(seconds: int) -> datetime:
    days = seconds // _DAY_SECONDS + _EPOCH.toordinal()
    # A time zone may move the moment to a day that is in the range.
    if not _FIRST_DAY - 1 <= days <= _LAST_DAY + 1:
        raise DateOutOfRange(is_past=days < _FIRST_DAY)
    return _EPOCH + timedelta(seconds=seconds)


def _check_day(ordinal: int) -> None:
    if not _FIRST_DAY <= ordinal <= _LAST_DAY:
        raise DateOutOfRange(is_past=ordinal < _FIRST_DAY)


def _check_year(year: int) -> None:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        raise DateOutOfRange(is_past=year < _FIRST_YEAR)


def _not_a_date() -> ValueError:
    first, second, third = SHOWN_EXAMPLES
    examples = {"first": first, "second": second, "third": third}
    return ValueError(_("Not a valid date. Use a format such as %(first)s, %(second)s or %(third)s.") % examples)


def _no_such_day(name: str) -> ValueError:
    return ValueError(_("%(day)s is not a valid date.") % {"day": name.upper()})
