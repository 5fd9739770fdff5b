"""Motifs of books, writing and talks."""

from __future__ import annotations

from events.sample_content.pictures.pen import Pen


def open_book(pen: Pen) -> None:
    pen.box(-48, -22, 48, 30, "main", radius=3)
    for side in (-1, 1):
        pen.blob([(0, -20), (side * 22, -27), (side * 44, -24), (side * 44, 24), (side * 22, 21), (0, 28)], "light")
        for line in range(5):
            pen.line([(side * 10, -13 + line * 7), (side * 37, -16 + line * 7)], 1.2, "shade")
    pen.line([(0, -19), (0, 27)], 1.2, "ink")
    pen.shape([(28, -26), (34, -26), (34, 6), (31, 1), (28, 6)], "accent")


def book_stack(pen: Pen) -> None:
    for left, top, right, colour in (
        (-40, 30, 40, "main"),
        (-34, 14, 44, "accent"),
        (-44, -2, 32, "ink"),
        (-30, -18, 36, "main"),
    ):
        pen.box(left, top, right, top + 15, colour, radius=2)
        pen.box(right - 14, top + 2.5, right + 0.5, top + 12.5, "light")
        pen.line([(left + 8, top + 1), (left + 8, top + 14)], 1.6, "light")


def bookshelf(pen: Pen) -> None:
    pen.box(-80, -50, 80, 50, "shade")
    widths = (9, 7, 12, 8, 10, 7, 11, 13, 8, 10, 7, 12, 9, 8, 11, 9)
    for row, bottom in enumerate((-18, 15, 48)):
        x = -78.0
        for number, width in enumerate(widths[row:] + widths[:row]):
            height = 20 + (number * 5 + row * 3) % 8
            colour = ("main", "ink", "accent", "light")[(number + row) % 4]
            pen.box(x, bottom - height, x + width - 0.6, bottom, colour, radius=0.8)
            if number % 2:
                pen.line([(x + 1.8, bottom - height + 5), (x + width - 2.4, bottom - height + 5)], 0.9, "paper")
            x += width + 0.6
        pen.box(-80, bottom, 80, bottom + 3.5, "ink")


def typewriter(pen: Pen) -> None:
    pen.box(-20, -50, 20, -4, "light", radius=1)
    for line in range(4):
        pen.line([(-13, -42 + line * 6), (13 - line * 3, -42 + line * 6)], 1.2, "ink")
    pen.box(-40, -18, 40, -8, "ink", radius=5)
    pen.blob([(-34, -10), (34, -10), (44, 18), (48, 40), (-48, 40), (-44, 18)], "main")
    pen.box(-22, -6, 22, 4, "accent", radius=2)
    for row in range(3):
        for key in range(-4, 5):
            pen.disc(key * 8 + (row - 1) * 2, 12 + row * 8, 2.8, "light")
    pen.box(-18, 33, 18, 37, "light", radius=2)


def quill(pen: Pen) -> None:
    pen.blob([(34, -46), (40, -26), (20, 2), (-2, 18), (-8, 14), (4, -18), (20, -38)], "main")
    pen.curve([(32, -40), (8, -4), (-26, 40)], 1.6, "ink")
    for step in range(4):
        pen.line([(22 - step * 8, -22 + step * 10), (30 - step * 8, -22 + step * 9)], 0.9, "paper")


def inkwell(pen: Pen) -> None:
    pen.box(-14, -30, 14, -12, "accent", radius=2)
    pen.blob([(-18, -12), (18, -12), (30, 14), (30, 38), (-30, 38), (-30, 14)], "ink")
    pen.box(-16, 6, 16, 26, "light", radius=2)


def cat(pen: Pen) -> None:
    pen.curve([(26, 36), (46, 30), (44, 8), (50, 0)], 6, "ink")
    pen.blob([(-22, 44), (-20, 8), (-8, -10), (14, -6), (30, 18), (32, 44)], "ink")
    pen.disc(-12, -20, 19, "ink")
    for side in (-1, 1):
        pen.shape([(-12 + side * 18, -20), (-12 + side * 16, -48), (-12 + side * 3, -34)], "ink")
        pen.ellipse(-12 + side * 7, -22, 3.4, 4.4, "main")
        pen.ellipse(-12 + side * 7, -22, 1.1, 4, "ink")
        for whisker in (-14, -11):
            pen.line([(-12 + side * 8, -12), (-12 + side * 26, whisker)], 0.6, "light")
    pen.shape([(-15, -14), (-9, -14), (-12, -11)], "accent")
    pen.ellipse(-6, 43, 12, 5, "ink")


def bubble(pen: Pen) -> None:
    pen.box(-44, -38, 44, 22, "light", radius=14)
    pen.shape([(-22, 18), (-2, 18), (-28, 44)], "light")
    for x in (-20, 0, 20):
        pen.disc(x, -8, 5.5, "main")


def question_bubble(pen: Pen) -> None:
    pen.box(-40, -42, 40, 26, "main", radius=16)
    pen.shape([(2, 22), (22, 22), (28, 46)], "main")
    pen.curve([(-10, -20), (-6, -30), (4, -32), (12, -25), (9, -15), (0, -8), (0, 0)], 5, "light")
    pen.disc(0, 12, 3.8, "light")


def lamp(pen: Pen) -> None:
    pen.shape([(-34, 2), (-6, -18), (44, 52), (-72, 52)], "light")
    pen.line([(30, 44), (18, 4), (-8, -34)], 3.4, "ink")
    pen.disc(18, 4, 4.4, "accent")
    pen.shape([(-36, 6), (-8, -44), (6, -36), (-2, -14)], "main")
    pen.disc(-20, -2, 6, "light")
    pen.box(10, 42, 48, 49, "ink", radius=3)


def envelope(pen: Pen) -> None:
    pen.box(-46, -28, 46, 32, "light", radius=3)
    pen.shape([(-46, -26), (46, -26), (0, 10)], "shade")
    pen.line([(-45, -27), (0, 10), (45, -27)], 1.6, "ink")
    pen.disc(0, 10, 9, "main")


def map_sheet(pen: Pen) -> None:
    for fold in range(4):
        left = -48 + fold * 24
        down = 5 if fold % 2 else 0
        pen.shape(
            [(left, -30 + down), (left + 24, -30 + 5 - down), (left + 24, 32 + 5 - down), (left, 32 + down)],
            "light" if fold % 2 else "shade",
        )
    pen.curve([(-44, 20), (-20, 6), (4, 14), (24, -10), (46, -6)], 2.4, "accent")
    pen.line([(-40, -16), (-16, -8), (4, -20)], 1.4, "ink")
    pen.blob([(20, -40), (31, -30), (28, -18), (20, -4), (12, -18), (9, -30)], "main")
    pen.disc(20, -27, 4.4, "light")


def notebook(pen: Pen) -> None:
    pen.box(-30, -44, 34, 44, "main", radius=4)
    pen.box(-24, -38, 34, 38, "light", radius=2)
    for line in range(6):
        pen.line([(-12, -24 + line * 10), (26, -24 + line * 10)], 1.2, "shade")
    for ring in range(6):
        pen.line([(-36, -32 + ring * 13), (-24, -32 + ring * 13)], 3, "ink")


def pencil(pen: Pen) -> None:
    pen.box(-5, -50, 5, -42, "accent", radius=2)
    pen.box(-5, -42, 5, -38, "light")
    pen.box(-5, -38, 5, 32, "main")
    pen.box(-1.6, -38, 1.6, 32, "light")
    pen.shape([(-5, 32), (5, 32), (0, 46)], "light")
    pen.shape([(-1.8, 41), (1.8, 41), (0, 47)], "ink")


def ballot_box(pen: Pen) -> None:
    pen.box(-12, -44, 12, -4, "light", radius=1)
    pen.line([(-5, -26), (-1, -20), (7, -33)], 2.6, "main")
    pen.box(-36, -8, 36, 44, "main", radius=2)
    pen.box(-42, -12, 42, 0, "accent", radius=2)
    pen.box(-18, -8, 18, -4.5, "ink", radius=1)
    pen.box(-20, 14, 20, 32, "light", radius=2)


MOTIFS = {
    motif.__name__: motif
    for motif in (
        open_book, book_stack, bookshelf, typewriter, quill, inkwell, cat, bubble, question_bubble, lamp, envelope,
        map_sheet, notebook, pencil, ballot_box,
    )
}  # fmt: skip
