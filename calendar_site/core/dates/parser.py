"""Parses the dates that clients send.

A date consists of the forms in `spellings.FORMS`, such as a day, a time and a time zone, in any order.
"""

import calendar
import re
from datetime import date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _

from calendar_site.core import clock
from calendar_site.core.dates.conversion import Zone, resolve_local
from calendar_site.core.dates.parts import (
    DAY_SECONDS,
    EPOCH,
    FIRST_YEAR,
    LAST_YEAR,
    WEEK_DAYS,
    DateOutOfRange,
    DateParts,
    DayOfMonth,
    Units,
    Weekday,
    check_day,
    check_year,
    from_unix,
)
from calendar_site.core.dates.spellings import FORMS, UNITS, DateForm, invalid_date_error, missing_day_error

_MAX_DATE_LENGTH = 100

_SEPARATOR = re.compile(r"(?:,? |t(?=\d))?", re.ASCII)
# A text has one of these parts, or two that belong together.
_DAYS = {"date", "now", "named_day", "weekday", "day_of_month"}
_DAY_PAIRS = ({"date", "weekday"}, {"date", "day_of_month"})
# A text of only these keeps the present time.
_FROM_NOW = {"now", "units", "step", "zone"}


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
    check_day(result.toordinal())
    return result


def parse_date_bound(text: str, zone: Zone) -> datetime:
    """Parse a date like `parse_wire_date`, but return the first or last possible moment for one that is out of range.

    Clients use dates such as 9999-12-31 for "no end".
    """
    try:
        return parse_wire_date(text, zone)
    except DateOutOfRange as error:
        local = datetime(FIRST_YEAR, 1, 1) if error.is_past else datetime(LAST_YEAR, 12, 31, 23, 59, 59)
        return resolve_local(local, zone.tz)


@lru_cache(maxsize=256)
def _scan(text: str) -> DateParts:
    """Return the parts of a text. Kept, because most requests contain the same few texts."""
    found: dict[str, Any] = {}
    position = 0
    while position < len(text):
        form, match = _form_at(text, position)
        if form.sets in found:
            raise invalid_date_error()
        found[form.sets] = form.read(match)
        separator = _SEPARATOR.match(text, match.end())
        position = separator.end() if separator else match.end()
    parts = DateParts(**found)
    _check_parts(parts)
    return parts


def _form_at(text: str, position: int) -> tuple[DateForm, re.Match[str]]:
    for form in FORMS:
        if match := form.pattern.match(text, position):
            return form, match
    raise invalid_date_error()


def _check_parts(parts: DateParts) -> None:
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
        raise invalid_date_error()


def _has_valid_month(parts: DateParts) -> bool:
    """Return whether a month belongs to a day of the month, or else has a year and no weekday."""
    if parts.date is None:
        return True
    if parts.day_of_month:
        return parts.date.day is None
    if parts.date.day is None:
        return parts.date.year is not None and parts.weekday is None
    return parts.weekday is None or parts.weekday.nth is None


def _has_valid_step(parts: DateParts, days: set[str]) -> bool:
    """Return whether "this week" follows a weekday alone, and "next month" does not follow a weekday."""
    if parts.step is None:
        return True
    if parts.step.is_week:
        return not days or (days == {"weekday"} and parts.weekday is not None and parts.weekday.nth is None)
    return "weekday" not in days


def _resolve(parts: DateParts, now: datetime | None, tz: tzinfo) -> datetime:
    """Return the moment of the parts, in any time zone."""
    if parts.instant:
        return parts.instant
    tz = (parts.time and parts.time.offset) or parts.zone or tz
    local = (now or _present(parts, tz)).replace(microsecond=0).astimezone(tz)
    units = _sum_units(parts)
    day, seconds = _local_day(parts, local.date(), units), _seconds_of_day(parts, local)
    # 24:00 is the midnight at the end of the day.
    day, seconds = day + seconds // DAY_SECONDS, seconds % DAY_SECONDS
    check_day(day)
    moment = datetime.combine(date.fromordinal(day), time()) + timedelta(seconds=seconds)
    # The present keeps its instant, also if its local time is the second of two.
    if moment != local.replace(tzinfo=None) or not parts.names() <= _FROM_NOW:
        local = resolve_local(moment, tz)
    return from_unix(int(local.timestamp()) + units.seconds) if units.seconds else local


def _present(parts: DateParts, tz: tzinfo) -> datetime:
    """Return the present as exactly as the text needs it, so that responses with other dates can be stored."""
    if parts.date and parts.date.year is not None:
        return EPOCH
    if _keeps_present_time(parts):
        return clock.now()
    return resolve_local(datetime.combine(clock.today(tz), time()), tz)


def _sum_units(parts: DateParts) -> Units:
    units = parts.units or Units()
    return units.plus(parts.step.nth, UNITS[parts.step.unit]) if parts.step else units


def _seconds_of_day(parts: DateParts, local: datetime) -> int:
    """Return the time of the text; 00:00 for a day without a time, and the present time for other texts."""
    if parts.time:
        return parts.time.seconds
    return local.hour * 3600 + local.minute * 60 + local.second if _keeps_present_time(parts) else 0


def _keeps_present_time(parts: DateParts) -> bool:
    names_a_day = parts.date or parts.weekday or parts.named_day is not None
    names_a_weekday_of_month = parts.day_of_month and parts.day_of_month.weekday is not None
    return not (parts.time or names_a_day or names_a_weekday_of_month)


def _local_day(parts: DateParts, today: date, units: Units) -> int:
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


def _find_weekday(parts: DateParts, today: date) -> int:
    week_start = today.toordinal() - today.weekday()
    if parts.step and parts.step.is_week:
        return week_start + (parts.weekday.number if parts.weekday else 0)
    number, nth = parts.weekday or (0, None)
    days = (number - today.weekday()) % WEEK_DAYS
    if not nth:
        return today.toordinal() + days
    if nth < 0:
        return today.toordinal() + days - WEEK_DAYS
    return today.toordinal() + (days or WEEK_DAYS) + (nth - 1) * WEEK_DAYS


def _find_day(wanted: DayOfMonth, year: int, month: int) -> int:
    weekday, length = calendar.monthrange(year, month)
    first = date(year, month, 1).toordinal()
    last = first + length - 1
    if wanted.weekday is None:
        return first if wanted.nth > 0 else last
    if wanted.nth < 0:
        return last - (weekday + length - 1 - wanted.weekday) % WEEK_DAYS
    day = first + (wanted.weekday - weekday) % WEEK_DAYS + (wanted.nth - 1) * WEEK_DAYS
    if day > last:
        raise ValueError(_("The month does not have five of these weekdays."))
    return day


def _add_months(year: int, month: int, count: int) -> tuple[int, int]:
    months = year * 12 + month - 1 + count
    year, month = months // 12, months % 12 + 1
    check_year(year)
    return year, month


def _check_date(year: int, month: int, day: int, weekday: Weekday | None) -> None:
    check_year(year)
    name = f"{year:04}-{month:02}-{day:02}"
    if not 1 <= day <= calendar.monthrange(year, month)[1]:
        raise missing_day_error(name)
    if weekday and weekday.number != date(year, month, day).weekday():
        raise ValueError(_("The weekday does not match the date %(day)s.") % {"day": name})
