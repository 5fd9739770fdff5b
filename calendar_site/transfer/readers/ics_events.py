"""The events of iCalendar files as they are written: their properties, and their moments."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from django.utils.translation import gettext as _

from calendar_site.core.dates.conversion import resolve_local
from calendar_site.transfer.readers.ics_lines import IcsComponent, IcsProperty
from calendar_site.transfer.readers.ics_zones import SourceZone, SourceZones

DATE = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d))?(Z?))?", re.ASCII)
FIRST_YEAR, LAST_YEAR = 1000, 9998


class InvalidComponent(ValueError):
    """An event of the file that cannot be read."""


@dataclass
class Moment:
    """A date or time of a file: the local time in its zone, and whether it is a day alone."""

    local: datetime
    zone: SourceZone
    is_day: bool
    in_utc: bool = False

    @property
    def aware(self) -> datetime:
        if self.in_utc:
            return self.local.replace(tzinfo=UTC)
        return resolve_local(self.local, self.zone.zone.tz) if self.is_day else self.zone.moment(self.local)


@dataclass
class VEvent:
    """The properties of an event."""

    component: IcsComponent
    zones: SourceZones
    properties: dict[str, list[IcsProperty]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for found in self.component.properties():
            self.properties.setdefault(found.name, []).append(found)

    def first(self, name: str) -> IcsProperty | None:
        return next(iter(self.properties.get(name, ())), None)

    def text(self, name: str) -> str:
        found = self.first(name)
        return found.text().strip() if found else ""

    @property
    def uid(self) -> str:
        return self.text("UID")

    def moment(self, name: str) -> Moment | None:
        found = self.first(name)
        return parse_moment(found, found.value, self.zones) if found else None

    def moments(self, name: str) -> list[Moment]:
        """Return the moments of a list, of which periods count by their start; empty values are left out."""
        values = [(found, value) for found in self.properties.get(name, []) for value in found.value.split(",")]
        return [parse_moment(found, value.partition("/")[0], self.zones) for found, value in values if value.strip()]


def parse_moment(found: IcsProperty, value: str, zones: SourceZones) -> Moment:
    """Return a date or time, by its form rather than by `VALUE`, which programs confuse. Raises InvalidComponent."""
    match = DATE.fullmatch(value.strip())
    if match is None or not FIRST_YEAR <= int(match[1]) <= LAST_YEAR:
        raise InvalidComponent(_("%(name)s: “%(value)s” is not a date.") % {"name": found.name, "value": value[:50]})
    is_day = match[4] is None or found.parameters.get("VALUE", "").upper() == "DATE"
    try:
        day = date(*map(int, match.group(1, 2, 3)))
        time = datetime.min.time() if is_day else _time_of(match)
    except ValueError as error:
        raise InvalidComponent(
            _("%(name)s: “%(value)s” is not a date.") % {"name": found.name, "value": value[:50]}
        ) from error
    tzid = found.parameters.get("TZID", "")
    in_utc_time = bool(match[7]) and not is_day and not zones.is_fixed
    zone = zones.get(tzid) if tzid and not in_utc_time else zones.default
    return Moment(datetime.combine(day, time), zone, is_day, in_utc_time)


def _time_of(match: re.Match[str]) -> Any:
    seconds = min(int(match[6] or 0), 59)
    return datetime(2000, 1, 1, int(match[4]), int(match[5]), seconds).time()
