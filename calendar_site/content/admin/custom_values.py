"""Custom fields on the forms of events, venues and organizers: a control for each, or what is held, to look at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from calendar_site.content.custom_values import ADDRESS_LENGTH, TEXT_LENGTH, as_written, in_words, read_value
from calendar_site.content.loading import declared_fields
from calendar_site.content.models import CustomField

PREFIX = "custom_"
HELP: dict[str, Any] = {
    CustomField.Kind.NUMBER: gettext_lazy("A number such as 12 or 12.5."),
    CustomField.Kind.URL: gettext_lazy("An address that begins with http:// or https://."),
}


def declared_for(request: HttpRequest, model: type[Model]) -> list[CustomField]:
    """The custom fields of these records, in their order. Costs a query, once in a request."""
    known: Any = request
    if not hasattr(known, "declared_fields"):
        known.declared_fields = declared_fields()
    return known.declared_fields.get(model._meta.model_name, [])


def name_in_forms(field: CustomField) -> str:
    return f"{PREFIX}{field.name}"


def is_custom(name: Any) -> bool:
    """Whether a form knows a custom field by this name."""
    return isinstance(name, str) and name.startswith(PREFIX)


class CustomValueField(forms.CharField):
    """The value of a custom field: a text in its control, and once it is cleaned as it is kept, None for none."""

    def __init__(self, declared: CustomField, held: Any) -> None:
        self.declared, self.held = declared, held
        super().__init__(
            label=declared.label, required=False, widget=_control(declared, held), help_text=HELP.get(declared.kind, "")
        )

    def clean(self, value: Any) -> Any:
        try:
            return read_value(self.declared, super().clean(value), self.held)
        except ValueError as error:
            raise ValidationError(str(error)) from error


def _control(field: CustomField, held: Any) -> forms.Widget:
    match field.kind:
        case CustomField.Kind.BOOLEAN:
            return _select([(as_written(True), _("Yes")), (as_written(False), _("No"))])
        case CustomField.Kind.CHOICE:
            options = [(option, option) for option in field.options]
            if held is not None and held not in field.options:
                options.append((as_written(held), _("%(choice)s (no longer offered)") % {"choice": held}))
            return _select(options)
        case CustomField.Kind.NUMBER:
            return UnfoldAdminTextInputWidget({"type": "number", "step": "any"})
        case CustomField.Kind.DATE:
            return UnfoldAdminTextInputWidget({"type": "date"})
        case CustomField.Kind.URL:
            return UnfoldAdminTextInputWidget({"type": "url", "maxlength": ADDRESS_LENGTH})
    return UnfoldAdminTextInputWidget({"maxlength": TEXT_LENGTH})


def _select(options: list[tuple[str, str]]) -> forms.Select:
    return UnfoldAdminSelectWidget(choices=[("", _("Not said")), *options])


def held_columns(declared: list[CustomField], row: Any) -> dict[str, Callable[[Any], Any]]:
    """What the record holds, as columns of the admin by their names in forms."""
    return {name_in_forms(field): _column(field) for field in declared if field.name in row.custom_values}


def _column(field: CustomField) -> Callable[[Any], Any]:
    @admin.display(description=field.label)
    def column(row: Any) -> Any:
        fact = in_words(field, row.custom_values[field.name])
        link = '<a href="{}" class="text-link" rel="nofollow noopener">{}</a>'
        return format_html(link, fact.url, fact.text) if fact.url else fact.text

    column.__name__ = name_in_forms(field)
    return column
