"""The schedule of a series: when its occurrences start and end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from heapq import merge
from typing import NamedTuple, Protocol

from calendar_site.core.dates.conversion import Zone, in_utc, parse_zone, resolve_local
from events.recurrence.rules import Rule

# The fields of a series that say when it repeats.
RECURRENCE_FIELDS = ("rrule", "rdate", "exdate")


class HasSchedule(Protocol):
    """A series."""

    start_local: str
    end_local: str
    time_zone: str
    all_day: bool
    rrule: str
    rdate: list[str]
    exdate: list[str]


def with_exclusions(series: HasSchedule, occurrences: Iterable[str], *, now: datetime, limit: int) -> list[str]:
    """Return the excluded dates of a series with more occurrences.

    Beyond the limit, the earliest ones are left out if they are in the past, where no occurrence is created again.
    """
    present = str(now.astimezone(parse_zone(series.time_zone).tz).replace(tzinfo=None))
    dates = sorted({*series.exdate, *occurrences})
    surplus = min(max(0, len(dates) - limit), sum(date < present for date in dates))
    return dates[surplus:]


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

    def ends_by(self, last: datetime) -> bool:
        """Return whether no occurrence starts after `last`, as far as the rule says so."""
        by_rule = self.rule is None or self.rule.ends_by(self.start, last, self.zone.tz)
        return by_rule and all(text <= str(last) for text in self.added)

    def start_of(self, occurrence: str) -> datetime:
        """Return the moment at which an occurrence starts: at the same time on the clock in summer and winter."""
        return resolve_local(datetime.fromisoformat(occurrence), self.zone.tz)

    def end_of(self, occurrence: str) -> datetime:
        """Return the moment at which an occurrence ends, by the clock as well; the start at the earliest.

        The clock may skip the start, but not the end.
        """
        end = resolve_local(datetime.fromisoformat(occurrence) + self.duration, self.zone.tz)
        return max(self.start_of(occurrence), end, key=in_utc)

    @property
    def duration(self) -> timedelta:
        return self.end - self.start
