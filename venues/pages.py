"""What pages for people say of a venue."""

from __future__ import annotations

from typing import Any


def address_line(venue: dict[str, Any]) -> str:
    """The address of a venue (as the API answers it) on one line; "" for one without."""
    town = f"{venue['zip']} {venue['city']}".strip()
    return ", ".join(part for part in (venue["address"], town, venue["stateprovince"], venue["country"]) if part)
