"""Motifs of exhibitions, workshops and repairs."""

from __future__ import annotations

import math

from events.sample_content.pictures.pen import Pen


def vase(pen: Pen) -> None:
    pen.blob(
        [(-12, -40), (12, -40), (9, -26), (26, 0), (24, 28), (12, 44), (-12, 44), (-24, 28), (-26, 0), (-9, -26)],
        "main",
    )
    pen.box(-15, -46, 15, -39, "accent", radius=3)
    pen.line([(-25, 2), (-16, 10), (-8, 2), (0, 10), (8, 2), (16, 10), (25, 2)], 2.6, "light")
    pen.line([(-22, 22), (22, 22)], 2.6, "light")


def bowl(pen: Pen) -> None:
    pen.wedge(0, -6, 44, 0, 180, "main")
    pen.ellipse(0, -6, 44, 9, "ink")
    pen.ellipse(0, -5, 39, 6, "light")
    pen.box(-16, 34, 16, 42, "accent", radius=2)
    pen.line([(-38, 14), (38, 14)], 2.4, "light")


def potters_wheel(pen: Pen) -> None:
    pen.box(-8, 20, 8, 50, "ink")
    pen.ellipse(0, 20, 48, 9, "ink")
    pen.ellipse(0, 17, 46, 8, "light")
    pen.wedge(0, -8, 30, 0, 180, "main")
    pen.ellipse(0, -8, 30, 7, "accent")
    pen.ellipse(0, -7, 24, 4.6, "ink")
    pen.arc(0, -2, 38, 150, 175, 1.6, "light")
    pen.arc(0, -2, 38, 5, 30, 1.6, "light")


def paint_palette(pen: Pen) -> None:
    pen.blob(
        [(-44, 0), (-30, -30), (4, -38), (38, -24), (46, 4), (32, 20), (14, 16), (8, 28), (-8, 38), (-34, 28)], "light"
    )
    pen.disc(26, 4, 6, "paper")
    for x, y, colour in (
        (-24, -12, "main"),
        (-4, -24, "accent"),
        (18, -18, "ink"),
        (-28, 10, "accent"),
        (-12, 22, "main"),
    ):
        pen.disc(x, y, 6.4, colour)


def paintbrush(pen: Pen) -> None:
    pen.line([(0, -48), (0, 8)], 4.4, "accent")
    pen.box(-4, 6, 4, 18, "light", radius=1)
    pen.blob([(-5, 18), (5, 18), (6, 30), (0, 48), (-6, 30)], "ink")


def picture_frame(pen: Pen) -> None:
    pen.box(-40, -34, 40, 34, "accent", radius=2)
    pen.box(-35, -29, 35, 29, "light")
    pen.box(-29, -23, 29, 23, "paper")
    pen.disc(12, -8, 8, "main")
    pen.blob([(-29, 23), (-29, 8), (-12, -4), (4, 10), (18, 4), (29, 12), (29, 23)], "accent")


def portrait_frame(pen: Pen) -> None:
    pen.box(-30, -42, 30, 42, "main", radius=2)
    pen.box(-25, -37, 25, 37, "light")
    pen.box(-20, -32, 20, 32, "shade")
    pen.wedge(0, 32, 18, 180, 360, "ink")
    pen.disc(0, -4, 11, "accent")


def fog_print(pen: Pen) -> None:
    pen.box(-40, -40, 40, 40, "ink")
    pen.box(-38, -38, 38, 38, "light")
    pen.box(-30, -30, 30, 30, "paper")
    pen.shape([(-12, 14), (-12, -14), (-6, -22), (0, -14), (0, 14)], "shade")
    for left, right, top in ((-30, 18, -8), (-8, 30, 2), (-30, 8, 12), (-24, 30, 20)):
        pen.box(left, top, right, top + 7, "light", radius=3)


def hammer(pen: Pen) -> None:
    pen.box(-4.5, -26, 4.5, 50, "accent", radius=3)
    pen.blob([(-26, -44), (16, -46), (28, -36), (28, -28), (14, -26), (-26, -26)], "ink")
    pen.box(-30, -46, -18, -24, "ink", radius=2)


def spanner(pen: Pen) -> None:
    pen.box(-5, -28, 5, 28, "light", radius=2)
    for y in (-36, 36):
        pen.disc(0, y, 14, "light")
        pen.shape([(-5, y), (5, y), (5, y * 1.5), (-5, y * 1.5)], "paper")


def saw(pen: Pen) -> None:
    teeth = [(-24 + step * 4.5, 12 + (4 if step % 2 else 0)) for step in range(16)]
    pen.shape([(-24, -12), (48, 2), *reversed(teeth)], "light")
    pen.blob([(-24, -18), (-18, 0), (-24, 20), (-44, 18), (-48, -6), (-38, -20)], "main")
    pen.ellipse(-34, 0, 5, 9, "paper")


def radio(pen: Pen) -> None:
    pen.line([(20, -24), (40, -50)], 2, "ink")
    pen.disc(40, -50, 2.6, "ink")
    pen.box(-46, -26, 46, 36, "main", radius=6)
    pen.disc(-20, 5, 20, "ink")
    for radius in (15, 9):
        pen.arc(-20, 5, radius, 0, 360, 1.4, "light")
    pen.box(8, -14, 38, 0, "light", radius=2)
    pen.line([(26, -13), (26, -1)], 1.4, "main")
    for x in (14, 32):
        pen.disc(x, 16, 6, "accent")
        pen.line([(x, 16), (x + 2, 12)], 1.4, "light")
    for x in (-30, 30):
        pen.box(x - 5, 36, x + 5, 41, "ink", radius=1)


def paper_crane(pen: Pen) -> None:
    pen.shape([(-4, 6), (-38, -34), (-14, 8)], "light")
    pen.shape([(-6, 6), (22, -46), (18, 12)], "main")
    pen.shape([(2, 8), (22, -46), (18, 12)], "accent")
    pen.shape([(-16, 6), (20, 8), (4, 28)], "light")
    pen.shape([(4, 28), (20, 8), (26, 18)], "shade")
    pen.shape([(14, 16), (48, -22), (26, 20)], "light")
    pen.shape([(-38, -34), (-46, -26), (-33, -28)], "main")


def paper_boat(pen: Pen) -> None:
    pen.shape([(-22, 8), (0, -34), (0, 8)], "light")
    pen.shape([(22, 8), (0, -34), (0, 8)], "shade")
    pen.shape([(-46, -4), (0, 8), (-8, 30), (-26, 30)], "main")
    pen.shape([(46, -4), (0, 8), (8, 30), (26, 30)], "accent")
    pen.shape([(0, 8), (-14, 30), (14, 30)], "light")


def yarn(pen: Pen) -> None:
    pen.line([(-42, 40), (26, -40)], 2.6, "ink")
    pen.line([(42, 40), (-26, -40)], 2.6, "ink")
    pen.disc(0, 6, 30, "main")
    for shift in (-14, -5, 4, 13):
        pen.arc(shift, 26, 24, 220, 320, 1.6, "light")
        pen.arc(-shift * 0.8, -14, 26, 50, 120, 1.6, "accent")
    pen.curve([(20, 30), (34, 44), (50, 40)], 1.8, "main")


def shirt(pen: Pen) -> None:
    pen.curve([(0, -40), (4, -48), (-2, -50)], 1.8, "ink")
    pen.line([(-24, -26), (0, -40), (24, -26)], 2, "ink")
    pen.shape(
        [(-14, -32), (14, -32), (44, -12), (34, 6), (24, 0), (24, 44), (-24, 44), (-24, 0), (-34, 6), (-44, -12)],
        "main",
    )
    pen.wedge(0, -32, 10, 0, 180, "paper")
    for y in (10, 20, 30):
        pen.line([(-24, y), (24, y)], 3, "light")


def chair(pen: Pen) -> None:
    for x in (-20, 20):
        pen.line([(x, -46), (x, 48)], 4, "main")
    for y in (-42, -28, -14):
        pen.box(-20, y - 3, 20, y + 3, "main", radius=1)
    pen.box(-25, 8, 25, 15, "accent", radius=2)
    pen.line([(-20, 32), (20, 32)], 2.4, "main")


def wheel(pen: Pen) -> None:
    for spoke in range(9):
        angle = math.radians(spoke * 20)
        x, y = 42 * math.cos(angle), 42 * math.sin(angle)
        pen.line([(-x, -y), (x, y)], 0.8, "light")
    pen.arc(0, 0, 44, 0, 360, 5, "ink")
    pen.arc(0, 0, 40, 0, 360, 1.4, "main")
    pen.disc(0, 0, 6, "main")
    pen.disc(0, 0, 2, "light")


MOTIFS = {
    motif.__name__: motif
    for motif in (
        vase, bowl, potters_wheel, paint_palette, paintbrush, picture_frame, portrait_frame, fog_print, hammer,
        spanner, saw, radio, paper_crane, paper_boat, yarn, shirt, chair, wheel,
    )
}  # fmt: skip
