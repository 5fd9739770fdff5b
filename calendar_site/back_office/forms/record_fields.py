"""Form fields that hold records, and the widgets that search for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib.admin.widgets import AutocompleteMixin, AutocompleteSelect, AutocompleteSelectMultiple
from django.core.exceptions import ValidationError
from django.forms import Media
from django.http import HttpRequest
from django.utils.text import capfirst

from calendar_site.back_office.urls import admin_url, is_valid_id

QUICK_ADD_STYLE = "back_office/quick_add.css"
QUICK_ADD_SCRIPT = "back_office/quick_add.js"


class _ValidIdsMixin(AutocompleteMixin):
    """A mixin that drops values that databases do not accept as an id."""

    def optgroups(self, name: str, value: Any, attr: Any = None) -> Any:
        return super().optgroups(name, [key for key in value if is_valid_id(key)], attr)


class RecordSelect(_ValidIdsMixin, AutocompleteSelect):
    """A select of one record, with a search."""


class RecordSelectMultiple(_ValidIdsMixin, AutocompleteSelectMultiple):
    """A select of any number of records, with a search."""


class OrderedRecordSelectMultiple(RecordSelectMultiple):
    """A select of records that are shown in the order in which they were chosen.

    With the attribute `data-quick-add`, the URL of `quick_add_view`, it also adds new records.
    """

    @property
    def media(self) -> Media:
        return super().media + Media(css={"all": (QUICK_ADD_STYLE,)}, js=(QUICK_ADD_SCRIPT,))

    def optgroups(self, name: str, value: Any, attr: Any = None) -> Any:
        places = {str(key): place for place, key in enumerate(value)}
        groups = super().optgroups(name, value, attr)
        for _label, options, _index in groups:
            options.sort(key=lambda option: places[str(option["value"])])
        return groups


class RecordsField(forms.ModelMultipleChoiceField):
    """Records by their ids."""

    def to_python(self, value: Any) -> list[Any]:
        self._validate_ids(value)
        return super().to_python(value)

    def clean(self, value: Any) -> Any:
        self._validate_ids(value)
        return super().clean(value)

    def _validate_ids(self, value: Any) -> None:
        for key in value or ():
            if not is_valid_id(key):
                raise ValidationError(self.error_messages["invalid_pk_value"], "invalid_pk_value", {"pk": key})


class OrderedRecordsField(RecordsField):
    """Records in the order in which they were chosen, without duplicates."""

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


def ordered_records_field(model_admin: Any, request: HttpRequest, relation: str, **kwargs: Any) -> OrderedRecordsField:
    """Return a field for the linked records of `relation` that the user may see."""
    field = model_admin.opts.get_field(relation)
    model, site = field.remote_field.model, model_admin.admin_site
    remote = site.get_model_admin(model)
    attrs = {"data-ordered": "true"}
    if remote.has_add_permission(request):
        attrs["data-quick-add"] = admin_url(model, "quick_add")
    rows = model._default_manager.visible_to(request.user)
    ordered = OrderedRecordsField(
        rows,
        required=False,
        widget=OrderedRecordSelectMultiple(field, site, attrs=attrs),
        label=capfirst(field.verbose_name),
        **kwargs,
    )
    if remote.choice_label:
        ordered.label_from_instance = remote.choice_label  # type: ignore[method-assign]
    return ordered
