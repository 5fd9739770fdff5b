"""Motifs of walks, gardens and the water."""

from __future__ import annotations

import math

from events.sample_content.pictures.pen import Pen


def tree(pen: Pen) -> None:
    pen.shape([(-4, 6), (4, 6), (6, 50), (-6, 50)], "ink")
    pen.line([(0, 22), (14, 6)], 3, "ink")
    for x, y, radius, colour in (
        (-16, -4, 19, "accent"),
        (17, -6, 18, "accent"),
        (0, -24, 24, "accent"),
        (6, -30, 13, "main"),
        (-14, -8, 9, "main"),
    ):
        pen.disc(x, y, radius, colour)


def fir(pen: Pen) -> None:
    pen.box(-4, 34, 4, 50, "ink")
    for top, width in ((-50, 20), (-28, 28), (-4, 36)):
        pen.shape([(0, top), (width, top + 42), (-width, top + 42)], "accent")
    pen.shape([(0, -50), (0, 38), (-36, 38), (-20, 14), (-28, 14), (-14, -8), (-20, -8)], "ink")


def boots(pen: Pen) -> None:
    for x, colour in ((-24, "accent"), (18, "main")):
        pen.blob(
            [(x - 14, -38), (x + 8, -38), (x + 8, 2), (x + 26, 14), (x + 28, 30), (x - 16, 30), (x - 16, 0)], colour
        )
        pen.box(x - 18, 28, x + 30, 37, "ink", radius=3)
        pen.box(x - 16, -42, x + 10, -32, "light", radius=3)
        for y in (-20, -10, 0):
            pen.line([(x + 1, y), (x + 9, y + 2)], 2.2, "light")


def bird(pen: Pen) -> None:
    pen.line([(-4, 24), (-6, 44)], 1.8, "ink")
    pen.line([(8, 24), (8, 44)], 1.8, "ink")
    pen.shape([(20, 2), (50, -10), (46, 6), (24, 16)], "accent")
    pen.blob([(-34, -10), (-22, -26), (-6, -18), (14, -10), (28, 6), (20, 22), (-4, 28), (-24, 16)], "main")
    pen.blob([(-8, -4), (14, -4), (32, 8), (10, 14)], "ink")
    pen.shape([(-32, -16), (-48, -10), (-31, -7)], "accent")
    pen.disc(-22, -14, 3, "light")
    pen.disc(-22, -14, 1.4, "ink")


def gull(pen: Pen) -> None:
    pen.curve([(-46, -12), (-24, -24), (0, 0), (24, -24), (46, -12)], 5, "light")


def kite(pen: Pen) -> None:
    pen.curve([(0, 30), (10, 36), (-2, 44), (8, 50)], 1.4, "ink")
    for x, y in ((6, 35), (2, 44)):
        pen.shape([(x, y), (x - 6, y - 4), (x - 6, y + 4)], "light")
        pen.shape([(x, y), (x + 6, y - 4), (x + 6, y + 4)], "light")
    pen.shape([(0, -46), (26, -14), (0, 32), (-26, -14)], "main")
    pen.shape([(0, -46), (26, -14), (0, -14)], "accent")
    pen.shape([(0, 32), (-26, -14), (0, -14)], "light")


def dog(pen: Pen) -> None:
    pen.curve([(28, 10), (42, -4), (44, -18)], 5, "main")
    pen.blob([(-26, 4), (-8, -4), (18, -2), (32, 8), (32, 24), (-24, 24)], "main")
    for x in (-20, -10, 18, 28):
        pen.line([(x, 20), (x, 44)], 6, "main")
        pen.line([(x, 45), (x - 4, 45)], 5, "light")
    pen.blob([(-42, -18), (-30, -30), (-14, -28), (-8, -12), (-14, 2), (-30, 2), (-46, -4)], "main")
    pen.blob([(-18, -30), (-8, -24), (-6, -4), (-14, -6)], "ink")
    pen.disc(-45, -9, 3.4, "ink")
    pen.disc(-30, -16, 2.2, "ink")
    pen.line([(-14, 4), (-28, 6)], 4, "accent")


def lighthouse(pen: Pen) -> None:
    pen.shape([(0, -36), (110, -62), (110, -14)], "light")
    pen.blob([(-54, 52), (-40, 38), (0, 34), (40, 38), (54, 52)], "ink")
    pen.shape([(-11, -24), (11, -24), (18, 40), (-18, 40)], "light")
    for top in (-12, 14):
        left, right = 11 + (top + 24) * 0.11, 11 + (top + 37) * 0.11
        pen.shape([(-left, top), (left, top), (right, top + 13), (-right, top + 13)], "main")
    pen.box(-15, -27, 15, -22, "ink")
    pen.box(-8, -40, 8, -27, "accent")
    pen.shape([(-11, -40), (11, -40), (0, -51)], "main")


def sailing_boat(pen: Pen) -> None:
    pen.line([(2, -48), (2, 22)], 2.4, "ink")
    pen.shape([(6, -46), (6, 14), (40, 14)], "light")
    pen.shape([(-2, -36), (-2, 14), (-32, 14)], "main")
    pen.shape([(-44, 20), (46, 20), (30, 40), (-30, 40)], "accent")
    pen.line([(-42, 22), (44, 22)], 3, "light")


def ferry(pen: Pen) -> None:
    pen.shape([(-60, 10), (62, 6), (50, 34), (-50, 34)], "ink")
    pen.shape([(-57, 20), (57, 18), (50, 34), (-50, 34)], "main")
    pen.box(-42, -10, 36, 10, "light", radius=2)
    pen.box(-26, -26, 14, -10, "light", radius=2)
    pen.box(-12, -44, 2, -26, "main")
    pen.box(-12, -44, 2, -38, "ink")
    for x in range(-34, 34, 12):
        pen.disc(x, 0, 3.2, "accent")
    for x in (-20, -10, 0):
        pen.box(x, -22, x + 6, -15, "accent")
    pen.curve([(-5, -48), (-14, -56), (-10, -64), (-24, -70)], 5, "light")


def canoe(pen: Pen) -> None:
    pen.line([(-14, -40), (22, 24)], 2.8, "ink")
    pen.ellipse(-16, -44, 5, 10, "light", turn=-30)
    pen.blob([(-56, -10), (-40, 2), (0, 6), (40, 2), (56, -10), (40, 20), (0, 24), (-40, 20)], "main")
    pen.curve([(-52, -4), (-36, 6), (0, 10), (36, 6), (52, -4)], 2, "light")


def plant(pen: Pen) -> None:
    for angle, length in ((-150, 30), (-120, 42), (-90, 50), (-60, 42), (-30, 30)):
        dx, dy = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        pen.ellipse(dx * length / 1.7, 12 + dy * length / 1.5, length / 2, 7, "accent", turn=angle)
        pen.line([(0, 14), (dx * length, 12 + dy * length * 1.15)], 1, "light")
    pen.shape([(-22, 14), (22, 14), (16, 48), (-16, 48)], "main")
    pen.box(-25, 12, 25, 21, "main", radius=2)


def cactus(pen: Pen) -> None:
    pen.line([(0, -34), (0, 20)], 18, "accent")
    pen.line([(-24, -12), (-24, 2), (-4, 4)], 10, "accent")
    pen.line([(24, -22), (24, -8), (4, -6)], 10, "accent")
    for x in (-4, 4):
        pen.line([(x, -36), (x, 16)], 1, "light")
    pen.disc(0, -44, 5, "main")
    pen.shape([(-20, 18), (20, 18), (15, 48), (-15, 48)], "main")
    pen.line([(-20, 22), (20, 22)], 5, "light")


def signpost(pen: Pen) -> None:
    pen.box(-3.5, -48, 3.5, 50, "ink", radius=1)
    for top, tip, colour in ((-42, 1, "main"), (-20, -1, "accent"), (2, 1, "light")):
        pen.shape(
            [(tip * -30, top), (tip * 32, top), (tip * 44, top + 8), (tip * 32, top + 16), (tip * -30, top + 16)],
            colour,
        )


def buoy(pen: Pen) -> None:
    pen.ellipse(0, 42, 44, 6, "light")
    pen.shape([(-12, -20), (12, -20), (26, 38), (-26, 38)], "main")
    pen.shape([(-17, 2), (17, 2), (21, 18), (-21, 18)], "light")
    pen.line([(0, -20), (0, -36)], 3, "ink")
    pen.disc(0, -40, 6, "accent")


def lifebuoy(pen: Pen) -> None:
    pen.arc(0, 0, 34, 0, 360, 20, "light")
    for start in (-22, 68, 158, 248):
        pen.arc(0, 0, 34, start + 8, start + 36, 20, "main")
    pen.arc(0, 0, 46, 0, 360, 1.4, "ink")


def shell(pen: Pen) -> None:
    pen.blob([(-12, 40), (-38, 8), (-36, -18), (-18, -36), (0, -40), (18, -36), (36, -18), (38, 8), (12, 40)], "main")
    for x in (-26, -13, 0, 13, 26):
        pen.line([(x * 0.2, 36), (x, -26 + abs(x) * 0.4)], 1.8, "light")
    pen.box(-14, 34, 14, 44, "main", radius=3)


def wheelbarrow(pen: Pen) -> None:
    pen.line([(-50, -12), (-20, 10), (30, 26)], 4, "ink")
    pen.line([(-14, 14), (-18, 44)], 4, "ink")
    for x in (-16, 0, 16):
        pen.disc(x, -16, 10, "accent")
    pen.shape([(-30, -14), (34, -14), (22, 16), (-16, 16)], "main")
    pen.disc(32, 30, 15, "ink")
    pen.disc(32, 30, 6, "light")


MOTIFS = {
    motif.__name__: motif
    for motif in (
        tree, fir, boots, bird, gull, kite, dog, lighthouse, sailing_boat, ferry, canoe, plant, cactus, signpost,
        buoy, lifebuoy, shell, wheelbarrow,
    )
}  # fmt: skip
