"""Images for the sample content, drawn at random from their titles: the same title gives the same image."""

from __future__ import annotations

import io
import math
import random
from typing import Any

from PIL import Image, ImageDraw

SIZE = (960, 540)
# The colours of the sky at the top and at the bottom, and of the ground.
PALETTES = (
    ("#f6d8ae", "#e8835c", "#2e4057"),
    ("#bfe3e0", "#5b9aa0", "#22313f"),
    ("#fdf0d5", "#f4a261", "#264653"),
    ("#d9d2e9", "#8e7cc3", "#20124d"),
    ("#e9f5db", "#90a955", "#31572c"),
    ("#cfe2f3", "#3d85c6", "#0b2545"),
    ("#ffe5ec", "#e56b6f", "#355070"),
    ("#22223b", "#9a8c98", "#0d0d1c"),
)
RIDGE_COUNT = 3


def draw_image(title: str) -> bytes:
    """Return a JPEG of a sky, a sun or moon, hills or waves, and lights."""
    rng = random.Random(title)  # noqa: S311 # it protects nothing
    top, bottom, ground = rng.choice(PALETTES)
    light = _blend(top, "white", 0.7)
    image = _draw_sky(top, bottom)
    draw = ImageDraw.Draw(image)
    _draw_disc(draw, rng, light)
    for ridge in range(RIDGE_COUNT):
        _draw_ridge(draw, rng, ridge, _blend(bottom, ground, (ridge + 1) / RIDGE_COUNT))
    _draw_lights(draw, rng, light)
    output = io.BytesIO()
    image.save(output, "JPEG", quality=85)
    return output.getvalue()


def _blend(colour: str, other: str, share: float) -> Any:
    """Mix the first colour with a share of the other."""
    pixels = Image.new("RGB", (1, 1), colour), Image.new("RGB", (1, 1), other)
    return Image.blend(*pixels, share).getpixel((0, 0))


def _draw_sky(top: str, bottom: str) -> Image.Image:
    column = Image.new("RGB", (1, 2), top)
    column.putpixel((0, 1), _blend(bottom, bottom, 0))
    return column.resize(SIZE, Image.Resampling.BICUBIC)


def _draw_disc(draw: ImageDraw.ImageDraw, rng: random.Random, colour: Any) -> None:
    x, y, radius = rng.randrange(150, 810), rng.randrange(90, 270), rng.randrange(40, 110)
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


def _draw_ridge(draw: ImageDraw.ImageDraw, rng: random.Random, number: int, colour: Any) -> None:
    width, height = SIZE
    base = height * (0.5 + 0.15 * number)
    waves = [(rng.uniform(20, 60), rng.uniform(150, 500), rng.uniform(0, 6)) for _wave in range(3)]
    line = [
        (x, base + sum(tall * math.sin(x / long + shift) for tall, long, shift in waves))
        for x in range(0, width + 8, 8)
    ]
    draw.polygon([*line, (width, height), (0, height)], fill=colour)


def _draw_lights(draw: ImageDraw.ImageDraw, rng: random.Random, colour: Any) -> None:
    for _light in range(rng.randrange(12, 40)):
        x, y, radius = rng.randrange(SIZE[0]), rng.randrange(390, SIZE[1]), rng.randrange(2, 6)
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
