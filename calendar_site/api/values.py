"""Parsers of single values of the contract's types. Each raises ValueError with a message for the client."""

from __future__ import annotations

import math
from typing import Any

from django.utils.translation import gettext as _

from calendar_site.core.html import strip_markup

TRUE = {"true", "1"}
FALSE = {"false", "0"}
MAX_ID = 2**63 - 1


def parse_boolean(value: object) -> bool:
    """Parse true, false, 1 or 0, also as text in any case."""
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
    """Parse a whole number, or a text of digits."""
    if isinstance(value, str) and value.strip().removeprefix("-").isdecimal() and value.isascii() and len(value) < 25:
        value = int(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < MAX_ID:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_ID:
        raise ValueError(_("Must be a whole number, such as 12."))
    if minimum is not None and value < minimum:
        raise ValueError(_("Must be at least %(minimum)s.") % {"minimum": minimum})
    return value


def parse_number(value: object, minimum: float, maximum: float) -> float:
    """Parse a number from `minimum` to `maximum`, or a text of one."""
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
    """Parse a text that is not empty once its markup is stripped."""
    text = parse_text(value)
    # Longer texts are refused below, and stripping them would take long.
    if len(text) <= max_length * 4:
        text = strip_markup(text)
    if not text:
        raise ValueError(_("Must not be empty."))
    check_length(text, max_length)
    return text


def check_length(text: str, max_length: int) -> None:
    if len(text) > max_length:
        raise ValueError(_("Must have at most %(limit)s characters.") % {"limit": max_length})


def parse_list(value: object) -> list[Any]:
    """Parse an array, or a comma-separated text; an empty one is an error."""
    if isinstance(value, str):
        items: list[Any] = [part.strip() for part in value.split(",")]
    elif isinstance(value, list):
        # A repeated key may have a comma-separated text each time.
        items = [part for item in value for part in (parse_list(item) if isinstance(item, str) else [item])]
    elif isinstance(value, int) and not isinstance(value, bool):
        items = [value]
    else:
        raise ValueError(_("Must be an array, or a string of values separated by commas."))
    items = [item for item in items if item != ""]
    if not items:
        raise ValueError(_("Must not be empty."))
    return items


def parse_ids(value: object) -> list[int]:
    """Parse positive numbers; each is returned once, in the order of the list."""
    return list(dict.fromkeys(parse_integer(item, minimum=1) for item in parse_list(value)))
