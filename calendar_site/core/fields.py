"""Model fields that clean their value on save, whatever wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from calendar_site.core.html import prepare_html, sanitize_html, strip_markup
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
