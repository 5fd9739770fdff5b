"""Filters of django-filter for the query parameters of lists: typed, described, and never empty."""

from __future__ import annotations

from collections.abc import Callable
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

from calendar_site.api import values
from calendar_site.api.description.components import BOOLEAN, STATUS, TEXT, JSONSchema
from calendar_site.api.pagination import Page
from calendar_site.api.parsers import RepeatedValues
from calendar_site.content.suggestions import suggest
from calendar_site.core import clock, permissions
from calendar_site.core.choices import Status
from calendar_site.core.clock import Moments
from calendar_site.core.compiled_querysets import AnyRows, count_rows, fetch_columns
from calendar_site.core.date_parser import parse_date_bound
from calendar_site.core.dates import Zone, parse_zone, site_zone, to_wire
from calendar_site.core.references import find_by_references
from calendar_site.core.search_query import MAX_TERMS, SearchQuery
from calendar_site.core.types import AnyUser

MAX_SEARCH_LENGTH = 500
SEARCH_HELP = gettext_lazy(
    "Words that the records must contain, in any order. Put a phrase in double quotes, and a minus sign before a word "
    "to exclude it."
)


class ParameterWidget(forms.Widget):
    """A widget that returns the parsed argument instead of a string."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return data.get(name)


class ParameterField(forms.Field):
    """The form field of a `ParameterFilter`, whose `parse` it calls."""

    widget = ParameterWidget
    empty_values: list[Any] = [None]

    def __init__(self, *, parse: Callable[[Any], Any], takes_list: bool, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.parse = parse
        self.takes_list = takes_list

    def to_python(self, value: Any) -> Any:
        if isinstance(value, RepeatedValues) and not self.takes_list:
            value = value[-1]
        try:
            return self.parse(value)
        except ValueError as error:
            raise ValidationError(str(error)) from error


class ParameterFilter(django_filters.Filter):
    """A filter whose parameter may be left out, but not be empty.

    `help_text`, `schema` and the default `initial` describe it for clients; `accepted_schema` as that of write fields.
    `takes_list`: a repeated parameter is a list, not its last value.
    """

    field_class = ParameterField
    schema: JSONSchema = {"type": "string"}
    accepted_schema: JSONSchema | None = None
    takes_list = False

    def __init__(self, *args: Any, schema: JSONSchema | None = None, **kwargs: Any) -> None:
        super().__init__(*args, label="", required=True, parse=self.parse, takes_list=self.takes_list, **kwargs)
        self.schema = self.schema | (schema or {})

    def parse(self, value: object) -> Any:
        """Return the value of an argument. Raises ValueError with a message for the client."""
        raise NotImplementedError

    def format(self, value: Any, argument: object) -> str:
        """Return the argument as text for links to other pages. `value` is the parsed `argument`."""
        return str(argument[-1] if isinstance(argument, RepeatedValues) else argument)


class TextFilter(ParameterFilter):
    def parse(self, value: object) -> str:
        text = values.parse_text(value).strip()
        if not text:
            raise ValueError(_("Must not be empty."))
        values.check_length(text, MAX_SEARCH_LENGTH)
        return text


class SearchFilter(TextFilter):
    """Words and phrases to search for."""

    def parse(self, value: object) -> str:
        text = super().parse(value)
        query = SearchQuery.parse(text)
        if query.is_empty:
            raise ValueError(_("Must not be empty."))
        if query.is_too_long:
            raise ValueError(_("Must have at most %(limit)s words and phrases.") % {"limit": MAX_TERMS})
        return text


class ChoiceFilter(ParameterFilter):
    """One of the words in the schema's `enum`, in any case (D22)."""

    def parse(self, value: object) -> str:
        choice = values.parse_text(value).lower()
        if choice not in self.schema["enum"]:
            raise ValueError(values.unknown_choice(self.schema["enum"]))
        return choice


class DateTimeFilter(ParameterFilter):
    """A wire date, in the time zone of the list. Dates out of range are accepted, because they exclude nothing."""

    schema = {"type": "string", "format": "date-time"}
    # Clients that are generated for a format send only that format.
    accepted_schema = TEXT

    def parse(self, value: object) -> datetime:
        return parse_date_bound(values.parse_text(value), self.parent.zone)

    def format(self, value: datetime, argument: object) -> str:
        # Write an absolute date instead of a word such as "now", so that all pages belong to the same list.
        return to_wire(value)


class ZoneFilter(ParameterFilter):
    """The name of a time zone."""

    def parse(self, value: object) -> Zone:
        return parse_zone(values.parse_text(value))


class DayFilter(DateTimeFilter):
    """A wire date with the contract's type of a day."""

    schema = {"type": "string", "format": "date"}


class BooleanFilter(ParameterFilter):
    schema: JSONSchema = {"type": "boolean"}

    def parse(self, value: object) -> bool:
        return values.parse_boolean(value)

    def format(self, value: bool, argument: object) -> str:
        return "true" if value else "false"


class SwitchFilter(BooleanFilter):
    """A boolean in many spellings, for which the contract has no type."""

    schema: JSONSchema = {}
    accepted_schema = BOOLEAN

    def parse(self, value: object) -> bool:
        return values.parse_switch(value)


class NumberFilter(ParameterFilter):
    """A number between the `minimum` and the `maximum` of the schema."""

    schema = {"type": "number", "format": "double"}

    def parse(self, value: object) -> float:
        return values.parse_number(value, self.schema["minimum"], self.schema["maximum"])


class PositiveFilter(ParameterFilter):
    schema = {"type": "integer", "minimum": 1}

    def parse(self, value: object) -> int:
        return values.parse_integer(value, minimum=1)


class ListFilter(ParameterFilter):
    """A list, or a comma-separated text."""

    takes_list = True

    def parse(self, value: object) -> list[Any]:
        return values.parse_list(value)

    def format(self, value: list[Any], argument: object) -> str:
        return ",".join(map(str, value))


class ChoicesFilter(ListFilter):
    """Any number of the words in `choices`, in any case (D22)."""

    def __init__(self, *args: Any, choices: list[str], **kwargs: Any) -> None:
        items = {"type": "string", "enum": choices}
        super().__init__(*args, schema={"type": "array", "items": items}, **kwargs)

    def parse(self, value: object) -> list[str]:
        words = [str(word).lower() for word in super().parse(value)]
        choices = self.schema["items"]["enum"]
        if any(word not in choices for word in words):
            raise ValueError(values.unknown_choice(choices))
        return list(dict.fromkeys(words))


class StatusesFilter(ListFilter):
    """Statuses of content. Only users who may edit such content may ask for others than `publish`."""

    accepted_schema = {"type": "array", "items": STATUS}

    def parse(self, value: object) -> list[str]:
        statuses = super().parse(value)
        if any(status not in Status.values for status in statuses):
            raise ValueError(
                _("Not a valid status. Use one of these: %(statuses)s.") % {"statuses": ", ".join(Status.values)}
            )
        user: AnyUser = self.parent.request.user
        if set(statuses) - {Status.PUBLISH} and not permissions.can_filter_by_status(user, self.model):
            raise ValueError(_("You only have permission to list published records."))
        return statuses


# Returns the records whose ids a filter accepts, which depend on the request.
RecordsOf = Callable[["ContractFilterSet"], AnyRows]


class RecordIdFilter(PositiveFilter):
    """The id of one of the records that `queryset` returns."""

    def __init__(self, *args: Any, queryset: RecordsOf, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queryset = queryset

    def parse(self, value: object) -> int:
        pk = super().parse(value)
        refuse_unknown([pk], self.queryset(self.parent))
        return pk


class IdsFilter(ListFilter):
    """A list of ids, which need not exist."""

    schema = {"type": "array", "items": {"type": "integer"}}

    def parse(self, value: object) -> list[int]:
        return values.parse_ids(value)


class RecordIdsFilter(IdsFilter):
    """A list of ids of records that `queryset` returns."""

    def __init__(self, *args: Any, queryset: RecordsOf, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queryset = queryset

    def parse(self, value: object) -> list[int]:
        ids = super().parse(value)
        refuse_unknown(ids, self.queryset(self.parent))
        return ids


class ReferencesFilter(ListFilter):
    """Records that `queryset` returns, by id, slug or name, although the contract's type mentions only ids.

    The value is the list of their ids, without duplicates.
    """

    schema = {"type": "array", "items": {"type": "integer"}}
    accepted_schema = {"type": "array", "items": {"type": ["integer", "string"]}}

    def __init__(self, *args: Any, queryset: RecordsOf, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queryset = queryset

    def parse(self, value: object) -> list[int]:
        references = [str(item) for item in super().parse(value)]
        records = self.queryset(self.parent)
        found = find_by_references(records, references)
        unknown = [reference for reference in references if reference not in found]
        if unknown:
            raise ValueError(values.unknown_records(records.model, unknown))
        return list(dict.fromkeys(found[reference] for reference in references))

    def format(self, value: list[int], argument: object) -> str:
        return ",".join(map(str, values.parse_list(argument)))


def refuse_unknown(ids: list[int], records: AnyRows) -> None:
    """Raise ValueError if one of the ids does not exist among the records. One query."""
    known = {pk for (pk,) in fetch_columns(records.filter(pk__in=ids), ("pk",))}
    unknown = [pk for pk in ids if pk not in known]
    if unknown:
        raise ValueError(values.unknown_records(records.model, unknown))


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

    def __init__(self, data: dict[str, Any], queryset: QuerySet, *, request: Request) -> None:
        # django-filter copies every declared filter for every request, which takes longer than most queries do
        # (decision 0031). Keep the order of the request, so that links repeat the arguments in it.
        self.base_filters = {name: self.base_filters[name] for name in data if name in self.base_filters}
        super().__init__(data, queryset, request=request)

    @cached_property
    def form(self) -> forms.Form:
        # Not the inherited form, whose class is made anew for every request.
        form: forms.Form = self._meta.form(self.data)
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
        events = queryset.rows_of(queryset.event_model()).with_fields_visible_to(self.user)
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
        return count_rows(self.qs)

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
    return rows.rows_of(rows.event_model()).visible_to(filterset.user)


ORDERS = ["asc", "desc"]
# Keys of `orderby` whose default is descending: the newest and the most relevant records come first.
DESCENDING = {"date", "modified", "relevance"}


class ContentListForm(forms.Form):
    """A form that checks the parameters that depend on others. `required_by` names these by the value of `orderby`."""

    required_by = {"relevance": "search"}

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
    def sort_order(self) -> tuple[str, str]:
        """Return the key and the direction of the list."""
        key, order = self.default_order
        if "orderby" in self.data:
            key = self.get("orderby")
            order = "desc" if key in DESCENDING else "asc"
        return key, self.get("order", order)

    def in_order(self, rows: Any) -> Any:
        """Order the rows as `orderby` and `order` say, and by id if they are equal."""
        key, order = self.sort_order
        is_descending = order == "desc"
        if key == "relevance":
            default_key, default_order = self.default_order
            columns, text = self.order_columns[default_key], self.get("search")
            return rows.ordered_by_relevance(
                text, *columns, best_first=is_descending, descending=default_order == "desc"
            )
        return rows.ordered_by(*self.order_columns[key], descending=is_descending)

    def filter_by_modification(self, queryset: Any, name: str, moment: datetime) -> Any:
        return queryset.modified_after(moment) if name == "modified_after" else queryset.modified_before(moment)

    def filter_by_search(self, queryset: Any, name: str, text: str) -> Any:
        """Filter to rows that contain the words, by the contract's rule for the resource."""
        raise NotImplementedError

    def suggestion(self) -> str:
        text = self.get("search")
        return suggest(text, self.queryset.model._default_manager.seen_by_everybody()) if text else ""

    def filter_by_status(self, queryset: Any, name: str, statuses: list[str]) -> Any:
        return queryset.with_statuses(statuses, self.user)

    def filter_queryset(self, queryset: Any) -> Any:
        if "status" not in self.data:
            queryset = queryset.visible_to(self.user)
        return super().filter_queryset(queryset)


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
        help_text=gettext_lazy("Only records linked to the event with this ID."),
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
        return queryset.not_trashed().matching_in_one_field(text)

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
        """Return whether the counts of public events are right for the user: no drafts, and no event is unsettled."""
        events = self.queryset.event_model()
        return not permissions.role_allows(self.user, "change", events) and not events.objects.has_unsettled()

    def filter_queryset(self, queryset: Any) -> Any:
        return self.in_order(super().filter_queryset(queryset))
