"""When events repeat, as forms and hidden inputs contain it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

from events.models import Series
from events.recurrence.schedules import Schedule

DAY_LENGTH = len("2027-03-10")
_SEPARATOR, _DATE_SEPARATOR = "|", ","


class Recurrence(NamedTuple):
    """A rule, and dates that are added or left out: days, or local times if theirs is not the time of the event."""

    rrule: str
    rdate: tuple[str, ...]
    exdate: tuple[str, ...]

    @classmethod
    def of_series(cls, series: Series) -> Self:
        schedule = Schedule.of(series)
        rule, time = schedule.rule, series.start_local[DAY_LENGTH:]
        if rule is not None and "T" in rule.until:
            rule = rule.ending_on(f"{rule.last_day(schedule.start, schedule.zone.tz):%Y%m%d}")
        return cls(str(rule or ""), _to_days(series.rdate, time), _to_days(series.exdate, time))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the recurrence of `str()`."""
        rrule, rdate, exdate = (text or _SEPARATOR * 2).split(_SEPARATOR)
        return cls(rrule, *(tuple(filter(None, dates.split(_DATE_SEPARATOR))) for dates in (rdate, exdate)))

    def __str__(self) -> str:
        return _SEPARATOR.join((self.rrule, *map(_DATE_SEPARATOR.join, (self.rdate, self.exdate))))

    def changes(self, start_local: str) -> dict[str, Any]:
        """Return the fields of a series whose first event starts at this local time (`YYYY-MM-DD HH:MM:SS`)."""
        time = start_local[DAY_LENGTH:]
        dates = {"rdate": self.rdate, "exdate": self.exdate}
        return {"rrule": self.rrule, **{name: sorted(_to_times(days, time)) for name, days in dates.items()}}


def _to_days(times: Iterable[str], usual_time: str) -> tuple[str, ...]:
    return tuple(text.removesuffix(usual_time) for text in times)


def _to_times(days: Iterable[str], usual_time: str) -> set[str]:
    return {day + usual_time if len(day) == DAY_LENGTH else day for day in days}
