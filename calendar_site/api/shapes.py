"""The contract's odd shapes, each by its name."""

from __future__ import annotations

from typing import Any


def one_or_many(records: list[Any]) -> Any:
    """An object for one, a list for several, `[]` for none: how an event answers its venues (D13)."""
    return records[0] if len(records) == 1 else records


def as_many(given: Any) -> list[Any]:
    """What `one_or_many` answers, and every other spelling of linked records, as a list.

    Lists, comma texts, single ids and objects; "", 0, null and {} are none.
    """
    if not isinstance(given, bool) and given in ("", "0", 0, None, [], {}):
        return []
    if isinstance(given, str):
        return [part.strip() for part in given.split(",") if part.strip()]
    return list(given) if isinstance(given, list) else [given]
