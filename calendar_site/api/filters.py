"""Query parameters as filters: typed, required to be readable, and all faults in one answer.

A filter set is made of the parameters that were sent: what is absent costs nothing.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import datetime
from typing import Any

import django_filters
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.fields import empty

from calendar_site.api import values
from calendar_site.api.errors import InvalidParams
from calendar_site.api.parsers import Repeated
from calendar_site.content import rules
from calendar_site.content.choices import Status
from calendar_site.content.dates import parse_wire_date, site_zone, wire
from calendar_site.content.text import words

SEARCH_LENGTH = 500


class ArgumentWidget(forms.Widget):
    """Takes an argument as it was read, not as text."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return data.get(name)


class ArgumentField(forms.Field):
    """A form field around the reader of a filter."""

    widget = ArgumentWidget
    empty_values: list[Any] = [None]

    def __init__(self, *, read: Callable[[Any], Any], takes_lists: bool, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.read = read
        self.takes_lists = takes_lists

    def to_python(self, value: Any) -> Any:
        if isinstance(value, Repeated) and not self.takes_lists:
            value = value[-1]
        try:
            return self.read(value)
        except ValueError as error:
            raise ValidationError(str(error)) from error


class ArgumentFilter(django_filters.Filter):
    """A filter whose parameter may not be empty. `describe`, `schema` and `default` are for clients to read.

    `takes_lists`: a parameter that was repeated is a list, not its last value.
    """

    field_class = ArgumentField
    schema: dict[str, Any] = {"type": "string"}
    takes_lists = False

    def __init__(self, *, describe: Any, default: Any = empty, schema: Any = None, **kwargs: Any) -> None:
        super().__init__(required=True, read=self.read, takes_lists=self.takes_lists, **kwargs)
        self.describe = describe
        self.default = default
        self.schema = self.schema | (schema or {})

    def read(self, given: Any) -> Any:
        """The value of what was sent. Raises ValueError with what is wrong."""
        raise NotImplementedError

    def filter(self, qs: Any, value: Any) -> Any:
        return qs


class TextFilter(ArgumentFilter):
    def read(self, given: Any) -> str:
        text = values.read_text(given).strip()
        if not text:
            raise ValueError(_("This is empty."))
        if len(text) > SEARCH_LENGTH:
            raise ValueError(_("This is longer than %(limit)s characters.") % {"limit": SEARCH_LENGTH})
        return text


class ChoiceFilter(ArgumentFilter):
    """One of the words in the schema's `enum`."""

    def read(self, given: Any) -> str:
        if given not in self.schema["enum"]:
            raise ValueError(_("Choose one of these: %(choices)s.") % {"choices": ", ".join(self.schema["enum"])})
        return str(given)


class SearchFilter(TextFilter):
    """Words to look for."""

    def read(self, given: Any) -> str:
        text = super().read(given)
        if not words(text):
            raise ValueError(_("This is empty."))
        return text


class DateFilter(ArgumentFilter):
    """A wire date, in the site's zone."""

    schema = {"type": "string", "format": "date-time"}

    def read(self, given: Any) -> datetime:
        return parse_wire_date(values.read_text(given), site_zone())


class DayFilter(DateFilter):
    """The same, to which the contract gives the type of a day."""

    schema = {"type": "string", "format": "date"}


class BooleanFilter(ArgumentFilter):
    schema = {"type": "boolean"}

    def read(self, given: Any) -> bool:
        return values.read_boolean(given)


class SwitchFilter(ArgumentFilter):
    """A boolean in many spellings, to which the contract gives no type."""

    schema: dict[str, Any] = {}

    def read(self, given: Any) -> bool:
        return values.read_switch(given)


class NumberFilter(ArgumentFilter):
    """A number; the schema names the least and the most."""

    schema = {"type": "number", "format": "double"}

    def read(self, given: Any) -> float:
        number = values.read_number(given)
        least, most = self.schema["minimum"], self.schema["maximum"]
        if not least <= number <= most:
            raise ValueError(_("This is not between %(least)s and %(most)s.") % {"least": least, "most": most})
        return number


class PositiveFilter(ArgumentFilter):
    schema = {"type": "integer", "minimum": 1}

    def read(self, given: Any) -> int:
        return values.read_integer(given, minimum=1)


class IdsFilter(ArgumentFilter):
    schema = {"type": "array", "items": {"type": "integer"}}
    takes_lists = True

    def read(self, given: Any) -> list[int]:
        return values.read_ids(given)


class TermsFilter(ArgumentFilter):
    """Ids or slugs; the contract's type names the ids alone."""

    schema = {"type": "array", "items": {"type": "integer"}}
    takes_lists = True

    def read(self, given: Any) -> list[Any]:
        return values.read_list(given)


class StatusesFilter(ArgumentFilter):
    takes_lists = True

    def read(self, given: Any) -> list[str]:
        statuses = values.read_list(given)
        if any(status not in Status.values for status in statuses):
            raise ValueError(_("The statuses are %(statuses)s.") % {"statuses": ", ".join(Status.values)})
        return statuses


class ContractFilterSet(django_filters.FilterSet):
    """The parameters of a list. Raises InvalidParams, naming all that are wrong, when it is applied."""

    page = PositiveFilter(describe=gettext_lazy("The page of results to return."), default=1)
    per_page = PositiveFilter(
        describe=gettext_lazy("How many records are on a page; a number above the limit counts as the limit."),
        default=lambda: min(settings.PER_PAGE_DEFAULT, settings.PER_PAGE_LIMIT),
    )

    def __init__(self, arguments: dict[str, Any], queryset: Any, *, request: Any) -> None:
        self.is_bound = True
        self.data = {name: value for name, value in arguments.items() if name in self.base_filters}
        self.queryset = queryset
        self.request = request
        self.form_prefix = None
        self.filters = {name: copy.copy(self.base_filters[name]) for name in self.data}
        for filter_ in self.filters.values():
            filter_.parent = self
            filter_.model = queryset.model

    @property
    def user(self) -> Any:
        return self.request.user

    @property
    def given(self) -> dict[str, Any]:
        """The parameters that were sent, read."""
        return self.form.cleaned_data

    def apply(self) -> Any:
        """The rows that the parameters ask for, in order."""
        params = {name: errors[0] for name, errors in self.form.errors.items()}
        params |= self.faults()
        if params:
            raise InvalidParams(params)
        return self.filter_queryset(self.queryset)

    def of_event(self, queryset: Any, event_id: int) -> Any:
        """The rows that an event links to. What it hides behind its password is not told here either."""
        shown = queryset.event_model().objects.showing_fields_to(self.user).filter(pk=event_id).exists()
        return queryset.of_event(event_id) if shown else queryset.none()

    def faults(self) -> dict[str, Any]:
        """What is wrong beyond the form of single values: name -> message. Readable values are in `given`."""
        return {}

    @property
    def per_page_used(self) -> int:
        return min(self.given.get("per_page", settings.PER_PAGE_DEFAULT), settings.PER_PAGE_LIMIT)

    def in_force(self) -> dict[str, str]:
        """The arguments of the list as its links repeat them, `page` apart."""
        force = {name: _as_argument(value, self.data[name]) for name, value in self.given.items() if name != "page"}
        if "per_page" in force:
            force["per_page"] = str(self.per_page_used)
        return force


def _as_argument(value: Any, sent: Any) -> str:
    if isinstance(value, list | tuple | set):
        return ",".join(str(item) for item in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        # What words such as "now" mean, so that all pages are of one list.
        return wire(value)
    return str(sent[-1] if isinstance(sent, Repeated) else sent)


class ContentFilterSet(ContractFilterSet):
    """The parameters that lists of events, venues and organizers share."""

    search = SearchFilter(
        describe=gettext_lazy("Only records that contain all of these words, in any order, in one of their texts.")
    )
    status = StatusesFilter(
        describe=gettext_lazy(
            "Only records with this status, or with one of several that have commas between. Without it, published "
            "records, and to their authors and editors the others that are not in the trash."
        )
    )

    def faults(self) -> dict[str, Any]:
        statuses = self.given.get("status", [])
        if set(statuses) - {Status.PUBLISH} and not rules.can_ask_for_statuses(self.user, self.queryset.model):
            return {"status": _("Sorry, you may only ask for published records.")}
        return {}

    def seen(self, queryset: Any) -> Any:
        """The rows that the reader may see, of the statuses asked for."""
        if "status" in self.given:
            return queryset.with_statuses(self.given["status"], self.user)
        return queryset.visible_to(self.user)


class LinkedFilterSet(ContentFilterSet):
    """The parameters of lists of what events link to: venues and organizers."""

    event = PositiveFilter(describe=gettext_lazy("Only records of this event, by its id."))
    has_events = SwitchFilter(
        describe=gettext_lazy("True: only records that have published events. False: only those that have none.")
    )
    only_with_upcoming = SwitchFilter(
        describe=gettext_lazy("Whether to leave out records without events to come."), default=False
    )

    @property
    def events(self) -> Any:
        return self.queryset.event_model()

    def faults(self) -> dict[str, Any]:
        faults = super().faults()
        event = self.given.get("event")
        if event and not self.events.objects.visible_to(self.user).filter(pk=event).exists():
            faults["event"] = _("There is no event with this id.")
        return faults

    def searched(self, queryset: Any, query: str) -> Any:
        """A search for venues or organizers never finds what is in the trash, not even where `status` names it.

        So the contract's clients know it; events are found there.
        """
        return queryset.outside_trash().having_words_in_one_field(query)

    def filter_queryset(self, queryset: Any) -> Any:
        queryset = self.seen(queryset)
        if "search" in self.given:
            queryset = self.searched(queryset, self.given["search"])
        if "event" in self.given:
            queryset = self.of_event(queryset, self.given["event"])
        if "has_events" in self.given:
            published = self.events.objects.published().showing_fields_to(self.user)
            queryset = queryset.with_events(published, self.given["has_events"])
        if self.given.get("only_with_upcoming"):
            shown = self.events.objects.visible_to(self.user).showing_fields_to(self.user)
            coming = shown.ending_after(timezone.now())
            queryset = queryset.with_any_of(coming)
        return queryset.order_by("-published_at", "-pk")
