"""The parameters of the list of events."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any, ClassVar

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.api.filters import (
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
from calendar_site.api.filtersets import ContentFilterSet, ContentListForm, no_filter
from calendar_site.api.pagination import Page
from calendar_site.core import clock
from calendar_site.core.choices import Accessibility
from calendar_site.core.compiled_querysets import CompiledQuerySet, count_distinct, count_rows
from calendar_site.core.date_parser import parse_wire_date
from calendar_site.core.dates import Zone, day_end, day_start, resolve_local, site_zone, to_wire
from calendar_site.core.geo import Circle
from events.choices import AttendanceMode, EventStatus
from events.derived import tallies, totals
from events.models import (
    Event,
    IndexedCategory,
    IndexedOrganizer,
    IndexedTag,
    IndexedTicketed,
    IndexedVenue,
    Series,
)
from events.querysets import USUAL_VALUES, EventQuerySet
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

MONTHS_AHEAD = "+24 months"
DEFAULT_RADIUS = 25
# Half the circumference of the earth, in kilometres.
MAX_RADIUS = 20_038
# Parameters about fields that password-protected events hide: these events are left out, so that filters do not reveal
# the values (events/protection/protected_fields.py).
PROTECTED_PARAMETERS = {
    "categories", "tags", "venue", "organizer", "featured", "ticketed", "geoloc", "geoloc_lat", "event_status",
    "attendance_mode", "accessibility", "series",
}  # fmt: skip

# Parameters that find events by other indexes, or that need more columns than links have.
READS_EVENTS = {
    "include", "search", "geoloc_lat", "modified_after", "modified_before", "accessibility"
}  # fmt: skip
# Orders by columns that links do not have.
ORDERS_OF_EVENTS = {"title", "modified"}
INDEXED_LINKS: dict[str, Any] = {
    "venue": IndexedVenue,
    "organizer": IndexedOrganizer,
    "tags": IndexedTag,
    "categories": IndexedCategory,
    "ticketed": IndexedTicketed,
}
# Of lists whose totals the tally of days has, and those that do not change the total.
TALLIED_PARAMETERS = {
    "page", "per_page", "start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after",
    "strict_dates", "featured", "order", "orderby", "timezone",
}  # fmt: skip
# The links of so few venues are read without asking how many events there are.
FEW_VENUES = 500
# The venues of so few events are looked up, instead of the events of many venues.
FEW_EVENTS = 5000
LINK_FILTERS = {
    "venue": EventQuerySet.at_venues,
    "organizer": EventQuerySet.organized_by,
    "tags": EventQuerySet.tagged,
    "categories": EventQuerySet.in_categories,
}
# Orders that an index of events has, and that do not begin with events of the past.
INDEXED_ORDERS = {("title", "asc"), ("title", "desc"), ("modified", "desc")}
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


class EventFilterSet(ContentFilterSet):
    """The parameters of the list of events."""

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

    # Whether to find the events by their starts, which most lists are ordered by.
    uses_window = True
    # Not for totals.
    is_ordered = True
    # Parameters that are ignored.
    left_out: frozenset[str] = frozenset()

    class Meta:
        form = EventListForm

    def filter_queryset(self, queryset: EventQuerySet) -> EventQuerySet:
        return self._filter_rows(self._rows(queryset))

    def _filter_rows(self, rows: EventQuerySet) -> EventQuerySet:
        """Return the rows of the list among these events, or among links that stand for events."""
        events = rows.listed()
        if PROTECTED_PARAMETERS & self.data.keys():
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
        if "geoloc_lat" in self.data and not {"order", "orderby"} & self.data.keys():
            # The nearest first among those that start at the same time.
            return events.order_by("start_local", "distance", "pk")
        return super().in_order(events)

    def rows_of_page(self, page: Page) -> Any:
        if self.sort_order in INDEXED_ORDERS and self.queryset.is_faster_by_order(page.rows.stop, page.total):
            return self._filtered(uses_window=False)
        if self._can_read_by_end and self.is_dense(page):
            since, _until = self.bounds()
            return self._filtered(uses_window=False).found_by_end(since)
        if self._merges_links and self.is_dense(page):
            return self._filtered(leading_parameter="")
        name = self.leading_parameter_of_total
        if "geoloc_lat" in self.data and name and not self.is_dense(page):
            links = self._filtered(is_ordered=False, leading_parameter=name)
            events = self.queryset.filter(pk__in=links.values("event_id"))
            return self.in_order(events.with_distance(self.circle, self.user))
        return self.qs

    def is_dense(self, page: Page) -> bool:
        """Return whether the page is found sooner by reading the events of all lists in the same order."""
        return bool(self.queryset.is_dense(page.rows.stop, page.total))

    @property
    def _can_read_by_end(self) -> bool:
        """Return whether the index of the end has the list in its order, and begins with events of the list."""
        key, order = self.sort_order
        excludes_first = order == "desc" and "starts_before" in self.data
        return key == "end_date" and not (excludes_first or self.ignores_dates_and_places or self.leading_parameter)

    @property
    def _merges_links(self) -> bool:
        """Return whether the list is ordered by the start, and read from the links of several records."""
        name = self.leading_parameter
        return self._has_many_links(name) and self.sort_order[0] == "start_date"

    def _filtered(self, rows: Any = None, **choices: Any) -> Any:
        """Return the events of the list, found in another way: with other values of these attributes.

        If given, only those of `rows`, which are events or links.
        """
        usual = {name: getattr(self, name) for name in choices}
        self.__dict__.update(choices)
        try:
            return self._filter_rows(self._rows(self.queryset) if rows is None else rows)
        finally:
            self.__dict__.update(usual)

    def count(self) -> int:
        """Return the number of events: of long lists by the tally of days, of others by links if these are fewer."""
        usual = [name for name in self.filters if self._has_usual_value(name)]
        if self.filters.keys() - set(usual) <= TALLIED_PARAMETERS:
            total = self._count_by_tally(frozenset(usual))
            # Less the events with another value, each only for the first parameter that excludes it.
            return total - sum(self._count_unusual(name, frozenset(usual[at:])) for at, name in enumerate(usual))
        name = self.leading_parameter_of_total
        is_repeated = self._has_many_links(name)
        if name == self.leading_parameter and not is_repeated and "geoloc_lat" not in self.data:
            is_tallied = self.filters.keys() - {name} <= TALLIED_PARAMETERS - {"featured"}
            return self._count_term_by_tally(name) if is_tallied and name in tallies.TERMS else count_rows(self.qs)
        rows = self._filtered(is_ordered=False, leading_parameter=name)
        return count_distinct(rows, "event_id") if is_repeated else count_rows(rows)

    def _count_by_tally(self, left_out: frozenset[str]) -> int:
        return totals.count_by_tally(
            self._filtered(left_out=left_out) if left_out else self.qs,
            self.queryset,
            lambda events: self._filtered(events, left_out=left_out),
            self.user,
            totals.Days.surely_within(*self.bounds()),
            featured=self.get("featured"),
            hides_protected=bool(PROTECTED_PARAMETERS & self.data.keys()),
        )

    def _count_term_by_tally(self, name: str) -> int:
        few = count_rows(self.qs, at_most=totals.MIN_TALLIED_OF_TERM)
        if few < totals.MIN_TALLIED_OF_TERM:
            return few
        ids, (since, until) = self.linked_ids(name), self.bounds()
        return totals.count_term_by_tally(
            self.qs,
            totals.TermLinks(
                name,
                ids[0],
                links=self._links(name, self.queryset),
                events=LINK_FILTERS[name](self.queryset, ids),
            ),
            lambda rows: self._filtered(rows, is_ordered=False),
            self.user,
            totals.Days.surely_within(since, until),
            until,
        )

    def _has_usual_value(self, name: str) -> bool:
        """Return whether nearly all events have a value that the parameter asks for."""
        if name in ("geoloc", "ticketed"):
            return self.get(name) is False
        return name in USUAL_VALUES and USUAL_VALUES[name] in self.get(name)

    def _count_unusual(self, name: str, left_out: frozenset[str]) -> int:
        """Return the number of events that do not have what a parameter asks for, without the parameters `left_out`."""
        if name in ("geoloc", "ticketed"):
            links = self._filtered(left_out=left_out, is_ordered=False, leading_parameter=name)
            return count_distinct(links, "event_id")
        others = [value for value in self.filters[name].schema["items"]["enum"] if value not in self.get(name)]
        rows = self._filtered(left_out=left_out, is_ordered=False)
        return count_rows(rows.with_value_among(name, others)) if others else 0

    def bounds(self) -> tuple[datetime | None, datetime | None]:
        """Return two moments: an event in between is not excluded by any parameter about time. None for no bound."""
        first, last = self.window
        bounds = {name: self._day_bound(self.get(name)) for name in DAY_FILTERS if name in self.data}
        since = [moment for moment in (first, bounds.get("starts_after"), bounds.get("ends_after")) if moment]
        until = [moment for moment in (last, bounds.get("starts_before"), bounds.get("ends_before")) if moment]
        return max(since, default=None), min(until, default=None)

    def _rows(self, events: EventQuerySet) -> EventQuerySet:
        """Return the events, or the links that stand for them. For totals, an event may have several of them."""
        name = self.leading_parameter
        if name in INDEXED_LINKS:
            return self._links(name, events)
        if name == "geoloc_lat":
            return events.rows_of(IndexedVenue).of_many(self.venue_ids)
        if name == "geoloc":
            return events.rows_of(IndexedVenue).filter(linked_id__in=events.located_venues(self.user).values("pk"))
        return events

    def _links(self, name: str, events: EventQuerySet) -> Any:
        """Return the links to the records of a parameter of `INDEXED_LINKS`."""
        links, ids = events.rows_of(INDEXED_LINKS[name]), self.linked_ids(name)
        return links.of_any(ids) if self.is_ordered else links.of_each(ids)

    @cached_property
    def leading_parameter(self) -> str:
        """Return the parameter whose links are read instead of events, "" for none.

        The first in the order of `INDEXED_LINKS`, because venues usually have the fewest events.
        """
        if READS_EVENTS & self.data.keys() or self.sort_order[0] in ORDERS_OF_EVENTS:
            return ""
        return self._linked_parameter

    @cached_property
    def leading_parameter_of_total(self) -> str:
        """Return the parameter whose links are counted instead of events, "" for none. Two queries for places."""
        if READS_EVENTS - {"geoloc_lat"} & self.data.keys():
            return ""
        name = self._linked_parameter
        if "geoloc_lat" in self.data and name != "venue" and len(self.venue_ids) <= FEW_VENUES:
            return "geoloc_lat"
        if name or not (self.get("geoloc") or "geoloc_lat" in self.data):
            return name
        others = self._filtered(left_out=frozenset({"geoloc", "geoloc_lat"}), is_ordered=False, leading_parameter="")
        if count_rows(others, FEW_EVENTS) < FEW_EVENTS:
            return ""
        return "geoloc_lat" if "geoloc_lat" in self.data else "geoloc"

    @property
    def _linked_parameter(self) -> str:
        name = next((name for name in INDEXED_LINKS if name in self.data), "")
        # An index finds the few events of a parent or series.
        is_ignored = name == "ticketed" and (not self.get(name) or {"post_parent", "series"} & self.data.keys())
        return "" if is_ignored else name

    def linked_ids(self, name: str) -> list[int]:
        """Return the ids of the records whose links a parameter of `INDEXED_LINKS` asks for."""
        return [IndexedTicketed.TICKETED] if name == "ticketed" else self.get(name)

    def _has_many_links(self, name: str) -> bool:
        """Return whether an event may have several of the links that stand for it if this parameter is leading."""
        return bool(name) and (name not in INDEXED_LINKS or len(self.linked_ids(name)) > 1)

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
        is_ignored = self.ignores_dates_and_places or "geoloc_lat" in self.data or name in self.left_out
        if is_ignored or name == self.leading_parameter:
            return events
        return events.with_coordinates(self.user, has_coordinates)

    def filter_by_distance(self, events: EventQuerySet, name: str, latitude: float) -> EventQuerySet:
        if self.ignores_dates_and_places or name in self.left_out or name == self.leading_parameter:
            return events
        found = events.at_many_venues(self.venue_ids)
        return found.with_distance(self.circle, self.user) if self.is_ordered else found

    @property
    def circle(self) -> Circle:
        return Circle(self.get("geoloc_lat"), self.get("geoloc_lng"), self.get("geoloc_radius", DEFAULT_RADIUS))

    @cached_property
    def venue_ids(self) -> list[int]:
        """The ids of the venues within the circle. One query."""
        ids: list[int] = self.queryset.venue_ids_within(self.circle, self.user)
        return ids

    # --- Dates

    @property
    def has_strict_dates(self) -> bool:
        return self.get("strict_dates", False)

    def filter_by_day(self, events: EventQuerySet, name: str, moment: datetime) -> EventQuerySet:
        if self.ignores_dates_and_places:
            return events
        return DAY_FILTERS[name](events, self._day_bound(moment), uses_window=self.uses_window)

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
