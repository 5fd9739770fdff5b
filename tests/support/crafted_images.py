"""Image files with a payload beside their pixels, and files that take much work to decode."""

import io
import struct
import zlib

from PIL import Image as Pillow

from tests.support.image_files import encode_image, plain_image

PAYLOAD = b"<script>Taken at home</script>"


def with_payload() -> dict[str, bytes]:
    """Return files of every format by name; each contains `PAYLOAD` in another place."""
    return {**_jpegs(), **_pngs(), **_gifs(), **_webps(), **_avifs()}


def _jpeg_segment(marker: int, payload: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(payload) + 2) + payload


def _jpegs() -> dict[str, bytes]:
    plain = plain_image("JPEG")
    jfif, rest = plain[2:20], plain[20:]
    segments = {
        "JPEG APP0 extension": (0xE0, b"JFXX\0\x10" + PAYLOAD),
        "JPEG APP1": (0xE1, b"Exif\0\0" + PAYLOAD),
        "JPEG APP2": (0xE2, b"FPXR\0" + PAYLOAD),
        "JPEG APP2 profile": (0xE2, b"ICC_PROFILE\0\1\1" + PAYLOAD),
        "JPEG APP13": (0xED, b"Photoshop 3.0\0" + PAYLOAD),
        "JPEG APP14": (0xEE, b"Adobe\0d\0\0\0\0\1" + PAYLOAD),
        "JPEG comment": (0xFE, PAYLOAD),
    }
    crafted = {name: plain[:2] + jfif + _jpeg_segment(*segment) + rest for name, segment in segments.items()}
    thumbnail = _jpeg_segment(0xE0, jfif[4:16] + b"\x0a\x01" + PAYLOAD)
    return {**crafted, "JPEG APP0": plain[:2] + thumbnail + rest, "JPEG tail": plain + PAYLOAD}


def _png_chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _pngs() -> dict[str, bytes]:
    plain = plain_image("PNG")
    end = plain.index(b"IEND") - 4
    chunks = {
        "PNG private chunk": _png_chunk(b"prVt", PAYLOAD),
        "PNG text": _png_chunk(b"tEXt", b"Comment\0" + PAYLOAD),
        "PNG international text": _png_chunk(b"iTXt", b"Comment\0\0\0\0\0" + PAYLOAD),
        "PNG EXIF": _png_chunk(b"eXIf", b"MM\0*\0\0\0\x08\0\0" + PAYLOAD),
        "PNG gamma": _png_chunk(b"gAMA", PAYLOAD),
    }
    crafted = {name: plain[:33] + chunk + plain[33:] for name, chunk in chunks.items()}
    late = plain[:end] + chunks["PNG private chunk"] + plain[end:]
    return {**crafted, "PNG late chunk": late, "PNG tail": plain + PAYLOAD}


def _gifs() -> dict[str, bytes]:
    plain = plain_image("GIF")
    block = bytes([len(PAYLOAD)]) + PAYLOAD + b"\0"
    extensions = {
        "GIF comment": b"!\xfe" + block,
        "GIF application": b"!\xff\x0bSOMEPROGR10" + block,
        "GIF loop": b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0" + block,
        "GIF text": b"!\x01\x0c" + bytes(12) + block,
    }
    crafted = {name: plain[:-1] + extension + b";" for name, extension in extensions.items()}
    return {**crafted, "GIF tail": plain + PAYLOAD}


def _webp_chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _webps() -> dict[str, bytes]:
    plain = plain_image("WEBP")
    flags = {"WebP EXIF": 0x08, "WebP XMP": 0x04, "WebP profile": 0x20, "WebP unknown chunk": 0}
    names = {"WebP EXIF": b"EXIF", "WebP XMP": b"XMP ", "WebP profile": b"ICCP", "WebP unknown chunk": b"prVt"}
    crafted = {}
    for name, flag in flags.items():
        header = _webp_chunk(b"VP8X", bytes([flag, 0, 0, 0]) + struct.pack("<I", 39)[:3] + struct.pack("<I", 29)[:3])
        extra = _webp_chunk(names[name], PAYLOAD)
        parts = [header, extra, plain[12:]] if name == "WebP profile" else [header, plain[12:], extra]
        body = b"WEBP" + b"".join(parts)
        crafted[name] = b"RIFF" + struct.pack("<I", len(body)) + body
    return {**crafted, "WebP tail": plain + PAYLOAD}


def _box(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data) + 8) + name + data


def _avifs() -> dict[str, bytes]:
    plain = plain_image("AVIF")
    exif = Pillow.Exif()
    exif[0x010E] = PAYLOAD.decode()
    return {
        "AVIF EXIF": plain_image("AVIF", exif=exif),
        "AVIF XMP": plain_image("AVIF", xmp=b"<x>" + PAYLOAD + b"</x>"),
        "AVIF uuid box": plain + _box(b"uuid", bytes(16) + PAYLOAD),
        "AVIF free box": plain + _box(b"free", PAYLOAD),
        "AVIF unused data": plain + _box(b"mdat", PAYLOAD),
        "AVIF tail": plain + PAYLOAD,
    }


# --- Much work ----------------------------------------------------------------------------------


def scan_bomb(scans: int, size=(6320, 6320)) -> bytes:
    """Return a progressive JPEG in which the last scan is repeated."""
    content = encode_image(Pillow.new("L", size, 90), "JPEG", progressive=True)
    last = content.rindex(b"\xff\xda")
    return content[:last] + content[last:-2] * scans + b"\xff\xd9"


def text_bomb(name: bytes) -> bytes:
    """Return a PNG with 100 MB of zeros, compressed, in a text, a colour profile or its pixels."""
    plain = plain_image("PNG")
    data = zlib.compress(bytes(100_000_000))
    prefix = b"" if name == b"IDAT" else b"Comment\0\0"
    return plain[:33] + _png_chunk(name, prefix + data) + plain[33:]


def exif_bomb() -> bytes:
    """Return a JPEG whose EXIF data has 60,000 entries that refer to the same data, and a directory in itself."""
    entries = struct.pack(">HHII", 0x8769, 4, 1, 8) + b"".join(
        struct.pack(">HHII", tag % 65536, 1, 60_000, 8) for tag in range(5_000)
    )
    data = b"MM\0*\0\0\0\x08" + struct.pack(">H", 5_001) + entries
    plain = plain_image("JPEG")
    return plain[:2] + _jpeg_segment(0xE1, b"Exif\0\0" + data) + plain[2:]


def frame_bomb(frames: int) -> bytes:
    """Return a WebP animation with many frames."""
    images = [Pillow.new("RGB", (16, 16), "white" if number % 2 else "black") for number in range(frames)]
    output = io.BytesIO()
    images[0].save(output, "WEBP", save_all=True, append_images=images[1:], duration=10)
    return output.getvalue()
