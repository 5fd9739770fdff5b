"""The values of custom fields: answering what a record holds, saying it in words, and reading what is sent."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from calendar_site.content.days import day
from calendar_site.content.html import without_markup
from calendar_site.content.models import CustomField
from calendar_site.content.validators import WEB_SCHEMES, validate_web_address

TEXT_LENGTH = 5000
ADDRESS_LENGTH = 2000
LARGEST = 1e15
TRUE, FALSE = {"true", "1", "yes", "on"}, {"false", "0", "no", "off"}


def answered(values: dict[str, Any], declared: Iterable[CustomField]) -> Any:
    """What a record holds in the declared fields, `[]` for nothing: `{name: {"label", "value"}}`."""
    held = {
        field.name: {"label": field.label, "value": values[field.name]} for field in declared if field.name in values
    }
    return held or []


class Fact(NamedTuple):
    """A custom field of a record in words; `url` is "" where it is no link."""

    label: str
    text: str
    url: str


def in_words(field: CustomField, value: Any) -> Fact:
    """A value is shown as it is where it is none of its field's kind."""
    text, url = str(value), ""
    if isinstance(value, bool):
        text = _("Yes") if value else _("No")
    elif isinstance(value, int | float):
        text = number_format(Decimal(text))
    elif field.kind == CustomField.Kind.DATE:
        text = _day_or_text(text)
    elif field.kind == CustomField.Kind.URL and text.partition(":")[0].lower() in WEB_SCHEMES:
        url = text
    return Fact(field.label, text, url)


def _day_or_text(text: str) -> str:
    try:
        return day(date.fromisoformat(text))
    except ValueError:
        return text


def read_values(given: Any, declared: Iterable[CustomField], held: dict[str, Any]) -> dict[str, Any]:
    """The values of what was sent, None for a field that is to be emptied. Raises ValueError, naming each fault.

    Each value stands alone or in the shape in which it is answered. `held` is what the record holds now.
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
            read[name] = read_value(known[name], value, held.get(name))
        except ValueError as error:
            faults.append(f"{name}: {error}")
    if faults:
        raise ValueError(" ".join(faults))
    return read


def as_written(value: Any) -> str:
    """A value as it is written in a form, "" for none."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_value(field: CustomField, given: Any, held: Any) -> Any:
    """A value as it is kept: text, number, boolean, or a date as YYYY-MM-DD; None for none. Raises ValueError.

    What the record holds may stay, whatever the declaration says by now: it is answered, too (D14).
    """
    if given is None or (isinstance(given, str) and not given.strip()):
        return None
    if held is not None and given in (held, as_written(held)):
        return held
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
    if not text:
        return None
    if field.kind == CustomField.Kind.CHOICE and text not in field.options:
        raise ValueError(_("Choose one of these: %(choices)s.") % {"choices": ", ".join(field.options)})
    return text


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
