"""The dates of a series: their limits, the horizon up to which events exist, and a preview."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from calendar_site.core import clock
from events.models import Event, Series
from events.recurrence.schedules import HasSchedule, Schedule

# The limit of the age of the first occurrence, so that a rule has few steps.
MAX_AGE = timedelta(days=36_525)
DAY_LENGTH = len("2027-03-10")
# How far beyond the horizon the next occurrence of a rule, and dates to exclude, are looked for.
LOOKAHEAD = timedelta(days=3660)
# In an error message.
MAX_DATES_NAMED = 10
# The limit of an occurrence, so that none ends after the last year.
MAX_DURATION = timedelta(days=366)


class Preview(NamedTuple):
    """The occurrences that a series has up to the horizon."""

    # Their local starts (`YYYY-MM-DD HH:MM:SS`), in order; as many as were asked for.
    occurrences: list[str]
    # The number of all of them; see `missing_occurrences()` for the limit.
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


def preview_dates(series: HasSchedule, *, limit: int | None = None) -> Preview:
    """Return the dates of a series, or of anything with its columns, without saving it. No query.

    They are those for which saving a new series creates events. `limit` is the number of occurrences in the preview;
    None for all. Raises ValidationError like saving the series, and InvalidRule.
    """
    schedule = Schedule.of(series)
    validate_dates(series)
    starts, is_limited = missing_occurrences(schedule)
    is_complete = not is_limited and schedule.ends_by(horizon_of(schedule))
    return Preview(starts[:limit], len(starts), starts[-1], is_complete)


class Missing(NamedTuple):
    """The local starts of occurrences that a series does not have yet."""

    starts: list[str]
    # Whether there are more than a series may have.
    is_limited: bool


def missing_occurrences(schedule: Schedule, *, after: str = "", known: Collection[str] = ()) -> Missing:
    """Return the occurrences after a local time and up to the horizon that are not known.

    With the known ones, at most `Series.MAX_OCCURRENCES` have not begun. `validate_dates()` limits those in the past.
    """
    present = local_now(schedule)
    room = Series.MAX_OCCURRENCES - sum(start >= present for start in known)
    starts: list[str] = []
    for start in schedule.occurrences(horizon_of(schedule)):
        if start <= after or start in known:
            continue
        if start >= present:
            if room <= 0:
                return Missing(starts, is_limited=True)
            room -= 1
        starts.append(start)
    return Missing(starts, is_limited=False)


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
        raise ValidationError({"rrule": _("There are no events with this rule and these dates.")})
    # A series that has become old can still be changed and ended.
    limit = max(Series.MAX_OCCURRENCES, _count_past(before, present) if before else 0)
    if _count_past(schedule, present, limit + 1) > limit:
        raise ValidationError(
            {"start": _("More than %(limit)s events are in the past.") % {"limit": Series.MAX_OCCURRENCES}}
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


def at_start_time(dates: Iterable[str], start_local: str) -> list[str]:
    """Return the local times, with the time of the first occurrence for those that are a day alone (D46)."""
    return sorted({date if len(date) > DAY_LENGTH else f"{date} {start_local[11:]}" for date in dates})


def validate_excluded(series: HasSchedule, known: Collection[str] = ()) -> None:
    """Raise ValidationError for dates to exclude on which the series would have no occurrence (D46).

    `known` are excluded already, and may be left from other dates.
    """
    added = {date for date in series.exdate if date not in known}
    schedule = Schedule.of(series)
    last = max((datetime.fromisoformat(date) for date in added), default=None)
    if last is None or last > horizon_of(schedule) + LOOKAHEAD:
        return
    is_midnight = series.all_day
    occurrences = set(schedule._replace(excluded=()).occurrences(last + timedelta(days=1)))
    met = {start[:DAY_LENGTH] for start in occurrences} if is_midnight else occurrences
    unmet = sorted(date for date in added if (date[:DAY_LENGTH] if is_midnight else date) not in met)
    if unmet:
        message = _("The series has no event at these times: %(dates)s. Use the start of an event, or its day alone.")
        raise ValidationError({"exdate": message % {"dates": ", ".join(unmet[:MAX_DATES_NAMED])}})


def normalize_dates(series: Series) -> None:
    """Let a series of chosen dates begin with the first one that is not excluded, and an all-day one at midnight."""
    if series.all_day:
        series.rdate, series.exdate = (
            sorted({f"{date[:10]} 00:00:00" for date in dates}) for dates in (series.rdate, series.exdate)
        )
    dates = {series.start_local, *series.rdate}
    if series.rrule or not (kept := dates - set(series.exdate)):
        return
    duration = Schedule.of(series).duration
    series.start_local = min(kept)
    series.end_local = str(datetime.fromisoformat(series.start_local) + duration)
    series.rdate = sorted(dates - {series.start_local})
