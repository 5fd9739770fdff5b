"""Model fields that clean what is saved, whichever door it comes through."""

from __future__ import annotations

from typing import Any

from django.db import models

from calendar_site.content.html import sanitise, without_markup
from calendar_site.content.validators import validate_markup


class HTMLField(models.TextField):
    """HTML that is sanitised when the row is saved."""

    default_validators = [validate_markup]

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = sanitise(getattr(model_instance, self.attname) or "")
        setattr(model_instance, self.attname, value)
        return value


class PlainField(models.CharField):
    """One line of text without markup, blanks at its ends or control characters."""

    def clean(self, value: Any, model_instance: models.Model | None) -> Any:
        return super().clean(without_markup(value) if isinstance(value, str) else value, model_instance)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = without_markup(getattr(model_instance, self.attname) or "")
        setattr(model_instance, self.attname, value)
        return value
