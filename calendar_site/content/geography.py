"""Places on the globe: what lies within a distance of a point, on any database.

A box on the indexed columns comes first, the great circle after it. Rows carry their place as a point of a ball of
radius 1 beside latitude and longitude, so that the database need only multiply, of which every one is capable. The
earth is taken for that ball, which is wrong by half a per cent at the most.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from django.db.models import F, Q

EARTH_RADIUS_KM = 6371.0088


class Point(NamedTuple):
    """A place on a ball of radius 1, from its middle."""

    x: float
    y: float
    z: float


def point(lat: float, lng: float) -> Point:
    """The point at a latitude and a longitude in degrees."""
    north, east = math.radians(lat), math.radians(lng)
    return Point(math.cos(north) * math.cos(east), math.cos(north) * math.sin(east), math.sin(north))


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
        """What `distance` is at the edge; of a circle around the whole earth what it is nowhere."""
        # The point on the other side is 4 away, give or take what floats lose.
        return (2 * math.sin(self.angle / 2)) ** 2 if self.angle < math.pi else 5.0

    def distance(self, prefix: str = "") -> Any:
        """The square of the straight way through the ball from the middle of the circle to a row."""
        here = point(self.lat, self.lng)
        away = [F(f"{prefix}geo_{axis}") - getattr(here, axis) for axis in Point._fields]
        return away[0] * away[0] + away[1] * away[1] + away[2] * away[2]

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
