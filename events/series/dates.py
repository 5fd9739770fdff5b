"""The dates of a series: their limits, the horizon up to which events exist, and a preview."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from calendar_site.core import clock
from events.models import Event, Series
from events.recurrence.schedules import HasSchedule, Schedule

# Of the first occurrence, so that a rule has few steps.
MAX_AGE = timedelta(days=36_525)
# Of an occurrence, so that none ends after the last year.
MAX_DURATION = timedelta(days=366)


class Preview(NamedTuple):
    """The occurrences that a series has up to the horizon."""

    # Their local starts (`YYYY-MM-DD HH:MM:SS`), in order; as many as were asked for.
    occurrences: list[str]
    # The number of all of them, `Series.MAX_OCCURRENCES` at most.
    total: int
    # The local start of the last one.
    last: str
    # Whether the series has no others: neither beyond the horizon nor beyond the limit.
    is_complete: bool


def series_at(event: Event, *, rrule: str = "", rdate: Iterable[str] = (), exdate: Iterable[str] = ()) -> Series:
    """Return an unsaved series that begins with the dates of an event."""
    return Series(
        start_local=event.start_local,
        end_local=event.end_local,
        time_zone=event.time_zone,
        all_day=event.all_day,
        rrule=rrule,
        rdate=list(rdate),
        exdate=list(exdate),
    )


def preview_dates(series: HasSchedule, *, limit: int = Series.MAX_OCCURRENCES) -> Preview:
    """Return the dates of a series, or of anything with its columns, without saving it. No query.

    `limit` is the number of occurrences in the preview. Raises ValidationError like saving the series, and InvalidRule.
    """
    schedule = Schedule.of(series)
    validate_dates(series)
    horizon = horizon_of(schedule)
    # One more, to see whether they are too many.
    starts = list(islice(schedule.occurrences(horizon), Series.MAX_OCCURRENCES + 1))
    is_complete = len(starts) <= Series.MAX_OCCURRENCES and schedule.ends_by(horizon)
    starts = starts[: Series.MAX_OCCURRENCES]
    return Preview(starts[:limit], len(starts), starts[-1], is_complete)


def validate_dates(series: HasSchedule, before: Schedule | None = None) -> None:
    """Raise ValidationError for a series without occurrences, with too many more in the past, or with too late ones.

    `before` is the schedule before the change.
    """
    schedule = Schedule.of(series)
    present = datetime.fromisoformat(local_now(schedule))
    if schedule.start < present - MAX_AGE:
        raise ValidationError({"start": _("A series cannot begin more than %(years)s years ago.") % {"years": 100}})
    if schedule.duration > MAX_DURATION:
        raise ValidationError(
            {"end": _("An event of a series cannot last longer than %(days)s days.") % {"days": MAX_DURATION.days}}
        )
    first = next(schedule.occurrences(horizon_of(schedule)), None)
    if first is None:
        raise ValidationError({"rrule": _("There are no occurrences with this rule and these dates.")})
    # A series that has become old can still be changed and ended.
    limit = max(Series.MAX_OCCURRENCES, _count_past(before, present) if before else 0)
    if _count_past(schedule, present, limit + 1) > limit:
        raise ValidationError(
            {"start": _("More than %(limit)s occurrences are in the past.") % {"limit": Series.MAX_OCCURRENCES}}
        )


def _count_past(schedule: Schedule, present: datetime, limit: int | None = None) -> int:
    return sum(1 for _start in islice(schedule.occurrences(present), limit))


def horizon_of(schedule: Schedule) -> datetime:
    """Return the local time up to which occurrences are created, counted from the first one if it is in the future."""
    present = max(datetime.fromisoformat(local_now(schedule)), schedule.start)
    return min(present, datetime(9000, 1, 1)) + timedelta(days=settings.SERIES_HORIZON_DAYS)


def local_now(schedule: Schedule) -> str:
    """Return the present time on the clock of the series (`YYYY-MM-DD HH:MM:SS`)."""
    return str(clock.now().astimezone(schedule.zone.tz).replace(tzinfo=None, microsecond=0))


def at_new_time(dates: list[str], old_start: str, new_start: str) -> list[str]:
    """Return local times with the new time of the day, where they had the old one."""
    old, new = old_start[10:], new_start[10:]
    return [date[:10] + new if date[10:] == old else date for date in dates]
