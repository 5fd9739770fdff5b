"""Dates and zones: the only place that changes a time zone, reads a wire date or prints one.

A wire date is `YYYY-MM-DD HH:MM:SS`; `parse_wire_date` also reads the other spellings of the contract.
The settings import this module, so it imports only the standard library, and what tells faults in the reader's
language.
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

_LONGEST_DATE = 100
_LONGEST_ZONE = 64  # as long as the column that keeps it
_FIRST_YEAR, _LAST_YEAR = 1000, 9998  # one year of room, so that no change of zone leaves the calendar
_NO_DATE = gettext_lazy("This is not a date that can be read. Write it like 2027-03-10 10:30:00.")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WIRE_LENGTH = len("2027-03-10 10:30:00")


# --- Zones ---------------------------------------------------------------------------------------


class Zone(NamedTuple):
    """A time zone and the name it is answered by."""

    name: str
    tz: tzinfo


_OFFSET = re.compile(r"(?:utc)?(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d)|\.(?P<part>\d{1,2}))?", re.ASCII)
_QUARTERS = {0: "", 15: ".25", 30: ".5", 45: ".75"}
_PARTS = {"0": 0, "00": 0, "25": 15, "5": 30, "50": 30, "75": 45}


@lru_cache(maxsize=1024)
def parse_zone(text: str) -> Zone:
    """The zone that `text` names, in its canonical spelling: `europe/rome` is `Europe/Rome`, `Z` is `UTC`.

    Offsets are fixed, without summer time: `UTC+2`, `UTC+5.5`, `UTC+5:30`, `+02:00`, `-0530` (the contract,
    "Writing"). Raises ValueError for anything else, "" included.
    """
    if len(text) <= _LONGEST_ZONE:
        name = text.strip().lower()
        if name in ("utc", "z"):
            return Zone("UTC", UTC)
        if offset := _OFFSET.fullmatch(name):
            return _fixed_zone(offset)
        if canonical := _zone_names().get(name):
            return Zone(canonical, zoneinfo.ZoneInfo(canonical))
    # Told by who catches it: while the settings are read there is no language.
    raise ValueError(gettext_lazy("This is not a time zone. Name one like Europe/Rome, UTC or UTC+2."))


def site_zone() -> Zone:
    """The zone of the site: events without a zone are in it, and so are publication dates."""
    from django.conf import settings  # here, because the settings import this module

    return parse_zone(settings.SITE_TIME_ZONE)


def zone_names() -> list[str]:
    """The names of places that people choose a zone from, and UTC."""
    names = _zone_names().values()
    return ["UTC", *sorted(name for name in names if "/" in name and not name.startswith("Etc/"))]


@lru_cache(maxsize=1)
def _zone_names() -> dict[str, str]:
    """Canonical names by their lower-case spelling. Reads the zone database once."""
    names = zoneinfo.available_timezones() - {"localtime", "Factory"}
    return {name.lower(): name for name in names if not name.startswith(("posix/", "right/"))}


def _fixed_zone(offset: re.Match[str]) -> Zone:
    part = offset["part"]
    if part is not None and part not in _PARTS:
        raise ValueError(gettext_lazy("The offset of a time zone is in quarters of an hour: .25, .5 or .75."))
    minutes = _PARTS[part] if part else int(offset["minutes"] or 0)
    total = int(offset["hours"]) * 60 + minutes
    if offset["sign"] == "-":
        total = -total
    if minutes > 59 or not -12 * 60 <= total <= 14 * 60:
        raise ValueError(gettext_lazy("The offset of a time zone lies between UTC-12 and UTC+14."))
    hours, minutes = divmod(abs(total), 60)
    name = f"UTC{'-' if total < 0 else '+'}{hours}{_QUARTERS.get(minutes, f':{minutes:02}')}"
    return Zone(name, timezone(timedelta(minutes=total), name))


# --- Reading -------------------------------------------------------------------------------------


def parse_wire_date(text: str, zone: Zone, now: datetime | None = None) -> datetime:
    """The moment that `text` names, aware and in `zone`, without fractions of a second.

    Reads every spelling of the contract ("Dates"). Relative words count in `zone`, from `now`. A text that
    carries its own offset or zone keeps its instant. A clock time that summer time skips moves on by what
    was skipped; one that it doubles is the first turn. Raises ValueError, with a sentence for the caller.
    """
    if len(text) > _LONGEST_DATE:
        raise ValueError(_("A date has at most %(limit)s characters.") % {"limit": _LONGEST_DATE})
    clean = " ".join(text.lower().split())
    if not clean:
        raise ValueError(_("The date is empty."))
    present = (now or datetime.now(UTC)).replace(microsecond=0)
    try:
        moment = _read_instant(clean, present) or _read_wall(clean, present, zone)
        result = moment.astimezone(zone.tz)
    except OverflowError:
        raise _out_of_range() from None
    _check_year(result.year)
    return result


def at_wall(wall: str, zone: Zone) -> datetime:
    """The moment at which the clocks of `zone` show `wall` (`YYYY-MM-DD HH:MM:SS`); see `parse_wire_date`."""
    return _settle(datetime.fromisoformat(wall), zone.tz)


def is_doubled(moment: datetime) -> bool:
    """Whether the clocks of its zone show the time of `moment` twice, as they do when summer time ends."""
    return moment.replace(fold=0).utcoffset() != moment.replace(fold=1).utcoffset()


def _settle(wall: datetime, tz: tzinfo) -> datetime:
    """The moment of a wall clock: behind an hour that is skipped, the first turn of one that is doubled."""
    # Python reads a skipped time with the offset before the gap; the way through UTC puts it behind the gap.
    return wall.replace(tzinfo=tz, fold=0).astimezone(UTC).astimezone(tz)


def _check_year(year: int) -> None:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        raise _out_of_range()


def _out_of_range() -> ValueError:
    years = {"first": _FIRST_YEAR, "last": _LAST_YEAR}
    return ValueError(_("The date must lie between the years %(first)s and %(last)s.") % years)


# Instants: what they mean does not depend on a zone.

_STEP = r"(?P<sign>[+-]?) ?(?P<count>\d{1,9}) ?"
_UNIX = re.compile(r"(?:@(?P<at>-?\d+)(?:\.\d+)?|(?P<digits>\d{9,}))", re.ASCII)
_ELAPSED = re.compile(rf"{_STEP}(?P<unit>hour|minute|min|second|sec)s?(?P<ago> ago)?", re.ASCII)
_SECONDS = {"hour": 3600, "minute": 60, "min": 60, "second": 1, "sec": 1}


def _read_instant(text: str, present: datetime) -> datetime | None:
    if text == "now":
        return present
    if unix := _UNIX.fullmatch(text):
        return _EPOCH + timedelta(seconds=int(unix["at"] or unix["digits"]))
    if step := _ELAPSED.fullmatch(text):
        # Through UTC: three hours are three hours, also in a night that changes the clocks.
        return present.astimezone(UTC) + timedelta(seconds=_count(step) * _SECONDS[step["unit"]])
    return None


def _count(step: re.Match[str]) -> int:
    count = int(step["count"])
    return -count if (step["sign"] == "-") != bool(step["ago"]) else count


# Days: each function gets its match and the wall clock of the present, and answers the wall clock that holds
# where the text gives no time.

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
_WHICH = r"(?P<which>next|last|previous|this)"
_TURNS = {"next": 1, "last": -1, "previous": -1, "this": 0}
_UNIT = r"(?P<unit>day|week|month|year)"


def _calendar_day(match: re.Match[str], present: datetime) -> datetime:
    year, month, day = int(match["year"]), match["month"], int(match["day"])
    number = int(month) if month.isdigit() else _MONTHS.index(month[:3]) + 1
    _check_year(year)
    if not 1 <= number <= 12 or not 1 <= day <= calendar.monthrange(year, number)[1]:
        raise ValueError(_("There is no day %(day)s.") % {"day": f"{year:04}-{number:02}-{day:02}"})
    return datetime(year, number, day)


def _named_day(match: re.Match[str], present: datetime) -> datetime:
    days = {"yesterday": -1, "tomorrow": 1}.get(match["word"], 0)
    hour = 12 if match["word"] == "noon" else 0
    return datetime.combine(present + timedelta(days=days), time(hour))


def _weekday(match: re.Match[str], present: datetime) -> datetime:
    """The coming one, today included; `next` and `last` leave today out."""
    days = (_WEEKDAYS.index(match["weekday"][:3]) - present.weekday()) % 7
    turn = _TURNS[match["which"] or "this"]
    if turn > 0:
        days = days or 7
    elif turn < 0:
        days -= 7
    return datetime.combine(present + timedelta(days=days), time())


def _stepped(match: re.Match[str], present: datetime) -> datetime:
    return _step(present, _count(match), match["unit"])


def _turned(match: re.Match[str], present: datetime) -> datetime:
    return _step(present, _TURNS[match["which"]], match["unit"])


def _edge_of_month(match: re.Match[str], present: datetime) -> datetime:
    month = _step(present, _TURNS[match["which"]], "month")
    return month.replace(day=1 if match["edge"] == "first" else calendar.monthrange(month.year, month.month)[1])


def _step(wall: datetime, count: int, unit: str) -> datetime:
    """`wall` some units later, at the same time of day; a month without that day gives its last one."""
    if unit in ("day", "week"):
        return wall + timedelta(days=count * (7 if unit == "week" else 1))
    months = wall.year * 12 + wall.month - 1 + count * (12 if unit == "year" else 1)
    year, month = months // 12, months % 12 + 1
    _check_year(year)
    return wall.replace(year=year, month=month, day=min(wall.day, calendar.monthrange(year, month)[1]))


# The time and the zone behind a day.
_CLOCK = (
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?)?(?: ?(?P<half>[ap])\.?m\.?)?"
    r"|(?<=t)(?P<compact>\d{4}(?:\d\d)?)(?:[.,]\d+)?"
)
_OFFSET_BEHIND = r"(?: ?(?P<offset>z|[+-]\d{1,2}(?::?\d\d)?))?"
_TAIL = (
    rf"(?:(?:,? |(?<=\d)t)(?:(?:{_CLOCK}){_OFFSET_BEHIND}|(?P<name>noon|midnight)))?"
    r"(?: (?P<place>[a-z][a-z0-9_+/:.-]*))?"
)

_Reader = Callable[[re.Match[str], datetime], datetime]
_READERS: list[tuple[re.Pattern[str], _Reader]] = [
    (re.compile(day + _TAIL, re.ASCII), reader)
    for day, reader in (
        (rf"{_YEAR}(?P<dash>[-/])(?P<month>\d{{1,2}})(?P=dash){_DAY}", _calendar_day),  # 2027-03-10
        (rf"(?P<month>\d{{1,2}})/{_DAY}/{_YEAR}", _calendar_day),  # 03/10/2027, month first
        (rf"{_DAY}(?P<dot>[.-])(?P<month>\d{{1,2}})(?P=dot){_YEAR}", _calendar_day),  # 10.03.2027, day first
        (rf"{_YEAR}(?P<month>\d\d)(?P<day>\d\d)", _calendar_day),  # 20270310
        (rf"{_MONTH} {_NTH_DAY}(?:, ?| ){_YEAR}", _calendar_day),  # March 10th, 2027
        (rf"{_NTH_DAY}[ -]{_MONTH},?[ -]{_YEAR}", _calendar_day),  # 10 March 2027
        (r"(?P<word>today|midnight|noon|tomorrow|yesterday)", _named_day),
        (rf"(?:{_WHICH} )?{_WEEKDAY}", _weekday),  # next wednesday
        (rf"{_STEP}{_UNIT}s?(?P<ago> ago)?", _stepped),  # +5 days
        (rf"{_WHICH} {_UNIT}", _turned),  # next month
        (rf"(?P<edge>first|last) day of {_WHICH} month", _edge_of_month),
    )
]


def _read_wall(text: str, present: datetime, zone: Zone) -> datetime:
    for pattern, read in _READERS:
        if match := pattern.fullmatch(text):
            tz = _own_zone(match) or zone.tz
            wall = read(match, present.astimezone(tz).replace(tzinfo=None))
            since_midnight = _time_of_day(match)
            if since_midnight is not None:
                # Added, not set: 24:00 is the midnight that ends the day.
                wall = datetime.combine(wall, time()) + since_midnight
            _check_year(wall.year)
            return _settle(wall, tz)
    raise ValueError(_NO_DATE)


def _own_zone(match: re.Match[str]) -> tzinfo | None:
    if match["offset"] and match["place"]:
        raise ValueError(_("A date names one offset or one time zone, not both."))
    name = match["offset"] or match["place"]
    return parse_zone(name).tz if name else None


def _time_of_day(match: re.Match[str]) -> timedelta | None:
    """What `match` says of the clock, from midnight; None where it says nothing."""
    if match["name"]:
        return timedelta(hours=12 if match["name"] == "noon" else 0)
    if match["compact"]:
        digits = match["compact"]
        return _clock(int(digits[:2]), int(digits[2:4]), int(digits[4:] or 0))
    if not match["hour"]:
        return None
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            raise ValueError(_("A time with am or pm has an hour from 1 to 12."))
        hour = hour % 12 + (12 if match["half"] == "p" else 0)
    elif not match["minute"]:
        raise ValueError(_NO_DATE)
    return _clock(hour, int(match["minute"] or 0), int(match["second"] or 0))


def _clock(hour: int, minute: int, second: int) -> timedelta:
    since_midnight = timedelta(hours=hour, minutes=minute, seconds=second)
    if minute > 59 or second > 59 or since_midnight > timedelta(hours=24):
        raise ValueError(_("There is no time %(time)s.") % {"time": f"{hour:02}:{minute:02}:{second:02}"})
    return since_midnight


# --- Printing ------------------------------------------------------------------------------------


def wire(moment: datetime) -> str:
    """`moment` as the contract prints it, `YYYY-MM-DD HH:MM:SS`, on the clock of its own zone."""
    return moment.isoformat(" ", "seconds")[:_WIRE_LENGTH]


def utc_wire(moment: datetime) -> str:
    """`moment` as the contract prints it, in UTC."""
    return wire(moment.astimezone(UTC))


def site_wire(moment: datetime) -> str:
    """`moment` as the contract prints it, in the zone of the site."""
    return wire(moment.astimezone(site_zone().tz))


def details(text: str) -> dict[str, str]:
    """The parts of a wire date as texts with their leading zeros, under the names of the contract."""
    return {
        "year": text[:4],
        "month": text[5:7],
        "day": text[8:10],
        "hour": text[11:13],
        "minutes": text[14:16],
        "seconds": text[17:19],
    }


def abbreviation(moment: datetime, zone: Zone) -> str:
    """The short name of `zone` at `moment`: `EST` or `EDT`, `+0545`; a fixed offset has its own name."""
    return moment.astimezone(zone.tz).tzname() or zone.name


def rfc3339(moment: datetime, zone: Zone) -> str:
    """`moment` in RFC 3339 with the offset of `zone`: `2027-03-10T10:00:00+01:00`."""
    local = moment.astimezone(zone.tz)
    offset = local.utcoffset() or timedelta()
    if odd := offset % timedelta(minutes=1):
        # Before standard time offsets had seconds, which RFC 3339 cannot write: same instant, whole minutes.
        local = local.astimezone(timezone(offset - odd))
    return local.isoformat("T", "seconds")


def day_start(moment: datetime) -> datetime:
    """The first moment of the day of `moment` in its own zone: 00:00:00, or later where that is skipped."""
    return _settle(datetime.combine(moment, time()), _zone_of(moment))


def day_end(moment: datetime) -> datetime:
    """23:59:59 of the day of `moment` in its own zone; the first turn where that hour is doubled."""
    return _settle(datetime.combine(moment, time(23, 59, 59)), _zone_of(moment))


def _zone_of(moment: datetime) -> tzinfo:
    if moment.tzinfo is None:
        raise ValueError("A moment has a time zone.")
    return moment.tzinfo
