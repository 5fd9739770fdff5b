"""Image files for tests."""

import io
import struct
import zlib

from PIL import Image as Pillow


def plain_image(form="PNG", size=(40, 30), colour="teal", **options) -> bytes:
    """Return an image of one color."""
    return encode_image(Pillow.new("RGB", size, colour), form, **options)


def encode_image(image, form, **options) -> bytes:
    output = io.BytesIO()
    image.save(output, form, **options)
    return output.getvalue()


def red_blue_image(form="PNG", size=(2000, 1000)) -> bytes:
    """Return an image that is red on the left and blue on the right."""
    image = Pillow.new("RGB", size, "red")
    image.paste("blue", (size[0] // 2, 0, size[0], size[1]))
    return encode_image(image, form)


def rotated_image(form="JPEG", size=(60, 40)) -> bytes:
    """Return an image with a rotation and a location in its EXIF data."""
    exif = Pillow.Exif()
    exif[0x0112] = 6
    exif[0x8825] = {1: "N", 2: (46.0, 30.0, 0.0)}
    return encode_image(Pillow.new("RGB", size, "teal"), form, exif=exif)


def animated_gif(frames: int, size=(10, 10)) -> bytes:
    images = [Pillow.new("RGB", size, (number % 256, number // 256, 0)) for number in range(frames)]
    return encode_image(images[0], "GIF", save_all=True, append_images=images[1:])


def decompression_bomb(width: int, height: int) -> bytes:
    """Return a small PNG whose header has these huge dimensions."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    pixels = zlib.compress(b"\0" * 100_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def open_image(content: bytes):
    """Open an image file with Pillow."""
    return Pillow.open(io.BytesIO(content))
