"""Dates and time zones: the only module that converts time zones, and parses and formats the dates of the API.

A wire date is `YYYY-MM-DD HH:MM:SS`; `parse_wire_date` also accepts the other formats of the contract.
The settings import this module, so it imports only the standard library and Django's translations.
"""

import calendar
import re
import zoneinfo
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

_MAX_DATE_LENGTH = 100
_MAX_ZONE_LENGTH = 64  # the length of the column that stores it
_FIRST_YEAR, _LAST_YEAR = 1000, 9998  # one year of margin, so that no conversion leaves the range of datetime
_NOT_A_DATE = gettext_lazy("Not a valid date. Use a format such as 2027-03-10 10:30:00.")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WIRE_LENGTH = len("2027-03-10 10:30:00")


# --- Zones ---------------------------------------------------------------------------------------


class Zone(NamedTuple):
    """A time zone and its canonical name."""

    name: str
    tz: tzinfo


_OFFSET = re.compile(r"(?:utc)?(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d)|\.(?P<part>\d{1,2}))?", re.ASCII)
_DECIMALS = {0: "", 15: ".25", 30: ".5", 45: ".75"}
_DECIMAL_MINUTES = {"0": 0, "00": 0, "25": 15, "5": 30, "50": 30, "75": 45}


@lru_cache(maxsize=1024)
def parse_zone(text: str) -> Zone:
    """Return the zone that `text` names, with its canonical name: `europe/rome` is `Europe/Rome`, `Z` is `UTC`.

    Offsets are fixed, without daylight saving time: `UTC+2`, `UTC+5.5`, `UTC+5:30`, `+02:00`, `-0530` (the contract,
    "Writing"). Raises ValueError for anything else, including "".
    """
    if len(text) <= _MAX_ZONE_LENGTH:
        name = text.strip().lower()
        if name in ("utc", "z"):
            return Zone("UTC", UTC)
        if offset := _OFFSET.fullmatch(name):
            return _fixed_zone(offset)
        if canonical := _zone_names().get(name):
            return Zone(canonical, zoneinfo.ZoneInfo(canonical))
    # Translated lazily: no language is active while the settings are read.
    raise ValueError(gettext_lazy("Not a valid time zone. Use a name such as Europe/Rome, UTC or UTC+2."))


def site_zone() -> Zone:
    """Return the zone of the site, the default for events, and the zone of publication dates."""
    from django.conf import settings  # here, because the settings import this module

    return parse_zone(settings.SITE_TIME_ZONE)


def zone_names() -> list[str]:
    """Return the names of zones to choose from: UTC and those of places."""
    names = _zone_names().values()
    return ["UTC", *sorted(name for name in names if "/" in name and not name.startswith("Etc/"))]


@lru_cache(maxsize=1)
def _zone_names() -> dict[str, str]:
    """Return canonical names by their lower-case spelling. Reads the zone database once."""
    names = zoneinfo.available_timezones() - {"localtime", "Factory"}
    return {name.lower(): name for name in names if not name.startswith(("posix/", "right/"))}


def _fixed_zone(offset: re.Match[str]) -> Zone:
    part = offset["part"]
    if part is not None and part not in _DECIMAL_MINUTES:
        raise ValueError(gettext_lazy("A decimal UTC offset must be in quarter hours: .25, .5 or .75."))
    minutes = _DECIMAL_MINUTES[part] if part else int(offset["minutes"] or 0)
    total = int(offset["hours"]) * 60 + minutes
    if offset["sign"] == "-":
        total = -total
    if minutes > 59 or not -12 * 60 <= total <= 14 * 60:
        raise ValueError(gettext_lazy("A UTC offset must be between UTC-12 and UTC+14."))
    hours, minutes = divmod(abs(total), 60)
    name = f"UTC{'-' if total < 0 else '+'}{hours}{_DECIMALS.get(minutes, f':{minutes:02}')}"
    return Zone(name, timezone(timedelta(minutes=total), name))


# --- Parsing -------------------------------------------------------------------------------------


def parse_wire_date(text: str, zone: Zone, now: datetime | None = None) -> datetime:
    """Parse a date into an aware datetime in `zone`, without fractions of a second.

    Accepts every format of the contract ("Dates"). Relative dates count from `now` in `zone`. A text with an offset or
    zone of its own keeps its instant. A local time that does not exist moves forward by the length of the gap; of an
    ambiguous one the first is meant. Raises ValueError with a message for the client.
    """
    if len(text) > _MAX_DATE_LENGTH:
        raise ValueError(_("A date can have at most %(limit)s characters.") % {"limit": _MAX_DATE_LENGTH})
    clean = " ".join(text.lower().split())
    if not clean:
        raise ValueError(_("The date cannot be empty."))
    present = (now or datetime.now(UTC)).replace(microsecond=0)
    try:
        moment = _parse_instant(clean, present) or _parse_local(clean, present, zone)
        result = moment.astimezone(zone.tz)
    except OverflowError:
        raise _out_of_range() from None
    _check_year(result.year)
    return result


def from_local(text: str, zone: Zone) -> datetime:
    """Return the moment of a local time (`YYYY-MM-DD HH:MM:SS`) in `zone`; see `parse_wire_date`."""
    return _resolve_local(datetime.fromisoformat(text), zone.tz)


def is_ambiguous(moment: datetime) -> bool:
    """Return whether the local time of `moment` occurs twice, as when daylight saving time ends."""
    return moment.replace(fold=0).utcoffset() != moment.replace(fold=1).utcoffset()


def _resolve_local(local: datetime, tz: tzinfo) -> datetime:
    """Return the moment of a local time: after a gap, and the first of two that are ambiguous."""
    # Python takes the offset before the gap for a time inside it; converting through UTC moves it after the gap.
    return local.replace(tzinfo=tz, fold=0).astimezone(UTC).astimezone(tz)


def _check_year(year: int) -> None:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        raise _out_of_range()


def _out_of_range() -> ValueError:
    years = {"first": _FIRST_YEAR, "last": _LAST_YEAR}
    return ValueError(_("The year must be between %(first)s and %(last)s.") % years)


# Instants, which do not depend on a zone.

_COUNT = r"(?P<sign>[+-]?) ?(?P<count>\d{1,9}) ?"
_UNIX = re.compile(r"(?:@(?P<at>-?\d+)(?:\.\d+)?|(?P<digits>\d{9,}))", re.ASCII)
_ELAPSED_TIME = re.compile(rf"{_COUNT}(?P<unit>hour|minute|min|second|sec)s?(?P<ago> ago)?", re.ASCII)
_UNIT_SECONDS = {"hour": 3600, "minute": 60, "min": 60, "second": 1, "sec": 1}


def _parse_instant(text: str, present: datetime) -> datetime | None:
    if text == "now":
        return present
    if unix := _UNIX.fullmatch(text):
        return _EPOCH + timedelta(seconds=int(unix["at"] or unix["digits"]))
    if elapsed := _ELAPSED_TIME.fullmatch(text):
        # In UTC: three hours are three hours, also in a night in which the clocks change.
        return present.astimezone(UTC) + timedelta(seconds=_signed_count(elapsed) * _UNIT_SECONDS[elapsed["unit"]])
    return None


def _signed_count(match: re.Match[str]) -> int:
    count = int(match["count"])
    return -count if (match["sign"] == "-") != bool(match["ago"]) else count


# Days: each function takes its match and the present local time, and returns the local time to use if the text
# contains none.

_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_YEAR, _DAY, _NTH_DAY = r"(?P<year>\d{4})", r"(?P<day>\d{1,2})", r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_WEEKDAY = (
    r"(?P<weekday>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?)"
)
_WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_DIRECTION = r"(?P<direction>next|last|previous|this)"
_DIRECTIONS = {"next": 1, "last": -1, "previous": -1, "this": 0}
_UNIT = r"(?P<unit>day|week|month|year)"


def _calendar_day(match: re.Match[str], present: datetime) -> datetime:
    year, month, day = int(match["year"]), match["month"], int(match["day"])
    number = int(month) if month.isdigit() else _MONTHS.index(month[:3]) + 1
    _check_year(year)
    if not 1 <= number <= 12 or not 1 <= day <= calendar.monthrange(year, number)[1]:
        raise ValueError(_("%(day)s is not a valid date.") % {"day": f"{year:04}-{number:02}-{day:02}"})
    return datetime(year, number, day)


def _named_day(match: re.Match[str], present: datetime) -> datetime:
    days = {"yesterday": -1, "tomorrow": 1}.get(match["word"], 0)
    hour = 12 if match["word"] == "noon" else 0
    return datetime.combine(present + timedelta(days=days), time(hour))


def _named_weekday(match: re.Match[str], present: datetime) -> datetime:
    """Return the next such weekday, including today; `next` and `last` exclude today."""
    days = (_WEEKDAYS.index(match["weekday"][:3]) - present.weekday()) % 7
    direction = _DIRECTIONS[match["direction"] or "this"]
    if direction > 0:
        days = days or 7
    elif direction < 0:
        days -= 7
    return datetime.combine(present + timedelta(days=days), time())


def _counted_units(match: re.Match[str], present: datetime) -> datetime:
    return _add_units(present, _signed_count(match), match["unit"])


def _relative_unit(match: re.Match[str], present: datetime) -> datetime:
    return _add_units(present, _DIRECTIONS[match["direction"]], match["unit"])


def _edge_of_month(match: re.Match[str], present: datetime) -> datetime:
    month = _add_units(present, _DIRECTIONS[match["direction"]], "month")
    return month.replace(day=1 if match["edge"] == "first" else calendar.monthrange(month.year, month.month)[1])


def _add_units(local: datetime, count: int, unit: str) -> datetime:
    """Add units at the same time of day. A month without that day gives its last day."""
    if unit in ("day", "week"):
        return local + timedelta(days=count * (7 if unit == "week" else 1))
    months = local.year * 12 + local.month - 1 + count * (12 if unit == "year" else 1)
    year, month = months // 12, months % 12 + 1
    _check_year(year)
    return local.replace(year=year, month=month, day=min(local.day, calendar.monthrange(year, month)[1]))


# The time and the zone after a day.
_TIME = (
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?)?(?: ?(?P<half>[ap])\.?m\.?)?"
    r"|(?<=t)(?P<compact>\d{4}(?:\d\d)?)(?:[.,]\d+)?"
)
_TRAILING_OFFSET = r"(?: ?(?P<offset>z|[+-]\d{1,2}(?::?\d\d)?))?"
_TIME_AND_ZONE = (
    rf"(?:(?:,? |(?<=\d)t)(?:(?:{_TIME}){_TRAILING_OFFSET}|(?P<name>noon|midnight)))?"
    r"(?: (?P<place>[a-z][a-z0-9_+/:.-]*))?"
)

_DayParser = Callable[[re.Match[str], datetime], datetime]
_DAY_FORMATS: list[tuple[re.Pattern[str], _DayParser]] = [
    (re.compile(day + _TIME_AND_ZONE, re.ASCII), parse_day)
    for day, parse_day in (
        (rf"{_YEAR}(?P<dash>[-/])(?P<month>\d{{1,2}})(?P=dash){_DAY}", _calendar_day),  # 2027-03-10
        (rf"(?P<month>\d{{1,2}})/{_DAY}/{_YEAR}", _calendar_day),  # 03/10/2027, month first
        (rf"{_DAY}(?P<dot>[.-])(?P<month>\d{{1,2}})(?P=dot){_YEAR}", _calendar_day),  # 10.03.2027, day first
        (rf"{_YEAR}(?P<month>\d\d)(?P<day>\d\d)", _calendar_day),  # 20270310
        (rf"{_MONTH} {_NTH_DAY}(?:, ?| ){_YEAR}", _calendar_day),  # March 10th, 2027
        (rf"{_NTH_DAY}[ -]{_MONTH},?[ -]{_YEAR}", _calendar_day),  # 10 March 2027
        (r"(?P<word>today|midnight|noon|tomorrow|yesterday)", _named_day),
        (rf"(?:{_DIRECTION} )?{_WEEKDAY}", _named_weekday),  # next wednesday
        (rf"{_COUNT}{_UNIT}s?(?P<ago> ago)?", _counted_units),  # +5 days
        (rf"{_DIRECTION} {_UNIT}", _relative_unit),  # next month
        (rf"(?P<edge>first|last) day of {_DIRECTION} month", _edge_of_month),
    )
]


def _parse_local(text: str, present: datetime, zone: Zone) -> datetime:
    for pattern, parse_day in _DAY_FORMATS:
        if match := pattern.fullmatch(text):
            tz = _explicit_zone(match) or zone.tz
            local = parse_day(match, present.astimezone(tz).replace(tzinfo=None))
            since_midnight = _time_of_day(match)
            if since_midnight is not None:
                # Added, not set: 24:00 is the midnight at the end of the day.
                local = datetime.combine(local, time()) + since_midnight
            _check_year(local.year)
            return _resolve_local(local, tz)
    raise ValueError(_NOT_A_DATE)


def _explicit_zone(match: re.Match[str]) -> tzinfo | None:
    if match["offset"] and match["place"]:
        raise ValueError(_("A date can have either a UTC offset or a time zone, not both."))
    name = match["offset"] or match["place"]
    return parse_zone(name).tz if name else None


def _time_of_day(match: re.Match[str]) -> timedelta | None:
    """Return the time of day in `match` as the time since midnight; None if it contains none."""
    if match["name"]:
        return timedelta(hours=12 if match["name"] == "noon" else 0)
    if match["compact"]:
        digits = match["compact"]
        return _since_midnight(int(digits[:2]), int(digits[2:4]), int(digits[4:] or 0))
    if not match["hour"]:
        return None
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            raise ValueError(_("With am or pm, the hour must be between 1 and 12."))
        hour = hour % 12 + (12 if match["half"] == "p" else 0)
    elif not match["minute"]:
        raise ValueError(_NOT_A_DATE)
    return _since_midnight(hour, int(match["minute"] or 0), int(match["second"] or 0))


def _since_midnight(hour: int, minute: int, second: int) -> timedelta:
    since_midnight = timedelta(hours=hour, minutes=minute, seconds=second)
    if minute > 59 or second > 59 or since_midnight > timedelta(hours=24):
        raise ValueError(_("%(time)s is not a valid time.") % {"time": f"{hour:02}:{minute:02}:{second:02}"})
    return since_midnight


# --- Formatting ------------------------------------------------------------------------------------


def to_wire(moment: datetime) -> str:
    """Format `moment` as a wire date, `YYYY-MM-DD HH:MM:SS`, in its own zone."""
    return moment.isoformat(" ", "seconds")[:_WIRE_LENGTH]


def to_utc_wire(moment: datetime) -> str:
    """Format `moment` as a wire date in UTC."""
    return to_wire(moment.astimezone(UTC))


def to_site_wire(moment: datetime) -> str:
    """Format `moment` as a wire date in the zone of the site."""
    return to_wire(moment.astimezone(site_zone().tz))


def date_details(text: str) -> dict[str, str]:
    """Return the parts of a wire date as texts with leading zeros, under the names of the contract."""
    return {
        "year": text[:4],
        "month": text[5:7],
        "day": text[8:10],
        "hour": text[11:13],
        "minutes": text[14:16],
        "seconds": text[17:19],
    }


def zone_abbreviation(moment: datetime, zone: Zone) -> str:
    """Return the abbreviation of `zone` at `moment`: `EST` or `EDT`, `+0545`; the name of a fixed offset."""
    return moment.astimezone(zone.tz).tzname() or zone.name


def to_rfc3339(moment: datetime, zone: Zone) -> str:
    """Format `moment` according to RFC 3339 in `zone`: `2027-03-10T10:00:00+01:00`."""
    local = moment.astimezone(zone.tz)
    offset = local.utcoffset() or timedelta()
    if seconds := offset % timedelta(minutes=1):
        # Offsets before standard time have seconds, which RFC 3339 cannot express: same instant, whole minutes.
        local = local.astimezone(timezone(offset - seconds))
    return local.isoformat("T", "seconds")


def day_start(moment: datetime) -> datetime:
    """Return the first moment of the day of `moment` in its own zone: 00:00:00, or later if that does not exist."""
    return _resolve_local(datetime.combine(moment, time()), _tzinfo_of(moment))


def day_end(moment: datetime) -> datetime:
    """Return 23:59:59 of the day of `moment` in its own zone, the first of two if ambiguous."""
    return _resolve_local(datetime.combine(moment, time(23, 59, 59)), _tzinfo_of(moment))


def _tzinfo_of(moment: datetime) -> tzinfo:
    if moment.tzinfo is None:
        raise ValueError("A moment has a time zone.")
    return moment.tzinfo
