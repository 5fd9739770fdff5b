"""The time zones of iCalendar files: their own, those of Windows, and names with the prefix of a program."""

from __future__ import annotations

import re
from datetime import datetime, tzinfo
from typing import NamedTuple

from icalendar import Timezone
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from calendar_site.core.dates.conversion import Zone, parse_zone, resolve_local, site_zone

# The names that Windows shows, such as "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna".
DISPLAYED = re.compile(r"\(?(?:UTC|GMT)(?P<offset>[+-]\d{1,2}(?::?\d\d)?)?\)?\s*(?P<cities>.*)", re.IGNORECASE)
MAX_ZONE_LENGTH = 20_000
# Outlook lets its rules begin in 1601, and each use of the zone would count the changes since then.
ANCIENT = re.compile(r"^(DTSTART[^:\n]*:)1[0-8]\d\d", re.MULTILINE)


class SourceZone(NamedTuple):
    """A zone of a source: the one of events, and how to read its times, if it has rules of its own."""

    zone: Zone
    tz: tzinfo

    def moment(self, local: datetime) -> datetime:
        """Return the aware moment of a local time."""
        return resolve_local(local, self.tz)


class SourceZones:
    """The zones of a file by their names."""

    def __init__(self, read_as: str = "") -> None:
        self._own: dict[str, tzinfo] = {}
        self._read_as = _zone_of(parse_zone(read_as)) if read_as else None
        self.default = self._read_as or _zone_of(site_zone())

    @property
    def is_fixed(self) -> bool:
        """Whether the settings of the source say how its times are read."""
        return self._read_as is not None

    def set_default(self, name: str) -> None:
        """Set the zone of times without one (`X-WR-TIMEZONE`)."""
        if self._read_as is None:
            self.default = find_zone(name) or self.default

    def add(self, tzid: str, raw: str) -> None:
        """Add a zone that the file describes. One that cannot be read is as if it were not there."""
        if len(raw) > MAX_ZONE_LENGTH:
            return
        try:
            component = Timezone.from_ical(ANCIENT.sub(r"\g<1>1970", raw))
            if isinstance(component, Timezone):
                self._own[tzid] = component.to_tz(lookup_tzid=False)
        # The library raises many kinds of exceptions for broken rules.
        except Exception:
            return

    def get(self, tzid: str) -> SourceZone:
        """Return the zone of a name; the default for an unknown one."""
        if self._read_as is not None:
            return self._read_as
        known = find_zone(tzid)
        if known is not None:
            return known
        own = self._own.get(tzid)
        return SourceZone(self.default.zone, own) if own is not None else self.default


def find_zone(name: str) -> SourceZone | None:
    """Return the zone that the name of any program stands for, None if it is unknown."""
    name = name.strip().strip('"')
    parts = name.split("/")
    # "/mozilla.org/20050126_1/Europe/Berlin" ends with a name.
    candidates = [name, WINDOWS_TO_OLSON.get(name, ""), *("/".join(parts[-length:]) for length in (3, 2))]
    if (displayed := DISPLAYED.fullmatch(name)) and displayed["cities"]:
        cities = re.split(r",\s*", displayed["cities"])
        candidates += [f"{area}/{city.replace(' ', '_')}" for city in cities for area in ("Europe", "America", "Asia")]
        candidates.append(f"UTC{displayed['offset']}" if displayed["offset"] else "UTC")
    for candidate in candidates:
        try:
            return _zone_of(parse_zone(candidate))
        except ValueError:
            continue
    return None


def _zone_of(zone: Zone) -> SourceZone:
    return SourceZone(zone, zone.tz)
