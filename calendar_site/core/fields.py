"""Model fields that clean their value on save, whatever wrote it."""

from __future__ import annotations

from typing import Any

from django.db import models

from calendar_site.core.html import sanitize_html, strip_markup
from calendar_site.core.validators import validate_markup


class HTMLField(models.TextField):
    """HTML that is sanitized when the row is saved."""

    default_validators = [validate_markup]

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        value = sanitize_html(getattr(model_instance, self.attname) or "")
        setattr(model_instance, self.attname, value)
        return value


class PlainTextField(models.CharField):
    """One line of text, stripped of markup, control characters and surrounding whitespace."""

    def clean(self, value: Any, model_instance: models.Model | None) -> Any:
        return super().clean(strip_markup(value) if isinstance(value, str) else value, model_instance)

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        value = strip_markup(getattr(model_instance, self.attname) or "")
        setattr(model_instance, self.attname, value)
        return value
