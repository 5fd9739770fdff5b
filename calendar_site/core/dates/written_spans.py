"""Spans of time in the words of people: `5 Dec 10-13`, `next Friday 7pm`, `12.-14.6.`, in the language of the site.

The words of other languages become English ones; days are then parsed like the dates that clients send.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from django.utils import translation
from django.utils.dates import MONTHS, MONTHS_3, MONTHS_ALT, WEEKDAYS, WEEKDAYS_ABBR
from django.utils.translation import gettext as _

from calendar_site.core import clock
from calendar_site.core.dates.conversion import Zone
from calendar_site.core.dates.parser import parse_wire_date

MAX_LENGTH = 100
# The words of a language beside the names of its days and months, as regular expressions, and their English ones.
WORDS: dict[str, dict[str, str]] = {
    "en": {},
    "de": {
        "heute": "today", "morgen": "tomorrow", "nächste[rnms]?|kommende[rnms]?": "next", "diese[rnms]?": "this",
        "bis": "to", "um|ab|von": "at", "uhr": "h", "mittag": "noon",
    },
    "es": {
        "a las?|desde": "at", "hoy": "today", "mañana": "tomorrow", "próximo|próxima": "next", "este|esta": "this",
        "hasta|al?": "to", "de": "", "el|la|los|las": "", "mediodía": "noon",
    },
    "fr": {
        "aujourd['’]hui": "today", "demain": "tomorrow", "prochaine?": "next", "ce|cette": "this", "jusqu['’]à": "to",
        "au|à": "to", "dès": "at", "le|la|du|de": "", "midi": "noon", "1er": "1",
    },
    "it": {
        "oggi": "today", "domani": "tomorrow", "prossim[oa]": "next", "quest[oa]": "this", "fino al?|al?": "to",
        "dalle|alle|ore": "at", "il|dal|di": "", "mezzogiorno": "noon",
    },
    "nl": {
        "vandaag": "today", "morgen": "tomorrow", "volgende|komende": "next", "deze": "this", "tot|t/m": "to",
        "om|vanaf|van": "at", "uur": "h",
    },
    "pl": {
        "dziś|dzisiaj": "today", "jutro": "tomorrow", "następn[yae]|najbliższ[yae]": "next", "do": "to",
        "o|od": "at", "w|we": "", "południe": "noon",
    },
    "pt": {
        "hoje": "today", "amanhã": "tomorrow", "próxim[oa]": "next", "est[ea]": "this", "até|ao?": "to",
        "às|desde|das": "at", "de": "", "o": "", "meio-dia": "noon",
    },
}  # fmt: skip
MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

_CLOCK = r"\d{1,2}(?:[:.h]\d\d)?\s?(?:am|pm|h)?"
# A time has a space before it, because dates contain hyphens as well.
TIMES = re.compile(
    rf"(?:(?P<day>.*?)(?:,\s*|\s+)|)(?P<at>at\s+)?(?P<first>{_CLOCK}|noon)(?:\s?(?:-|to)\s?(?:at\s+)?(?P<last>{_CLOCK}|noon))?"
)
# "demain à 20h": the French word for "to" stands before times as well.
BEFORE_TIME = re.compile(r"(?:^|\s)(?:at|to)\Z")
MONTH = re.compile(r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?")
WEEKDAY = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s(?=\d)")
NUMBERS = re.compile(r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})(?:\.\s?(?P<year>\d{4})?)?")
DAYS = (
    # 12.-14.6. and 12-14 June
    re.compile(r"(?P<first>\d{1,2})\.?\s?(?:-|to)\s?(?P<last>\d{1,2})(?P<rest>\.\s?\d{1,2}\.?(?:\s?\d{4})?|\.?\s[a-z]+\.?(?:\s\d{4})?)"),
    # June 12-14
    re.compile(r"(?P<rest>[a-z]+\.?)\s(?P<first>\d{1,2})\s?(?:-|to)\s?(?P<last>\d{1,2})(?P<year>,?\s\d{4})?"),
)  # fmt: skip
FULL_DAYS = re.compile(r"(?P<first>.*?\S)(?:\s(?:-|to)\s|(?<=\.)-)(?P<last>\S.*)")


class WrittenSpan(NamedTuple):
    """A span in local time. Without a time it is of whole days; the end is None if the text has none."""

    start: datetime
    end: datetime | None
    is_all_day: bool


def parse_span(text: str, zone: Zone) -> WrittenSpan:
    """Return the span that the text names. A day without a year is the next one.

    Raises ValueError with a message for people.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(_("A date can have at most %(limit)s characters.") % {"limit": MAX_LENGTH})
    clean = _in_english(" ".join(text.lower().split()))
    times = TIMES.fullmatch(clean)
    if times is None or not _is_time(times) or MONTH.fullmatch(times["day"] or ""):
        first, last = _days(clean, zone)
        return WrittenSpan(_at(first, (0, 0)), _at(last, (0, 0)), True)
    first, last = _days(BEFORE_TIME.sub("", times["day"] or "") or "today", zone)
    begins, ends = _clocks(times["first"], times["last"])
    if ends is None:
        return WrittenSpan(_at(first, begins), None if first == last else _at(last, begins), False)
    # "22:00 to 2:00" ends on the next day.
    is_night = first == last and ends <= begins
    return WrittenSpan(_at(first, begins), _at(last, ends) + timedelta(days=int(is_night)), False)


def _at(day: date, clock_time: tuple[int, int]) -> datetime:
    return datetime(day.year, day.month, day.day, *clock_time)


def _is_time(times: re.Match[str]) -> bool:
    """Return whether the numbers are hours: one alone may be a day or a year."""
    has_word = bool(times["at"] or BEFORE_TIME.search(times["day"] or ""))
    return bool(has_word or times["last"] or re.search(r"\D", times["first"]))


def _clocks(first: str, last: str | None) -> tuple[tuple[int, int], tuple[int, int] | None]:
    begins = _clock(first)
    if last is None:
        return begins, None
    ends = _clock(last)
    half = re.search(r"[ap]m", last)
    if half and not re.search(r"[ap]m|noon", first):
        # "7-9pm" begins at 7pm.
        with_half = _clock(first + half[0])
        begins = with_half if with_half <= ends else begins
    return begins, ends


def _clock(text: str) -> tuple[int, int]:
    """Return hour and minute. Raises ValueError."""
    if text.strip() == "noon":
        return 12, 0
    digits = re.findall(r"\d+", text)
    hour, minute = int(digits[0]), int(digits[1]) if len(digits) > 1 else 0
    if half := re.search(r"[ap]m", text):
        if not 1 <= hour <= 12:
            raise ValueError(_("With am or pm, the hour must be between 1 and 12."))
        hour = hour % 12 + (12 if half[0] == "pm" else 0)
    if hour > 23 or minute > 59:
        raise ValueError(_("%(time)s is not a valid time.") % {"time": text.strip()})
    return hour, minute


def _days(text: str, zone: Zone) -> tuple[date, date]:
    """Return the first and the last day of a text. Raises ValueError."""
    text = text.strip(" ,")
    for pattern in DAYS:
        if match := pattern.fullmatch(text):
            rest, year = match["rest"], match.groupdict().get("year") or ""
            if pattern is DAYS[0]:
                return _in_order(_day(f"{match['first']}{rest}", zone), _day(f"{match['last']}{rest}", zone))
            return _in_order(_day(f"{match['first']} {rest}{year}", zone), _day(f"{match['last']} {rest}{year}", zone))
    if match := FULL_DAYS.fullmatch(text):
        last = _day(match["last"], zone)
        return _in_order(_day(match["first"], zone), last)
    day = _day(text, zone)
    return day, day


def _in_order(first: date, last: date) -> tuple[date, date]:
    if first > last:
        raise ValueError(_("It ends before it starts."))
    return first, last


def _day(text: str, zone: Zone) -> date:
    """Return the day, of this year or the next if the text has no year. Raises ValueError."""
    text = text.strip(" ,")
    # "Sat 5.12.": the date decides.
    without_weekday = WEEKDAY.sub("", text)
    if match := NUMBERS.fullmatch(without_weekday):
        year = match["year"]
        text = f"{match['day']} {_month(match['month'])}{f' {year}' if year else ''}"
    day = parse_wire_date(text, zone).date()
    today = clock.now().astimezone(zone.tz).date()
    has_month = any(name in text for name in MONTH_NAMES)
    if day < today and has_month and not re.search(r"\d{4}", text):
        return parse_wire_date(f"{text} {day.year + 1}", zone).date()
    return day


def _month(number: str) -> str:
    if not 1 <= int(number) <= len(MONTH_NAMES):
        raise ValueError(_("Not a valid date."))
    return MONTH_NAMES[int(number) - 1]


def _in_english(text: str) -> str:
    """Return the text with English words, and a hyphen for each dash."""
    text = re.sub("\\s?[\N{EN DASH}\N{EM DASH}]\\s?", "-", text)
    for pattern, english in _words(translation.get_language() or "en"):
        text = pattern.sub(english, text)
    # "5. Dezember" and "vendredi prochain".
    text = re.sub(r"(?<=\d)\.\s(?=[a-z])", " ", text)
    text = re.sub(r"\b(mon|tue|wed|thu|fri|sat|sun) (next|this)\b", r"\2 \1", text)
    return " ".join(text.split())


@lru_cache(maxsize=16)
def _words(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Return the words of the language and their English ones, the longest first."""
    code = language.partition("-")[0]
    if code == "en":
        return []
    with translation.override(code):
        names = list(_names())
    further = list(WORDS.get(code, {}).items())
    names.sort(key=lambda pair: -len(pair[0]))
    patterns = [(re.escape(name) + r"\.?", english) for name, english in names] + further
    return [(re.compile(rf"(?<!\w)(?:{pattern})(?!\w)"), english) for pattern, english in patterns]


def _names() -> Iterator[tuple[str, str]]:
    """Yield the names and abbreviations of days and months in the active language."""
    for names in (MONTHS, MONTHS_3, MONTHS_ALT):
        for number, name in names.items():
            yield str(name).lower().rstrip("."), MONTH_NAMES[number - 1]
    for names in (WEEKDAYS, WEEKDAYS_ABBR):
        for number, name in names.items():
            yield str(name).lower().rstrip("."), DAY_NAMES[number]
