"""Conversions of value shapes that are specific to the contract."""

from __future__ import annotations

from typing import Any, TypeVar

Item = TypeVar("Item")


def single_or_list(items: list[Item]) -> Item | list[Item]:
    """Return a single item without a list, else the list, for the venues in the record of an event (D13)."""
    return items[0] if len(items) == 1 else items


def to_list(value: object) -> list[Any]:
    """Return linked records as a list, whichever form the client used.

    Accepts lists, comma-separated strings, single ids and single objects; "", 0, null and {} become an empty list.
    """
    if not isinstance(value, bool) and value in ("", "0", 0, None, [], {}):
        return []
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return list(value) if isinstance(value, list) else [value]
