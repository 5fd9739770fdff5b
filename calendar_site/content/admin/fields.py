"""The fields of the admin's forms, and their controls."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django import forms
from django.contrib.admin.widgets import AutocompleteMixin, AutocompleteSelect, AutocompleteSelectMultiple
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from unfold.widgets import UnfoldAdminRelatedFieldWrapperWidget, UnfoldAdminTextInputWidget

from calendar_site.content.dates import parse_zone, site_zone, zone_names

ZONE_LIST = "time-zones"
LONGEST_ID = 18


class WallTimeInput(UnfoldAdminTextInputWidget):
    """The browser's own control for a day with a time, or for a day alone where that is the value."""

    input_type = "datetime-local"

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        if value and len(value) == len("2027-03-10"):
            context["widget"]["type"] = "date"
        return context


class WallTimeField(forms.CharField):
    """A time on the clock of a zone that only the form knows: see `MergingForm.read_times`."""

    widget = WallTimeInput


def wall_time(wire_date: str) -> str:
    """A wire date as the browser's control takes it, without seconds where there are none."""
    return wire_date.replace(" ", "T").removesuffix(":00")


class ZoneInput(UnfoldAdminTextInputWidget):
    """A text that offers the names of zones while it is typed."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__({"list": ZONE_LIST, "autocomplete": "off", **(attrs or {})})

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        return super().render(name, value, attrs, renderer) + _zone_list()


@lru_cache(maxsize=1)
def _zone_list() -> SafeString:
    options = format_html_join("", '<option value="{}">', ((name,) for name in zone_names()))
    return format_html('<datalist id="{}">{}</datalist>', ZONE_LIST, options)


class ZoneField(forms.CharField):
    """The name of a time zone in its canonical spelling; the site's where it is left empty."""

    widget = ZoneInput

    def clean(self, value: Any) -> str:
        text = super().clean(value)
        try:
            return parse_zone(text).name if text else site_zone().name
        except ValueError as error:
            raise ValidationError(str(error)) from error


def is_id(value: Any) -> bool:
    """Whether a value that was sent can be the id of a record: not every number can be asked a database for."""
    text = str(value)
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_ID


class _IdsAlone(AutocompleteMixin):
    def optgroups(self, name: str, value: Any, attr: Any = None) -> Any:
        return super().optgroups(name, [key for key in value if is_id(key)], attr)


class RowInput(_IdsAlone, AutocompleteSelect):
    """A record to be searched for and chosen."""


class RowsInput(_IdsAlone, AutocompleteSelectMultiple):
    """Records to be searched for and chosen."""


class OrderedRowsInput(RowsInput):
    """Records to be searched for and chosen, shown in the order in which they were chosen."""

    def optgroups(self, name: str, value: Any, attr: Any = None) -> Any:
        places = {str(key): place for place, key in enumerate(value)}
        groups = super().optgroups(name, value, attr)
        for _label, options, _index in groups:
            options.sort(key=lambda option: places[str(option["value"])])
        return groups


class RowsField(forms.ModelMultipleChoiceField):
    """Rows by their ids."""

    def to_python(self, value: Any) -> list[Any]:
        self._refuse_what_is_no_id(value)
        return super().to_python(value)

    def clean(self, value: Any) -> Any:
        self._refuse_what_is_no_id(value)
        return super().clean(value)

    def _refuse_what_is_no_id(self, value: Any) -> None:
        for key in value or ():
            if not is_id(key):
                raise ValidationError(self.error_messages["invalid_pk_value"], "invalid_pk_value", {"pk": key})


class OrderedRowsField(RowsField):
    """Rows in the order in which they were chosen, each once."""

    def to_python(self, value: Any) -> list[Any]:
        return self._in_order(super().to_python(value), value)

    def clean(self, value: Any) -> Any:
        return self._in_order(super().clean(value), value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return _texts(self.prepare_value(initial)) != _texts(data)

    def _in_order(self, rows: Iterable[Any], value: Any) -> list[Any]:
        by_key = {str(row.pk): row for row in rows}
        return [by_key[key] for key in dict.fromkeys(_texts(value)) if key in by_key]


def _texts(values: Any) -> list[str]:
    return [str(value) for value in values or ()]


def ordered_choice(model_admin: Any, request: HttpRequest, relation: str, **kwargs: Any) -> OrderedRowsField:
    """A field for the linked records of `relation` that the user may see, in the order in which they are chosen."""
    field = model_admin.opts.get_field(relation)
    model, site = field.remote_field.model, model_admin.admin_site
    remote = site.get_model_admin(model)
    widget = UnfoldAdminRelatedFieldWrapperWidget(
        OrderedRowsInput(field, site, attrs={"data-ordered": "true"}),
        field.remote_field,
        site,
        can_add_related=remote.has_add_permission(request),
    )
    rows = model._default_manager.visible_to(request.user)
    return OrderedRowsField(rows, required=False, widget=widget, label=capfirst(field.verbose_name), **kwargs)
