"""The schedule of a series: when its occurrences start and end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from heapq import merge
from typing import NamedTuple, Protocol

from calendar_site.core.dates import Zone, parse_zone, resolve_local
from events.recurrence.rules import Rule


class HasSchedule(Protocol):
    """A series."""

    start_local: str
    end_local: str
    time_zone: str
    all_day: bool
    rrule: str
    rdate: list[str]
    exdate: list[str]


class Schedule(NamedTuple):
    """The first occurrence, and which others follow. All times are local times of the zone."""

    start: datetime
    end: datetime
    zone: Zone
    all_day: bool
    # None if all dates are listed.
    rule: Rule | None
    added: tuple[str, ...]
    excluded: tuple[str, ...]

    @classmethod
    def of(cls, series: HasSchedule) -> Schedule:
        return cls(
            datetime.fromisoformat(series.start_local),
            datetime.fromisoformat(series.end_local),
            parse_zone(series.time_zone),
            series.all_day,
            Rule.parse(series.rrule) if series.rrule else None,
            tuple(series.rdate),
            tuple(series.exdate),
        )

    def occurrences(self, last: datetime) -> Iterator[str]:
        """Yield the local starts until `last`, as texts (`YYYY-MM-DD HH:MM:SS`), in order and without duplicates."""
        excluded, previous = set(self.excluded), ""
        by_rule = self.rule.occurrences(self.start, last, self.zone.tz) if self.rule else iter((self.start,))
        added = sorted(text for text in self.added if text <= str(last))
        for text in merge(map(str, by_rule), added):
            if text != previous and text not in excluded and text <= str(last):
                yield text
            previous = text

    def start_of(self, occurrence: str) -> datetime:
        """Return the moment at which an occurrence starts: at the same time on the clock in summer and winter."""
        return resolve_local(datetime.fromisoformat(occurrence), self.zone.tz)

    def end_of(self, occurrence: str) -> datetime:
        """Return the moment at which an occurrence ends, by the clock as well."""
        return resolve_local(datetime.fromisoformat(occurrence) + self.duration, self.zone.tz)

    @property
    def duration(self) -> timedelta:
        return self.end - self.start
