"""Dates and times as each language writes them."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import get_language, pgettext

from calendar_site.core.dates.conversion import site_zone

CLOCK_FORMAT = "H:i"
# French names the unit within the time, and leaves out the minutes of a full hour.
FRENCH_HOUR = "G\N{NO-BREAK SPACE}\\h"
FRENCH_CLOCK_FORMAT = f"{FRENCH_HOUR}\N{NO-BREAK SPACE}i"
FRENCH_FIRST_DAY = r"j\e\r"
# The word that follows a time in a sentence.
TIME_UNITS = {"de": "\N{NO-BREAK SPACE}Uhr", "nl": "\N{NO-BREAK SPACE}uur"}


class DayFormats(NamedTuple):
    """The formats of a day in the letters of Django's `date` filter."""

    full: str
    short: str
    without_weekday: str
    of_year: str


DAY_FORMATS = {
    "en": DayFormats("l j F Y", "D j M Y", "j M Y", "j F"),
    "de": DayFormats("l, j. F Y", "D, j. N Y", "j. N Y", "j. F"),
    "fr": DayFormats("l j F Y", "D. j N Y", "j N Y", "j F"),
    "es": DayFormats(r"l, j \d\e F \d\e Y", "D, j b Y", "j b Y", r"j \d\e F"),
    "it": DayFormats("l j F Y", "D j b Y", "j b Y", "j F"),
    "nl": DayFormats("l j F Y", "D j b Y", "j b Y", "j F"),
    "pt": DayFormats(r"l, j \d\e F \d\e Y", "D, j b Y", "j b Y", r"j \d\e F"),
    "pl": DayFormats("l, j E Y", "D, j E Y", "j E Y", "j E"),
}
# Django capitalizes the names of days and months in the other languages too, which write them in lower case.
CAPITALIZING_LANGUAGES = {"en", "de"}


def format_day(moment: date) -> str:
    """Return a date such as `Saturday 4 May 2030`."""
    return _format(moment, _day_formats().full)


def format_short_day(moment: date) -> str:
    """Return a date such as `Sat 4 May 2030`."""
    return _format(moment, _day_formats().short)


def format_day_without_weekday(moment: date) -> str:
    """Return a date such as `4 May 2030`."""
    return _format(moment, _day_formats().without_weekday)


def format_day_of_year(moment: date) -> str:
    """Return a day and its month, such as `4 May`."""
    return _format(moment, _day_formats().of_year)


def format_month(moment: date) -> str:
    """Return a month such as `May 2030`, capitalized in every language because it is a heading."""
    return capfirst(date_format(moment, "YEAR_MONTH_FORMAT"))


def format_clock(moment: datetime) -> str:
    """Return a time such as `18:00`, in French `18 h`, for calendars and tables."""
    if _language() != "fr":
        return date_format(moment, CLOCK_FORMAT)
    return date_format(moment, FRENCH_CLOCK_FORMAT if moment.minute else FRENCH_HOUR)


def format_time(moment: datetime) -> str:
    """Return a time such as `18:00`, in German `18:00 Uhr`."""
    return format_clock(moment) + TIME_UNITS.get(_language(), "")


def format_day_and_time(moment: datetime) -> str:
    """Return day and time, such as `Saturday 4 May 2030, 18:00`."""
    return _join_day_and_time(format_day(moment), format_time(moment))


def format_day_and_clock(moment: datetime) -> str:
    """Return day and time without a unit, such as `Saturday 4 May 2030, 18:00`, for the start of a span of time."""
    return _join_day_and_time(format_day(moment), format_clock(moment))


def format_short_day_and_time(moment: datetime) -> str:
    """Return day and time, such as `Sat 4 May 2030, 18:00`."""
    return _join_day_and_time(format_short_day(moment), format_clock(moment))


def format_date_and_time(moment: datetime) -> str:
    """Return date and time, such as `4 May 2030, 18:00`."""
    return _join_day_and_time(format_day_without_weekday(moment), format_time(moment))


def format_in_site_time(moment: datetime) -> str:
    """Return date and time in the time zone of the site, such as `4 May 2030, 18:00`, for lists and tables."""
    return format_date_and_time(_site_time(moment))


def format_in_sentence(moment: datetime) -> str:
    """Return date and time in the time zone of the site for use in a sentence, in German `4. Mai 2030 um 18:00 Uhr`."""
    local = _site_time(moment)
    parts = {"day": format_day_without_weekday(local), "clock": format_time(local)}
    return pgettext("a moment in a sentence", "%(day)s, %(clock)s") % parts


def format_day_in_site_time(moment: datetime) -> str:
    """Return the date in the time zone of the site, such as `4 May 2030`."""
    return format_day_without_weekday(_site_time(moment))


def _site_time(moment: datetime) -> datetime:
    return moment.astimezone(site_zone().tz)


def _join_day_and_time(day: str, clock: str) -> str:
    return pgettext("a moment", "%(day)s, %(clock)s") % {"day": day, "clock": clock}


def _format(moment: date, pattern: str) -> str:
    if moment.day == 1 and _language() == "fr":
        pattern = pattern.replace("j", FRENCH_FIRST_DAY)
    text = date_format(moment, pattern)
    return text if _language() in CAPITALIZING_LANGUAGES else text.lower()


def _day_formats() -> DayFormats:
    return DAY_FORMATS[_language()]


def _language() -> str:
    # Django deactivates languages while it writes its log.
    return get_language() or "en"
