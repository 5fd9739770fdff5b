"""The parameters of the list of events."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.api.filters import (
    BooleanFilter,
    ContentFilterSet,
    DateTimeFilter,
    DayFilter,
    IdsFilter,
    NumberFilter,
    RecordIdFilter,
    RecordsOf,
    ReferencesFilter,
    SwitchFilter,
    no_filter,
)
from calendar_site.core.date_parser import parse_wire_date
from calendar_site.core.dates import day_end, day_start, site_zone, to_wire
from calendar_site.core.geo import Circle
from events.models import Event
from events.querysets import EventQuerySet
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

MONTHS_AHEAD = "+24 months"
DEFAULT_RADIUS = 25
# Half the circumference of the earth, in kilometres.
MAX_RADIUS = 20_038
# Parameters about fields that password-protected events hide: these events are left out, so that filters do not reveal
# the values (events/protection/protected_fields.py).
PROTECTED_PARAMETERS = {"categories", "tags", "venue", "organizer", "featured", "ticketed", "geoloc", "geoloc_lat"}


def visible(model: Any) -> RecordsOf:
    """Return a function for the records of a model that the user may see."""
    return lambda filterset: model.objects.visible_to(filterset.user)


def all_of(model: Any) -> RecordsOf:
    """Return a function for all records of a model."""
    return lambda filterset: model.objects.all()


class EventListForm(forms.Form):
    """A form that checks the parameters of a place, which depend on each other."""

    def clean(self) -> None:
        for name, other in (("geoloc_lat", "geoloc_lng"), ("geoloc_lng", "geoloc_lat")):
            if name in self.cleaned_data and other not in self.data:
                self.add_error(name, _("This parameter also requires %(name)s.") % {"name": other})
        if "geoloc_lat" in self.cleaned_data and self.cleaned_data.get("geoloc") is False:
            self.add_error("geoloc", _("Must be true if you send geoloc_lat and geoloc_lng."))


class EventFilterSet(ContentFilterSet):
    """The parameters of the list of events. Dates are in the site's time zone."""

    start_date = DateTimeFilter(
        method=no_filter,
        help_text=gettext_lazy(
            "Events that start on or after this day. Events that started earlier and are still ongoing are "
            "not included. Defaults to yesterday, unless you send starts_before, starts_after, ends_before or "
            "ends_after."
        ),
        initial=lambda: to_wire(default_window_start()),
    )
    end_date = DateTimeFilter(
        method=no_filter,
        help_text=gettext_lazy(
            "Events that end on or before this day. Defaults to 24 months from today, unless you send starts_before, "
            "starts_after, ends_before or ends_after."
        ),
        initial=lambda: to_wire(day_end(default_window_end())),
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
        method="filter_by_categories",
        help_text=gettext_lazy("Events in any of these categories or their subcategories, by ID, slug or name."),
    )
    tags = ReferencesFilter(
        queryset=all_of(Tag),
        method="filter_by_tags",
        help_text=gettext_lazy("Events with any of these tags, by ID, slug or name."),
    )
    venue = ReferencesFilter(
        queryset=visible(Venue),
        method="filter_by_venues",
        help_text=gettext_lazy("Events at any of these venues, by ID, slug or name."),
    )
    organizer = ReferencesFilter(
        queryset=visible(Organizer),
        method="filter_by_organizers",
        help_text=gettext_lazy("Events by any of these organizers, by ID, slug or name."),
    )
    featured = BooleanFilter(
        help_text=gettext_lazy("If true, only featured events. If false, only events that are not featured.")
    )
    include = IdsFilter(
        field_name="pk",
        lookup_expr="in",
        help_text=gettext_lazy("Only events with these IDs, regardless of their dates."),
    )
    post_parent = RecordIdFilter(
        field_name="parent",
        queryset=visible(Event),
        help_text=gettext_lazy("Only events that belong to the parent event with this ID."),
    )
    ticketed = BooleanFilter(
        method="filter_by_tickets",
        help_text=gettext_lazy("If true, only events with tickets. If false, only events without tickets."),
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

    class Meta:
        form = EventListForm

    def filter_queryset(self, queryset: EventQuerySet) -> EventQuerySet:
        events = queryset.listed()
        if PROTECTED_PARAMETERS & self.data.keys():
            events = events.with_fields_visible_to(self.user)
        events = super().filter_queryset(events)
        if self.ignores_dates_and_places:
            return events.ordered_by_publication()
        first, last = self.window()
        if first is not None:
            events = events.starting_from(first)
        if last is not None:
            events = events.ending_by(last)
        if "geoloc_lat" in self.data:
            return events.order_by("start_local", "distance", "pk")
        return events.ordered_by_local_start()

    @property
    def ignores_dates_and_places(self) -> bool:
        """Return whether events are listed by their ids alone, which clients of the contract expect of `include`."""
        return "include" in self.data

    def filter_by_search(self, events: EventQuerySet, name: str, text: str) -> EventQuerySet:
        return events.matching_for(text, self.user)

    def filter_by_categories(self, events: EventQuerySet, name: str, ids: list[int]) -> EventQuerySet:
        return events.in_categories(Category.objects.descendant_ids(ids))

    def filter_by_tags(self, events: EventQuerySet, name: str, ids: list[int]) -> EventQuerySet:
        return events.tagged(ids)

    def filter_by_venues(self, events: EventQuerySet, name: str, ids: list[int]) -> EventQuerySet:
        return events.at_venues(ids)

    def filter_by_organizers(self, events: EventQuerySet, name: str, ids: list[int]) -> EventQuerySet:
        return events.organized_by(ids)

    def filter_by_tickets(self, events: EventQuerySet, name: str, is_ticketed: bool) -> EventQuerySet:
        return events.ticketed(is_ticketed)

    # --- Places

    def filter_by_coordinates(self, events: EventQuerySet, name: str, has_coordinates: bool) -> EventQuerySet:
        # All events within a circle have coordinates.
        if self.ignores_dates_and_places or "geoloc_lat" in self.data:
            return events
        return events.with_coordinates(self.user, has_coordinates)

    def filter_by_distance(self, events: EventQuerySet, name: str, latitude: float) -> EventQuerySet:
        if self.ignores_dates_and_places:
            return events
        circle = Circle(latitude, self.get("geoloc_lng"), self.get("geoloc_radius", DEFAULT_RADIUS))
        return events.near(circle, self.user)

    # --- Dates

    @property
    def has_strict_dates(self) -> bool:
        return self.get("strict_dates", False)

    def filter_by_day(self, events: EventQuerySet, name: str, moment: datetime) -> EventQuerySet:
        if self.ignores_dates_and_places:
            return events
        return DAY_FILTERS[name](events, moment if self.has_strict_dates else day_end(moment))

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
        first = default_window_start()
        return day_end(first).replace(second=0) if self.has_strict_dates else first

    def _window_end(self, has_default: bool) -> datetime | None:
        last = self.get("end_date")
        if last is None and has_default:
            last = default_window_end()
        return last if last is None or self.has_strict_dates else day_end(last)

    def link_arguments(self) -> dict[str, str]:
        arguments = super().link_arguments()
        if self.ignores_dates_and_places:
            return arguments
        bounds = zip(("start_date", "end_date"), self.window(), strict=True)
        return arguments | {name: to_wire(bound) for name, bound in bounds if bound is not None}


def default_window_start() -> datetime:
    """Return the start of yesterday, from which lists begin by default."""
    today = timezone.now().astimezone(site_zone().tz).replace(microsecond=0)
    return day_start(day_start(today) - timedelta(hours=12))


def default_window_end() -> datetime:
    """Return the moment up to which lists go by default; without `strict_dates`, up to the end of its day."""
    return parse_wire_date(MONTHS_AHEAD, site_zone())


DAY_FILTERS = {
    "starts_before": EventQuerySet.starting_before,
    "starts_after": EventQuerySet.starting_after,
    "ends_before": EventQuerySet.ending_before,
    "ends_after": EventQuerySet.ending_after,
}
