"""Model fields that clean their value on save, whatever wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from calendar_site.core.choices import Accessibility
from calendar_site.core.text.html import prepare_html, sanitize_html, strip_markup
from calendar_site.core.validators import validate_markup


class HTMLField(models.TextField):
    """HTML that is sanitized when the row is saved."""

    default_validators = [validate_markup]

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        value = sanitize_html(getattr(model_instance, self.attname) or "")
        setattr(model_instance, self.attname, value)
        return value


def prepare_texts(model: type[models.Model], data: Mapping[str, Any]) -> None:
    """Call `prepare_html()` for the HTML in the data of a form. Invalid HTML is left to the form."""
    for field in model._meta.fields:
        text = data.get(field.name)
        if isinstance(field, HTMLField) and isinstance(text, str):
            with suppress(ValidationError):
                validate_markup(text.strip())
                prepare_html(text.strip())


class PlainTextField(models.CharField):
    """One line of text, stripped of markup, control characters and surrounding whitespace."""

    def clean(self, value: Any, model_instance: models.Model | None) -> Any:
        return super().clean(strip_markup(value) if isinstance(value, str) else value, model_instance)

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        value = strip_markup(getattr(model_instance, self.attname) or "")
        setattr(model_instance, self.attname, value)
        return value


if TYPE_CHECKING:
    ListOfTexts = models.CharField[list[str] | str, list[str]]
else:
    ListOfTexts = models.CharField


class AccessibilityField(ListOfTexts):
    """A list of the values of `Accessibility`, in their order.

    The column is text with commas, because `contains` then works on both databases. No value is a part of another.
    """

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> list[str]:
        return value.split(",") if value else []

    def to_python(self, value: Any) -> list[str]:
        features = value.split(",") if isinstance(value, str) else value
        return sorted(set(filter(None, features or ())), key=_accessibility_order)

    def get_prep_value(self, value: Any) -> str:
        return value if isinstance(value, str) else ",".join(value or ())

    def validate(self, value: list[str], model_instance: models.Model | None) -> None:
        if unknown := [feature for feature in value if feature not in Accessibility.values]:
            raise ValidationError(unknown_accessibility(unknown))

    def value_to_string(self, obj: models.Model) -> str:
        return self.get_prep_value(self.value_from_object(obj))

    def formfield(self, **kwargs: Any) -> Any:
        options = {
            "label": capfirst(self.verbose_name),
            "help_text": self.help_text,
            "required": False,
            "choices": Accessibility.choices,
            "widget": forms.CheckboxSelectMultiple,
        }
        return forms.MultipleChoiceField(**options | kwargs)


def _accessibility_order(feature: str) -> tuple[int, str]:
    values = Accessibility.values
    return (values.index(feature) if feature in values else len(values), feature)


def unknown_accessibility(features: list[str]) -> str:
    """Return the message for unknown features."""
    return _("Unknown: %(unknown)s. Use any of these: %(choices)s.") % {
        "unknown": ", ".join(map(str, features)),
        "choices": ", ".join(Accessibility.values),
    }
