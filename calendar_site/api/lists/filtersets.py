"""The filter sets that the lists of all resources share: pagination, search, order and status."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any, ClassVar

import django_filters
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.request import Request

from calendar_site.api.lists.filters import (
    SEARCH_HELP,
    ChoiceFilter,
    DateTimeFilter,
    ParameterFilter,
    PositiveFilter,
    RecordIdFilter,
    SearchFilter,
    StatusesFilter,
    SwitchFilter,
    ZoneFilter,
)
from calendar_site.api.lists.orders import DESCENDING, ORDERS, RELEVANCE, Order
from calendar_site.api.lists.pagination import Page
from calendar_site.content.suggestions import suggest
from calendar_site.core import clock, permissions
from calendar_site.core.clock import Moments
from calendar_site.core.compiled_queries.querysets import count_rows
from calendar_site.core.dates.conversion import Zone, site_zone
from calendar_site.core.types import AnyUser


def no_filter(queryset: QuerySet, name: str, value: Any) -> QuerySet:
    """Return the queryset unchanged: the `method` of parameters that other filters or the view handle."""
    return queryset


class ContractFilterSet(django_filters.FilterSet):
    """The parameters of a list. An instance only has the filters of parameters that were sent."""

    base_filters: dict[str, ParameterFilter]

    page = PositiveFilter(method=no_filter, help_text=gettext_lazy("The page of results to return."), initial=1)
    per_page = PositiveFilter(
        method=no_filter,
        help_text=gettext_lazy("The number of records per page. Values above the limit are lowered to the limit."),
        initial=lambda: min(settings.PER_PAGE_DEFAULT, settings.PER_PAGE_LIMIT),
    )

    def __init__(self, data: dict[str, Any], queryset: Any, *, request: Request) -> None:
        # django-filter copies every declared filter for every request, which takes longer than most queries do
        # (decision 0031). Keep the order of the request, so that links repeat the arguments in it.
        self.base_filters = {name: self.base_filters[name] for name in data if name in self.base_filters}
        super().__init__(data, queryset, request=request)

    @cached_property
    def form(self) -> forms.Form:
        # Not the inherited form, whose class is made anew for every request.
        form: forms.Form = self._meta.form(self.data, label_suffix="")
        form.fields = {name: parameter.field for name, parameter in self.filters.items()}
        return form

    @property
    def user(self) -> AnyUser:
        user: AnyUser = self.request.user
        return user

    def get(self, name: str, default: Any = None) -> Any:
        """Return the valid value of a parameter, or `default` if it was not sent."""
        return self.form.cleaned_data.get(name, default)

    def filter_by_event(self, queryset: Any, name: str, event_id: int) -> Any:
        """Filter to rows that the event links to; none for an event that hides its links behind a password."""
        events = queryset.all_of(queryset.event_model()).with_fields_visible_to(self.user)
        shown = count_rows(events.filter(pk=event_id)) > 0
        return queryset.of_event(event_id) if shown else queryset.none()

    def filter_queryset(self, queryset: Any) -> Any:
        # Not the inherited method, which accepts only querysets, no `CompiledQuerySet`.
        for name, value in self.form.cleaned_data.items():
            queryset = self.filters[name].filter(queryset, value)
        return queryset

    @property
    def page_size(self) -> int:
        return min(self.get("per_page", settings.PER_PAGE_DEFAULT), settings.PER_PAGE_LIMIT)

    @property
    def zone(self) -> Zone:
        """Return the time zone of dates without an offset."""
        return site_zone()

    def count(self) -> int:
        """Return the number of rows in the whole list."""
        return count_rows(self.counted_rows)

    @property
    def counted_rows(self) -> Any:
        """Rows that are as many as those of the whole list."""
        return self.qs

    def rows_of_page(self, page: Page) -> Any:
        """Return the rows of the whole list, as they are found soonest for this page."""
        return self.qs

    def suggestion(self) -> str:
        """Return another search, for a list in which nothing was found; "" for none."""
        return ""

    def link_arguments(self) -> dict[str, str]:
        """Return the arguments for links to pages of this list, without `page`."""
        arguments = {
            name: self.filters[name].format(value, self.data[name])
            for name, value in self.form.cleaned_data.items()
            if name != "page"
        }
        if "per_page" in arguments:
            arguments["per_page"] = str(self.page_size)
        return arguments


def visible_events(filterset: ContractFilterSet) -> Any:
    """Return the events that the user of a list of venues, organizers or terms may see."""
    rows = filterset.queryset
    return rows.all_of(rows.event_model()).visible_to(filterset.user)


class ContentListForm(forms.Form):
    """A form that checks the parameters that depend on others. `required_by` names these by the value of `orderby`."""

    required_by = {RELEVANCE: "search"}

    def clean(self) -> None:
        required = self.required_by.get(self.cleaned_data.get("orderby", ""))
        if required and required not in self.data:
            self.add_error("orderby", _("This parameter also requires %(name)s.") % {"name": required})


class ContentFilterSet(ContractFilterSet):
    """The parameters that lists of events, venues and organizers share."""

    # The columns of the keys of `orderby`, apart from `relevance`.
    order_columns: ClassVar[dict[str, tuple[str, ...]]]

    search = SearchFilter(
        method="filter_by_search",
        help_text=SEARCH_HELP,
    )
    status = StatusesFilter(
        method="filter_by_status",
        help_text=gettext_lazy(
            "Only records with this status, or with any of several statuses separated by commas. By "
            "default, published records are returned. Authors also see their own records with any status, "
            "and editors see all records, except those in the trash."
        ),
    )

    order = ChoiceFilter(
        method=no_filter,
        help_text=gettext_lazy(
            "The sort direction: asc or desc. Defaults to asc; if you sort by date, modified or relevance, to desc."
        ),
        schema={"enum": ORDERS},
    )
    modified_after = DateTimeFilter(
        method="filter_by_modification",
        help_text=gettext_lazy("Records that were last changed after this time."),
    )
    modified_before = DateTimeFilter(
        method="filter_by_modification",
        help_text=gettext_lazy("Records that were last changed before this time."),
    )
    timezone = ZoneFilter(
        method=no_filter,
        help_text=gettext_lazy(
            "The time zone of dates without an offset in the other parameters, such as Europe/Rome. Defaults to the "
            "time zone of the site."
        ),
    )

    class Meta:
        form = ContentListForm

    @property
    def default_order(self) -> tuple[str, str]:
        """Return the key and the direction of a list without `orderby`."""
        raise NotImplementedError

    @property
    def zone(self) -> Zone:
        # Not the value of the form, whose other fields need the zone while they are parsed.
        if "timezone" in self.data:
            with suppress(ValidationError):
                zone: Zone = self.form.fields["timezone"].clean(self.data["timezone"])
                return zone
        return super().zone

    @property
    def list_order(self) -> Order:
        key, direction = self.default_order
        if "orderby" in self.data:
            key = self.get("orderby")
            direction = "desc" if key in DESCENDING else "asc"
        direction = self.get("order", direction)
        return Order(key, direction, *self.default_order, self.order_columns, self.get("search", ""))

    def filter_by_modification(self, queryset: Any, name: str, moment: datetime) -> Any:
        return queryset.modified_after(moment) if name == "modified_after" else queryset.modified_before(moment)

    def filter_by_search(self, queryset: Any, name: str, text: str) -> Any:
        """Filter to rows that contain the words, by the contract's rule for the resource."""
        raise NotImplementedError

    def suggestion(self) -> str:
        text = self.get("search")
        return suggest(text, self.queryset.model) if text else ""

    def filter_by_status(self, queryset: Any, name: str, statuses: list[str]) -> Any:
        return queryset.with_statuses(statuses, self.user)

    def filter_queryset(self, queryset: Any) -> Any:
        if "status" not in self.data:
            queryset = queryset.visible_to(self.user)
        return super().filter_queryset(queryset)


# Parameters with which a list of venues or organizers can be counted by their activity alone.
ACTIVITY_PARAMETERS = {
    "page", "per_page", "order", "orderby", "timezone", "has_events", "only_with_upcoming"
}  # fmt: skip


class LinkedFilterSet(ContentFilterSet):
    """The parameters that lists of venues and organizers share."""

    order_columns: ClassVar = {"date": ("published_at",), "modified": ("modified_at",), "title": ("name_key",)}

    orderby = ChoiceFilter(
        method=no_filter,
        help_text=gettext_lazy("The field to sort by. Defaults to date. relevance requires search."),
        schema={"enum": [*order_columns, "relevance"]},
    )

    event = RecordIdFilter(
        method="filter_by_event",
        queryset=visible_events,
        help_text=gettext_lazy("Only records linked to the event with this id."),
    )
    has_events = SwitchFilter(
        method="filter_by_events",
        help_text=gettext_lazy(
            "If true, only records with published events. If false, only records without published events."
        ),
    )
    only_with_upcoming = SwitchFilter(
        method="filter_by_upcoming_events",
        help_text=gettext_lazy("Whether to return only records with upcoming events."),
        initial=False,
    )

    @property
    def default_order(self) -> tuple[str, str]:
        return "date", "desc"

    def filter_by_search(self, queryset: Any, name: str, text: str) -> Any:
        """Search outside the trash only, even if `status` includes the trash.

        Clients of the contract expect this for venues and organizers, but not for events.
        """
        return queryset.not_trashed().matching_in_one_field(text) if text else queryset

    def filter_by_events(self, queryset: Any, name: str, has_events: bool) -> Any:
        if self.sees_public_events_only:
            return queryset.with_public_events(has_events)
        links = queryset.event_links.published().with_fields_visible_to(self.user)
        return queryset.with_any_link_in(links, has_events)

    def filter_by_upcoming_events(self, queryset: Any, name: str, is_on: bool) -> Any:
        if not is_on:
            return queryset
        now = clock.now_among(Moments.EVENT_END)
        if self.sees_public_events_only:
            return queryset.with_public_events_after(now)
        links = queryset.event_links.visible_to(self.user).with_fields_visible_to(self.user)
        return queryset.with_any_link_in(links.ending_after(now))

    @cached_property
    def sees_public_events_only(self) -> bool:
        """Return whether the activity is right for the user, who sees no drafts. One query."""
        events = self.queryset.all_of(self.queryset.event_model())
        return permissions.reads_published_only(self.user, events.model) and not events.has_unsettled()

    @property
    def counted_rows(self) -> Any:
        """The records, or their activity alone if the list has all public ones with events."""
        if not self._is_counted_by_activity:
            return self.qs
        activity = self.queryset.activity.published()
        if self.get("only_with_upcoming"):
            activity = activity.ending_after(clock.now_among(Moments.EVENT_END))
        return activity

    @property
    def _is_counted_by_activity(self) -> bool:
        return bool(
            self.get("has_events", self.get("only_with_upcoming"))
            and self.filters.keys() <= ACTIVITY_PARAMETERS
            and permissions.reads_published_only(self.user, self.queryset.model)
            and self.sees_public_events_only
        )

    def filter_queryset(self, queryset: Any) -> Any:
        return self.list_order.apply(super().filter_queryset(queryset))
