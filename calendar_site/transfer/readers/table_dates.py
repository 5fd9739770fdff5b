"""The dates of tables: the order of day and month is decided over the whole file, never for each row."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, time
from enum import StrEnum

from django.utils.translation import gettext as _

from calendar_site.core.dates.conversion import Zone, resolve_local
from calendar_site.core.dates.parser import parse_wire_date
from calendar_site.transfer.imports.errors import SourceError

NUMERIC = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?:[ ,T]+(.+))?", re.ASCII)
CLOCK = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s*(am|pm|a\.m\.|p\.m\.|uhr|h)?", re.ASCII | re.IGNORECASE)


class DateOrder(StrEnum):
    """The order of day and month in dates such as 3/4/2027."""

    DAY_FIRST = "dmy"
    MONTH_FIRST = "mdy"


def find_order(texts: Iterable[str], chosen: str = "") -> DateOrder | None:
    """Return the order that the dates of a table have, None if none of them needs it.

    Raises SourceError if the dates contradict each other, or leave it open and nobody has chosen one.
    """
    matches = [match for text in texts if (match := NUMERIC.fullmatch(text.strip()))]
    if not matches:
        return None
    day_first = any(int(match[1]) > 12 for match in matches)
    month_first = any(int(match[3]) > 12 for match in matches)
    if day_first and month_first:
        raise SourceError(
            _("Some dates begin with the day, and others with the month: %(dates)s.") % _examples(matches)
        )
    if day_first or month_first:
        return DateOrder.DAY_FIRST if day_first else DateOrder.MONTH_FIRST
    if chosen:
        return DateOrder(chosen)
    if all(match[2] == "." for match in matches):
        # No language writes the month first and separates with points.
        return DateOrder.DAY_FIRST
    raise SourceError(
        _("Do these dates begin with the day or with the month? %(dates)s. Choose the order of dates.")
        % _examples(matches)
    )


def _examples(matches: list[re.Match[str]]) -> dict[str, str]:
    texts = dict.fromkeys(match[0] for match in matches)
    picked = sorted(texts, key=lambda text: -max(map(int, re.findall(r"\d+", text)[:2])))
    return {"dates": ", ".join(picked[:3])}


def read_moment(day: str, clock: str, order: DateOrder | None, zone: Zone) -> tuple[datetime, bool]:
    """Return the aware moment of a date and a time, and whether there is no time. Raises ValueError."""
    if match := NUMERIC.fullmatch(day.strip()):
        first, second, year = int(match[1]), int(match[3]), _year(match[4])
        month, number = (second, first) if order == DateOrder.DAY_FIRST else (first, second)
        found, text = date(year, month, number), clock or match[5] or ""
    else:
        # Any other spelling of the API: "2027-03-04 19:00", "4 March 2027".
        parsed = parse_wire_date(day, zone).astimezone(zone.tz)
        has_time = bool(re.search(r"\d[:.]\d\d|\d\s*[ap]\.?m", day, re.IGNORECASE))
        found, text = parsed.date(), clock or (f"{parsed:%H:%M}" if has_time else "")
    moment = read_clock(text) if text.strip() else None
    return resolve_local(datetime.combine(found, moment or time()), zone.tz), moment is None


def read_clock(text: str) -> time:
    """Return the time of a text such as "19:00", "7 pm" or "19.30 Uhr". Raises ValueError."""
    match = CLOCK.fullmatch(text.strip())
    if match is None:
        raise ValueError(_("“%(text)s” is not a time. Use a format such as 19:00.") % {"text": text[:50]})
    hour, half = int(match[1]), (match[3] or "").lower()[:1]
    if half in ("a", "p"):
        hour = hour % 12 + (12 if half == "p" else 0)
    return time(hour, int(match[2] or 0)) if hour < 24 else time(0, int(match[2] or 0))


def _year(text: str) -> int:
    return int(text) if len(text) == 4 else 2000 + int(text)
