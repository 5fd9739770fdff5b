"""The filters of the list of events by time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.db.models import Exists, Model
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.back_office.lists.filters import StatusFilter
from calendar_site.core import clock
from calendar_site.core.dates.conversion import site_zone
from calendar_site.core.dates.formatting import format_month, format_short_day
from events.calendar_periods import FIRST, LAST
from events.models import Event

PERIOD = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")
YEAR, MONTH = 4, 7
# More years do not fit above a list. Users find events outside these years by day.
MAX_YEARS = 60


class PeriodLink(NamedTuple):
    label: str
    url: str


class TimeFilter(admin.SimpleListFilter):
    title = gettext_lazy("time")
    parameter_name = "time"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("coming", _("Upcoming and ongoing")), ("past", _("Past"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        now = clock.now()
        if self.value() == "coming":
            return queryset.ending_after(now)
        return queryset.ending_by(now) if self.value() == "past" else queryset


class StartFilter(admin.SimpleListFilter):
    """A filter by year, month and day of the start, in the time zones of the events, shown above the list.

    Replaces `date_hierarchy`, which goes by UTC, where an evening may be the next day, and uses no index.
    """

    title = gettext_lazy("start")
    parameter_name = "start"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return []

    def has_output(self) -> bool:
        return True

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        return iter(())

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        period = self.value()
        if not period:
            return queryset
        if not PERIOD.fullmatch(period):
            raise IncorrectLookupParameters
        return _starting_in(queryset, period)

    def enclosing_periods(self, changelist: ChangeList) -> list[PeriodLink]:
        """Return links to all dates, to the periods around the selected one, and to itself; [] if none is selected."""
        selected = self.value()
        if not selected:
            return []
        around = [selected[:length] for length in (YEAR, MONTH) if len(selected) > length]
        all_dates = PeriodLink(_("All dates"), changelist.get_query_string(remove=[self.parameter_name]))
        return [all_dates, *(self._link(changelist, period) for period in (*around, selected))]

    def contained_periods(self, changelist: ChangeList) -> list[PeriodLink]:
        """Return links to the parts of the selected period in which events of the selected status start.

        Ignores the other filters, because no index covers them together with a start. Three queries at most.
        """
        starts = Event.objects.readable_by(self.request.user).order_by("start_local")
        for spec in changelist.filter_specs:
            if isinstance(spec, StatusFilter):
                starts = spec.queryset(self.request, starts)
        return [self._link(changelist, period) for period in _non_empty(starts, self._parts(starts))]

    def _parts(self, starts: Any) -> list[str]:
        selected = self.value() or ""
        if len(selected) > MONTH:
            return []
        if len(selected) > YEAR:
            return [f"{selected}-{day:02}" for day in range(1, 32)]
        if selected:
            return [f"{selected}-{month:02}" for month in range(1, 13)]
        return _years(starts)

    def _link(self, changelist: ChangeList, period: str) -> PeriodLink:
        return PeriodLink(_format_period(period), changelist.get_query_string({self.parameter_name: period}))


def _years(starts: Any) -> list[str]:
    """Return the years from the first start to the last; if there are many, the ones nearest to this year."""
    first, last = (
        starts.order_by(order, "pk").values_list("start_local", flat=True).first()
        for order in ("start_local", "-start_local")
    )
    if first is None:
        return []
    this = clock.today(site_zone().tz).year
    years = sorted(range(int(first[:YEAR]), int(last[:YEAR]) + 1), key=lambda year: abs(year - this))[:MAX_YEARS]
    return [f"{year:04}" for year in sorted(years)]


def _non_empty(starts: Any, periods: list[str]) -> list[str]:
    """Return the periods in which any of the events starts. One query."""
    if not periods:
        return []
    # Annotate an arbitrary event with all conditions, so that the index answers each of them separately.
    conditions = {f"in_{number}": Exists(_starting_in(starts, period)) for number, period in enumerate(periods)}
    found = starts.annotate(**conditions).values_list(*conditions).first() or ()
    return [period for period, is_any in zip(periods, found, strict=False) if is_any]


def _starting_in(events: Any, period: str) -> Any:
    """Filter to events that start in the period.

    The upper bound is the next number, because databases differ in how they order letters after digits.
    """
    *whole, last = period.split("-")
    width = len(last)
    after = "-".join([*whole, f"{int(last) + 1:0{width}}"])
    return events.filter(start_local__gte=period, start_local__lt=after)


def _format_period(period: str) -> str:
    """Return the period in words; unchanged if there is no such day."""
    try:
        if len(period) > MONTH:
            return format_short_day(date.fromisoformat(period))
        return format_month(date.fromisoformat(f"{period}-01")) if len(period) > YEAR else period
    except ValueError:
        return period


class DaysFilter(admin.ListFilter):
    """Events on any day from one to another, either of which may be left open."""

    title = gettext_lazy("date range")
    template = "admin/days_filter.html"
    parameter_names = ("from", "to")

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: type[Model], model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
        self.request = request
        days = {name: params.pop(name, [""])[-1] for name in self.parameter_names}
        self.used_parameters.update({name: text for name, text in days.items() if text})

    def expected_parameters(self) -> list[str | None]:
        return list(self.parameter_names)

    def has_output(self) -> bool:
        return True

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if not self.used_parameters:
            return queryset
        try:
            first, last = (self._day(name, default) for name, default in (("from", FIRST), ("to", LAST)))
        except ValueError as error:
            raise IncorrectLookupParameters from error
        # Accept the two days in either order.
        return queryset.on_days(*sorted((first, last)))

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        kept = [(name, value) for name, value in self.request.GET.items() if name not in (*self.parameter_names, "p")]
        without = changelist.get_query_string(remove=[*self.parameter_names])
        yield {"first": self._value("from"), "last": self._value("to"), "kept": kept, "without": without}

    def selected_label(self) -> str:
        days = (self._value(name) for name in self.parameter_names)
        return " – ".join(format_short_day(date.fromisoformat(day)) if day else "…" for day in days)

    def _value(self, name: str) -> str:
        return str(self.used_parameters.get(name, ""))

    def _day(self, name: str, default: date) -> date:
        value = self._value(name)
        return min(max(date.fromisoformat(value), FIRST), LAST) if value else default
