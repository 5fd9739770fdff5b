"""The parameters of the lists of `tec/v1`."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.api.input import values
from calendar_site.api.lists.filters import (
    SEARCH_HELP,
    BooleanFilter,
    ChoiceFilter,
    ParameterFilter,
    RecordIdFilter,
    ReferencesFilter,
    SearchFilter,
    StatusesFilter,
)
from calendar_site.api.lists.filtersets import ContractFilterSet, LinkedFilterSet, no_filter
from calendar_site.api.lists.orders import ORDERS
from calendar_site.core.dates.conversion import from_local
from events.filtersets import every, visible
from events.models import Event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.filtersets import VenueFilterSet
from venues.models import Venue

DEFAULT_PER_PAGE = 9
MAX_PER_PAGE = 100
MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d))?", re.ASCII)
# How a date of a list compares with the start or the end of an event.
COMPARISONS = {
    "start_date": "start__gte",
    "end_date": "end__lte",
    "starts_before": "start__lt",
    "starts_after": "start__gt",
    "ends_before": "end__lt",
    "ends_after": "end__gt",
}


class MomentFilter(ParameterFilter):
    """A date with a time, or a day, which means its beginning."""

    schema = {"type": "string"}

    def parse(self, value: object) -> datetime:
        match = MOMENT.fullmatch(values.parse_text(value).strip())
        if not match:
            raise ValueError(_("Must be a date such as 2027-03-10 18:00:00."))
        day, clock_time = match.groups()
        return from_local(f"{day} {clock_time or '00:00:00'}", self.parent.zone)

    def format(self, value: datetime, argument: object) -> str:
        return str(argument)


def moment_filter(text: Any) -> MomentFilter:
    return MomentFilter(method="filter_by_moment", help_text=text)


class TecPages:
    """The pagination of lists in the form of the original."""

    @property
    def page_size(self: Any) -> int:
        return min(self.get("per_page", DEFAULT_PER_PAGE), MAX_PER_PAGE)


EVENT_ORDER = {
    "event_date": "start", "date": "published_at", "title": "title", "menu_order": "start", "modified": "modified_at",
}  # fmt: skip


class TecEventFilterSet(TecPages, ContractFilterSet):
    """The parameters of events: by default the published ones of all times, by start."""

    order_columns: ClassVar = EVENT_ORDER

    start_date = moment_filter(gettext_lazy("Events that start at or after this time."))
    end_date = moment_filter(gettext_lazy("Events that end at or before this time."))
    starts_before = moment_filter(gettext_lazy("Events that start before this time."))
    starts_after = moment_filter(gettext_lazy("Events that start after this time."))
    ends_before = moment_filter(gettext_lazy("Events that end before this time."))
    ends_after = moment_filter(gettext_lazy("Events that end after this time."))
    search = SearchFilter(method="filter_by_search", help_text=SEARCH_HELP)
    categories = ReferencesFilter(
        queryset=every(Category),
        method="filter_by_links",
        help_text=gettext_lazy("Events in any of these categories or their subcategories, by id, slug or name."),
    )
    tags = ReferencesFilter(
        queryset=every(Tag),
        method="filter_by_links",
        help_text=gettext_lazy("Events with any of these tags, by id, slug or name."),
    )
    venue = ReferencesFilter(
        queryset=visible(Venue),
        method="filter_by_links",
        help_text=gettext_lazy("Events at any of these venues, by id, slug or name."),
    )
    organizer = ReferencesFilter(
        queryset=visible(Organizer),
        method="filter_by_links",
        help_text=gettext_lazy("Events by any of these organizers, by id, slug or name."),
    )
    featured = BooleanFilter(
        method="filter_by_fields",
        help_text=gettext_lazy("If true, only featured events. If false, only events that are not featured."),
    )
    ticketed = BooleanFilter(
        method="filter_by_fields",
        help_text=gettext_lazy("If true, only events with tickets. If false, only events without tickets."),
    )
    status = StatusesFilter(
        method="filter_by_status", help_text=gettext_lazy("Only records with any of these statuses.")
    )
    post_parent = RecordIdFilter(
        field_name="parent_id",
        queryset=visible(Event),
        help_text=gettext_lazy("Only events that belong to the parent event with this id."),
    )
    orderby = ChoiceFilter(
        method=no_filter, help_text=gettext_lazy("The field to sort by."), schema={"enum": list(EVENT_ORDER)}
    )
    order = ChoiceFilter(
        method=no_filter, help_text=gettext_lazy("The sort direction: asc or desc."), schema={"enum": ORDERS}
    )

    def filter_by_moment(self, queryset: Any, name: str, moment: datetime) -> Any:
        return queryset.filter(**{COMPARISONS[name]: moment})

    def filter_by_search(self, queryset: Any, name: str, text: str) -> Any:
        return queryset.matching_for(text, self.user)

    def filter_by_links(self, queryset: Any, name: str, ids: list[int]) -> Any:
        # A filter by a linked record would tell that of an event that hides it.
        shown = queryset.with_fields_visible_to(self.user)
        if name == "categories":
            return shown.in_categories(ids)
        relation = {"tags": "tags", "venue": "venues", "organizer": "organizers"}[name]
        return shown.linked_to(relation, ids)

    def filter_by_fields(self, queryset: Any, name: str, is_on: bool) -> Any:
        shown = queryset.with_fields_visible_to(self.user)
        return shown.filter(featured=is_on) if name == "featured" else shown.ticketed(is_on)

    def filter_by_status(self, queryset: Any, name: str, statuses: list[str]) -> Any:
        return queryset.with_statuses(statuses, self.user)

    def filter_queryset(self, queryset: Any) -> Any:
        listed = queryset.listed() if "status" in self.filters else queryset.listed().published()
        sign = "-" if self.get("order") == "desc" else ""
        column = self.order_columns[self.get("orderby", "event_date")]
        return super().filter_queryset(listed).order_by(f"{sign}{column}", f"{sign}pk")


class PublishedByDefault(TecPages):
    """Lists of venues and organizers, which have only published ones unless the parameter says otherwise."""

    def filter_queryset(self: Any, queryset: Any) -> Any:
        return super().filter_queryset(queryset if "status" in self.filters else queryset.published())  # type: ignore[misc]


class TecVenueFilterSet(PublishedByDefault, VenueFilterSet):
    pass


class TecOrganizerFilterSet(PublishedByDefault, LinkedFilterSet):
    pass
