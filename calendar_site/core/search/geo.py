"""Geographic search: rows within a distance of a point, on any database.

A bounding box on the indexed columns narrows the rows down; the exact distance decides. Rows store their location as
a point on the unit sphere beside latitude and longitude, so that the database needs multiplication only. Treating
the earth as a sphere is wrong by half a per cent at most.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from django.db.models import F, Q
from django.db.models.expressions import CombinedExpression

EARTH_RADIUS_KM = 6371.0088
# In degrees, to both sides of the equator and of Greenwich.
MAX_LATITUDE = 90
MAX_LONGITUDE = 180


class Point(NamedTuple):
    """A point on the unit sphere, relative to its centre."""

    x: float
    y: float
    z: float


def to_point(lat: float, lng: float) -> Point:
    """Return the point at a latitude and a longitude in degrees."""
    north, east = math.radians(lat), math.radians(lng)
    return Point(math.cos(north) * math.cos(east), math.cos(north) * math.sin(east), math.sin(north))


class Circle(NamedTuple):
    """The area within `radius_km` of a point, whose coordinates are in degrees."""

    lat: float
    lng: float
    radius_km: float

    @property
    def angle(self) -> float:
        """The radius as an angle at the centre of the earth, in radians."""
        return min(self.radius_km / EARTH_RADIUS_KM, math.pi)

    @property
    def max_distance(self) -> float:
        """The value of `distance` at the edge; more than any distance if the circle covers the whole earth."""
        # The opposite point is 4 away, plus or minus rounding errors.
        return (2 * math.sin(self.angle / 2)) ** 2 if self.angle < math.pi else 5.0

    def distance(self, prefix: str = "") -> CombinedExpression:
        """Return an expression for the squared chord through the unit sphere from the centre of the circle to a row.

        `prefix` is the path to the row, such as `venue__`.
        """
        centre = to_point(self.lat, self.lng)
        x, y, z = (F(f"{prefix}geo_{axis}") - getattr(centre, axis) for axis in Point._fields)
        return x * x + y * y + z * z

    @staticmethod
    def kilometers(distance: float) -> float:
        """Return the way on the surface of the earth for a value of `distance`, to the meter."""
        return round(2 * math.asin(min(math.sqrt(distance) / 2, 1.0)) * EARTH_RADIUS_KM, 3)

    def box_q(self, prefix: str = "") -> Q:
        """Return a condition for rows in the bounding box, which may span all longitudes or cross 180 degrees."""
        degrees = math.degrees(self.angle)
        south, north = self.lat - degrees, self.lat + degrees
        box = Q(**{f"{prefix}geo_lat__range": (max(south, -float(MAX_LATITUDE)), min(north, float(MAX_LATITUDE)))})
        if south <= -MAX_LATITUDE or north >= MAX_LATITUDE:
            return box
        width = math.degrees(math.asin(min(1.0, math.sin(self.angle) / math.cos(math.radians(self.lat)))))
        return box & self._longitudes(self.lng - width, self.lng + width, f"{prefix}geo_lng")

    def _longitudes(self, west: float, east: float, column: str) -> Q:
        if west < -MAX_LONGITUDE:
            return Q(**{f"{column}__lte": east}) | Q(**{f"{column}__gte": west + 360})
        if east > MAX_LONGITUDE:
            return Q(**{f"{column}__gte": west}) | Q(**{f"{column}__lte": east - 360})
        return Q(**{f"{column}__range": (west, east)})
