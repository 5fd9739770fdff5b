"""HTML entities in names that clients send: the original returns them, so its clients send them (D1)."""

from __future__ import annotations

from typing import Any

from calendar_site.core.text.plain_text import unescape_references

# The arguments with names, also inside the data of venues and organizers of an event.
NAMES = {"title", "venue", "organizer", "name"}


def decode_names(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments with the entities in titles and names decoded once."""
    return {name: _decode(value) if name in NAMES else value for name, value in arguments.items()}


def _decode(value: Any) -> Any:
    if isinstance(value, str):
        return unescape_references(value)
    if isinstance(value, dict):
        return decode_names(value)
    if isinstance(value, list):
        return type(value)(_decode(item) for item in value)
    return value
