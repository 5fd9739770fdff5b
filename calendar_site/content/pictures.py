"""Looking at the bytes of a picture, and cutting it: no database, no storage."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from PIL import Image as Pillow
from PIL import ImageOps

MOST_BYTES = 10 * 1024 * 1024
# Of all frames together: a still picture of 40 megapixels, or a short animation.
MOST_PIXELS = 40_000_000
MOST_FRAMES = 500
# SVG is none of them: it is a program.
FORMATS = {"JPEG": "jpg", "PNG": "png", "GIF": "gif", "WEBP": "webp", "AVIF": "avif"}
QUALITY: dict[str, dict[str, Any]] = {
    "JPEG": {"quality": 85, "optimize": True, "progressive": True},
    "PNG": {"optimize": True},
    "WEBP": {"quality": 82, "method": 4},
    "AVIF": {"quality": 65, "speed": 7},
}
# What the classic clients know: the width and height that a rendition fits into; 0 is no limit.
SIZES = {"thumbnail": (150, 150), "medium": (300, 300), "medium_large": (768, 0), "large": (1024, 1024)}
CUT = {"thumbnail"}
# What decoders raise at bytes that somebody damaged, by accident or on purpose.
DAMAGED = (
    OSError, SyntaxError, ValueError, EOFError, MemoryError, RuntimeError, TypeError, LookupError, ArithmeticError,
    struct.error,
)  # fmt: skip
# Application segments of JPEG without which colours are wrong; in others cameras and programs tell where and whose.
NEEDED_SEGMENTS = {"APP0", "APP2", "APP14"}
# Where the picture ends: what stands behind is no part of it.
ENDS = {"JPEG": b"\xff\xd9", "PNG": b"IEND\xaeB`\x82"}
XMP_OF_GIF = b"XMP DataXMP"
# Phones put several pictures into one JPEG; the first is the one that people know.
SEVERAL = "MPO"


class NotAPicture(ValueError):
    """The bytes are no picture that can be kept; says why in a sentence for people."""


class Picture(NamedTuple):
    """A picture as it is kept: upright, without metadata."""

    content: bytes
    format: str
    width: int
    height: int

    @property
    def extension(self) -> str:
        return FORMATS[self.format]

    @property
    def media_type(self) -> str:
        return f"image/{self.format.lower()}"


class Focus(NamedTuple):
    """The point that matters most, from 0, 0 (top left) to 1, 1."""

    x: float = 0.5
    y: float = 0.5


def read_picture(content: bytes) -> Picture:
    """The picture in `content`: its own bytes where these hold nothing but it, else encoded anew.

    Anew, where it lies on its side or carries metadata, which may say where it was taken and with what. Raises
    NotAPicture for anything that is no JPEG, PNG, GIF, WebP or AVIF, is damaged or too large.
    """
    if len(content) > MOST_BYTES:
        raise NotAPicture(_("This is larger than %(limit)s megabytes.") % {"limit": MOST_BYTES // (1024 * 1024)})
    image = _opened(content)
    try:
        if _has_more(image, content):
            return _encoded_anew(image)
        image.load()
    except DAMAGED as error:
        raise NotAPicture(_("This picture is damaged.")) from error
    return Picture(content, str(image.format), image.width, image.height)


def renditions(picture: Picture, focus: Focus) -> dict[str, Picture]:
    """The smaller sizes by their names; none is as large as the picture, or larger. Raises NotAPicture."""
    return _sizes(_opened(picture.content), picture.format, focus, SIZES)


def cuts(picture: Picture, focus: Focus) -> dict[str, Picture]:
    """Those of the smaller sizes that follow the focal point. Raises NotAPicture."""
    image = _opened(picture.content)
    # Of a JPEG no more is decoded than shows in them: somebody waits for this.
    image.draft(None, tuple(2 * max(sides) for sides in zip(*(SIZES[name] for name in CUT), strict=True)))
    return _sizes(image, picture.format, focus, CUT)


def _sizes(image: Any, form: str, focus: Focus, names: Iterable[str]) -> dict[str, Picture]:
    made = {}
    try:
        for name in names:
            width, height = SIZES[name]
            if image.width > width or image.height > height > 0:
                cut = _cut(image, width, height, focus) if name in CUT else _fitted(image, width, height)
                made[name] = _encoded(cut, "PNG" if form == "GIF" else form)
    except DAMAGED as error:
        raise NotAPicture(_("This picture is damaged.")) from error
    return made


def _has_more(image: Any, content: bytes) -> bool:
    """Whether the bytes hold more than the picture: metadata, further pictures, or something behind its end."""
    end = ENDS.get(image.format, b"")
    return (
        image.format == SEVERAL
        or bool(image.getexif())
        or bool({"exif", "xmp", "comment"} & image.info.keys())
        or bool(getattr(image, "text", None))
        or not {name for name, _segment in getattr(image, "applist", ())} <= NEEDED_SEGMENTS
        or (bool(end) and content.find(end) + len(end) != len(content))
        or (image.format == "GIF" and (XMP_OF_GIF in content or not content.endswith(b";")))
    )


def _opened(content: bytes) -> Any:
    """The picture, its size checked before a single pixel is decoded."""
    try:
        with warnings.catch_warnings():
            # The limit here is our own, and is checked below.
            warnings.simplefilter("ignore", Pillow.DecompressionBombWarning)
            image = Pillow.open(io.BytesIO(content), formats=tuple(FORMATS))
            frames = 1 if image.format == SEVERAL else getattr(image, "n_frames", 1)
    except Pillow.DecompressionBombError as error:
        raise NotAPicture(_too_many_pixels()) from error
    except DAMAGED as error:
        raise NotAPicture(_("This is no JPEG, PNG, GIF, WebP or AVIF picture.")) from error
    if frames > MOST_FRAMES or image.width * image.height * frames > MOST_PIXELS:
        raise NotAPicture(_too_many_pixels())
    return image


def _too_many_pixels() -> str:
    return _("This has more than %(limit)s megapixels or too many frames.") % {"limit": MOST_PIXELS // 1_000_000}


def _encoded_anew(image: Any) -> Picture:
    is_one_of_several = image.format == SEVERAL
    form = "JPEG" if is_one_of_several else str(image.format)
    frames = 1 if is_one_of_several else getattr(image, "n_frames", 1)
    options: dict[str, Any] = {"save_all": True} if frames > 1 else {}
    upright = image if frames > 1 else ImageOps.exif_transpose(image)
    if form == "JPEG":
        # Untouched pixels keep the very quality that they had.
        options["quality"] = 95 if is_one_of_several or _is_turned(image) else "keep"
        upright = image if options["quality"] == "keep" else upright
    elif form in ("WEBP", "AVIF"):
        options["quality"] = 95
    output = io.BytesIO()
    # Encoders take it from what they were read from.
    upright.info.pop("comment", None)
    upright.save(output, form, exif=b"", xmp=b"", icc_profile=image.info.get("icc_profile"), **options)
    return Picture(output.getvalue(), form, upright.width, upright.height)


def _is_turned(image: Any) -> bool:
    return image.getexif().get(0x0112, 1) != 1


def _cut(image: Any, width: int, height: int, focus: Focus) -> Any:
    """`width` by `height` of the picture, as much as fits around the focal point."""
    width, height = min(width, image.width), min(height, image.height)
    scale = min(image.width / width, image.height / height)
    across, down = width * scale, height * scale
    left = max(min(focus.x * image.width - across / 2, image.width - across), 0)
    top = max(min(focus.y * image.height - down / 2, image.height - down), 0)
    # Sums of fractions may be a trifle too large.
    box = (left, top, min(left + across, image.width), min(top + down, image.height))
    return _drawable(image).resize((width, height), Pillow.Resampling.LANCZOS, box=box, reducing_gap=3.0)


def _fitted(image: Any, width: int, height: int) -> Any:
    scale = min(width / image.width, height / image.height if height else 1)
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    return _drawable(image).resize(size, Pillow.Resampling.LANCZOS, reducing_gap=3.0)


def _drawable(image: Any) -> Any:
    """In colours that can be mixed: palettes and rare modes cannot."""
    if image.mode in ("RGB", "RGBA", "L", "CMYK"):
        return image
    if image.mode.startswith("I"):
        # Grey in 16 bits, which a plain conversion would clip to white.
        return image.convert("I").point(lambda grey: grey * (1 / 257)).convert("L")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _encoded(image: Any, form: str) -> Picture:
    output = io.BytesIO()
    image.info.pop("comment", None)
    image.save(output, form, exif=b"", xmp=b"", icc_profile=image.info.get("icc_profile"), **QUALITY[form])
    return Picture(output.getvalue(), form, image.width, image.height)
