"""The pen that draws shapes in the coordinates of a motif."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import ImageDraw

from events.sample_content.pictures.palettes import Palette

Point = tuple[float, float]
CURVE_STEPS = 8


class Pen:
    """Draws shapes in a square from -50 to 50, y downwards, which it places, scales, turns and mirrors on a canvas.

    Colours are roles of the palette. Angles are in degrees, clockwise from the right.
    """

    def __init__(
        self,
        draw: ImageDraw.ImageDraw,
        palette: Palette,
        *,
        at: Point,
        size: float,
        turn: float = 0,
        mirrored: bool = False,
    ) -> None:
        self._draw = draw
        self._palette = palette
        self._at = at
        self._scale = size / 100
        self._cos, self._sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        self._side = -1 if mirrored else 1

    def shape(self, points: Sequence[Point], colour: str) -> None:
        """Fill a polygon."""
        self._draw.polygon([self._to_canvas(point) for point in points], fill=getattr(self._palette, colour))

    def box(self, left: float, top: float, right: float, bottom: float, colour: str, *, radius: float = 0) -> None:
        """Fill a rectangle, with round corners if it has a radius."""
        if not radius:
            self.shape([(left, top), (right, top), (right, bottom), (left, bottom)], colour)
            return
        corners = (
            (right - radius, bottom - radius, 0),
            (left + radius, bottom - radius, 90),
            (left + radius, top + radius, 180),
            (right - radius, top + radius, 270),
        )
        self.shape([point for x, y, start in corners for point in _arc(x, y, radius, start, start + 90)], colour)

    def disc(self, x: float, y: float, radius: float, colour: str) -> None:
        self.shape(_arc(x, y, radius, 0, 360), colour)

    def ellipse(self, x: float, y: float, across: float, down: float, colour: str, *, turn: float = 0) -> None:
        """Fill an ellipse with these two radii, turned around its centre."""
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        flat = [(px * across, py * down) for px, py in _arc(0, 0, 1, 0, 360, steps=48)]
        self.shape([(x + px * cos - py * sin, y + px * sin + py * cos) for px, py in flat], colour)

    def wedge(self, x: float, y: float, radius: float, start: float, end: float, colour: str) -> None:
        """Fill the area between an arc and its chord: a half disc for 180 degrees."""
        self.shape(_arc(x, y, radius, start, end), colour)

    def blob(self, points: Sequence[Point], colour: str) -> None:
        """Fill a closed smooth curve through the points."""
        self.shape(_smooth(points, closed=True), colour)

    def line(self, points: Sequence[Point], width: float, colour: str) -> None:
        """Draw a line through the points, with round ends and joints."""
        corners = [self._to_canvas(point) for point in points]
        fill = getattr(self._palette, colour)
        radius = width * self._scale / 2
        self._draw.line(corners, fill=fill, width=max(1, round(2 * radius)))
        for x, y in corners:
            self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill)

    def curve(self, points: Sequence[Point], width: float, colour: str) -> None:
        """Draw a smooth line through the points."""
        self.line(_smooth(points, closed=False), width, colour)

    def arc(self, x: float, y: float, radius: float, start: float, end: float, width: float, colour: str) -> None:
        """Draw a part of a circle; all of it from 0 to 360."""
        self.line(_arc(x, y, radius, start, end), width, colour)

    def _to_canvas(self, point: Point) -> Point:
        x, y = point[0] * self._scale * self._side, point[1] * self._scale
        return self._at[0] + x * self._cos - y * self._sin, self._at[1] + x * self._sin + y * self._cos


def _arc(x: float, y: float, radius: float, start: float, end: float, steps: int = 0) -> list[Point]:
    steps = steps or max(6, round(abs(end - start) / 8))
    angles = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def _smooth(points: Sequence[Point], *, closed: bool) -> list[Point]:
    """Return a Catmull-Rom curve through the points."""
    ends = (points[-1], points[0], points[1]) if closed else (points[0], points[-1], points[-1])
    known = [ends[0], *points, *ends[1:]]
    line = []
    for p0, p1, p2, p3 in zip(known, known[1:], known[2:], known[3:], strict=False):
        for step in range(CURVE_STEPS):
            t = step / CURVE_STEPS
            line.append((_between(p0[0], p1[0], p2[0], p3[0], t), _between(p0[1], p1[1], p2[1], p3[1], t)))
    return line if closed else [*line, points[-1]]


def _between(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
