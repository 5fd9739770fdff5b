"""Days and moments in words, as each language writes them."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import get_language, pgettext

from calendar_site.content.dates import site_zone

CLOCK = "H:i"


class Forms(NamedTuple):
    """A day in the letters of Django's filter `date`: whole, shortened, and shortened without its weekday."""

    whole: str
    short: str
    bare: str


FORMS = {
    "en": Forms("l j F Y", "D j M Y", "j M Y"),
    "de": Forms("l, j. F Y", "D, j. N Y", "j. N Y"),
    "fr": Forms("l j F Y", "D. j N Y", "j N Y"),
    "es": Forms(r"l, j \d\e F \d\e Y", "D, j b Y", "j b Y"),
    "it": Forms("l j F Y", "D j b Y", "j b Y"),
    "nl": Forms("l j F Y", "D j b Y", "j b Y"),
    "pt": Forms(r"l, j \d\e F \d\e Y", "D, j b Y", "j b Y"),
    "pl": Forms("l, j E Y", "D, j b Y", "j b Y"),
}
# Django capitalises the names of days and months in others, too, which only the beginning of a sentence does there.
CAPITALISING = {"en", "de"}


def day(moment: date) -> str:
    """`Saturday 4 May 2030`"""
    return _written(moment, _forms().whole)


def short_day(moment: date) -> str:
    """`Sat 4 May 2030`"""
    return _written(moment, _forms().short)


def bare_day(moment: date) -> str:
    """`4 May 2030`"""
    return _written(moment, _forms().bare)


def month(moment: date) -> str:
    """`May 2030`, as it stands alone."""
    return capfirst(date_format(moment, "YEAR_MONTH_FORMAT"))


def clock(moment: datetime) -> str:
    """`18:00`"""
    return date_format(moment, CLOCK)


def day_and_clock(moment: datetime) -> str:
    """`Saturday 4 May 2030, 18:00`"""
    return _joined(day(moment), moment)


def short_day_and_clock(moment: datetime) -> str:
    """`Sat 4 May 2030, 18:00`"""
    return _joined(short_day(moment), moment)


def date_and_clock(moment: datetime) -> str:
    """`4 May 2030, 18:00`"""
    return _joined(bare_day(moment), moment)


def in_site_time(moment: datetime) -> str:
    """`4 May 2030, 18:00`, on the clock of the site"""
    return date_and_clock(timezone.localtime(moment, site_zone().tz))


def _joined(written_day: str, moment: datetime) -> str:
    return pgettext("a moment", "%(day)s, %(clock)s") % {"day": written_day, "clock": clock(moment)}


def _written(moment: date, form: str) -> str:
    text = date_format(moment, form)
    return text if _language() in CAPITALISING else text.lower()


def _forms() -> Forms:
    return FORMS[_language()]


def _language() -> str:
    # Django switches languages off for what it writes into its log.
    return get_language() or "en"
