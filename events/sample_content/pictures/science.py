"""Motifs of lectures, laboratories and the night sky."""

from __future__ import annotations

import math

from events.sample_content.pictures.pen import Pen


def telescope(pen: Pen) -> None:
    for x in (-22, 0, 22):
        pen.line([(0, 8), (x, 50)], 3.2, "ink")
    pen.shape([(-40, 16), (-34, 30), (46, -14), (36, -36)], "main")
    pen.shape([(36, -36), (46, -14), (53, -18), (43, -40)], "light")
    pen.shape([(-48, 22), (-44, 32), (-34, 28), (-39, 17)], "accent")
    pen.disc(0, 8, 6, "accent")


def planet(pen: Pen) -> None:
    pen.ellipse(0, 0, 52, 13, "light", turn=-18)
    pen.ellipse(0, 0, 43, 8.6, "paper", turn=-18)
    pen.disc(0, 0, 28, "main")
    pen.wedge(0, 0, 28, 190, 300, "accent")
    for x, y, radius in ((8, 10, 4), (-10, 14, 3), (14, -4, 2.6)):
        pen.disc(x, y, radius, "accent")
    lower = [(52 * math.cos(math.radians(a)), 13 * math.sin(math.radians(a))) for a in range(0, 181, 6)]
    cos, sin = math.cos(math.radians(-18)), math.sin(math.radians(-18))
    pen.line([(x * 0.92 * cos - y * 0.84 * sin, x * 0.92 * sin + y * 0.84 * cos) for x, y in lower], 3.4, "light")


def moon(pen: Pen) -> None:
    pen.disc(0, 0, 44, "light")
    pen.disc(18, -10, 37, "paper")


def full_moon(pen: Pen) -> None:
    pen.disc(0, 0, 44, "light")
    for x, y, radius in ((-16, -14, 9), (14, 8, 12), (-10, 22, 6), (20, -22, 5), (-28, 6, 4)):
        pen.disc(x, y, radius, "shade")


def comet(pen: Pen) -> None:
    pen.shape([(-46, -34), (26, 12), (12, 30)], "accent")
    pen.shape([(-36, -8), (24, 14), (12, 28)], "light")
    pen.disc(22, 24, 14, "main")


def star(pen: Pen) -> None:
    points = []
    for step in range(10):
        radius = 44 if step % 2 == 0 else 18
        angle = math.radians(step * 36 - 90)
        points.append((radius * math.cos(angle), radius * math.sin(angle)))
    pen.shape(points, "main")


def constellation(pen: Pen) -> None:
    corners = [(-70, -20), (-44, -30), (-22, -14), (4, -6), (14, 26), (52, 22), (44, -16), (4, -6)]
    pen.line(corners, 1, "light")
    for number, (x, y) in enumerate(corners[:-1]):
        pen.disc(x, y, 3 + (number % 3), "main" if number % 2 else "light")


def microscope(pen: Pen) -> None:
    pen.box(-34, 40, 34, 49, "ink", radius=3)
    pen.arc(-4, 8, 30, -70, 70, 8, "ink")
    pen.box(-22, 22, 18, 27, "ink", radius=1)
    pen.shape([(-14, -46), (2, -50), (12, -4), (-4, 0)], "main")
    pen.shape([(-5, 0), (11, -4), (13, 6), (-2, 9)], "accent")
    pen.shape([(-16, -52), (2, -57), (3, -50), (-14, -46)], "light")
    pen.box(-10, 18, 12, 22, "light")


def flask(pen: Pen) -> None:
    pen.shape([(-9, -46), (9, -46), (9, -16), (38, 40), (32, 47), (-32, 47), (-38, 40), (-9, -16)], "light")
    pen.shape([(-21, 8), (21, 8), (35, 40), (30, 45), (-30, 45), (-35, 40)], "main")
    pen.box(-13, -50, 13, -43, "ink", radius=2)
    for x, y, radius in ((-8, 28, 5), (10, 20, 3.6), (12, 36, 4.4), (2, -2, 3), (-2, -20, 2.4)):
        pen.disc(x, y, radius, "accent")


def snow_crystal(pen: Pen) -> None:
    for angle in range(0, 360, 60):
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        pen.line([(0, 0), (46 * cos, 46 * sin)], 4, "light")
        for reach in (18, 32):
            for side in (-50, 50):
                c, s = math.cos(math.radians(angle + side)), math.sin(math.radians(angle + side))
                pen.line([(reach * cos, reach * sin), (reach * cos + 11 * c, reach * sin + 11 * s)], 3, "light")


def eel(pen: Pen) -> None:
    pen.curve([(-48, -18), (-28, 4), (-6, -12), (14, 10), (34, -4), (48, 12)], 10, "main")
    pen.curve([(-44, -14), (-28, 2), (-6, -14), (14, 8), (34, -6), (46, 10)], 2, "light")
    pen.disc(-48, -19, 6.4, "main")
    pen.disc(-50, -20, 1.8, "ink")


def dinosaur(pen: Pen) -> None:
    pen.blob(
        [
            (50, 20),
            (30, 10),
            (14, -4),
            (-8, -2),
            (-18, -24),
            (-22, -44),
            (-38, -46),
            (-42, -38),
            (-28, -34),
            (-28, -12),
            (-26, 16),
            (-8, 26),
            (18, 24),
            (32, 20),
        ],
        "main",
    )
    for x in (-20, -10, 10, 18):
        pen.line([(x, 14), (x, 44)], 7, "main")
    for step in range(6):
        x = -14 + step * 9
        y = -12 + step * 3.6
        pen.shape([(x - 4, y + 6), (x + 5, y + 7), (x + 2, y - 8)], "accent")
    pen.disc(-32, -41, 1.8, "ink")


def tide_clock(pen: Pen) -> None:
    pen.disc(0, 0, 46, "ink")
    pen.disc(0, 0, 41, "light")
    crests = [(x, 8 + 3 * math.sin(x / 4)) for x in range(-40, 41)]
    rim = [(41 * math.cos(math.radians(a)), 41 * math.sin(math.radians(a))) for a in range(12, 169, 6)]
    pen.shape([*crests, *rim], "accent")
    for angle in range(0, 360, 30):
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        pen.line([(34 * cos, 34 * sin), (38 * cos, 38 * sin)], 2, "ink")
    pen.line([(0, 0), (18, -22)], 3.4, "main")
    pen.line([(0, 0), (-10, -10)], 3.4, "ink")
    pen.disc(0, 0, 4, "main")


def lectern(pen: Pen) -> None:
    pen.blob([(-20, 10), (-16, -10), (0, -16), (16, -10), (20, 10)], "accent")
    pen.disc(0, -30, 13, "light")
    pen.wedge(0, -33, 14, 180, 360, "ink")
    pen.curve([(12, 6), (22, -12), (34, -24)], 5, "accent")
    pen.shape([(-32, 4), (32, 4), (24, 50), (-24, 50)], "main")
    pen.box(-36, 0, 36, 8, "ink", radius=2)
    pen.curve([(-10, 0), (-14, -12), (-6, -18)], 1.6, "ink")


def blackboard(pen: Pen) -> None:
    pen.box(-66, -40, 66, 40, "accent", radius=2)
    pen.box(-62, -36, 62, 36, "ink")
    pen.curve([(-50, 18), (-30, -20), (-10, 16), (10, -22), (30, 14)], 1.8, "light")
    pen.line([(-52, 24), (52, 24)], 1.4, "light")
    pen.line([(-52, 24), (-52, -26)], 1.4, "light")
    pen.arc(44, -14, 9, 0, 360, 1.6, "main")
    pen.box(-20, 40, 14, 44, "light", radius=1)


def computer(pen: Pen) -> None:
    pen.box(-44, -42, 44, 22, "ink", radius=4)
    pen.box(-38, -36, 38, 16, "light", radius=1)
    for row, width in enumerate((36, 22, 44)):
        pen.line([(-28, -24 + row * 13), (-28 + width, -24 + row * 13)], 4, "accent" if row % 2 else "main")
    pen.shape([(-8, 22), (8, 22), (12, 38), (-12, 38)], "ink")
    pen.box(-24, 36, 24, 42, "ink", radius=3)


MOTIFS = {
    motif.__name__: motif
    for motif in (
        telescope, planet, moon, full_moon, comet, star, constellation, microscope, flask, snow_crystal, eel,
        dinosaur, tide_clock, lectern, blackboard, computer,
    )
}  # fmt: skip
