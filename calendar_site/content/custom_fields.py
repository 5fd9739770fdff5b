"""Custom fields: reading a value, answering what a record holds, and dropping a field with its values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import date
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from calendar_site.content.html import without_markup
from calendar_site.content.models import CustomField
from calendar_site.content.transactions import writing
from calendar_site.content.validators import validate_web_address

TEXT_LENGTH = 5000
ADDRESS_LENGTH = 2000
LARGEST = 1e15
# By name: these models stand above this package.
MODELS = {"event": "events.Event", "venue": "venues.Venue", "organizer": "organizers.Organizer"}
TRUE, FALSE = {"true", "1", "yes", "on"}, {"false", "0", "no", "off"}


def answered(values: dict[str, Any], declared: Iterable[CustomField]) -> Any:
    """What a record holds in the declared fields, `[]` for nothing: `{name: {"label", "value"}}`."""
    held = {
        field.name: {"label": field.label, "value": values[field.name]} for field in declared if field.name in values
    }
    return held or []


def read_values(given: Any, declared: Iterable[CustomField]) -> dict[str, Any]:
    """The values of what was sent, None for a field that is to be emptied. Raises ValueError, naming each fault.

    Each value stands alone or in the shape in which it is answered.
    """
    if not isinstance(given, dict):
        raise ValueError(_("This is no object of names and values."))
    known = {field.name: field for field in declared}
    read, faults = {}, []
    for name, value in given.items():
        if isinstance(value, dict) and "value" in value:
            value = value["value"]
        try:
            if name not in known:
                raise ValueError(_("There is no such field."))
            read[name] = None if value is None or value == "" else read_value(known[name], value)
        except ValueError as error:
            faults.append(f"{name}: {error}")
    if faults:
        raise ValueError(" ".join(faults))
    return read


def read_value(field: CustomField, given: Any) -> Any:
    """A value as it is kept: text, number, boolean, or a date as YYYY-MM-DD. Raises ValueError."""
    match field.kind:
        case CustomField.Kind.NUMBER:
            return _number(given)
        case CustomField.Kind.BOOLEAN:
            return _boolean(given)
        case CustomField.Kind.DATE:
            return _date(given)
    if isinstance(given, int | float) and not isinstance(given, bool):
        given = str(given)
    if not isinstance(given, str):
        raise ValueError(_("This is not a text."))
    if field.kind == CustomField.Kind.URL:
        return _address(given.strip())
    # The length is looked at first: markup is dropped from no text that is longer than it may be.
    if len(given) > TEXT_LENGTH or len(text := without_markup(given)) > TEXT_LENGTH:
        raise ValueError(_("This is longer than %(limit)s characters.") % {"limit": TEXT_LENGTH})
    if field.kind == CustomField.Kind.CHOICE and text not in field.options:
        raise ValueError(_("Choose one of these: %(choices)s.") % {"choices": ", ".join(field.options)})
    return text


def drop_custom_field(field: CustomField) -> int:
    """Takes the field away with what records hold in it; answers how many they were."""
    model = apps.get_model(MODELS[field.resource])
    with writing():
        rows = model._default_manager.filter(custom_values__has_key=field.name)
        count = 0
        for row in rows.iterator(chunk_size=500):
            del row.custom_values[field.name]
            # The moment of change stays: nobody wrote this record.
            row.save(update_fields=["custom_values", "search_text"])
            count += 1
        field.delete()
    return count


def _number(given: Any) -> int | float:
    try:
        number = float(given) if isinstance(given, str | int | float) and not isinstance(given, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not abs(number) <= LARGEST:
        raise ValueError(_("This is not a number."))
    return int(number) if number.is_integer() else number


def _boolean(given: Any) -> bool:
    word = str(given).strip().lower()
    if word not in TRUE | FALSE:
        raise ValueError(_("This is not a boolean: use true or false."))
    return word in TRUE


def _date(given: Any) -> str:
    try:
        return date.fromisoformat(str(given).strip()).isoformat()
    except ValueError as error:
        raise ValueError(_("This is not a date such as 2027-03-10.")) from error


def _address(text: str) -> str:
    if len(text) > ADDRESS_LENGTH:
        raise ValueError(_("This is longer than %(limit)s characters.") % {"limit": ADDRESS_LENGTH})
    try:
        validate_web_address(text)
    except ValidationError as error:
        raise ValueError(error.messages[0]) from error
    return text
