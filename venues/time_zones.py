"""The time zones of places."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import tzfpy

from calendar_site.core.dates.conversion import keep_same_time, parse_zone
from venues.countries import country_code, read_zone_table


def derive_time_zone(latitude: float | None, longitude: float | None, country: str) -> str:
    """Return the name of the time zone of a place, "" if it is unknown or ambiguous.

    The coordinates decide. The country decides if there are none, or if they are at sea or in an area that two time
    zones claim, and if all places of the country have the same time. The first call with coordinates loads the
    borders of the time zones, which takes 0.3 s and 35 MB.
    """
    return _zone_at(latitude, longitude) or _zone_of_country(country_code(country))


def _zone_at(latitude: float | None, longitude: float | None) -> str:
    if latitude is None or longitude is None:
        return ""
    names = list(_known_zones(tzfpy.get_tzs(longitude, latitude)))
    return names[0] if len(names) == 1 else ""


@lru_cache(maxsize=256)
def _zone_of_country(code: str) -> str:
    """Return the time zone of all places in a country, named after the first one in the zone database."""
    names = [columns[2] for columns in read_zone_table("zone.tab") if columns[0] == code]
    zones = [parse_zone(name) for name in _known_zones(names)]
    return zones[0].name if zones and all(keep_same_time(zones[0], zone) for zone in zones) else ""


def _known_zones(names: list[str]) -> Iterator[str]:
    """Yield the names of zones on land. At sea, zones are offsets such as `Etc/GMT+4`."""
    for name in names:
        if not name.startswith("Etc/"):
            try:
                yield parse_zone(name).name
            except ValueError:
                # The database of the borders may be newer than that of the zones.
                continue
