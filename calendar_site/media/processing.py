"""Validating and resizing images. Runs in a process with limits, see `image_process`; without Django, to start fast."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Iterable
from contextlib import suppress
from enum import StrEnum
from typing import Any, NamedTuple

from PIL import AvifImagePlugin, ExifTags
from PIL import Image as Pillow
from PIL.Image import Image as PillowImage
from PIL.Image import Transpose

from calendar_site.media.containers import TooManyScans, strip_file

MAX_BYTES = 10 * 1024 * 1024
# The pixels of all frames together: a still image of 40 megapixels, or a short animation.
MAX_PIXELS = 40_000_000
MAX_FRAMES = 500
# Larger WebP files need so much memory that they may be refused (D53).
LARGE_WEBP_PIXELS = 15_000_000
# Not SVG, which may contain scripts.
FORMATS = {"JPEG": "jpg", "PNG": "png", "GIF": "gif", "WEBP": "webp", "AVIF": "avif"}
ENCODER_OPTIONS: dict[str, dict[str, Any]] = {
    "JPEG": {"quality": 85, "optimize": True, "progressive": True},
    "PNG": {"optimize": True},
    "WEBP": {"quality": 82, "method": 4},
    "AVIF": {"quality": 65, "speed": 7},
}
# For originals, which are large and lose as little as possible.
ORIGINAL_ENCODER_OPTIONS: dict[str, dict[str, Any]] = {
    "JPEG": {"quality": 95},
    "PNG": {"compress_level": 3},
    "WEBP": {"quality": 95, "method": 2},
    "AVIF": {"quality": 90, "speed": 9},
}
# The maximum width and height of each rendition, as in the contract; 0 is no limit.
RENDITION_SIZES = {"thumbnail": (150, 150), "medium": (300, 300), "medium_large": (768, 0), "large": (1024, 1024)}
# These are cropped around the focal point, the others scaled.
CROPPED = {"thumbnail"}
# Renditions are made from an image that has at least this width and height, unless the original has less.
MIN_SOURCE_SIZE = 2048
# The exceptions that decoders raise for damaged files.
DECODING_ERRORS = (
    OSError, SyntaxError, ValueError, EOFError, RuntimeError, TypeError, LookupError, ArithmeticError, struct.error,
)  # fmt: skip
# Phones store several images in one JPEG; the first is the one that users see.
MULTI_PICTURE_FORMAT = "MPO"
TRANSPOSITIONS = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_270,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_90,
}
# The CPU limit applies to all threads together, and each thread needs memory.
AvifImagePlugin.DEFAULT_MAX_THREADS = 1


class Fault(StrEnum):
    """The reason why a file is rejected."""

    NO_IMAGE = "no image"
    DAMAGED = "damaged"
    TOO_MANY_PIXELS = "too many pixels"
    TOO_MANY_SCANS = "too many scans"
    TOO_MUCH_TIME = "too much time"
    TOO_MUCH_MEMORY = "too much memory"


class Rejected(Exception):
    """The file is not an image that can be stored."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


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


class ProcessedImage(NamedTuple):
    """An image as it is stored, and its renditions by name: only those that are smaller than the image."""

    original: EncodedImage
    renditions: dict[str, EncodedImage]


def process(content: bytes, focal_point: FocalPoint) -> ProcessedImage:
    """Validate an image file, remove its metadata, set it upright, and make its renditions.

    Raises Rejected if it is not a JPEG, PNG, GIF, WebP or AVIF, is damaged or too large.
    """
    format_name, orientation = _inspect(content)
    try:
        content = strip_file(content, format_name)
        decoded = _open(content)
        original = EncodedImage(content, format_name, decoded.width, decoded.height)
        if orientation in TRANSPOSITIONS:
            decoded = _transpose(decoded, TRANSPOSITIONS[orientation])
            original = _encode(decoded, format_name, ORIGINAL_ENCODER_OPTIONS[format_name])
        renditions = _make_renditions(decoded, original, focal_point, RENDITION_SIZES)
    except TooManyScans as error:
        raise Rejected(Fault.TOO_MANY_SCANS) from error
    except DECODING_ERRORS as error:
        raise Rejected(Fault.DAMAGED) from error
    return ProcessedImage(original, renditions)


def crop(content: bytes, focal_point: FocalPoint) -> ProcessedImage:
    """Return a stored image with only the renditions that depend on the focal point. Raises Rejected."""
    try:
        decoded = _open(content)
        original = EncodedImage(content, str(decoded.format), decoded.width, decoded.height)
        return ProcessedImage(original, _make_renditions(decoded, original, focal_point, CROPPED))
    except DECODING_ERRORS as error:
        raise Rejected(Fault.DAMAGED) from error


def _inspect(content: bytes) -> tuple[str, int]:
    """Return the format and the EXIF orientation of a file, 1 if it has none. Decodes no pixels. Raises Rejected."""
    try:
        image = _open(content)
    except DECODING_ERRORS as error:
        raise Rejected(Fault.TOO_MUCH_MEMORY if _is_large_webp(content) else Fault.NO_IMAGE) from error
    if image.format == MULTI_PICTURE_FORMAT:
        return "JPEG", _orientation(image)
    # Only still images are rotated.
    return str(image.format), _orientation(image) if getattr(image, "n_frames", 1) == 1 else 1


def _is_large_webp(content: bytes) -> bool:
    """Return whether the file is a WebP with so many pixels that it cannot be opened within the limit of memory.

    Pillow needs memory for the pixels to open a WebP, and says that the file is no image if it gets none.
    """
    if content[:4] != b"RIFF" or content[8:12] != b"WEBP":
        return False
    match content[12:16]:
        case b"VP8X":
            width, height = int.from_bytes(content[24:27], "little") + 1, int.from_bytes(content[27:30], "little") + 1
        case b"VP8L":
            bits = int.from_bytes(content[21:25], "little")
            width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case _:
            width, height = (int.from_bytes(content[start : start + 2], "little") & 0x3FFF for start in (26, 28))
    return width * height > LARGE_WEBP_PIXELS


def _orientation(image: PillowImage) -> int:
    # Pillow would decode a PNG file to find the data after its pixels.
    if image.format == "PNG" and "exif" not in image.info:
        return 1
    with suppress(*DECODING_ERRORS):
        return int(image.getexif().get(ExifTags.Base.Orientation, 1))
    return 1


def _open(content: bytes) -> PillowImage:
    """Open an image and check its size before any pixel is decoded. Raises Rejected and DECODING_ERRORS."""
    try:
        with warnings.catch_warnings():
            # MAX_PIXELS is checked below.
            warnings.simplefilter("ignore", Pillow.DecompressionBombWarning)
            image = Pillow.open(io.BytesIO(content), formats=tuple(FORMATS))
            frames = 1 if image.format == MULTI_PICTURE_FORMAT else getattr(image, "n_frames", 1)
    except Pillow.DecompressionBombError as error:
        raise Rejected(Fault.TOO_MANY_PIXELS) from error
    if frames > MAX_FRAMES or image.width * image.height * frames > MAX_PIXELS:
        raise Rejected(Fault.TOO_MANY_PIXELS)
    return image


def _transpose(image: PillowImage, method: Transpose) -> PillowImage:
    transposed = image.transpose(method)
    transposed.info["icc_profile"] = image.info.get("icc_profile")
    return transposed


def _make_renditions(
    decoded: PillowImage, original: EncodedImage, focal_point: FocalPoint, names: Iterable[str]
) -> dict[str, EncodedImage]:
    source = _reduce(decoded)
    format_name = "PNG" if original.format == "GIF" else original.format
    renditions = {}
    for name in names:
        width, height = RENDITION_SIZES[name]
        if original.width > width or original.height > height > 0:
            if name in CROPPED:
                size = min(width, original.width), min(height, original.height)
                box = _crop_box(source.size, size, focal_point)
            else:
                size = _fitting_size(original, width, height)
                box = (0, 0, *source.size)
            resized = source.resize(size, Pillow.Resampling.LANCZOS, box=box, reducing_gap=3.0)
            resized.info = {"icc_profile": source.info.get("icc_profile")}
            renditions[name] = _encode(resized, format_name, ENCODER_OPTIONS[format_name])
    return renditions


def _reduce(image: PillowImage) -> PillowImage:
    """Decode an image at a lower resolution if it is much larger than its renditions, in a mode that can be resized."""
    # Lets the JPEG decoder work at a lower resolution. Other decoders ignore it.
    image.draft(None, (MIN_SOURCE_SIZE, MIN_SOURCE_SIZE))
    image.load()
    profile = image.info.get("icc_profile")
    image = _to_blendable_mode(image)
    factor = min(image.size) // MIN_SOURCE_SIZE
    if factor > 1:
        # Transparent pixels must not affect the colours of their neighbours.
        is_transparent = image.mode == "RGBA"
        image = (image.convert("RGBa") if is_transparent else image).reduce(factor)
        image = image.convert("RGBA") if is_transparent else image
    image.info = {"icc_profile": profile}
    return image


def _crop_box(
    source: tuple[int, int], size: tuple[int, int], focal_point: FocalPoint
) -> tuple[float, float, float, float]:
    """Return the largest area around the focal point with the proportions of `size`."""
    width, height = source
    scale = min(width / size[0], height / size[1])
    across, down = size[0] * scale, size[1] * scale
    left = max(min(focal_point.x * width - across / 2, width - across), 0)
    top = max(min(focal_point.y * height - down / 2, height - down), 0)
    # Floating point sums may exceed the image by a fraction of a pixel.
    return (left, top, min(left + across, width), min(top + down, height))


def _fitting_size(image: EncodedImage, width: int, height: int) -> tuple[int, int]:
    scale = min(width / image.width, height / image.height if height else 1)
    return max(1, round(image.width * scale)), max(1, round(image.height * scale))


def _to_blendable_mode(image: PillowImage) -> PillowImage:
    """Convert palettes and rare modes to one whose colours can be interpolated."""
    if image.mode in ("RGB", "RGBA", "L", "CMYK"):
        return image
    if image.mode.startswith("I"):
        # 16-bit greyscale, which a plain conversion would clip to white.
        return image.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _encode(image: PillowImage, format_name: str, options: dict[str, Any]) -> EncodedImage:
    output = io.BytesIO()
    image.save(output, format_name, exif=b"", xmp=b"", icc_profile=image.info.get("icc_profile"), **options)
    return EncodedImage(output.getvalue(), format_name, image.width, image.height)
