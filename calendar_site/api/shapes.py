"""Functions for shapes of values that only the contract has."""

from __future__ import annotations

from typing import Any, TypeVar

Item = TypeVar("Item")


def single_or_list(items: list[Item]) -> Item | list[Item]:
    """Return a single item without a list, else the list, for the venues in the record of an event (D13)."""
    return items[0] if len(items) == 1 else items


def to_list(value: object) -> list[Any]:
    """Return a list of linked records from any form in which clients write them.

    These are lists, comma-separated texts, single ids and objects; "", 0, null and {} are empty lists.
    """
    if not isinstance(value, bool) and value in ("", "0", 0, None, [], {}):
        return []
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return list(value) if isinstance(value, list) else [value]
