"""The parts of a parsed date, and the range of dates that can be stored."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import NamedTuple

from django.utils.translation import gettext as _

FIRST_YEAR, LAST_YEAR = 1000, 9998  # one year of margin, so that no conversion leaves the range of datetime
FIRST_DAY, LAST_DAY = date(FIRST_YEAR, 1, 1).toordinal(), date(LAST_YEAR, 12, 31).toordinal()
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY_SECONDS = 24 * 60 * 60
WEEK_DAYS = 7


class CalendarDate(NamedTuple):
    """A day; a month if `day` is None; without a year, the present one."""

    year: int | None
    month: int
    day: int | None


class TimeOfDay(NamedTuple):
    """The time since midnight in seconds, and the UTC offset behind it."""

    seconds: int
    offset: tzinfo | None


class Weekday(NamedTuple):
    """A weekday (Monday is 0): the next one (1), the last one (-1), or one that may be today (0 or None)."""

    number: int
    nth: int | None


class DayOfMonth(NamedTuple):
    """The first day (1) or the last day (-1) of a month, or of all its days with this weekday, up to the fifth."""

    nth: int
    weekday: int | None


class Units(NamedTuple):
    """A duration. Days and months are of the calendar, seconds are elapsed time."""

    months: int = 0
    days: int = 0
    seconds: int = 0

    def plus(self, number: int, unit: "Units") -> "Units":
        return Units(
            self.months + number * unit.months,
            self.days + number * unit.days,
            self.seconds + number * unit.seconds,
        )


class Step(NamedTuple):
    """The unit before or after the present one. A week begins on Monday."""

    nth: int
    unit: str

    @property
    def is_week(self) -> bool:
        return self.unit == "week"


@dataclass(frozen=True)
class DateParts:
    """The parts of a parsed text, named as in `spellings.DateForm.sets`."""

    date: CalendarDate | None = None
    time: TimeOfDay | None = None
    zone: tzinfo | None = None
    instant: datetime | None = None
    now: bool | None = None
    named_day: int | None = None
    weekday: Weekday | None = None
    day_of_month: DayOfMonth | None = None
    units: Units | None = None
    step: Step | None = None

    def names(self) -> set[str]:
        return {name for name, value in vars(self).items() if value is not None}


class DateOutOfRange(ValueError):
    """A date before the first year or after the last."""

    def __init__(self, *, is_past: bool) -> None:
        years = {"first": FIRST_YEAR, "last": LAST_YEAR}
        super().__init__(_("The year must be between %(first)s and %(last)s.") % years)
        self.is_past = is_past


def from_unix(seconds: int) -> datetime:
    """Return the moment of a Unix time, in UTC. Raises DateOutOfRange."""
    days = seconds // DAY_SECONDS + EPOCH.toordinal()
    # A time zone may move the moment to a day that is in the range.
    if not FIRST_DAY - 1 <= days <= LAST_DAY + 1:
        raise DateOutOfRange(is_past=days < FIRST_DAY)
    return EPOCH + timedelta(seconds=seconds)


def check_day(ordinal: int) -> None:
    """Raise DateOutOfRange if the day with this proleptic Gregorian ordinal cannot be stored."""
    if not FIRST_DAY <= ordinal <= LAST_DAY:
        raise DateOutOfRange(is_past=ordinal < FIRST_DAY)


def check_year(year: int) -> None:
    """Raise DateOutOfRange if no day of the year can be stored."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise DateOutOfRange(is_past=year < FIRST_YEAR)
