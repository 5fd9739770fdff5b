"""Reading, validating and resizing images. Works on bytes, without database and storage."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from PIL import ExifTags, ImageOps
from PIL import Image as Pillow
from PIL.Image import Image as PillowImage

MAX_BYTES = 10 * 1024 * 1024
# Of all frames together: a still image of 40 megapixels, or a short animation.
MAX_PIXELS = 40_000_000
MAX_FRAMES = 500
# Not SVG, which may contain scripts.
FORMATS = {"JPEG": "jpg", "PNG": "png", "GIF": "gif", "WEBP": "webp", "AVIF": "avif"}
ENCODER_OPTIONS: dict[str, dict[str, Any]] = {
    "JPEG": {"quality": 85, "optimize": True, "progressive": True},
    "PNG": {"optimize": True},
    "WEBP": {"quality": 82, "method": 4},
    "AVIF": {"quality": 65, "speed": 7},
}
# The maximum width and height of each rendition, as in the contract; 0 is no limit.
RENDITION_SIZES = {"thumbnail": (150, 150), "medium": (300, 300), "medium_large": (768, 0), "large": (1024, 1024)}
# These are cropped around the focal point, the others scaled.
CROPPED = {"thumbnail"}
# The exceptions that decoders raise for damaged files.
DECODING_ERRORS = (
    OSError, SyntaxError, ValueError, EOFError, MemoryError, RuntimeError, TypeError, LookupError, ArithmeticError,
    struct.error,
)  # fmt: skip
# Application segments of JPEG that affect colours; others contain metadata, such as place and author.
KEPT_JPEG_SEGMENTS = {"APP0", "APP2", "APP14"}
# Bytes after these markers are not part of the image.
END_MARKERS = {"JPEG": b"\xff\xd9", "PNG": b"IEND\xaeB`\x82"}
GIF_XMP_MARKER = b"XMP DataXMP"
# Phones store several images in one JPEG; the first is the one that users see.
MULTI_PICTURE_FORMAT = "MPO"


class InvalidImage(ValueError):
    """The file is not an image that can be stored. The message is for users."""


class EncodedImage(NamedTuple):
    """An image file as it is stored: upright, without metadata."""

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


class FocalPoint(NamedTuple):
    """The point of an image that crops must contain, from 0, 0 (top left) to 1, 1."""

    x: float = 0.5
    y: float = 0.5


def read_image(content: bytes) -> EncodedImage:
    """Validate an image file, and encode it again if it is rotated or contains metadata, such as its location.

    Raises InvalidImage if it is not a JPEG, PNG, GIF, WebP or AVIF, is damaged or too large.
    """
    if len(content) > MAX_BYTES:
        raise InvalidImage(_("The file is larger than %(limit)s MB.") % {"limit": MAX_BYTES // (1024 * 1024)})
    image = _open(content)
    try:
        if _has_metadata(image, content):
            return _reencode(image)
        image.load()
    except DECODING_ERRORS as error:
        raise InvalidImage(_("The image file is damaged.")) from error
    return EncodedImage(content, str(image.format), image.width, image.height)


def make_renditions(image: EncodedImage, focal_point: FocalPoint) -> dict[str, EncodedImage]:
    """Return the renditions by name, only those that are smaller than the image. Raises InvalidImage."""
    return _make_sizes(_open(image.content), image.format, focal_point, RENDITION_SIZES)


def make_crops(image: EncodedImage, focal_point: FocalPoint) -> dict[str, EncodedImage]:
    """Return only the renditions that depend on the focal point. Raises InvalidImage."""
    decoded = _open(image.content)
    # Lets the JPEG decoder work at a lower resolution, because a user waits for this.
    decoded.draft(
        None, tuple(2 * max(sides) for sides in zip(*(RENDITION_SIZES[name] for name in CROPPED), strict=True))
    )
    return _make_sizes(decoded, image.format, focal_point, CROPPED)


def _make_sizes(
    image: PillowImage, format_name: str, focal_point: FocalPoint, names: Iterable[str]
) -> dict[str, EncodedImage]:
    renditions = {}
    try:
        for name in names:
            width, height = RENDITION_SIZES[name]
            if image.width > width or image.height > height > 0:
                resized = _crop(image, width, height, focal_point) if name in CROPPED else _fit(image, width, height)
                renditions[name] = _encode(resized, "PNG" if format_name == "GIF" else format_name)
    except DECODING_ERRORS as error:
        raise InvalidImage(_("The image file is damaged.")) from error
    return renditions


def _has_metadata(image: PillowImage, content: bytes) -> bool:
    """Return whether the file contains metadata, further images, or bytes after the end of the image."""
    end = END_MARKERS.get(str(image.format), b"")
    return (
        image.format == MULTI_PICTURE_FORMAT
        or bool(image.getexif())
        or bool({"exif", "xmp", "comment"} & image.info.keys())
        or bool(getattr(image, "text", None))
        or not {name for name, _segment in getattr(image, "applist", ())} <= KEPT_JPEG_SEGMENTS
        or (bool(end) and content.find(end) + len(end) != len(content))
        or (image.format == "GIF" and (GIF_XMP_MARKER in content or not content.endswith(b";")))
    )


def _open(content: bytes) -> PillowImage:
    """Open an image and check its size before any pixel is decoded."""
    try:
        with warnings.catch_warnings():
            # MAX_PIXELS is checked below.
            warnings.simplefilter("ignore", Pillow.DecompressionBombWarning)
            image = Pillow.open(io.BytesIO(content), formats=tuple(FORMATS))
            frames = 1 if image.format == MULTI_PICTURE_FORMAT else getattr(image, "n_frames", 1)
    except Pillow.DecompressionBombError as error:
        raise InvalidImage(_too_many_pixels()) from error
    except DECODING_ERRORS as error:
        raise InvalidImage(_("The file is not a JPEG, PNG, GIF, WebP or AVIF image.")) from error
    if frames > MAX_FRAMES or image.width * image.height * frames > MAX_PIXELS:
        raise InvalidImage(_too_many_pixels())
    return image


def _too_many_pixels() -> str:
    return _("The image has more than %(limit)s megapixels or too many frames.") % {"limit": MAX_PIXELS // 1_000_000}


def _reencode(image: PillowImage) -> EncodedImage:
    has_several = image.format == MULTI_PICTURE_FORMAT
    format_name = "JPEG" if has_several else str(image.format)
    frames = 1 if has_several else getattr(image, "n_frames", 1)
    options: dict[str, Any] = {"save_all": True} if frames > 1 else {}
    upright = image if frames > 1 else ImageOps.exif_transpose(image)
    if format_name == "JPEG":
        # Unchanged pixels are stored without another loss of quality.
        options["quality"] = 95 if has_several or _is_rotated(image) else "keep"
        upright = image if options["quality"] == "keep" else upright
    elif format_name in ("WEBP", "AVIF"):
        options["quality"] = 95
    output = io.BytesIO()
    # Encoders would write it back.
    upright.info.pop("comment", None)
    upright.save(output, format_name, exif=b"", xmp=b"", icc_profile=image.info.get("icc_profile"), **options)
    return EncodedImage(output.getvalue(), format_name, upright.width, upright.height)


def _is_rotated(image: PillowImage) -> bool:
    return bool(image.getexif().get(ExifTags.Base.Orientation, 1) != 1)


def _crop(image: PillowImage, width: int, height: int, focal_point: FocalPoint) -> PillowImage:
    """Cut the largest area around the focal point with the proportions of `width` and `height`, and scale it."""
    width, height = min(width, image.width), min(height, image.height)
    scale = min(image.width / width, image.height / height)
    across, down = width * scale, height * scale
    left = max(min(focal_point.x * image.width - across / 2, image.width - across), 0)
    top = max(min(focal_point.y * image.height - down / 2, image.height - down), 0)
    # Floating point sums may exceed the image by a fraction of a pixel.
    box = (left, top, min(left + across, image.width), min(top + down, image.height))
    return _to_blendable_mode(image).resize((width, height), Pillow.Resampling.LANCZOS, box=box, reducing_gap=3.0)


def _fit(image: PillowImage, width: int, height: int) -> PillowImage:
    scale = min(width / image.width, height / image.height if height else 1)
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    return _to_blendable_mode(image).resize(size, Pillow.Resampling.LANCZOS, reducing_gap=3.0)


def _to_blendable_mode(image: PillowImage) -> PillowImage:
    """Convert palettes and rare modes to one whose colours can be interpolated."""
    if image.mode in ("RGB", "RGBA", "L", "CMYK"):
        return image
    if image.mode.startswith("I"):
        # 16-bit greyscale, which a plain conversion would clip to white.
        return image.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _encode(image: PillowImage, format_name: str) -> EncodedImage:
    output = io.BytesIO()
    image.info.pop("comment", None)
    icc_profile = image.info.get("icc_profile")
    image.save(output, format_name, exif=b"", xmp=b"", icc_profile=icc_profile, **ENCODER_OPTIONS[format_name])
    return EncodedImage(output.getvalue(), format_name, image.width, image.height)
