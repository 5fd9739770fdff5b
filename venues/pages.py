"""What pages for people say of a venue."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

# Its pages are linked to: nothing of it is loaded here.
MAPS = "https://www.openstreetmap.org"
CLOSE_UP = 17


def address_line(venue: dict[str, Any]) -> str:
    """The address of a venue (as the API answers it) on one line; "" for one without."""
    town = f"{venue['zip']} {venue['city']}".strip()
    return ", ".join(part for part in (venue["address"], town, venue["stateprovince"], venue["country"]) if part)


def map_link(venue: dict[str, Any]) -> str:
    """Where a map shows a venue (as the API answers it); "" where it wants no link or is at no known place."""
    if not venue["show_map_link"]:
        return ""
    if venue["geo_lat"] is not None:
        lat, lng = (f"{venue[key]:.6f}" for key in ("geo_lat", "geo_lng"))
        return f"{MAPS}/?{urlencode({'mlat': lat, 'mlon': lng})}#map={CLOSE_UP}/{lat}/{lng}"
    address = address_line(venue)
    return f"{MAPS}/search?{urlencode({'query': address})}" if address else ""
