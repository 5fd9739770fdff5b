"""The values of custom fields: representing them in the API, displaying them, and parsing input."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import NamedTuple, TypedDict

from django.core.exceptions import ValidationError
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from calendar_site.core.dates.formatting import format_day
from calendar_site.core.text.html import link_url, strip_markup
from calendar_site.core.validators import validate_http_url
from calendar_site.custom_fields.models import CustomField

MAX_TEXT_LENGTH = 5000
MAX_URL_LENGTH = 2000
MAX_NUMBER = 1e15
# A body may contain tens of thousands of unknown names, or long ones, and a response repeats them several times.
MAX_REPORTED_ERRORS = 100
MAX_REPORTED_NAME = 100
TRUE_WORDS, FALSE_WORDS = {"true", "1", "yes", "on"}, {"false", "0", "no", "off"}


# A stored value, and the values of a record by field name.
CustomValue = str | int | float | bool
CustomValues = dict[str, CustomValue]


class RepresentedValue(TypedDict):
    """A value in the API."""

    label: str
    value: CustomValue


def represent_values(
    values: CustomValues, declared: Iterable[CustomField]
) -> dict[str, RepresentedValue] | list[RepresentedValue]:
    """Return the values of the declared fields as the API does: by name, or `[]` if there are none."""
    represented: dict[str, RepresentedValue] = {
        field.name: {"label": field.label, "value": values[field.name]} for field in declared if field.name in values
    }
    return represented or []


class DisplayedValue(NamedTuple):
    """The label and value of a custom field as text; `url` is "" if it is not a link."""

    label: str
    text: str
    url: str


def display_value(field: CustomField, value: CustomValue) -> DisplayedValue:
    """Format a value in the language of the user; return it as it is if it does not have the type of its field."""
    text, url = str(value), ""
    if isinstance(value, bool):
        text = _("Yes") if value else _("No")
    elif isinstance(value, int | float):
        text = number_format(Decimal(text))
    elif field.kind == CustomField.Kind.DATE:
        text = _format_date(text)
    elif field.kind == CustomField.Kind.URL:
        url = link_url(text)
    return DisplayedValue(field.label, text, url)


def _format_date(text: str) -> str:
    try:
        return format_day(date.fromisoformat(text))
    except ValueError:
        return text


def parse_values(data: object, declared: Iterable[CustomField], current: CustomValues) -> dict[str, CustomValue | None]:
    """Parse values by the names of their fields, None for a field to be cleared.

    Raises ValueError, or ValidationError with the errors by name, at most MAX_REPORTED_ERRORS.

    Each value may be plain or in the form of a response. `current` are the values of the record.
    """
    if not isinstance(data, dict):
        raise ValueError(_("Must be an object of field names and values."))
    fields = {field.name: field for field in declared}
    values, errors = {}, {}
    for name, value in data.items():
        if isinstance(value, dict) and "value" in value:
            value = value["value"]
        try:
            if name not in fields:
                raise ValueError(_("There is no custom field with this name."))
            values[name] = parse_value(fields[name], value, current.get(name))
        except ValueError as error:
            errors[str(name)[:MAX_REPORTED_NAME]] = str(error)
            if len(errors) == MAX_REPORTED_ERRORS:
                break
    if errors:
        raise ValidationError(errors)
    return values


def to_form_text(value: CustomValue | None) -> str:
    """Return a value as the text of a form input, "" for none."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_value(field: CustomField, value: object, current: CustomValue | None) -> CustomValue | None:
    """Parse a value into its stored type, a date as YYYY-MM-DD; return None for no value. Raises ValueError.

    The current value is always accepted, even if the declaration has changed: responses contain it, too (D14).
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if current is not None and value in (current, to_form_text(current)):
        return current
    match field.kind:
        case CustomField.Kind.NUMBER:
            return _parse_number(value)
        case CustomField.Kind.BOOLEAN:
            return _parse_boolean(value)
        case CustomField.Kind.DATE:
            return _parse_date(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise ValueError(_("Must be a string."))
    if field.kind == CustomField.Kind.URL:
        return _parse_url(value.strip())
    # The length is checked first, because stripping markup of a long text takes time.
    if len(value) > MAX_TEXT_LENGTH or len(text := strip_markup(value)) > MAX_TEXT_LENGTH:
        raise ValueError(_("Must have at most %(limit)s characters.") % {"limit": MAX_TEXT_LENGTH})
    if not text:
        return None
    if field.kind == CustomField.Kind.CHOICE and text not in field.options:
        raise ValueError(
            _("Not a valid choice. Use one of these: %(choices)s.") % {"choices": ", ".join(field.options)}
        )
    return text


def _parse_number(value: object) -> int | float:
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not abs(number) <= MAX_NUMBER:
        raise ValueError(_("Must be a number. Use digits and a decimal point, such as 12.50."))
    return int(number) if number.is_integer() else number


def _parse_boolean(value: object) -> bool:
    word = str(value).strip().lower()
    if word not in TRUE_WORDS | FALSE_WORDS:
        raise ValueError(_("Must be a boolean: true or false."))
    return word in TRUE_WORDS


def _parse_date(value: object) -> str:
    try:
        return date.fromisoformat(str(value).strip()).isoformat()
    except ValueError as error:
        raise ValueError(_("Not a valid date. Use a format such as 2027-03-10.")) from error


def _parse_url(text: str) -> str:
    if len(text) > MAX_URL_LENGTH:
        raise ValueError(_("Must have at most %(limit)s characters.") % {"limit": MAX_URL_LENGTH})
    try:
        validate_http_url(text)
    except ValidationError as error:
        raise ValueError(error.messages[0]) from error
    return text
