"""What the list of events is narrowed by in time."""

import re
from datetime import date

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.db.models import Exists
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.content.admin.filters import StatusFilter
from calendar_site.content.days import month as month_in_words
from calendar_site.content.days import short_day
from events.admin.periods import FIRST, LAST
from events.models import Event

PERIOD = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")
YEAR, MONTH = 4, 7
# More have no place above a list; what lies further away is found by its day.
MOST_YEARS = 60


class TimeFilter(admin.SimpleListFilter):
    title = gettext_lazy("time")
    parameter_name = "time"

    def lookups(self, request, model_admin):
        return [("coming", _("coming and under way")), ("past", _("past"))]

    def queryset(self, request, queryset):
        now = timezone.now()
        if self.value() == "coming":
            return queryset.ending_after(now)
        return queryset.ending_by(now) if self.value() == "past" else queryset


class StartFilter(admin.SimpleListFilter):
    """Years, their months and their days, on the events' own clocks: shown above the list, not beside it.

    Not `date_hierarchy`: that goes by UTC, where an evening may be the next day, and knows no index.
    """

    title = gettext_lazy("start")
    parameter_name = "start"

    def lookups(self, request, model_admin):
        return ()

    def has_output(self):
        return True

    def choices(self, changelist):
        return ()

    def queryset(self, request, queryset):
        if not self.value():
            return queryset
        if not PERIOD.fullmatch(self.value()):
            raise IncorrectLookupParameters
        return _starting_in(queryset, self.value())

    def ways_up(self, changelist):
        """The chosen period, and before it those that it is within: what each is called, and where it leads."""
        chosen = self.value() or ""
        within = [chosen[:length] for length in (YEAR, MONTH) if len(chosen) > length]
        return [(_("All dates"), changelist.get_query_string(remove=[self.parameter_name]))] * bool(chosen) + [
            self._way(changelist, period) for period in [*within, *filter(None, [chosen])]
        ]

    def ways_down(self, changelist):
        """The parts of the chosen period in which events of the chosen status start. Costs three queries at most.

        The other filters are not asked: no index answers them together with a start.
        """
        starts = Event.objects.readable_by(self.request.user).order_by("start_local")
        for spec in changelist.filter_specs:
            if isinstance(spec, StatusFilter):
                starts = spec.queryset(self.request, starts)
        return [self._way(changelist, period) for period in _having_any(starts, self._parts(starts))]

    def _parts(self, starts):
        chosen = self.value() or ""
        if len(chosen) > MONTH:
            return []
        if len(chosen) > YEAR:
            return [f"{chosen}-{day:02}" for day in range(1, 32)]
        if chosen:
            return [f"{chosen}-{month:02}" for month in range(1, 13)]
        return _years(starts)

    def _way(self, changelist, period):
        return _name(period), changelist.get_query_string({self.parameter_name: period})


def _years(starts):
    """The years from the first start to the last, the nearest to this one where they are many."""
    first, last = (
        starts.order_by(order, "pk").values_list("start_local", flat=True).first()
        for order in ("start_local", "-start_local")
    )
    if first is None:
        return []
    this = timezone.localdate().year
    years = sorted(range(int(first[:YEAR]), int(last[:YEAR]) + 1), key=lambda year: abs(year - this))[:MOST_YEARS]
    return [f"{year:04}" for year in sorted(years)]


def _having_any(starts, periods):
    """Those of the periods in which any of the events starts. Costs a query."""
    if not periods:
        return []
    # Asked along with one event, whichever it is: the index answers each by itself.
    asked = {f"in_{number}": Exists(_starting_in(starts, period)) for number, period in enumerate(periods)}
    found = starts.annotate(**asked).values_list(*asked).first() or ()
    return [period for period, is_any in zip(periods, found, strict=False) if is_any]


def _starting_in(events, period):
    """By the next number as the bound, not by a letter behind digits: databases order those in ways of their own."""
    *whole, last = period.split("-")
    width = len(last)
    after = "-".join([*whole, f"{int(last) + 1:0{width}}"])
    return events.filter(start_local__gte=period, start_local__lt=after)


def _name(period):
    """The period in words; what is no day of the calendar as it is written."""
    try:
        if len(period) > MONTH:
            return short_day(date.fromisoformat(period))
        return month_in_words(date.fromisoformat(f"{period}-01")) if len(period) > YEAR else period
    except ValueError:
        return period


class DaysFilter(admin.ListFilter):
    """What happens on any day from one to another, either of which may be left open."""

    title = gettext_lazy("days")
    template = "admin/days_filter.html"
    parameter_names = ("from", "to")

    def __init__(self, request, params, model, model_admin):
        super().__init__(request, params, model, model_admin)
        self.request = request
        given = {name: params.pop(name, [""])[-1] for name in self.parameter_names}
        self.used_parameters.update({name: text for name, text in given.items() if text})

    def expected_parameters(self):
        return list(self.parameter_names)

    def has_output(self):
        return True

    def queryset(self, request, queryset):
        if not self.used_parameters:
            return queryset
        try:
            first, last = (self._day(name, default) for name, default in (("from", FIRST), ("to", LAST)))
        except ValueError as error:
            raise IncorrectLookupParameters from error
        # Whoever turned them round meant the same.
        return queryset.on_days(*sorted((first, last)))

    def choices(self, changelist):
        kept = [(name, value) for name, value in self.request.GET.items() if name not in (*self.parameter_names, "p")]
        without = changelist.get_query_string(remove=[*self.parameter_names])
        yield {"first": self._given("from"), "last": self._given("to"), "kept": kept, "without": without}

    def _given(self, name):
        return self.used_parameters.get(name, "")

    def _day(self, name, default):
        given = self._given(name)
        return min(max(date.fromisoformat(given), FIRST), LAST) if given else default
