"""Pictures for the sample content, drawn from their titles: the same title always gives the same picture."""

from __future__ import annotations

import io
import math
import random
from typing import Any

from PIL import Image, ImageDraw

SIZE = (960, 540)
# Sky above, sky below, and the colour of what stands before it.
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
RIDGES = 3


def drawn_picture(title: str) -> bytes:
    """A JPEG of a sky, a sun or moon, hills or waves, and lights."""
    chance = random.Random(title)  # noqa: S311 # nothing secret hangs on it
    above, below, ground = chance.choice(PALETTES)
    light = _blend(above, "white", 0.7)
    image = _sky(above, below)
    draw = ImageDraw.Draw(image)
    _disc(draw, chance, light)
    for ridge in range(RIDGES):
        _ridge(draw, chance, ridge, _blend(below, ground, (ridge + 1) / RIDGES))
    _lights(draw, chance, light)
    output = io.BytesIO()
    image.save(output, "JPEG", quality=85)
    return output.getvalue()


def _blend(colour: str, other: str, share: float) -> Any:
    """The first colour with a share of the other in it."""
    plain = Image.new("RGB", (1, 1), colour), Image.new("RGB", (1, 1), other)
    return Image.blend(*plain, share).getpixel((0, 0))


def _sky(above: str, below: str) -> Image.Image:
    ends = Image.new("RGB", (1, 2), above)
    ends.putpixel((0, 1), _blend(below, below, 0))
    return ends.resize(SIZE, Image.Resampling.BICUBIC)


def _disc(draw: ImageDraw.ImageDraw, chance: random.Random, colour: Any) -> None:
    x, y, radius = chance.randrange(150, 810), chance.randrange(90, 270), chance.randrange(40, 110)
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


def _ridge(draw: ImageDraw.ImageDraw, chance: random.Random, number: int, colour: Any) -> None:
    width, height = SIZE
    base = height * (0.5 + 0.15 * number)
    waves = [(chance.uniform(20, 60), chance.uniform(150, 500), chance.uniform(0, 6)) for _wave in range(3)]
    line = [
        (x, base + sum(tall * math.sin(x / long + shift) for tall, long, shift in waves))
        for x in range(0, width + 8, 8)
    ]
    draw.polygon([*line, (width, height), (0, height)], fill=colour)


def _lights(draw: ImageDraw.ImageDraw, chance: random.Random, colour: Any) -> None:
    for _light in range(chance.randrange(12, 40)):
        x, y, radius = chance.randrange(SIZE[0]), chance.randrange(390, SIZE[1]), chance.randrange(2, 6)
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
