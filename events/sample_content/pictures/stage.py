"""Motifs of theatre, comedy and film."""

from __future__ import annotations

import math

from events.sample_content.pictures.pen import Pen


def happy_mask(pen: Pen) -> None:
    pen.blob([(-34, -36), (0, -40), (34, -36), (34, 4), (20, 34), (0, 44), (-20, 34), (-34, 4)], "light")
    for side in (-1, 1):
        pen.wedge(side * 15, -10, 9, 180, 360, "ink")
        pen.arc(side * 15, -22, 9, 210, 330, 2.4, "main")
        pen.disc(side * 23, 6, 4.5, "main")
    pen.wedge(0, 10, 18, 0, 180, "ink")
    pen.wedge(0, 10, 10, 0, 180, "main")


def sad_mask(pen: Pen) -> None:
    pen.blob([(-34, -36), (0, -40), (34, -36), (34, 4), (20, 34), (0, 44), (-20, 34), (-34, 4)], "accent")
    for side in (-1, 1):
        pen.wedge(side * 15, -12, 9, 0, 180, "ink")
        pen.line([(side * 7, -26), (side * 22, -20)], 2.4, "ink")
    pen.blob([(18, 2), (21.5, 9), (18, 12.5), (14.5, 9)], "light")
    pen.wedge(0, 30, 17, 180, 360, "ink")


def film_reel(pen: Pen) -> None:
    pen.disc(0, 0, 46, "ink")
    pen.disc(0, 0, 41, "light")
    for hole in range(5):
        angle = math.radians(hole * 72 - 90)
        pen.disc(25 * math.cos(angle), 25 * math.sin(angle), 11, "ink")
        pen.disc(25 * math.cos(angle), 25 * math.sin(angle), 9, "paper")
    pen.disc(0, 0, 6, "main")


def film_strip(pen: Pen) -> None:
    pen.box(-90, -22, 90, 22, "ink")
    for frame in range(-5, 6):
        pen.box(frame * 18 - 7, -12, frame * 18 + 7, 12, "main" if frame % 2 else "light", radius=1)
        for hole in (-4.5, 4.5):
            for y in (-17.5, 17.5):
                pen.box(frame * 18 + hole - 2, y - 2, frame * 18 + hole + 2, y + 2, "paper", radius=0.6)


def projector(pen: Pen) -> None:
    pen.shape([(34, -4), (120, -46), (120, 44), (34, 10)], "light")
    for x, radius in ((-22, 20), (14, 14)):
        pen.disc(x, -28, radius, "accent")
        pen.disc(x, -28, radius * 0.3, "ink")
        for hole in range(3):
            angle = math.radians(hole * 120 - 30)
            pen.disc(x + radius * 0.6 * math.cos(angle), -28 + radius * 0.6 * math.sin(angle), radius * 0.2, "paper")
    pen.box(-36, -10, 26, 28, "main", radius=4)
    pen.box(26, -4, 38, 12, "ink", radius=2)
    pen.disc(-20, 10, 7, "ink")
    pen.disc(-20, 10, 3, "light")
    pen.line([(-4, 28), (-24, 50)], 3, "ink")
    pen.line([(-4, 28), (16, 50)], 3, "ink")


def seats(pen: Pen) -> None:
    for row, y in ((0, -14), (1, 14)):
        for seat in range(-3, 4):
            x = seat * 26 + 13 * row
            pen.box(x - 11, y - 18, x + 11, y + 20, "main", radius=6)
            pen.box(x - 12, y + 4, x + 12, y + 20, "accent", radius=4)


def ticket(pen: Pen) -> None:
    pen.box(-46, -24, 46, 24, "light", radius=4)
    for side in (-1, 1):
        pen.disc(side * 46, 0, 7, "paper")
    for y in range(-20, 24, 8):
        pen.line([(22, y), (22, y + 3)], 1.2, "ink")
    pen.box(-34, -14, 14, -6, "main", radius=1)
    pen.line([(-34, 4), (14, 4)], 2, "ink")
    pen.line([(-34, 12), (0, 12)], 2, "ink")


def puppet(pen: Pen) -> None:
    pen.line([(-26, -48), (26, -48)], 3, "ink")
    for x, y in ((-24, 6), (0, -30), (24, 6)):
        pen.line([(x, -48), (x, y)], 0.6, "ink")
    pen.shape([(0, -12), (22, 30), (-22, 30)], "main")
    pen.line([(0, 2), (-24, 8)], 4, "main")
    pen.line([(0, 2), (24, 8)], 4, "main")
    for side in (-1, 1):
        pen.disc(side * 25, 8, 3.6, "light")
        pen.line([(side * 8, 30), (side * 9, 44)], 4, "ink")
        pen.line([(side * 9, 45), (side * 15, 45)], 4, "accent")
    pen.disc(0, -20, 13, "light")
    pen.shape([(-12, -26), (12, -26), (0, -44)], "accent")
    pen.disc(0, -18, 2.4, "main")
    for side in (-1, 1):
        pen.disc(side * 5, -22, 1.6, "ink")
    pen.arc(0, -17, 6, 30, 150, 1.2, "ink")


def lobster(pen: Pen) -> None:
    for side in (-1, 1):
        pen.curve([(side * 8, -14), (side * 24, -20), (side * 26, -32)], 4, "main")
        pen.ellipse(side * 26, -38, 8, 12, "main", turn=side * 20)
        pen.shape([(side * 22, -52), (side * 30, -52), (side * 26, -38)], "paper")
        pen.curve([(side * 3, -22), (side * 8, -38), (side * 4, -50)], 1, "ink")
        for y in (-4, 4, 12):
            pen.line([(side * 8, y), (side * 22, y + 6)], 2, "main")
    pen.ellipse(0, -4, 11, 20, "main")
    for segment in range(4):
        pen.ellipse(0, 16 + segment * 7, 9.5 - segment * 1.2, 4.6, "accent" if segment % 2 else "main")
    for angle in (60, 90, 120):
        pen.ellipse(
            14 * math.cos(math.radians(angle)), 36 + 10 * math.sin(math.radians(angle)), 8, 4, "main", turn=angle
        )
    for side in (-1, 1):
        pen.disc(side * 4, -20, 2, "ink")


MOTIFS = {
    motif.__name__: motif
    for motif in (
        happy_mask, sad_mask, film_reel, film_strip, projector, seats, ticket, puppet, lobster,
    )
}  # fmt: skip
