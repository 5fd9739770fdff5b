"""The labels and values of fields as text, for histories."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.utils.functional import cached_property
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from calendar_site.audit.models import Revision, TrackedModel
from calendar_site.audit.recorder import MERGED_INTO, MERGED_RECORDS, RELINKED_EVENTS, UNLINKED_EVENTS
from calendar_site.core.dates.conversion import to_wire
from calendar_site.core.dates.formatting import format_in_site_time
from calendar_site.core.fields import HTMLField, PlainTextField
from calendar_site.core.text.diff import html_to_compared_lines
from calendar_site.custom_fields.loading import all_custom_fields
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.values import CustomValue, display_value
from calendar_site.revisions.titles import Titles

CUSTOM_VALUES = "custom_values"


class FieldValue(NamedTuple):
    """The label of a field and its value as text."""

    label: str
    text: str


def resolve_field(model: type[TrackedModel], name: str) -> tuple[type[TrackedModel], str]:
    """Return the model that a field belongs to, and its name there: another model for a field in a nested column."""
    column, _separator, nested_name = name.partition(".")
    nested = model.history.model.nested.get(column)
    return (nested.model(), nested_name) if nested and nested_name else (model, name)


def field_label(model: type[TrackedModel], name: str) -> str:
    """Return the label of a field: that of its FieldDisplay, if it has one, else that of the model."""
    display = model.history.model.field_displays.get(name)
    if display and display.label:
        return str(display.label)
    if name == CUSTOM_VALUES:
        return _("Custom fields")
    return capfirst(str(getattr(_find_field(model, name), "verbose_name", name)))


class CustomFieldLabels:
    """Labels and values of custom fields, which are loaded when the first one is formatted."""

    @cached_property
    def by_resource(self) -> dict[str, list[CustomField]]:
        return all_custom_fields()

    def format(self, model: type[models.Model], name: str, value: CustomValue | None) -> FieldValue:
        """Format a value. If the field is no longer declared, its name is the label."""
        declared = self.by_resource.get(str(model._meta.model_name), [])
        field = next((field for field in declared if field.name == name), None) or CustomField(name=name, label=name)
        if value is None:
            return FieldValue(field.label, "")
        displayed = display_value(field, value)
        return FieldValue(displayed.label, displayed.text)


def is_long_text(model: type[TrackedModel], name: str) -> bool:
    """Return whether a field contains sentences, which are compared word by word."""
    is_one_value = name in model.history.model.parts_of.values()
    return isinstance(_find_field(model, name), PlainTextField | HTMLField | models.TextField) and not is_one_value


def format_value(
    model: type[TrackedModel], name: str, value: Any, revision: Revision | TrackedModel, titles: Titles
) -> str:
    """Format the value of a field in a revision; "" for none. `titles` must contain the titles of linked records."""
    display = model.history.model.field_displays.get(name)
    if display and display.format and value is not None:
        return str(display.format(value, revision))
    if isinstance(value, tuple):
        value = value[0]
    if linked := linked_model(model, name):
        return titles.format(linked, value if isinstance(value, list) else [value])
    field = _find_field(model, name)
    if choices := getattr(field, "flatchoices", None):
        return str(dict(choices).get(value, value or ""))
    if isinstance(field, HTMLField):
        return html_to_compared_lines(value or "")
    return _format_plain(value)


def _format_plain(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return _("Yes") if value else _("No")
        case datetime():
            return format_in_site_time(value)
        case list():
            return "\n".join(map(str, value))
    return str(value)


def format_exactly(value: object) -> str:
    """Return the details that `format_value` leaves out, for values that it formats alike; "" if there are none."""
    match value:
        case str():
            return value
        case datetime():
            return to_wire(value)
        case tuple():
            text, *parts = value
            return f"{text} ({', '.join(str(part) for part in parts if part)})"
    return ""


def request_titles(titles: Titles, model: type[TrackedModel], name: str, value: Any) -> None:
    """Request the titles of the records that a value links to."""
    if linked := linked_model(model, name):
        titles.request(linked, value if isinstance(value, list) else [value])


def linked_model(model: type[TrackedModel], name: str) -> type[models.Model] | None:
    """Return the model that a field or a part of the extra state links to by ids; None if it is not a link."""
    if name in (MERGED_RECORDS, MERGED_INTO):
        return model
    display = model.history.model.field_displays.get(name)
    if display and display.format:
        return None
    field = _find_field(model, "events" if name in (UNLINKED_EVENTS, RELINKED_EVENTS) else name)
    return getattr(field, "related_model", None)


def _find_field(model: type[models.Model], name: str) -> Any:
    try:
        return model._meta.get_field(name)
    except FieldDoesNotExist:
        return None
