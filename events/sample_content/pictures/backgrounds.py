"""The backgrounds of the pictures. The pen draws on a canvas from -80 to 80 across and from -45 to 45 down."""

from __future__ import annotations

import math

from events.sample_content.pictures.pen import Pen

LEFT, TOP, RIGHT, BOTTOM = -81, -46, 81, 46


def plain(pen: Pen) -> None:
    pen.box(LEFT, TOP, RIGHT, BOTTOM, "paper")


def disc(pen: Pen) -> None:
    plain(pen)
    pen.disc(0, 0, 39, "shade")


def sun(pen: Pen) -> None:
    plain(pen)
    pen.disc(38, -10, 26, "light")


def table(pen: Pen) -> None:
    plain(pen)
    pen.box(LEFT, 22, RIGHT, BOTTOM, "shade")
    pen.box(LEFT, 22, RIGHT, 24, "light")


def wall(pen: Pen) -> None:
    plain(pen)
    pen.box(LEFT, 30, RIGHT, BOTTOM, "ink")
    pen.box(LEFT, 27, RIGHT, 30, "shade")


def arch(pen: Pen) -> None:
    plain(pen)
    pen.disc(0, -6, 34, "shade")
    pen.box(-34, -6, 34, BOTTOM, "shade")


def rays(pen: Pen) -> None:
    plain(pen)
    for angle in range(180, 360, 24):
        first, second = math.radians(angle), math.radians(angle + 12)
        far = [
            (130 * math.cos(first), 44 + 130 * math.sin(first)),
            (130 * math.cos(second), 44 + 130 * math.sin(second)),
        ]
        pen.shape([(0, 44), *far], "shade")


def stripes(pen: Pen) -> None:
    plain(pen)
    for left in range(-140, 100, 36):
        pen.shape([(left, BOTTOM), (left + 18, BOTTOM), (left + 64, TOP), (left + 46, TOP)], "shade")


def dots(pen: Pen) -> None:
    plain(pen)
    for row in range(-3, 4):
        for column in range(-6, 7):
            pen.disc(column * 14 + 7 * (row % 2), row * 14, 2.2, "shade")


def checks(pen: Pen) -> None:
    plain(pen)
    for row in range(-4, 4):
        for column in range(-7, 7):
            if (row + column) % 2:
                pen.box(column * 12, row * 12, column * 12 + 12, row * 12 + 12, "shade")


def stage(pen: Pen) -> None:
    plain(pen)
    pen.shape([(-12, TOP), (12, TOP), (44, 36), (-44, 36)], "shade")
    pen.box(LEFT, 34, RIGHT, BOTTOM, "ink")
    for side in (-1, 1):
        hem = [(side * x, 36 + 1.6 * (step % 2)) for step, x in enumerate(range(84, 44, -8))]
        pen.blob([(side * 84, -52), *hem, (side * 48, 0), (side * 40, -52)], "main")
        for x in (52, 61, 70):
            pen.line([(side * x, -50), (side * (x + 1), 30)], 0.8, "ink")


def hills(pen: Pen) -> None:
    plain(pen)
    pen.ellipse(-50, 52, 75, 40, "shade")
    pen.ellipse(60, 58, 80, 38, "accent")


def meadow(pen: Pen) -> None:
    plain(pen)
    pen.disc(-48, -20, 11, "light")
    pen.ellipse(10, 70, 130, 48, "shade")


def sea(pen: Pen) -> None:
    plain(pen)
    for row, (top, colour) in enumerate(((16, "shade"), (27, "light"), (28.4, "ink"))):
        crests = [(x, top + 2.2 * math.sin(x / 5 + row * 1.7)) for x in range(LEFT, RIGHT + 2)]
        pen.shape([*crests, (RIGHT + 1, BOTTOM), (LEFT, BOTTOM)], colour)


def stars(pen: Pen) -> None:
    plain(pen)
    for number in range(46):
        x, y = (number * 37) % 161 - 80, (number * 53) % 89 - 44
        pen.disc(x, y, 0.5 + (number % 3) * 0.35, "light")


def confetti(pen: Pen) -> None:
    plain(pen)
    for number in range(60):
        # Multiples of irrational numbers spread evenly without a visible pattern.
        x, y, angle = 162 * (number * 0.618 % 1) - 81, 92 * (number * 0.7549 % 1) - 46, number * 2.4
        end = (x + 2.6 * math.cos(angle), y + 2.6 * math.sin(angle))
        pen.line([(x, y), end], 1.5, ("main", "accent", "light")[number % 3])


def town(pen: Pen) -> None:
    plain(pen)
    for number, height in enumerate((20, 34, 26, 40, 22, 30, 44, 24, 36, 28, 20)):
        left = LEFT + number * 15
        pen.box(left, 34 - height, left + 15, BOTTOM, "shade")
        pen.shape([(left, 34 - height), (left + 7.5, 26 - height), (left + 15, 34 - height)], "shade")
    pen.box(LEFT, 36, RIGHT, BOTTOM, "ink")


def bunting(pen: Pen) -> None:
    plain(pen)
    for start, sag in ((-81, 12), (-27, 12), (27, 12)):
        pen.curve([(start, -38), (start + 27, -38 + sag), (start + 54, -38)], 0.8, "ink")
        for flag in range(6):
            x = start + 5 + flag * 8.6
            y = -38 + sag * (1 - ((x + 1.5 - start - 27) / 27) ** 2)
            pen.shape([(x - 2, y), (x + 5, y), (x + 1.5, y + 9)], ("main", "light", "accent")[flag % 3])


BACKGROUNDS = {
    background.__name__: background
    for background in (
        plain, disc, sun, table, wall, arch, rays, stripes, dots, checks, stage, hills, meadow, sea, stars, confetti,
        town, bunting,
    )
}  # fmt: skip
