"""Places on the globe: what lies within a distance of a point, on any database.

A box on the indexed columns comes first, the great circle after it. The earth is taken for a ball, which is
wrong by half a per cent at the most.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from django.db.models import F, FloatField, Q, Value
from django.db.models.functions import Cos, Power, Radians, Sin

EARTH_RADIUS_KM = 6371.0088


class Circle(NamedTuple):
    """All that is at most `radius_km` away from a point, which is given in degrees."""

    lat: float
    lng: float
    radius_km: float

    @property
    def angle(self) -> float:
        """The radius as it is seen from the middle of the earth, in radians."""
        return min(self.radius_km / EARTH_RADIUS_KM, math.pi)

    @property
    def reach(self) -> float:
        """What `distance` is at the edge."""
        return math.sin(self.angle / 2) ** 2

    def distance(self, prefix: str = "") -> Any:
        """The haversine of the angle between the point and a row: from 0, here, to 1, on the other side."""
        lat, lng = F(f"{prefix}geo_lat"), F(f"{prefix}geo_lng")
        north = Power(Sin(Radians(lat - self.lat) / 2), 2)
        east = Power(Sin(Radians(lng - self.lng) / 2), 2)
        across = Value(math.cos(math.radians(self.lat)), output_field=FloatField()) * Cos(Radians(lat)) * east
        return north + across

    def box_q(self, prefix: str = "") -> Q:
        """The rows inside a box around the circle: beyond a pole, all longitudes; at 180 degrees, both sides."""
        degrees = math.degrees(self.angle)
        south, north = self.lat - degrees, self.lat + degrees
        box = Q(**{f"{prefix}geo_lat__range": (max(south, -90.0), min(north, 90.0))})
        if south <= -90 or north >= 90:
            return box
        width = math.degrees(math.asin(min(1.0, math.sin(self.angle) / math.cos(math.radians(self.lat)))))
        return box & self._longitudes(self.lng - width, self.lng + width, f"{prefix}geo_lng")

    def _longitudes(self, west: float, east: float, column: str) -> Q:
        if west < -180:
            return Q(**{f"{column}__lte": east}) | Q(**{f"{column}__gte": west + 360})
        if east > 180:
            return Q(**{f"{column}__gte": west}) | Q(**{f"{column}__lte": east - 360})
        return Q(**{f"{column}__range": (west, east)})
