"""Parsers of single values of the contract's types. Each raises ValueError with a message for the client."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, TypeGuard

from django.db.models import Model
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from calendar_site.core.text.html import strip_markup

TRUE = {"true", "1"}
FALSE = {"false", "0"}
MAX_ID = 2**63 - 1
# More than MAX_ID has.
MAX_DIGITS = 25


class RepeatedValues(list):
    """The values of a repeated plain key. If no list is expected, the last value counts."""


def parse_boolean(value: object) -> bool:
    """Parse true, false, 1 or 0, or a string with one of these in upper or lower case."""
    word = str(value).lower() if isinstance(value, bool | int | str) else ""
    if word not in TRUE | FALSE:
        raise ValueError(_("Must be a boolean: true or false."))
    return word in TRUE


def parse_switch(value: object) -> bool:
    """Parse a boolean that may also be yes/no or on/off."""
    word = str(value).strip().lower() if isinstance(value, bool | int | str) else ""
    if word in TRUE | {"yes", "on"}:
        return True
    if word in FALSE | {"no", "off"}:
        return False
    raise ValueError(_("Must be a boolean: true or false."))


def parse_integer(value: object, minimum: int | None = None) -> int:
    """Parse a whole number, or a string of digits."""
    if not is_integer(value):
        raise ValueError(_("Must be a whole number, such as 12."))
    # Python does not convert strings of thousands of digits.
    number = int(value.strip()[:MAX_DIGITS]) if isinstance(value, str) else int(value)
    lowest = -MAX_ID if minimum is None else minimum
    if number < lowest:
        raise ValueError(_("Must be at least %(minimum)s.") % {"minimum": lowest})
    if number > MAX_ID:
        raise ValueError(_("Must be at most %(maximum)s.") % {"maximum": MAX_ID})
    return number


def is_integer(value: object) -> TypeGuard[int | float | str]:
    """Return whether the value is a whole number, or a string of digits, of any size."""
    if isinstance(value, str):
        return value.isascii() and value.strip().removeprefix("-").isdecimal()
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())


def parse_number(value: object, minimum: float, maximum: float) -> float:
    """Parse a number from `minimum` to `maximum`, or a string that contains one."""
    try:
        number = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(_("Must be a number. Use digits and a decimal point, such as 12.50."))
    if not minimum <= number <= maximum:
        raise ValueError(_("Must be between %(least)s and %(most)s.") % {"least": minimum, "most": maximum})
    return number


def parse_text(value: object, max_length: int | None = None) -> str:
    if not isinstance(value, str):
        raise ValueError(_("Must be a string."))
    if max_length is not None:
        check_length(value, max_length)
    return value


def parse_line(value: object, max_length: int) -> str:
    """Return a string without its markup. Raises ValueError if nothing is left."""
    text = parse_text(value)
    # Longer strings are rejected below, and stripping their markup would take long.
    if len(text) <= max_length * 4:
        text = strip_markup(text)
    if not text:
        raise ValueError(_("Must not be empty."))
    check_length(text, max_length)
    return text


def check_length(text: str, max_length: int) -> None:
    if len(text) > max_length:
        raise ValueError(_("Must have at most %(limit)s characters.") % {"limit": max_length})


def unknown_choice(choices: Iterable[str]) -> str:
    """Return the message for a value that is none of the choices."""
    return _("Not a valid choice. Use one of these: %(choices)s.") % {"choices": ", ".join(choices)}


def unknown_records(model: type[Model], references: Iterable[object]) -> str:
    """Return the message for ids, slugs or names that no record of the model has."""
    records = capfirst(str(model._meta.verbose_name_plural))
    return _("%(records)s not found: %(names)s.") % {"records": records, "names": ", ".join(map(str, references))}


def parse_list(value: object) -> list[Any]:
    """Parse an array, or a comma-separated string. Raises ValueError if it is empty.

    An item of an array is one value, whatever it contains (D39). A repeated key may have a comma-separated string each
    time.
    """
    if isinstance(value, str):
        items: list[Any] = [part.strip() for part in value.split(",")]
    elif isinstance(value, RepeatedValues):
        items = [part for item in value for part in (parse_list(item) if isinstance(item, str) else [item])]
    elif isinstance(value, list):
        items = [item.strip() if isinstance(item, str) else item for item in value]
    elif isinstance(value, int) and not isinstance(value, bool):
        items = [value]
    else:
        raise ValueError(_("Must be an array, or a string of values separated by commas."))
    items = [item for item in items if item != ""]
    if not items:
        raise ValueError(_("Must not be empty."))
    return items


def parse_ids(value: object) -> list[int]:
    """Parse a list of positive ids, keeping their order and dropping duplicates."""
    return list(dict.fromkeys(parse_integer(item, minimum=1) for item in parse_list(value)))
