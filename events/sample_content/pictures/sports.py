"""Motifs of matches, races and games."""

from __future__ import annotations

import math

from events.sample_content.pictures.pen import Pen


def football(pen: Pen) -> None:
    pen.disc(0, 0, 44, "light")
    pentagon = [(15 * math.sin(math.radians(a)), -15 * math.cos(math.radians(a))) for a in range(0, 360, 72)]
    pen.shape(pentagon, "ink")
    for angle in range(0, 360, 72):
        sin, cos = math.sin(math.radians(angle)), -math.cos(math.radians(angle))
        pen.line([(15 * sin, 15 * cos), (29 * sin, 29 * cos)], 1.8, "ink")
        rim = [
            (44 * math.sin(math.radians(angle + a)), -44 * math.cos(math.radians(angle + a)))
            for a in (-16, -8, 0, 8, 16)
        ]
        inner = [(31 * math.sin(math.radians(angle + a)), -31 * math.cos(math.radians(angle + a))) for a in (14, -14)]
        pen.shape([*rim, *inner], "ink")
        turned = math.radians(angle + 36)
        for side in (-1, 1):
            start = math.radians(angle + 36 + side * 22)
            pen.line(
                [(31 * math.sin(start), -31 * math.cos(start)), (28 * math.sin(turned), -28 * math.cos(turned))],
                1.8,
                "ink",
            )


def basketball(pen: Pen) -> None:
    pen.disc(0, 0, 44, "main")
    pen.line([(-44, 0), (44, 0)], 2.2, "ink")
    pen.line([(0, -44), (0, 44)], 2.2, "ink")
    pen.arc(-54, 0, 36, -52, 52, 2.2, "ink")
    pen.arc(54, 0, 36, 128, 232, 2.2, "ink")


def basket(pen: Pen) -> None:
    pen.box(-44, -50, 44, 10, "light", radius=3)
    pen.box(-18, -26, 18, 0, "main")
    pen.box(-14, -22, 14, -1, "light")
    for x in range(-20, 25, 10):
        pen.line([(x, 4), (x * 0.5 + 5, 24), (x * 0.55 - 3, 42)], 1.4, "ink")
        pen.line([(x, 4), (x * 0.5 - 5, 24), (x * 0.55 + 3, 42)], 1.4, "ink")
    pen.line([(-24, 4), (24, 4)], 4, "main")


def bicycle(pen: Pen) -> None:
    for x in (-29, 29):
        pen.arc(x, 18, 21, 0, 360, 3, "ink")
        for spoke in range(6):
            angle = math.radians(spoke * 30)
            dx, dy = 20 * math.cos(angle), 20 * math.sin(angle)
            pen.line([(x - dx, 18 - dy), (x + dx, 18 + dy)], 0.6, "light")
        pen.disc(x, 18, 2.6, "ink")
    pen.line([(-29, 18), (-14, -14), (18, -14), (-2, 20), (-29, 18)], 3.4, "main")
    pen.line([(-14, -14), (-2, 20)], 3.4, "main")
    pen.line([(29, 18), (17, -16), (14, -28)], 3.4, "main")
    pen.line([(6, -30), (14, -29), (22, -26)], 3, "ink")
    pen.line([(-14, -14), (-17, -24)], 3, "ink")
    pen.box(-27, -29, -8, -24, "ink", radius=2.5)
    pen.disc(-2, 20, 5, "accent")
    pen.line([(-2, 20), (5, 29)], 2.4, "ink")
    pen.line([(1, 30), (9, 29)], 2.6, "ink")


def running_shoe(pen: Pen) -> None:
    pen.blob([(-44, -20), (-34, -30), (-16, -26), (-4, -8), (24, 2), (44, 12), (46, 26), (-46, 26), (-48, 0)], "main")
    pen.box(-48, 24, 48, 34, "light", radius=5)
    pen.shape([(-40, 4), (-22, -16), (-14, -12), (-26, 22), (-38, 22)], "accent")
    for step in range(4):
        pen.line([(-12 + step * 8, -14 + step * 4.4), (-18 + step * 8, -4 + step * 4)], 2.2, "light")


def table_tennis(pen: Pen) -> None:
    pen.line([(22, 22), (40, 42)], 9, "light")
    pen.disc(-4, -4, 33, "main")
    pen.shape([(10, 30), (30, 10), (22, 22)], "ink")
    pen.line([(11, 29), (29, 11)], 5, "ink")
    pen.disc(36, -34, 8, "light")


def climber_wall(pen: Pen) -> None:
    for x, y, across, down, colour in (
        (-60, -36, 8, 6, "main"), (-34, -12, 7, 9, "light"), (-56, 20, 9, 6, "accent"), (40, -38, 8, 6, "accent"),
        (62, -10, 7, 8, "main"), (34, 30, 9, 7, "light"), (66, 34, 7, 5, "accent"), (-24, 42, 7, 5, "main"),
        (-70, -4, 5, 5, "light"), (44, 6, 5, 6, "main"),
    ):  # fmt: skip
        pen.ellipse(x, y, across, down, colour, turn=x)
        pen.disc(x, y, 1.4, "ink")


def rope_knot(pen: Pen) -> None:
    pen.curve(
        [(-50, 26), (-16, 22), (8, -2), (6, -22), (-8, -26), (-18, -12), (-4, 12), (22, 22), (50, 18)], 9, "light"
    )
    pen.curve([(-50, 26), (-16, 22), (8, -2), (6, -22), (-8, -26), (-18, -12), (-4, 12), (22, 22), (50, 18)], 2, "main")


def rowing_boat(pen: Pen) -> None:
    pen.line([(-8, -18), (-44, 26)], 3, "ink")
    pen.line([(12, -18), (40, 26)], 3, "ink")
    pen.ellipse(-45, 28, 4, 9, "light", turn=38)
    pen.ellipse(41, 28, 4, 9, "light", turn=-32)
    for x in (-20, 6):
        pen.blob([(x - 9, 4), (x - 7, -16), (x + 5, -18), (x + 10, 4)], "accent")
        pen.disc(x, -26, 7, "light")
        pen.line([(x + 2, -14), (x + 14, -10)], 3.4, "accent")
    pen.shape([(-58, -4), (54, -4), (40, 16), (-46, 16)], "main")
    pen.line([(-56, -2), (52, -2)], 2.6, "light")


def swimmer(pen: Pen) -> None:
    pen.curve([(-36, 4), (-6, -8), (18, -2)], 14, "light")
    pen.disc(24, -10, 11, "light")
    pen.wedge(24, -12, 12, 170, 350, "main")
    pen.curve([(8, -4), (14, -30), (40, -32), (50, -14)], 7, "light")
    pen.line([(18, -10), (34, -9)], 3, "ink")


def yogi(pen: Pen) -> None:
    pen.ellipse(0, 44, 46, 5, "accent")
    pen.line([(0, -10), (0, 24)], 20, "main")
    for side in (-1, 1):
        pen.curve([(side * 6, 26), (side * 34, 32), (side * 30, 40), (side * -6, 38)], 9, "ink")
        pen.curve([(side * 8, -14), (side * 24, 4), (side * 30, 26)], 6, "light")
    pen.box(-4, -26, 4, -14, "light")
    pen.disc(0, -32, 11, "light")
    pen.wedge(0, -34, 12, 180, 360, "ink")
    pen.disc(0, -47, 5, "ink")


def knight(pen: Pen) -> None:
    pen.blob(
        [
            (-20, 30),
            (-14, 8),
            (-2, -6),
            (-20, -2),
            (-28, -10),
            (-22, -22),
            (-8, -34),
            (-2, -46),
            (6, -36),
            (22, -22),
            (24, 4),
            (20, 30),
        ],
        "ink",
    )
    pen.disc(-6, -22, 2.6, "light")
    pen.curve([(10, -32), (19, -16), (18, 10)], 2.2, "light")
    pen.box(-26, 28, 26, 36, "main", radius=2)
    pen.box(-32, 36, 32, 47, "ink", radius=3)


def domino(pen: Pen) -> None:
    pen.box(-24, -48, 24, 48, "light", radius=5)
    pen.line([(-18, 0), (18, 0)], 2, "ink")
    for x, y in ((-11, -36), (11, -36), (0, -24), (-11, -12), (11, -12), (-11, 12), (11, 36), (0, 24)):
        pen.disc(x, y, 4.6, "main")


def stopwatch(pen: Pen) -> None:
    pen.box(-5, -50, 5, -36, "ink", radius=1)
    pen.box(-11, -50, 11, -45, "ink", radius=2)
    pen.line([(26, -26), (33, -34)], 5, "ink")
    pen.disc(0, 4, 40, "main")
    pen.disc(0, 4, 33, "light")
    for angle in range(0, 360, 30):
        sin, cos = math.sin(math.radians(angle)), math.cos(math.radians(angle))
        pen.line([(28 * sin, 4 + 28 * cos), (31 * sin, 4 + 31 * cos)], 1.8, "ink")
    pen.line([(0, 4), (0, -20)], 3, "accent")
    pen.line([(0, 4), (14, 12)], 3, "ink")
    pen.disc(0, 4, 3.4, "ink")


def judo_belt(pen: Pen) -> None:
    pen.box(-50, -8, 50, 8, "ink", radius=2)
    pen.shape([(-6, 2), (8, 6), (-16, 46), (-30, 40)], "ink")
    pen.shape([(6, 2), (-8, 6), (16, 46), (30, 40)], "ink")
    pen.box(-11, -12, 11, 12, "main", radius=4)


MOTIFS = {
    motif.__name__: motif
    for motif in (
        football, basketball, basket, bicycle, running_shoe, table_tennis, climber_wall, rope_knot, rowing_boat,
        swimmer, yogi, knight, domino, stopwatch, judo_belt,
    )
}  # fmt: skip
