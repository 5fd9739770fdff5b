"""The address of a venue as text, and the URL of a map."""

from __future__ import annotations

from urllib.parse import urlencode

from venues.loading import VenueRow
from venues.models import Venue

# The pages link to this map; they load nothing from it.
MAP_URL = "https://www.openstreetmap.org"
MAP_ZOOM = 17


def format_address(venue: Venue | VenueRow) -> str:
    """Return the address on one line, "" if the venue has none."""
    town = f"{venue.zip} {venue.city}".strip()
    return ", ".join(part for part in (venue.address, town, venue.region, venue.country) if part)


def map_url(venue: Venue | VenueRow) -> str:
    """Return the URL of a map of the venue, "" if it shows no link to a map, or has neither coordinates nor address."""
    if not venue.show_map_link:
        return ""
    if venue.geo_lat is not None:
        lat, lng = f"{venue.geo_lat:.6f}", f"{venue.geo_lng:.6f}"
        return f"{MAP_URL}/?{urlencode({'mlat': lat, 'mlon': lng})}#map={MAP_ZOOM}/{lat}/{lng}"
    address = format_address(venue)
    return f"{MAP_URL}/search?{urlencode({'query': address})}" if address else ""
