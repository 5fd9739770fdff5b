"""Motifs of concerts, sessions and dances."""

from __future__ import annotations

from events.sample_content.pictures.pen import Pen


def double_bass(pen: Pen) -> None:
    pen.line([(0, -50), (0, 0)], 3.4, "ink")
    pen.arc(0, -50, 2.2, 90, 360, 2, "ink")
    for y in (-46, -42):
        pen.line([(-5, y), (5, y)], 1.6, "ink")
    pen.blob(
        [
            (-6, -12),
            (6, -12),
            (14, -2),
            (12, 8),
            (17, 20),
            (15, 36),
            (0, 42),
            (-15, 36),
            (-17, 20),
            (-12, 8),
            (-14, -2),
        ],
        "main",
    )
    pen.shape([(-2.2, -20), (2.2, -20), (3.2, 12), (-3.2, 12)], "ink")
    for side in (-1, 1):
        pen.curve([(side * 8, 10), (side * 7, 15), (side * 10, 20), (side * 9, 25)], 1.2, "ink")
    pen.box(-7, 24, 7, 26.5, "light")
    for x in (-1.5, 0, 1.5):
        pen.line([(x, -44), (x * 1.6, 25)], 0.4, "light")
    pen.shape([(-4, 34), (4, 34), (2.5, 27), (-2.5, 27)], "ink")
    pen.line([(0, 42), (0, 50)], 1.4, "ink")


def violin(pen: Pen) -> None:
    pen.line([(0, -46), (0, 0)], 4, "ink")
    pen.disc(0, -47, 3.6, "ink")
    for y in (-43, -38):
        pen.line([(-7, y), (7, y)], 1.8, "ink")
    pen.blob(
        [(-9, -8), (9, -8), (17, 0), (12, 14), (20, 28), (14, 43), (0, 47), (-14, 43), (-20, 28), (-12, 14), (-17, 0)],
        "main",
    )
    pen.shape([(-2.6, -20), (2.6, -20), (4, 16), (-4, 16)], "ink")
    for side in (-1, 1):
        pen.curve([(side * 9, 12), (side * 7, 18), (side * 11, 23), (side * 9, 29)], 1.5, "ink")
    pen.box(-8, 26, 8, 29, "light")
    pen.shape([(-5, 43), (5, 43), (3, 31), (-3, 31)], "ink")
    for x in (-2, -0.7, 0.7, 2):
        pen.line([(x * 0.7, -40), (x * 1.5, 27)], 0.5, "light")


def bow(pen: Pen) -> None:
    pen.line([(-2, -50), (0, 50)], 1.8, "ink")
    pen.line([(2.5, -48), (3, 44)], 0.7, "light")
    pen.box(-0.5, 38, 4.5, 46, "accent", radius=1)


def trumpet(pen: Pen) -> None:
    pen.line([(-44, -4), (24, -4)], 4.5, "main")
    pen.shape([(18, -6), (34, -9), (46, -20), (48, -20), (48, 12), (46, 12), (34, 1), (18, -2)], "main")
    pen.ellipse(47.5, -4, 2.6, 16, "light")
    pen.box(-24, -4, 12, 16, "main", radius=9)
    pen.box(-19.5, 0.5, 7.5, 11.5, "paper", radius=5)
    for x in (-13, -5, 3):
        pen.box(x - 2.6, -14, x + 2.6, 20, "accent", radius=1.5)
        pen.line([(x, -14), (x, -19)], 1.6, "ink")
        pen.line([(x - 2.5, -20), (x + 2.5, -20)], 2.6, "light")
    pen.shape([(-50, -8), (-44, -5.5), (-44, -2.5), (-50, 0)], "light")


def saxophone(pen: Pen) -> None:
    pen.curve([(-34, -38), (-20, -45), (-8, -40), (-6, -28)], 4, "ink")
    pen.box(-39, -41, -28, -35, "ink", radius=2.5)
    pen.shape([(-8.5, -30), (-3.5, -30), (3, 26), (-9, 28)], "main")
    pen.wedge(7, 24, 17, 0, 180, "main")
    pen.wedge(8, 23, 6, 0, 180, "paper")
    pen.shape([(14, 24), (24, 24), (33, -6), (13, -8)], "main")
    pen.ellipse(23, -7, 11, 3.6, "light", turn=6)
    for y in (-18, -8, 2, 12):
        pen.disc(-3.5, y, 3, "light")
    pen.line([(-9, -14), (-9, 18)], 1.4, "accent")


def piano(pen: Pen) -> None:
    pen.box(-46, -34, 46, 44, "main", radius=2)
    pen.box(-48, -38, 48, -32, "accent", radius=1)
    pen.box(-38, -26, 38, -4, "accent", radius=2)
    pen.box(-18, -22, 18, -6, "light", radius=1)
    for y in (-18, -14, -10):
        pen.line([(-14, y), (14, y)], 0.8, "ink")
    pen.box(-49, 4, 49, 8, "ink", radius=1)
    pen.box(-46, 8, 46, 18, "light")
    for key in range(14):
        x = -46 + key * 92 / 14
        pen.line([(x, 8), (x, 18)], 0.5, "ink")
        if key % 7 not in (0, 3):
            pen.box(x - 1.8, 8, x + 1.8, 14, "ink")
    pen.box(-44, 18, -38, 50, "accent")
    pen.box(38, 18, 44, 50, "accent")
    pen.box(-8, 40, 8, 48, "ink", radius=2)


def piano_keys(pen: Pen) -> None:
    for key in range(-8, 9):
        pen.box(key * 9 - 4.2, -50, key * 9 + 4.2, 50, "light", radius=1.5)
    for key in range(-8, 9):
        if key % 7 not in (0, 3):
            pen.box(key * 9 - 7.2, -50, key * 9 - 1.8, 12, "ink", radius=1.2)
    pen.box(-4.2, 14, 4.2, 50, "main", radius=1.5)


def organ_pipes(pen: Pen) -> None:
    for pipe in range(-7, 8):
        x, top = pipe * 9.5, -46 + abs(pipe) * 5.5
        pen.box(x - 4, top, x + 4, 34, "main" if pipe % 2 else "light", radius=1.5)
        pen.shape([(x - 4, 34), (x + 4, 34), (x, 46)], "main" if pipe % 2 else "light")
        pen.box(x - 2.2, 22, x + 2.2, 28, "ink")
    pen.box(-76, 38, 76, 50, "accent", radius=2)


def accordion(pen: Pen) -> None:
    for fold in range(8):
        x = -20 + fold * 6
        pen.shape(
            [(x - 3, -24), (x, -28), (x + 3, -24), (x + 3, 24), (x, 28), (x - 3, 24)], "light" if fold % 2 else "accent"
        )
    for side in (-1, 1):
        pen.box(side * 34 - 12, -30, side * 34 + 12, 30, "main", radius=4)
    pen.box(-44, -24, -34, 24, "light", radius=1)
    for key in range(8):
        pen.line([(-44, -24 + key * 6.2), (-36, -24 + key * 6.2)], 1.6, "ink")
    for row in range(5):
        for column in range(2):
            pen.disc(31 + column * 7, -18 + row * 9, 2.2, "light")


def drum(pen: Pen) -> None:
    pen.box(-34, -14, 34, 34, "main")
    pen.ellipse(0, 34, 34, 11, "main")
    for x in range(-28, 29, 14):
        pen.line([(x - 7, -10), (x, 40 - abs(x) / 5), (x + 7, -10)], 1.2, "light")
    pen.ellipse(0, -14, 36, 12, "ink")
    pen.ellipse(0, -16, 34, 11, "light")
    pen.line([(-8, -18), (-44, -46)], 2.4, "accent")
    pen.disc(-7, -18, 3.2, "accent")
    pen.line([(10, -20), (42, -48)], 2.4, "accent")
    pen.disc(9, -20, 3.2, "accent")


def ukulele(pen: Pen) -> None:
    pen.box(-3.4, -36, 3.4, 6, "ink", radius=1)
    pen.box(-6, -50, 6, -35, "accent", radius=2)
    for y in (-46, -40):
        for side in (-1, 1):
            pen.disc(side * 8, y, 2, "light")
    pen.blob(
        [(-8, 0), (8, 0), (13, 9), (12, 17), (18, 29), (14, 44), (0, 48), (-14, 44), (-18, 29), (-12, 17), (-13, 9)],
        "main",
    )
    pen.disc(0, 19, 6, "ink")
    pen.box(-9, 35, 9, 38, "ink", radius=1)
    for x in (-1.8, -0.6, 0.6, 1.8):
        pen.line([(x, -44), (x, 36)], 0.5, "light")


def record(pen: Pen) -> None:
    pen.disc(0, 0, 48, "ink")
    for radius in (40, 32, 24):
        pen.arc(0, 0, radius, 0, 360, 0.5, "accent")
    pen.disc(0, 0, 17, "main")
    pen.disc(0, 0, 2.6, "light")
    pen.arc(0, 0, 39, 200, 245, 1.6, "light")


def microphone(pen: Pen) -> None:
    pen.box(-12, -48, 12, -2, "light", radius=11.8)
    for y in (-38, -30, -22):
        pen.line([(-8, y), (8, y)], 1.6, "ink")
    pen.box(-13, -16, 13, -10, "main")
    pen.arc(0, -14, 20, 0, 180, 3.4, "ink")
    pen.line([(0, 6), (0, 44)], 3.4, "ink")
    pen.line([(-18, 46), (18, 46)], 5, "ink")


def headphones(pen: Pen) -> None:
    pen.arc(0, 2, 36, 180, 360, 6, "ink")
    pen.arc(0, 2, 30, 200, 340, 2.5, "accent")
    for side in (-1, 1):
        pen.box(side * 36 - 9, 0, side * 36 + 9, 38, "main", radius=7)
        pen.box(side * 27 - 5, 3, side * 27 + 5, 35, "light", radius=4)


def note(pen: Pen) -> None:
    pen.ellipse(-20, 34, 14, 10, "main", turn=-20)
    pen.ellipse(24, 26, 14, 10, "main", turn=-20)
    pen.line([(-8, 30), (-8, -34)], 4, "main")
    pen.line([(36, 22), (36, -42)], 4, "main")
    pen.shape([(-10, -36), (38, -46), (38, -32), (-10, -22)], "main")


def singer(pen: Pen) -> None:
    pen.blob([(-30, 52), (-26, 20), (-10, 8), (10, 8), (26, 20), (30, 52)], "main")
    pen.shape([(-8, 10), (8, 10), (0, 26)], "light")
    pen.box(-5, 0, 5, 14, "accent")
    pen.ellipse(0, -14, 17, 21, "accent")
    pen.wedge(0, -18, 18.5, 180, 360, "ink")
    for side in (-1, 1):
        pen.arc(side * 7, -13, 3, 200, 340, 1.4, "ink")
    pen.ellipse(0, -1, 4.6, 5.6, "ink")


def dancing_shoe(pen: Pen) -> None:
    pen.blob(
        [
            (-44, 14),
            (-40, -6),
            (-30, -14),
            (-16, -4),
            (10, 14),
            (38, 22),
            (46, 30),
            (30, 34),
            (0, 32),
            (-26, 22),
            (-36, 24),
        ],
        "main",
    )
    pen.shape([(-44, 12), (-30, 20), (-34, 44), (-38, 44)], "ink")
    pen.curve([(-36, -12), (-24, -22), (-8, -14), (-4, 2)], 2.6, "ink")
    pen.disc(-15, -18, 2.6, "light")
    pen.curve([(-2, 22), (20, 27), (44, 31)], 1.4, "light")


MOTIFS = {
    motif.__name__: motif
    for motif in (
        double_bass, violin, bow, trumpet, saxophone, piano, piano_keys, organ_pipes, accordion, drum, ukulele,
        record, microphone, headphones, note, singer, dancing_shoe,
    )
}  # fmt: skip
