"""Reading single values as the contract types them. Each raises ValueError with what is wrong."""

from __future__ import annotations

import math
from typing import Any

from django.utils.translation import gettext as _

TRUE = {"true", "1"}
FALSE = {"false", "0"}
LARGEST_ID = 2**63 - 1


def read_boolean(given: Any) -> bool:
    """true/false, 1/0, and the same as text in any capitals."""
    word = str(given).lower() if isinstance(given, bool | int | str) else ""
    if word not in TRUE | FALSE:
        raise ValueError(_("This is not a boolean: use true or false."))
    return word in TRUE


def read_switch(given: Any) -> bool:
    """A boolean that also takes yes/no and on/off."""
    word = str(given).strip().lower() if isinstance(given, bool | int | str) else ""
    if word in TRUE | {"yes", "on"}:
        return True
    if word in FALSE | {"no", "off"}:
        return False
    raise ValueError(_("This is not a boolean: use true or false."))


def read_integer(given: Any, minimum: int | None = None) -> int:
    """A whole number, or a text of digits."""
    if isinstance(given, str) and given.strip().removeprefix("-").isdecimal() and given.isascii() and len(given) < 25:
        given = int(given)
    if isinstance(given, float) and given.is_integer() and abs(given) < LARGEST_ID:
        given = int(given)
    if not isinstance(given, int) or isinstance(given, bool) or abs(given) > LARGEST_ID:
        raise ValueError(_("This is not a whole number."))
    if minimum is not None and given < minimum:
        raise ValueError(_("The least is %(minimum)s.") % {"minimum": minimum})
    return given


def read_number(given: Any) -> float:
    """A number, or a text of one; neither infinite nor none."""
    try:
        number = float(given) if isinstance(given, int | float | str) and not isinstance(given, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(_("This is not a number."))
    return number


def read_text(given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError(_("This is not a text."))
    return given


def read_list(given: Any) -> list[Any]:
    """An array, or a text with commas between. Raises for one without anything in it."""
    if isinstance(given, str):
        items: list[Any] = [part.strip() for part in given.split(",")]
    elif isinstance(given, list):
        # A plain key may be repeated, each time with a comma text.
        items = [part for item in given for part in (read_list(item) if isinstance(item, str) else [item])]
    elif isinstance(given, int) and not isinstance(given, bool):
        items = [given]
    else:
        raise ValueError(_("This is not a list."))
    items = [item for item in items if item != ""]
    if not items:
        raise ValueError(_("This is empty."))
    return items


def read_ids(given: Any) -> list[int]:
    """Positive numbers, each once, in the order given."""
    return list(dict.fromkeys(read_integer(item, minimum=1) for item in read_list(given)))
