"""Filters of django-filter for the query parameters of lists: typed, described, and never empty."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

import django_filters
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.api.description.components import BOOLEAN, STATUS, TEXT, JSONSchema
from calendar_site.api.input import values
from calendar_site.api.input.values import RepeatedValues
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.compiled_queries.querysets import AnyRows, fetch_columns
from calendar_site.core.dates.conversion import Zone, parse_zone, to_wire
from calendar_site.core.dates.parser import parse_date_bound
from calendar_site.core.references import find_by_references
from calendar_site.core.search.query import MAX_TERMS, SearchQuery
from calendar_site.core.types import AnyUser

if TYPE_CHECKING:
    from calendar_site.api.lists.filtersets import ContractFilterSet

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

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return a copy for a request, which shares every attribute except those bound to the filter."""
        copied = copy(self)
        # The form field, if it was made, would parse with this filter.
        copied.__dict__.pop("_field", None)
        copied.extra = {**self.extra, "parse": copied.parse}
        copied.method = self.method
        return copied

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
    """Words and phrases to search for. The value is "" if there are none, which filters nothing."""

    def parse(self, value: object) -> str:
        text = values.parse_text(value)
        if not text:
            raise ValueError(_("Must not be empty."))
        values.check_length(text.strip(), MAX_SEARCH_LENGTH)
        query = SearchQuery.parse(text)
        if not query.has_words:
            # Somebody has typed blanks or punctuation into a search box (D36).
            return ""
        text = text.strip()
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
        # PHP clients may name the items: `categories[first]=music` (D39).
        return values.parse_list([*value.values()] if isinstance(value, dict) else value)

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
        return values.parse_ids(super().parse(value))


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
        # The ids, because a name may contain a comma.
        return ",".join(map(str, value if isinstance(argument, list | dict) else values.parse_list(argument)))


def refuse_unknown(ids: list[int], records: AnyRows) -> None:
    """Raise ValueError if one of the ids does not exist among the records. One query."""
    known = {pk for (pk,) in fetch_columns(records.filter(pk__in=ids), ("pk",))}
    unknown = [pk for pk in ids if pk not in known]
    if unknown:
        raise ValueError(values.unknown_records(records.model, unknown))
