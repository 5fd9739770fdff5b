"""The current time. All code learns it here, so that stored responses end when the time changes them.

Each function notes until when a response that has used its result stays the same. `core.dates.parser` notes it for
relative dates such as `tomorrow`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import Enum
from typing import Any

# Returns the first moments after another one, as columns of compiled queries.
FindMoments = Callable[[datetime], list[Any]]


class Moments(Enum):
    """Moments of the stored records with which a response compares the current time."""

    PUBLICATION = "publication"
    EVENT_END = "event end"


@dataclass(slots=True)
class TimeUse:
    """How a response depends on the current time.

    It depends on nothing but the records from `started` until `ends`, unless one of `moments` comes before.
    """

    started: datetime
    # Whether the response depends on the exact time, so that no other request may get it.
    is_exact: bool = False
    ends: datetime | None = None
    # The latest moment in the past with which the time was compared.
    since: datetime | None = None
    moments: set[Moments] = field(default_factory=set)

    def note_end(self, moment: datetime) -> None:
        if self.ends is None or moment < self.ends:
            self.ends = moment

    def note_since(self, moment: datetime) -> None:
        if self.since is None or moment > self.since:
            self.since = moment


# A context variable, because any function that contributes to a response may ask for the time. It is None outside of
# `recorded_time_use()`.
_use: ContextVar[TimeUse | None] = ContextVar("time_use", default=None)


@contextmanager
def recorded_time_use() -> Iterator[TimeUse]:
    """Record how the block depends on the current time."""
    use = TimeUse(_read())
    token = _use.set(use)
    try:
        yield use
    finally:
        _use.reset(token)


def now() -> datetime:
    """Return the current time, in UTC. A response that depends on it is never stored."""
    if (use := _use.get()) is not None:
        use.is_exact = True
    return _read()


def now_among(moments: Moments) -> datetime:
    """Return the current time, only to compare it with these moments of records."""
    if (use := _use.get()) is not None:
        use.moments.add(moments)
    return _read()


def has_passed(moment: datetime) -> bool:
    """Return whether the moment is now or in the past."""
    present = _read()
    if (use := _use.get()) is not None:
        if moment > use.started:
            use.note_end(moment)
        else:
            use.note_since(moment)
    return moment <= present


def today(zone: tzinfo) -> date:
    """Return the current day in a time zone."""
    day = _read().astimezone(zone).date()
    if (use := _use.get()) is not None:
        started = use.started.astimezone(zone).date()
        use.note_since(_midnight(started, zone))
        use.note_end(_midnight(started + timedelta(days=1), zone))
    return day


def register_moments(moments: Moments, find: FindMoments) -> None:
    """Register a function that finds moments after the given one, in `AppConfig.ready()`."""
    _finders[moments].append(find)


def next_moment_columns(moments: Moments, after: datetime) -> list[Any]:
    """Return columns that each begin with the next moment of some records after the given one."""
    return [column for find in _finders[moments] for column in find(after)]


_finders: dict[Moments, list[FindMoments]] = {moments: [] for moments in Moments}


def _midnight(day: date, zone: tzinfo) -> datetime:
    """Return the first moment of a day, which is later than 00:00 if that does not exist."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def _read() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the only place
