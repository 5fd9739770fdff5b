"""Motifs of markets, kitchens and tables."""

from __future__ import annotations

from events.sample_content.pictures.pen import Pen


def loaf(pen: Pen) -> None:
    pen.blob([(-46, 16), (-42, -8), (-20, -24), (20, -24), (42, -8), (46, 16), (38, 26), (-38, 26)], "main")
    for x in (-24, 0, 24):
        pen.blob([(x - 10, -14), (x - 2, -20), (x + 8, 2), (x + 4, 10), (x - 2, 2)], "light")


def baguettes(pen: Pen) -> None:
    for x, lean in ((-14, -8), (0, 0), (14, 8)):
        pen.line([(x + lean, -44), (x * 0.5, 20)], 12, "main")
        for step in range(4):
            y = -36 + step * 11
            shift = x + lean - (x + lean - x * 0.5) * (y + 44) / 64
            pen.line([(shift - 3, y + 2), (shift + 3, y - 3)], 2, "light")
    pen.shape([(-26, 0), (26, 0), (20, 48), (-20, 48)], "accent")
    pen.line([(-25, 5), (25, 5)], 3, "light")


def cheese(pen: Pen) -> None:
    pen.shape([(-46, 4), (30, -28), (46, 4)], "light")
    pen.box(-46, 4, 46, 34, "main")
    for x, y, radius in ((-26, 18, 6), (0, 26, 5), (16, 14, 7), (35, 26, 4.5), (-10, 10, 3)):
        pen.disc(x, y, radius, "accent")
    pen.ellipse(14, -9, 6, 2.6, "shade")


def fish(pen: Pen) -> None:
    pen.shape([(26, 0), (48, -20), (44, 0), (48, 20)], "accent")
    pen.blob([(-46, 2), (-26, -16), (4, -18), (30, -2), (30, 4), (4, 18), (-26, 16)], "main")
    pen.blob([(-10, -16), (6, -28), (14, -14)], "accent")
    pen.arc(-34, 0, 15, -50, 50, 2, "light")
    pen.disc(-34, -4, 3.4, "light")
    pen.disc(-34, -4, 1.6, "ink")
    for x in (-6, 5, 16):
        for y in (-6, 4):
            pen.arc(x, y, 4, 100, 260, 1.3, "light")


def honey_jar(pen: Pen) -> None:
    pen.box(-26, -30, 26, 44, "main", radius=9)
    pen.box(-22, -42, 22, -28, "ink", radius=3)
    pen.shape([(-16, 4), (-8, -10), (8, -10), (16, 4), (8, 18), (-8, 18)], "light")
    pen.shape([(-8, 4), (-4, -3), (4, -3), (8, 4), (4, 11), (-4, 11)], "accent")
    pen.line([(-20, -18), (-20, 32)], 2, "light")


def pickle_jar(pen: Pen) -> None:
    pen.box(-26, -32, 26, 44, "light", radius=7)
    for x, lean in ((-15, 2), (-4, -2), (7, 2), (17, -1)):
        pen.line([(x, -14), (x + lean, 32)], 9, "accent")
        for y in (-6, 8, 22):
            pen.disc(x + 1, y, 1, "light")
    pen.box(-24, -46, 24, -31, "main", radius=3)
    for x in range(-18, 22, 6):
        pen.line([(x, -43), (x, -34)], 1, "light")


def eggs(pen: Pen) -> None:
    for x, colour in ((-28, "light"), (0, "main"), (28, "light")):
        pen.blob([(x, -24), (x + 11, -8), (x + 12, 10), (x, 18), (x - 12, 10), (x - 11, -8)], colour)
    pen.shape([(-48, 2), (48, 2), (40, 30), (-40, 30)], "accent")
    for x in (-28, 0, 28):
        pen.wedge(x, 2, 12, 0, 180, "ink")
        pen.wedge(x, 1, 12, 0, 180, "main" if x == 0 else "light")


def cooking_pot(pen: Pen) -> None:
    for x in (-16, 0, 16):
        pen.curve([(x, -24), (x + 5, -32), (x - 3, -40), (x + 3, -49)], 2.6, "light")
    pen.box(-38, -10, 38, 40, "main", radius=8)
    pen.box(-38, -10, 38, 4, "main")
    pen.box(-42, -16, 42, -8, "ink", radius=4)
    for side in (-1, 1):
        pen.box(side * 44 - 7, 2, side * 44 + 7, 10, "ink", radius=3)
    pen.box(-38, 14, 38, 20, "light")


def ladle(pen: Pen) -> None:
    pen.line([(0, -48), (0, 26)], 4, "light")
    pen.wedge(8, 26, 16, 0, 180, "light")
    pen.arc(4, -46, 4, 180, 360, 3, "light")


def beer_glass(pen: Pen) -> None:
    pen.arc(26, 8, 14, -90, 90, 6, "light")
    pen.shape([(-28, -26), (28, -26), (24, 46), (-24, 46)], "main")
    for x in (-12, 0, 12):
        pen.line([(x, -8), (x * 0.9, 34)], 3, "accent")
    for x, y, radius in ((-22, -28, 10), (-6, -34, 12), (12, -32, 11), (24, -26, 8), (0, -24, 12)):
        pen.disc(x, y, radius, "light")


def coffee_cup(pen: Pen) -> None:
    for x in (-10, 6):
        pen.curve([(x, -22), (x + 5, -30), (x - 3, -38), (x + 3, -47)], 2.6, "light")
    pen.arc(26, 6, 12, -90, 100, 5, "main")
    pen.shape([(-32, -14), (28, -14), (18, 32), (-22, 32)], "main")
    pen.ellipse(-2, -14, 30, 6.4, "ink")
    pen.ellipse(-2, 38, 44, 6, "light")


def dumplings(pen: Pen) -> None:
    pen.box(-46, 8, 46, 32, "accent", radius=4)
    for y in (14, 20, 26):
        pen.line([(-44, y), (44, y)], 0.8, "ink")
    for x in (-28, 0, 28):
        pen.wedge(x, 8, 16, 180, 360, "light")
        for fold in (-8, 0, 8):
            pen.line([(x + fold, -2), (x + fold * 0.4, -6)], 1.4, "shade")
    for x in (-22, 4, 26):
        pen.curve([(x, -16), (x + 4, -24), (x - 3, -32), (x + 2, -40)], 2.2, "light")


def carrot(pen: Pen) -> None:
    for lean in (-14, 0, 14):
        pen.blob([(0, -20), (lean - 5, -36), (lean, -50), (lean + 5, -36)], "accent")
    pen.blob([(-15, -20), (0, -26), (15, -20), (9, 14), (0, 50), (-9, 14)], "main")
    for y, width in ((-6, 7), (8, 6), (20, 4)):
        pen.line([(-width, y), (0, y + 1)], 1.6, "light")


def place_setting(pen: Pen) -> None:
    pen.disc(0, 0, 38, "light")
    pen.disc(0, 0, 26, "shade")
    pen.disc(0, 0, 24, "light")
    pen.line([(-54, 0), (-54, 38)], 3.4, "ink")
    for x in (-59, -54, -49):
        pen.line([(x, -36), (x, -16)], 2.2, "ink")
    pen.line([(-59, -15), (-54, -8), (-49, -15)], 2.4, "ink")
    pen.line([(54, 6), (54, 38)], 3.4, "ink")
    pen.blob([(52, -38), (59, -28), (58, 6), (52, 6)], "ink")


def apple(pen: Pen) -> None:
    pen.blob(
        [(0, -22), (20, -30), (36, -12), (30, 22), (12, 40), (0, 36), (-12, 40), (-30, 22), (-36, -12), (-20, -30)],
        "main",
    )
    pen.curve([(0, -20), (2, -34), (8, -44)], 3, "ink")
    pen.blob([(6, -34), (18, -44), (30, -40), (20, -30)], "accent")
    pen.arc(-12, -2, 16, 170, 240, 3, "light")


MOTIFS = {
    motif.__name__: motif
    for motif in (
        loaf, baguettes, cheese, fish, honey_jar, pickle_jar, eggs, cooking_pot, ladle, beer_glass, coffee_cup,
        dumplings, carrot, place_setting, apple,
    )
}  # fmt: skip
