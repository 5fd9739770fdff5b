"""The parameters of the list of events."""

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
from events.models import (
    Event,
    Series,
)
from events.protection.protected_fields import filters_by_hidden_fields
from events.querysets import EventQuerySet
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

MONTHS_AHEAD = "+24 months"
DEFAULT_RADIUS = 25
# Half the circumference of the earth, in kilometres.
MAX_RADIUS = 20_038
WHOLE_EARTH = Circle(0, 0, MAX_RADIUS)
LINK_FILTERS = {
    "venue": EventQuerySet.at_venues,
    "organizer": EventQuerySet.organized_by,
    "tags": EventQuerySet.tagged,
    "categories": EventQuerySet.in_categories,
}
EVENT_COLUMNS = {
    "featured": "featured",
    "post_parent": "parent",
    "series": "series",
}


def visible(model: Any) -> RecordsOf:
    """Return a function for the records of a model that the user may see."""
    return lambda filterset: CompiledQuerySet(model).visible_to(filterset.user)


def all_of(model: Any) -> RecordsOf:
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


class EventParameters(ContentFilterSet):
    """The parameters of the list of events, and the condition of each. `EventFilterSet` decides how rows are found."""

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
    starts_before = DayFilter(
        method="filter_by_day", help_text=gettext_lazy("Events that start on or before this day.")
    )
    starts_after = DayFilter(method="filter_by_day", help_text=gettext_lazy("Events that start after this day."))
    ends_before = DayFilter(
        method="filter_by_day",
        help_text=gettext_lazy("Events that end on or before this day (excludes events that end at exactly 23:59:59)."),
    )
    ends_after = DayFilter(method="filter_by_day", help_text=gettext_lazy("Events that end after this day."))
    strict_dates = SwitchFilter(
        method=no_filter,
        help_text=gettext_lazy("Whether to compare dates as exact times instead of whole days."),
        initial=False,
        schema={"type": "boolean"},
    )
    categories = ReferencesFilter(
        queryset=all_of(Category),
        method="filter_by_links",
        help_text=gettext_lazy("Events in any of these categories or their subcategories, by ID, slug or name."),
    )
    tags = ReferencesFilter(
        queryset=all_of(Tag),
        method="filter_by_links",
        help_text=gettext_lazy("Events with any of these tags, by ID, slug or name."),
    )
    venue = ReferencesFilter(
        queryset=visible(Venue),
        method="filter_by_links",
        help_text=gettext_lazy("Events at any of these venues, by ID, slug or name."),
    )
    organizer = ReferencesFilter(
        queryset=visible(Organizer),
        method="filter_by_links",
        help_text=gettext_lazy("Events by any of these organizers, by ID, slug or name."),
    )
    featured = BooleanFilter(
        method="filter_by_value",
        help_text=gettext_lazy("If true, only featured events. If false, only events that are not featured."),
    )
    include = IdsFilter(
        field_name="pk",
        lookup_expr="in",
        help_text=gettext_lazy("Only events with these IDs, regardless of their dates."),
    )
    post_parent = RecordIdFilter(
        method="filter_by_value",
        queryset=visible(Event),
        help_text=gettext_lazy("Only events that belong to the parent event with this ID."),
    )
    series = RecordIdFilter(
        method="filter_by_value",
        queryset=visible(Series),
        help_text=gettext_lazy("Only events of the series with this ID."),
    )
    ticketed = BooleanFilter(
        method="filter_by_tickets",
        help_text=gettext_lazy("If true, only events with tickets. If false, only events without tickets."),
    )

    sold_out = BooleanFilter(
        field_name="sold_out",
        help_text=gettext_lazy("If true, only events that are sold out. If false, only events that are not sold out."),
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
        method="filter_by_choices",
        choices=EventStatus.values,
        help_text=gettext_lazy(
            "Only events with any of these event statuses: scheduled, cancelled, postponed, rescheduled, moved_online."
        ),
    )
    attendance_mode = ChoicesFilter(
        method="filter_by_choices",
        choices=AttendanceMode.values,
        help_text=gettext_lazy("Only events with any of these attendance modes: in_person, online, mixed."),
    )
    accessibility = ChoicesFilter(
        method="filter_by_accessibility",
        choices=Accessibility.values,
        help_text=gettext_lazy(
            "Only events where the event itself or one of its venues has each of these accessibility features: "
            "step_free, hearing_loop, sign_language, quiet_hour."
        ),
    )

    geoloc = BooleanFilter(
        method="filter_by_coordinates",
        help_text=gettext_lazy(
            "If true, only events at a venue with coordinates. If false, only events without such a venue."
        ),
    )
    geoloc_lat = NumberFilter(
        method="filter_by_distance",
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

    # Whether rows are found by their starts, which most lists are ordered by, and are in the order of the list, which
    # totals do not need; and the parameters whose conditions are left out.
    uses_window = True
    is_ordered = True
    left_out: frozenset[str] = frozenset()

    class Meta:
        form = EventListForm

    @property
    def leading_parameter(self) -> str:
        """Return the parameter whose links are the rows of the list, instead of events; "" for none."""
        return ""

    def filter_queryset(self, rows: EventQuerySet) -> EventQuerySet:
        """Return the rows of the list among these events, or among links that stand for events."""
        events = rows.listed()
        if filters_by_hidden_fields(self.filters):
            events = events.with_fields_visible_to(self.user)
        events = super().filter_queryset(events)
        if self.ignores_dates_and_places:
            return super().in_order(events)
        first, last = self.window
        if first is not None:
            events = events.starting_from(first, uses_window=self.uses_window)
        if last is not None:
            events = events.ending_by(last, uses_window=self.uses_window)
        return self.in_order(events)

    @property
    def default_order(self) -> tuple[str, str]:
        return ("date" if self.ignores_dates_and_places else "start_date"), "asc"

    def in_order(self, events: EventQuerySet) -> EventQuerySet:
        if not self.is_ordered:
            return events
        if self.has_circle and not {"order", "orderby"} & self.data.keys():
            # The nearest first among those that start at the same time.
            return events.order_by("start_local", "distance", "pk")
        return super().in_order(events)

    @property
    def ignores_dates_and_places(self) -> bool:
        """Return whether events are listed by their ids alone, which clients of the contract expect of `include`."""
        return "include" in self.data

    def filter_by_search(self, events: EventQuerySet, name: str, text: str) -> EventQuerySet:
        return events.matching_for(text, self.user)

    def filter_by_links(self, events: EventQuerySet, name: str, ids: list[int]) -> EventQuerySet:
        return events if name == self.leading_parameter else LINK_FILTERS[name](events, ids)

    def filter_by_value(self, events: EventQuerySet, name: str, value: Any) -> EventQuerySet:
        return events.with_values(**{EVENT_COLUMNS[name]: value})

    def filter_by_choices(self, events: EventQuerySet, name: str, choices: list[str]) -> EventQuerySet:
        return events if name in self.left_out else events.with_value_among(name, choices)

    def filter_by_tickets(self, events: EventQuerySet, name: str, is_ticketed: bool) -> EventQuerySet:
        return events if name in self.left_out or name == self.leading_parameter else events.ticketed(is_ticketed)

    def filter_by_accessibility(self, events: EventQuerySet, name: str, features: list[str]) -> EventQuerySet:
        return events.with_accessibility(features, self.user)

    # --- Places

    def filter_by_coordinates(self, events: EventQuerySet, name: str, has_coordinates: bool) -> EventQuerySet:
        # All events within a circle have coordinates.
        is_ignored = self.ignores_dates_and_places or self.has_circle or name in self.left_out
        if is_ignored or name == self.leading_parameter:
            return events
        return events.with_coordinates(self.user, has_coordinates)

    def filter_by_distance(self, events: EventQuerySet, name: str, latitude: float) -> EventQuerySet:
        if self.ignores_dates_and_places or name in self.left_out or name == self.leading_parameter:
            return events
        if self.has_most_venues:
            found = events.at_other_venues(self.other_venue_ids)
        else:
            found = events.at_many_venues(self.venue_ids)
        return found.with_distance(self.circle, self.user) if self.is_ordered else found

    @property
    def has_circle(self) -> bool:
        return "geoloc_lat" in self.data

    @property
    def circle(self) -> Circle:
        if not self.has_circle:
            return WHOLE_EARTH
        return Circle(self.get("geoloc_lat"), self.get("geoloc_lng"), self.get("geoloc_radius", DEFAULT_RADIUS))

    @cached_property
    def has_most_venues(self) -> bool:
        """Whether most venues are in the circle, so that finding the events elsewhere reads less. Two queries.

        One for a circle whose bounding box has few venues.
        """
        in_box, total = self.queryset.count_venues(self.circle)
        return in_box * 2 > total and len(self.other_venue_ids) * 2 < total

    @cached_property
    def venue_ids(self) -> list[int]:
        """The ids of the venues within the circle. One query."""
        ids: list[int] = self.queryset.venue_ids_within(self.circle, self.user)
        return ids

    @cached_property
    def other_venue_ids(self) -> list[int]:
        """The ids of all other venues. One query."""
        ids: list[int] = self.queryset.venue_ids_elsewhere(self.circle, self.user)
        return ids

    # --- Dates

    @property
    def has_strict_dates(self) -> bool:
        return self.get("strict_dates", False)

    def filter_by_day(self, events: EventQuerySet, name: str, moment: datetime) -> EventQuerySet:
        if self.ignores_dates_and_places:
            return events
        bound = self._day_bound(moment)
        if name == "ends_after" and self.uses_window:
            return events.ending_after(bound, long_starts=self._long_starts)
        return DAY_FILTERS[name](events, bound, uses_window=self.uses_window)

    @cached_property
    def _long_starts(self) -> dict[int, str]:
        """The local starts of long events that end after `ends_after`, by id. One query."""
        starts: dict[int, str] = self.queryset.long_starts(self._day_bound(self.get("ends_after")))
        return starts

    def _day_bound(self, moment: datetime) -> datetime:
        return moment if self.has_strict_dates else day_end(moment)

    @cached_property
    def window(self) -> tuple[datetime | None, datetime | None]:
        """Return the first start and the last end of the list.

        By default the window goes from yesterday to 24 months ahead, but any of the four other date parameters
        switches both default bounds off (D20). None stands for a missing bound.
        """
        has_defaults = not DAY_FILTERS.keys() & self.data.keys()
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

    def bounds(self) -> tuple[datetime | None, datetime | None]:
        """Return two moments: an event in between is not excluded by any parameter about time. None for no bound."""
        first, last = self.window
        bounds = {name: self._day_bound(self.get(name)) for name in DAY_FILTERS if name in self.data}
        since = [moment for moment in (first, bounds.get("starts_after"), bounds.get("ends_after")) if moment]
        until = [moment for moment in (last, bounds.get("starts_before"), bounds.get("ends_before")) if moment]
        return max(since, default=None), min(until, default=None)

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


DAY_FILTERS = {
    "starts_before": EventQuerySet.starting_before,
    "starts_after": EventQuerySet.starting_after,
    "ends_before": EventQuerySet.ending_before,
    "ends_after": EventQuerySet.ending_after,
}
