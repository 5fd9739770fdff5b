"""Drawing a picture as the data file describes it."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image, ImageDraw

from events.sample_content.pictures import city, crafts, food, music, outdoors, science, sports, stage, words
from events.sample_content.pictures.backgrounds import BACKGROUNDS
from events.sample_content.pictures.palettes import PALETTES
from events.sample_content.pictures.pen import Pen

WIDTH, HEIGHT = 960, 540
# Drawn larger and then reduced, for smooth edges.
OVERSAMPLING = 3
# Backgrounds are 160 units wide.
BACKGROUND_SIZE = WIDTH / 1.6
MOTIFS = {
    **music.MOTIFS, **stage.MOTIFS, **words.MOTIFS, **crafts.MOTIFS, **food.MOTIFS, **sports.MOTIFS,
    **outdoors.MOTIFS, **science.MOTIFS, **city.MOTIFS,
}  # fmt: skip


def draw_picture(picture: dict[str, Any]) -> bytes:
    """Return the JPEG of a picture: its background in its palette, and its motifs in their order.

    Each motif has the position of its centre in pixels, its height in pixels, and optionally a turn in degrees.
    """
    image = Image.new("RGB", (WIDTH * OVERSAMPLING, HEIGHT * OVERSAMPLING))
    draw = ImageDraw.Draw(image)
    palette = PALETTES[picture["palette"]]
    centre = (WIDTH * OVERSAMPLING / 2, HEIGHT * OVERSAMPLING / 2)
    BACKGROUNDS[picture["background"]](Pen(draw, palette, at=centre, size=BACKGROUND_SIZE * OVERSAMPLING))
    for placed in picture["motifs"]:
        x, y = placed["at"]
        pen = Pen(
            draw,
            palette,
            at=(x * OVERSAMPLING, y * OVERSAMPLING),
            size=placed["size"] * OVERSAMPLING,
            turn=placed.get("turn", 0),
            mirrored=placed.get("mirrored", False),
        )
        MOTIFS[placed["motif"]](pen)
    output = io.BytesIO()
    image.reduce(OVERSAMPLING).save(output, "JPEG", quality=82)
    return output.getvalue()
