"""The fields of records in words: what each is called, and what is held in it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.utils.functional import cached_property
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from calendar_site.content.compared import readable
from calendar_site.content.custom_values import in_words
from calendar_site.content.dates import wire
from calendar_site.content.days import in_site_time
from calendar_site.content.fields import HTMLField, PlainField
from calendar_site.content.loading import declared_fields
from calendar_site.content.models import CustomField
from calendar_site.content.recording import MERGED, TAKEN_FROM
from calendar_site.content.titles import Titles

CUSTOM = "custom_values"


class Fact(NamedTuple):
    label: str
    text: str


def label_of(model: Any, name: str) -> str:
    """What the form of these records calls a field."""
    words = model.history.model.words.get(name)
    if words and words.label:
        return str(words.label)
    if name == CUSTOM:
        return _("Further facts")
    return capfirst(str(getattr(_field(model, name), "verbose_name", name)))


class Declared:
    """The labels of custom fields, read when the first is asked for."""

    @cached_property
    def by_resource(self) -> dict[str, list[CustomField]]:
        return declared_fields()

    def tell(self, model: Any, name: str, value: Any) -> Fact:
        """An undeclared one is called by its name."""
        declared = self.by_resource.get(str(model._meta.model_name), [])
        field = next((field for field in declared if field.name == name), None) or CustomField(name=name, label=name)
        if value is None:
            return Fact(field.label, "")
        fact = in_words(field, value)
        return Fact(fact.label, fact.text)


def is_text(model: Any, name: str) -> bool:
    """Whether people write sentences into a field, of which single words change."""
    is_one_value = name in model.history.model.parts.values()
    return isinstance(_field(model, name), PlainField | HTMLField | models.TextField) and not is_one_value


def value_in_words(model: Any, name: str, value: Any, state: Any, titles: Titles) -> str:
    words = model.history.model.words.get(name)
    if words and words.tell and value is not None:
        return words.tell(value, state)
    if isinstance(value, tuple):
        value = value[0]
    if linked := linked_model(model, name):
        return titles.tell(linked, value if isinstance(value, list) else [value])
    field = _field(model, name)
    if choices := getattr(field, "flatchoices", None):
        return str(dict(choices).get(value, value or ""))
    if isinstance(field, HTMLField):
        return readable(value or "")
    return _plain(value)


def _plain(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return _("yes") if value else _("no")
        case datetime():
            return in_site_time(value)
        case list():
            return "\n".join(map(str, value))
    return str(value)


def exact(value: Any) -> str:
    """Where the words are the same, what they do not say; "" for what nobody reads."""
    match value:
        case str():
            return value
        case datetime():
            return wire(value)
        case tuple():
            text, *parts = value
            return f"{text} ({', '.join(str(part) for part in parts if part)})"
    return ""


def want_titles(titles: Titles, model: Any, name: str, value: Any) -> None:
    if linked := linked_model(model, name):
        titles.want(linked, value if isinstance(value, list) else [value])


def linked_model(model: Any, name: str) -> Any:
    """The model of the records that a field, or something beside them, links to by ids; None where it does not."""
    if name in MERGED:
        return model
    if name in model.history.model.words and model.history.model.words[name].tell:
        return None
    field = _field(model, "events" if name == TAKEN_FROM else name)
    return getattr(field, "related_model", None)


def _field(model: Any, name: str) -> Any:
    try:
        return model._meta.get_field(name)
    except FieldDoesNotExist:
        return None
