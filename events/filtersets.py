"""The parameters of the list of events, and the query that they make.

`events.listing` finds the events.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any, ClassVar

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.api.lists.filters import (
    BooleanFilter,
    ChoiceFilter,
    ChoicesFilter,
    DateTimeFilter,
    DayFilter,
    IdsFilter,
    NumberFilter,
    RecordIdFilter,
    RecordsOf,
    ReferencesFilter,
    SwitchFilter,
)
from calendar_site.api.lists.filtersets import ContentFilterSet, ContentListForm, no_filter
from calendar_site.core import clock
from calendar_site.core.choices import Accessibility
from calendar_site.core.compiled_queries.querysets import CompiledQuerySet
from calendar_site.core.dates.conversion import Zone, day_end, day_start, resolve_local, site_zone, to_wire
from calendar_site.core.dates.parser import parse_wire_date
from calendar_site.core.search.geo import Circle
from events.choices import AttendanceMode, EventStatus
from events.listing.figures import MAX_RADIUS
from events.listing.query import DAY_PARAMETERS, EventListQuery
from events.models import (
    Event,
    Series,
)
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

MONTHS_AHEAD = "+24 months"
DEFAULT_RADIUS = 25


def visible(model: Any) -> RecordsOf:
    """Return a function for the records of a model that the user may see."""
    return lambda filterset: CompiledQuerySet(model).visible_to(filterset.user)


def every(model: Any) -> RecordsOf:
    """Return a function for all records of a model."""
    return lambda filterset: CompiledQuerySet(model)


class EventListForm(ContentListForm):
    """A form that checks the parameters of a place, too, which depend on each other."""

    required_by = ContentListForm.required_by | {"distance": "geoloc_lat"}

    def clean(self) -> None:
        super().clean()
        if self.cleaned_data.get("orderby") == "distance" and "include" in self.data:
            self.add_error("orderby", _("Must not be distance if you send include."))
        for name, other in (("geoloc_lat", "geoloc_lng"), ("geoloc_lng", "geoloc_lat")):
            if name in self.cleaned_data and other not in self.data:
                self.add_error(name, _("This parameter also requires %(name)s.") % {"name": other})
        if "geoloc_lat" in self.cleaned_data and self.cleaned_data.get("geoloc") is False:
            self.add_error("geoloc", _("Must be true if you send geoloc_lat and geoloc_lng."))


class EventFilterSet(ContentFilterSet):
    """The parameters of the list of events. `events.listing.conditions` has what each of them asks of an event."""

    order_columns: ClassVar = {
        "start_date": ("start_local",),
        "end_date": ("end",),
        "title": ("title",),
        "date": ("published_at",),
        "modified": ("modified_at",),
        "distance": ("distance", "start_local"),
    }

    start_date = DateTimeFilter(
        method=no_filter,
        help_text=gettext_lazy(
            "Events that start on or after this day. Events that started earlier and are still ongoing are "
            "not included. Defaults to yesterday, unless you send starts_before, starts_after, ends_before or "
            "ends_after."
        ),
        initial=lambda: to_wire(default_window_start(site_zone())),
    )
    end_date = DateTimeFilter(
        method=no_filter,
        help_text=gettext_lazy(
            "Events that end on or before this day. Defaults to 24 months from today, unless you send starts_before, "
            "starts_after, ends_before or ends_after."
        ),
        initial=lambda: to_wire(day_end(default_window_end(site_zone()))),
    )
    starts_before = DayFilter(method=no_filter, help_text=gettext_lazy("Events that start on or before this day."))
    starts_after = DayFilter(method=no_filter, help_text=gettext_lazy("Events that start after this day."))
    ends_before = DayFilter(
        method=no_filter,
        help_text=gettext_lazy("Events that end on or before this day (excludes events that end at exactly 23:59:59)."),
    )
    ends_after = DayFilter(method=no_filter, help_text=gettext_lazy("Events that end after this day."))
    strict_dates = SwitchFilter(
        method=no_filter,
        help_text=gettext_lazy("Whether to compare dates as exact times instead of whole days."),
        initial=False,
        schema={"type": "boolean"},
    )
    categories = ReferencesFilter(
        queryset=every(Category),
        method=no_filter,
        help_text=gettext_lazy("Events in any of these categories or their subcategories, by id, slug or name."),
    )
    tags = ReferencesFilter(
        queryset=every(Tag),
        method=no_filter,
        help_text=gettext_lazy("Events with any of these tags, by id, slug or name."),
    )
    venue = ReferencesFilter(
        queryset=visible(Venue),
        method=no_filter,
        help_text=gettext_lazy("Events at any of these venues, by id, slug or name."),
    )
    organizer = ReferencesFilter(
        queryset=visible(Organizer),
        method=no_filter,
        help_text=gettext_lazy("Events by any of these organizers, by id, slug or name."),
    )
    featured = BooleanFilter(
        method=no_filter,
        help_text=gettext_lazy("If true, only featured events. If false, only events that are not featured."),
    )
    include = IdsFilter(
        field_name="pk",
        lookup_expr="in",
        help_text=gettext_lazy("Only events with these ids, regardless of their dates."),
    )
    post_parent = RecordIdFilter(
        method=no_filter,
        queryset=visible(Event),
        help_text=gettext_lazy("Only events that belong to the parent event with this id."),
    )
    series = RecordIdFilter(
        method=no_filter,
        queryset=visible(Series),
        help_text=gettext_lazy("Only events of the series with this id."),
    )
    ticketed = BooleanFilter(
        method=no_filter,
        help_text=gettext_lazy("If true, only events with tickets. If false, only events without tickets."),
    )

    sold_out = BooleanFilter(
        field_name="sold_out",
        help_text=gettext_lazy("If true, only events that are sold out. If false, only events that are not sold out."),
    )

    free = BooleanFilter(
        method=no_filter,
        help_text=gettext_lazy(
            "If true, only free events: their cost is Free, or they have no cost and all of their tickets are free. If "
            "false, only the other events."
        ),
    )

    orderby = ChoiceFilter(
        method=no_filter,
        help_text=gettext_lazy(
            "The field to sort by. Defaults to start_date. distance requires geoloc_lat and geoloc_lng, and relevance "
            "requires search."
        ),
        schema={"enum": [*order_columns, "relevance"]},
    )

    event_status = ChoicesFilter(
        method=no_filter,
        choices=EventStatus.values,
        help_text=gettext_lazy(
            "Only events with any of these event statuses: scheduled, cancelled, postponed, rescheduled, moved_online."
        ),
    )
    attendance_mode = ChoicesFilter(
        method=no_filter,
        choices=AttendanceMode.values,
        help_text=gettext_lazy("Only events with any of these attendance modes: in_person, online, mixed."),
    )
    accessibility = ChoicesFilter(
        method=no_filter,
        choices=Accessibility.values,
        help_text=gettext_lazy(
            "Only events where the event itself or one of its venues has each of these accessibility features: "
            "step_free, hearing_loop, sign_language, quiet_hour."
        ),
    )

    geoloc = BooleanFilter(
        method=no_filter,
        help_text=gettext_lazy(
            "If true, only events at a venue with coordinates. If false, only events without such a venue."
        ),
    )
    geoloc_lat = NumberFilter(
        method=no_filter,
        help_text=gettext_lazy("Latitude of the center of the search area, in degrees. Requires geoloc_lng."),
        schema={"minimum": -90, "maximum": 90},
    )
    geoloc_lng = NumberFilter(
        method=no_filter,
        help_text=gettext_lazy("Longitude of the center of the search area, in degrees. Requires geoloc_lat."),
        schema={"minimum": -180, "maximum": 180},
    )
    geoloc_radius = NumberFilter(
        method=no_filter,
        help_text=gettext_lazy("Radius of the search area, in kilometers."),
        initial=DEFAULT_RADIUS,
        schema={"minimum": 0, "maximum": MAX_RADIUS},
    )

    class Meta:
        form = EventListForm

    @cached_property
    def list_query(self) -> EventListQuery:
        """The query of the list, with all parameters."""
        first, last = self.window
        return EventListQuery(
            user=self.user,
            values=self.form.cleaned_data,
            order=self.list_order,
            first_start=first,
            last_end=last,
            days={name: self._day_bound(self.get(name)) for name in DAY_PARAMETERS if name in self.data},
            circle=self._circle,
            filters={name: parameter.filter for name, parameter in self.filters.items()},
        )

    def filter_queryset(self, queryset: Any) -> Any:
        """Raise an error: the parameters have no conditions here."""
        raise NotImplementedError("Use EventList(filterset.list_query).")

    @property
    def default_order(self) -> tuple[str, str]:
        return ("date" if self.ignores_dates_and_places else "start_date"), "asc"

    @property
    def ignores_dates_and_places(self) -> bool:
        """Return whether events are listed by their ids alone, which clients of the contract expect of `include`."""
        return "include" in self.data

    @property
    def _circle(self) -> Circle | None:
        if self.ignores_dates_and_places or "geoloc_lat" not in self.data:
            return None
        return Circle(self.get("geoloc_lat"), self.get("geoloc_lng"), self.get("geoloc_radius", DEFAULT_RADIUS))

    # --- Dates

    @property
    def has_strict_dates(self) -> bool:
        return self.get("strict_dates", False)

    def _day_bound(self, moment: datetime) -> datetime:
        return moment if self.has_strict_dates else day_end(moment)

    @cached_property
    def window(self) -> tuple[datetime | None, datetime | None]:
        """Return the first start and the last end of the list.

        By default the window goes from yesterday to 24 months ahead, but any of the four other date parameters
        switches both default bounds off (D20). None stands for a missing bound.
        """
        has_defaults = not self.data.keys() & set(DAY_PARAMETERS)
        return self._window_start(has_defaults), self._window_end(has_defaults)

    def _window_start(self, has_default: bool) -> datetime | None:
        first = self.get("start_date")
        if first is not None:
            return first if self.has_strict_dates else day_start(first)
        if not has_default:
            return None
        first = default_window_start(self.zone)
        return day_end(first).replace(second=0) if self.has_strict_dates else first

    def _window_end(self, has_default: bool) -> datetime | None:
        last = self.get("end_date")
        if last is None and has_default:
            last = default_window_end(self.zone, is_strict=self.has_strict_dates)
        return last if last is None or self.has_strict_dates else day_end(last)

    def link_arguments(self) -> dict[str, str]:
        arguments = super().link_arguments()
        if self.ignores_dates_and_places:
            return arguments
        bounds = zip(("start_date", "end_date"), self.window, strict=True)
        return arguments | {name: to_wire(bound) for name, bound in bounds if bound is not None}


def default_window_start(zone: Zone) -> datetime:
    """Return the start of yesterday, from which lists begin by default."""
    return day_start(_start_of_today(zone) - timedelta(hours=12))


def default_window_end(zone: Zone, *, is_strict: bool = False) -> datetime:
    """Return the moment up to which lists go by default; without `strict_dates`, up to the end of its day."""
    return parse_wire_date(MONTHS_AHEAD, zone, None if is_strict else _start_of_today(zone))


def _start_of_today(zone: Zone) -> datetime:
    return resolve_local(datetime.combine(clock.today(zone.tz), time()), zone.tz)
