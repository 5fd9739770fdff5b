"""Dates and time zones: the only module that converts time zones and formats the dates of the API.

A wire date is `YYYY-MM-DD HH:MM:SS`; `dates.parser` also accepts the other formats of the contract.
The settings import this module, so it imports only the standard library and Django.
"""

import re
import zoneinfo
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

# The settings import this module: only functions that run later read them.
from django.conf import settings
from django.utils.translation import gettext_lazy

_MAX_ZONE_LENGTH = 64  # the length of the column that stores it
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
    return parse_zone(settings.SITE_TIME_ZONE)


# After the last exception in the zone database, when only the lasting rules of each zone apply.
_YEAR_OF_LASTING_RULES = 2100


@lru_cache(maxsize=1024)
def keep_same_time(first: Zone, second: Zone) -> bool:
    """Return whether clocks in both zones show the same time all year round, by the rules that they have now."""
    if first.name == second.name:
        return True
    days = [datetime(_YEAR_OF_LASTING_RULES, month, 1) for month in range(1, 13)]
    return all(day.replace(tzinfo=first.tz).utcoffset() == day.replace(tzinfo=second.tz).utcoffset() for day in days)


def is_site_time(zone: Zone, *moments: datetime) -> bool:
    """Return whether clocks in `zone` and in the zone of the site show the same time at these moments."""
    site = site_zone()
    if zone.name == site.name:
        return True
    return all(moment.astimezone(zone.tz).utcoffset() == moment.astimezone(site.tz).utcoffset() for moment in moments)


@lru_cache(maxsize=1)
def zone_database_version() -> str:
    """Return the version of the zone database, such as `2026a`; "" if it has none."""
    for folder in zoneinfo.TZPATH:
        with suppress(OSError), Path(folder, "tzdata.zi").open(encoding="utf-8") as file:
            # Its first line is `# version 2026a`.
            return file.readline().split()[-1]
    with suppress(ImportError):
        return str(import_module("tzdata").IANA_VERSION)
    return ""


def zone_names() -> list[str]:
    """Return the names of the time zones that users can choose from: UTC and those of places."""
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


# --- Local times ---------------------------------------------------------------------------------


def from_local(text: str, zone: Zone) -> datetime:
    """Return the moment of a local time (`YYYY-MM-DD HH:MM:SS`) in `zone`; see `resolve_local`."""
    return resolve_local(datetime.fromisoformat(text), zone.tz)


def in_utc(moment: datetime) -> datetime:
    """Return the moment in UTC, in which moments can be compared (D43).

    For two moments in one zone, Python compares the wall clocks, which repeat an hour in autumn; and a moment in such
    an hour equals none in another zone.
    """
    return moment.astimezone(UTC)


def is_ambiguous(moment: datetime) -> bool:
    """Return whether the local time of `moment` occurs twice, as when daylight saving time ends."""
    return moment.replace(fold=0).utcoffset() != moment.replace(fold=1).utcoffset()


def resolve_local(local: datetime, tz: tzinfo) -> datetime:
    """Return the moment of a local time, moved past a gap, or the first of two if it is ambiguous."""
    # Python takes the offset before the gap for a time inside it; converting through UTC moves it after the gap.
    return local.replace(tzinfo=tz, fold=0).astimezone(UTC).astimezone(tz)


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
        # Offsets before standard time have seconds, which RFC 3339 cannot express: same moment, whole minutes.
        local = local.astimezone(timezone(offset - seconds))
    return local.isoformat("T", "seconds")


def day_start(moment: datetime) -> datetime:
    """Return the first moment of the day of `moment` in its own zone: 00:00:00, or later if that does not exist."""
    return resolve_local(datetime.combine(moment, time()), _tzinfo_of(moment))


def day_end(moment: datetime) -> datetime:
    """Return the last second of the day of `moment` in its own zone: 23:59:59, the second one if it occurs twice."""
    next_day = resolve_local(datetime.combine(moment, time()) + timedelta(days=1), _tzinfo_of(moment))
    return (in_utc(next_day) - timedelta(seconds=1)).astimezone(moment.tzinfo)


def end_of_site_day(day: date) -> datetime:
    """Return the moment at which the day ends in the zone of the site: the start of the next day."""
    return resolve_local(datetime.combine(day + timedelta(days=1), time()), site_zone().tz)


def _tzinfo_of(moment: datetime) -> tzinfo:
    if moment.tzinfo is None:
        raise ValueError("A moment has a time zone.")
    return moment.tzinfo
