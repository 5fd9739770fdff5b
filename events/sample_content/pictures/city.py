"""Motifs of houses, neighbours, families and festivals."""

from __future__ import annotations

import math

from events.sample_content.pictures.pen import Pen


def town_hall(pen: Pen) -> None:
    pen.box(-10, -50, 10, -20, "light")
    pen.shape([(-13, -50), (13, -50), (0, -66)], "main")
    pen.disc(0, -38, 6, "ink")
    pen.disc(0, -38, 4.6, "light")
    pen.line([(0, -41), (0, -38), (2, -37)], 0.8, "ink")
    pen.shape([(-52, -12), (0, -32), (52, -12)], "main")
    pen.box(-48, -12, 48, 40, "light")
    for x in (-40, -24, 24, 40):
        pen.box(x - 4, -8, x + 4, 38, "accent")
    pen.box(-11, 4, 11, 40, "ink", radius=2)
    pen.box(-54, 38, 54, 44, "ink")
    pen.box(-58, 44, 58, 50, "accent")


def church(pen: Pen) -> None:
    pen.shape([(-40, -34), (-26, -34), (-33, -66)], "main")
    pen.box(-44, -34, -22, 50, "light")
    pen.shape([(-24, -2), (14, -26), (50, -2)], "main")
    pen.box(-22, -2, 46, 50, "light")
    for x in (-4, 14, 32):
        pen.disc(x, 12, 5, "accent")
        pen.box(x - 5, 12, x + 5, 30, "accent")
    pen.disc(-33, -16, 5, "ink")
    pen.box(-39, 26, -27, 50, "ink", radius=3)
    pen.line([(-33, -66), (-33, -76)], 1.6, "ink")
    pen.line([(-37, -72), (-29, -72)], 1.6, "ink")


def houses(pen: Pen) -> None:
    for left, top, width, colour in (
        (-60, -14, 24, "main"),
        (-34, -30, 26, "light"),
        (-6, -8, 24, "accent"),
        (20, -24, 22, "main"),
        (44, -4, 22, "light"),
    ):
        pen.box(left, top, left + width, 50, colour)
        pen.shape([(left - 2, top), (left + width + 2, top), (left + width / 2, top - 18)], "ink")
        for row in range(2):
            for column in range(2):
                x, y = left + 5 + column * (width - 16), top + 8 + row * 18
                pen.box(x, y, x + 6, y + 9, "paper")


def glasshouse(pen: Pen) -> None:
    pen.wedge(0, 6, 34, 180, 360, "light")
    pen.box(-64, 6, 64, 48, "light")
    for x in range(-64, 65, 16):
        pen.line([(x, 6), (x, 48)], 1.4, "accent")
    for x in (-22, 0, 22):
        pen.curve([(x * 1.4, 6), (x * 1.1, -14), (0, -28)], 1.4, "accent")
    pen.line([(-64, 6), (64, 6)], 2.4, "accent")
    pen.line([(-64, 26), (64, 26)], 1.2, "accent")
    for x in (-44, -12, 24, 52):
        pen.ellipse(x, 38, 7, 14, "accent")
    pen.box(-68, 46, 68, 50, "ink")
    pen.line([(0, -28), (0, -40)], 2, "ink")


def school(pen: Pen) -> None:
    pen.box(-60, -8, 60, 50, "main")
    pen.shape([(-26, -8), (26, -8), (0, -34)], "main")
    pen.box(-20, -8, 20, 50, "light")
    pen.disc(0, -14, 8, "light")
    pen.line([(0, -19), (0, -14), (4, -12)], 1.2, "ink")
    pen.box(-8, 24, 8, 50, "ink")
    for x in (-50, -36, 26, 40):
        for y in (2, 24):
            pen.box(x, y, x + 10, y + 13, "paper")
    pen.line([(0, -34), (0, -52)], 1.6, "ink")
    pen.shape([(0, -52), (18, -47), (0, -42)], "accent")


def market_stall(pen: Pen) -> None:
    for x in (-44, 44):
        pen.box(x - 2, -20, x + 2, 50, "ink")
    pen.box(-50, 14, 50, 40, "accent", radius=1)
    for stripe in range(8):
        left = -52 + stripe * 13
        colour = "main" if stripe % 2 else "light"
        pen.shape([(left + 4, -42), (left + 9 + 6 - 4, -42), (left + 13, -14), (left, -14)], colour)
        pen.wedge(left + 6.5, -14, 6.5, 0, 180, colour)
    for number, x in enumerate(range(-40, 45, 16)):
        pen.disc(x, 10, 7, ("main", "light", "ink")[number % 3])


def pier(pen: Pen) -> None:
    pen.box(-100, 2, 70, 9, "ink")
    for x in range(-92, 70, 18):
        pen.box(x - 2.4, 8, x + 2.4, 60, "ink")
    pen.line([(-100, -14), (68, -14)], 1.4, "ink")
    for x in range(-96, 72, 12):
        pen.line([(x, -14), (x, 4)], 1.2, "ink")
    for x in (-78, -42, -6, 30, 66):
        pen.line([(x, 4), (x, -34)], 2, "ink")
        pen.disc(x, -38, 7, "main")


def balloon(pen: Pen) -> None:
    pen.curve([(0, 20), (-4, 32), (4, 40), (0, 50)], 1.2, "ink")
    pen.ellipse(0, -16, 26, 32, "main")
    pen.shape([(-5, 20), (5, 20), (0, 13)], "main")
    pen.arc(-6, -22, 14, 170, 240, 3, "light")


def teddy(pen: Pen) -> None:
    for side in (-1, 1):
        pen.disc(side * 20, -40, 10, "main")
        pen.disc(side * 20, -40, 5, "light")
        pen.ellipse(side * 26, 4, 9, 16, "main", turn=side * -30)
        pen.ellipse(side * 18, 40, 13, 10, "main")
        pen.disc(side * 20, 41, 5, "light")
    pen.ellipse(0, 16, 24, 28, "main")
    pen.ellipse(0, 20, 14, 17, "light")
    pen.disc(0, -24, 24, "main")
    pen.ellipse(0, -16, 11, 9, "light")
    pen.disc(0, -20, 3.6, "ink")
    for side in (-1, 1):
        pen.disc(side * 9, -29, 2.4, "ink")


def bus(pen: Pen) -> None:
    pen.box(-56, -30, 56, 30, "main", radius=8)
    pen.box(-50, -22, 50, 0, "light", radius=3)
    for x in (-28, -6, 16, 38):
        pen.box(x - 1, -22, x + 1, 0, "main")
    pen.box(-56, 10, 56, 15, "light")
    for x in (-32, 32):
        pen.disc(x, 30, 12, "ink")
        pen.disc(x, 30, 5, "light")
    pen.box(49, 17, 56, 23, "light", radius=2)


def megaphone(pen: Pen) -> None:
    pen.shape([(-8, 10), (4, 8), (12, 40), (0, 42)], "ink")
    pen.shape([(-22, -12), (30, -38), (30, 34), (-22, 12)], "main")
    pen.box(-36, -12, -20, 12, "accent", radius=4)
    pen.ellipse(30, -2, 6, 36, "light")
    for radius in (14, 24):
        pen.arc(38, -2, radius, -36, 36, 3.4, "ink")


def blood_drop(pen: Pen) -> None:
    pen.blob([(0, -48), (16, -20), (30, 8), (22, 36), (0, 46), (-22, 36), (-30, 8), (-16, -20)], "main")
    pen.box(-4.5, -2, 4.5, 28, "light", radius=1)
    pen.box(-15, 8.5, 15, 17.5, "light", radius=1)


def gnome(pen: Pen) -> None:
    pen.blob([(-22, 46), (-20, 10), (0, 0), (20, 10), (22, 46)], "accent")
    pen.blob([(-18, -6), (18, -6), (14, 16), (0, 32), (-14, 16)], "light")
    pen.disc(0, -8, 14, "light")
    pen.shape([(-18, -10), (18, -10), (6, -50)], "main")
    pen.disc(0, -5, 4, "main")
    pen.box(-26, 42, 26, 49, "ink", radius=3)


def coins(pen: Pen) -> None:
    for x, count in ((-28, 3), (0, 6), (28, 4)):
        for coin in range(count):
            y = 40 - coin * 11
            pen.ellipse(x, y, 14, 6, "ink")
            pen.ellipse(x, y - 3, 14, 6, "main")
        pen.ellipse(x, 40 - (count - 1) * 11 - 3, 9, 3.4, "light")


def fireworks(pen: Pen) -> None:
    for angle in range(0, 360, 30):
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        colour = ("main", "accent", "light")[angle // 30 % 3]
        pen.line([(14 * cos, 14 * sin), (36 * cos, 36 * sin)], 2.8, colour)
        pen.disc(44 * cos, 44 * sin, 2.8, colour)


MOTIFS = {
    motif.__name__: motif
    for motif in (
        town_hall, church, houses, glasshouse, school, market_stall, pier, balloon, teddy, bus, megaphone,
        blood_drop, gnome, coins, fireworks,
    )
}  # fmt: skip
