"""Custom fields on the forms of events, venues and organizers."""

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

from calendar_site.content.models import Content
from calendar_site.core.validators import with_scheme
from calendar_site.custom_fields.loading import all_custom_fields
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.values import MAX_TEXT_LENGTH, MAX_URL_LENGTH, display_value, parse_value, to_form_text

PREFIX = "custom_"
HELP: dict[str, Any] = {
    CustomField.Kind.NUMBER: gettext_lazy("A number such as 12 or 12.5."),
    CustomField.Kind.URL: gettext_lazy("A URL that starts with http:// or https://."),
}


def custom_fields_of(request: HttpRequest, model: type[Model]) -> list[CustomField]:
    """Return the custom fields of these records, in their order. One query per request."""
    cache: Any = request
    if not hasattr(cache, "custom_fields"):
        cache.custom_fields = all_custom_fields()
    return cache.custom_fields.get(model._meta.model_name, [])


def form_field_name(field: CustomField) -> str:
    return f"{PREFIX}{field.name}"


def is_custom(name: Any) -> bool:
    """Return whether this is the name of a custom field in a form."""
    return isinstance(name, str) and name.startswith(PREFIX)


class CustomValueField(forms.CharField):
    """The value of a custom field: text in its widget, None or a value of the stored type once cleaned."""

    def __init__(self, custom_field: CustomField, held: Any) -> None:
        self.custom_field, self.held = custom_field, held
        super().__init__(
            label=custom_field.label,
            required=False,
            widget=_get_widget(custom_field, held),
            help_text=HELP.get(custom_field.kind, ""),
        )

    def clean(self, value: Any) -> Any:
        value = super().clean(value)
        if self.custom_field.kind == CustomField.Kind.URL:
            value = with_scheme(value)
        try:
            return parse_value(self.custom_field, value, self.held)
        except ValueError as error:
            raise ValidationError(str(error)) from error


def _get_widget(field: CustomField, held: Any) -> forms.Widget:
    match field.kind:
        case CustomField.Kind.BOOLEAN:
            return _select([(to_form_text(True), _("Yes")), (to_form_text(False), _("No"))])
        case CustomField.Kind.CHOICE:
            options = [(option, option) for option in field.options]
            if held is not None and held not in field.options:
                options.append((to_form_text(held), _("%(choice)s (no longer offered)") % {"choice": held}))
            return _select(options)
        case CustomField.Kind.NUMBER:
            return UnfoldAdminTextInputWidget({"type": "number", "step": "any"})
        case CustomField.Kind.DATE:
            return UnfoldAdminTextInputWidget({"type": "date"})
        case CustomField.Kind.URL:
            return UnfoldAdminTextInputWidget({"inputmode": "url", "maxlength": MAX_URL_LENGTH})
    return UnfoldAdminTextInputWidget({"maxlength": MAX_TEXT_LENGTH})


def _select(options: list[tuple[str, str]]) -> forms.Select:
    return UnfoldAdminSelectWidget(choices=[("", _("Not set")), *options])


def view_only_columns(custom_fields: list[CustomField], row: Content) -> dict[str, str | Callable[[Any], Any] | None]:
    """Return a column for the value of each custom field, by form field name; None if the record has no value."""
    return {
        form_field_name(field): _column(field) if field.name in row.custom_values else None for field in custom_fields
    }


def _column(field: CustomField) -> Callable[[Any], Any]:
    @admin.display(description=field.label)
    def column(row: Content) -> Any:
        value = display_value(field, row.custom_values[field.name])
        link = '<a href="{}" class="text-link" rel="nofollow noopener">{}</a>'
        return format_html(link, value.url, value.text) if value.url else value.text

    column.__name__ = form_field_name(field)
    return column
