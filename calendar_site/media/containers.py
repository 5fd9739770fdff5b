"""Image files without decoding them: removing everything that does not affect the pixels, and counting the scans.

Files can contain text, locations, programs or other files beside the image. For each format, only the parts that are
known to affect the pixels are copied; everything else is dropped. The pixels keep their quality, and a file of 40
megapixels takes milliseconds.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Iterator

from PIL import ImageCms

from calendar_site.media.avif import strip_avif

# Encoders write about ten scans of a progressive JPEG; each costs as much time as the image.
MAX_JPEG_SCANS = 100


class DamagedFile(ValueError):
    """The file does not have the structure of its format."""


class TooManyScans(Exception):
    """The JPEG file has more than MAX_JPEG_SCANS scans."""


def strip_file(content: bytes, format_name: str) -> bytes:
    """Return the file without the parts that do not affect the pixels. Raises DamagedFile and TooManyScans."""
    try:
        return _STRIPPERS[format_name](content)
    except (LookupError, struct.error) as error:
        raise DamagedFile from error


def _is_colour_profile(profile: bytes) -> bool:
    try:
        ImageCms.ImageCmsProfile(io.BytesIO(profile))
    except (OSError, ValueError, TypeError):
        return False
    return True


# --- JPEG ---------------------------------------------------------------------------------------

# Frames (SOF), except the three numbers of the same range that have other meanings.
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
# Tables of the decoder: Huffman, arithmetic, quantization, number of lines, restart interval.
_TABLE_MARKERS = {0xC4, 0xCC, 0xDB, 0xDC, 0xDD}
_START_OF_SCAN, _END_OF_IMAGE = 0xDA, 0xD9
_JFIF, _ICC, _ADOBE = b"JFIF\0", b"ICC_PROFILE\0", b"Adobe"


def _strip_jpeg(content: bytes) -> bytes:
    """Keep the image, its colour profile, and the fixed part of the segments that define its colours."""
    kept: list[bytes] = [content[:2]]
    profile: list[bytes] = []
    # The profile follows the first segments, wherever its parts were.
    profile_position = 1
    scans = 0
    for marker, segment in _jpeg_segments(content):
        payload = segment[4:]
        if marker == _START_OF_SCAN:
            scans += 1
            if scans > MAX_JPEG_SCANS:
                raise TooManyScans
            kept.append(segment)
        elif marker in _FRAME_MARKERS or marker in _TABLE_MARKERS:
            kept.append(segment)
        elif marker == 0xE0 and payload.startswith(_JFIF) and profile_position == 1:
            # Without the thumbnail.
            kept.insert(1, b"\xff\xe0\0\x10" + payload[:12].ljust(12, b"\0") + b"\0\0")
            profile_position = 2
        elif marker == 0xE2 and payload.startswith(_ICC):
            profile.append(payload)
        elif marker == 0xEE and payload.startswith(_ADOBE):
            kept.append(b"\xff\xee\0\x0e" + payload[:12].ljust(12, b"\0"))
    if profile and _is_colour_profile(b"".join(part[14:] for part in sorted(profile, key=lambda part: part[12]))):
        segments = [b"\xff\xe2" + struct.pack(">H", len(part) + 2) + part for part in profile]
        kept[profile_position:profile_position] = segments
    return b"".join([*kept, b"\xff\xd9"])


def _jpeg_segments(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each segment up to the end of the image with its marker; a scan with the compressed data after it."""
    position = 2
    while True:
        if content[position] != 0xFF:
            raise DamagedFile
        while content[position] == 0xFF:
            position += 1
        marker = content[position]
        position += 1
        if marker == _END_OF_IMAGE:
            return
        (length,) = struct.unpack_from(">H", content, position)
        end = position + length
        if length < 2 or end > len(content):
            raise DamagedFile
        if marker == _START_OF_SCAN:
            end = _end_of_scan(content, end)
        yield marker, b"\xff" + bytes([marker]) + content[position:end]
        position = end


def _end_of_scan(content: bytes, position: int) -> int:
    """Return the position of the next marker that is neither a restart marker nor an escaped byte of the data."""
    while True:
        position = content.find(b"\xff", position)
        if position < 0:
            raise DamagedFile
        following = content[position + 1]
        if following == 0xFF:
            position += 1
        elif following == 0 or 0xD0 <= following <= 0xD7:
            position += 2
        else:
            return position


# --- PNG ----------------------------------------------------------------------------------------

_MAX_PROFILE_BYTES = 4 * 1024 * 1024
# The chunks that affect the pixels, with their maximum length; None is any.
_PNG_CHUNKS: dict[bytes, int | None] = {
    b"IHDR": 13, b"PLTE": 768, b"tRNS": 256, b"IDAT": None, b"IEND": 0,
    b"gAMA": 4, b"cHRM": 32, b"sRGB": 1, b"cICP": 4, b"iCCP": None,
    b"acTL": 8, b"fcTL": 26, b"fdAT": None,
}  # fmt: skip


def _strip_png(content: bytes) -> bytes:
    kept = [content[:8]]
    position = 8
    while True:
        length, name = struct.unpack_from(">I4s", content, position)
        end = position + 12 + length
        if end > len(content):
            raise DamagedFile
        maximum = _PNG_CHUNKS.get(name, -1)
        data = content[position + 8 : position + 8 + length]
        if name == b"iCCP":
            kept.append(_png_profile(data))
        elif maximum is None or length <= maximum:
            kept.append(content[position:end])
        if name == b"IEND":
            return b"".join(kept)
        position = end


def _png_profile(data: bytes) -> bytes:
    """Return the chunk with this colour profile under a fixed name; nothing if it is not a profile."""
    _name, _nul, compressed = data.partition(b"\0")
    try:
        decompressor = zlib.decompressobj()
        profile = decompressor.decompress(compressed[1:], _MAX_PROFILE_BYTES)
    except zlib.error:
        return b""
    if not decompressor.eof or not _is_colour_profile(profile):
        return b""
    data = b"ICC\0\0" + zlib.compress(profile)
    return struct.pack(">I", len(data)) + b"iCCP" + data + struct.pack(">I", zlib.crc32(b"iCCP" + data))


# --- GIF ----------------------------------------------------------------------------------------

_GIF_LOOP = b"NETSCAPE2.0"


def _strip_gif(content: bytes) -> bytes:
    """Keep the frames, their delays and the number of loops; drop comments, texts and applications' data."""
    position = 13 + _colour_table_length(content[10])
    kept = [content[:position]]
    while True:
        match content[position]:
            case 0x3B:
                return b"".join([*kept, b";"])
            case 0x2C:
                data = position + 10 + _colour_table_length(content[position + 9])
                # The minimum code size comes before the sub-blocks.
                end = _end_of_sub_blocks(content, data + 1)
                kept.append(content[position:end])
            case 0x21:
                end = _end_of_sub_blocks(content, position + 2)
                kept.append(_gif_extension(content[position:end]))
            case _:
                raise DamagedFile
        position = end


def _colour_table_length(flags: int) -> int:
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _end_of_sub_blocks(content: bytes, position: int) -> int:
    while content[position]:
        position += 1 + content[position]
    return position + 1


def _gif_extension(block: bytes) -> bytes:
    """Return the extension if it is a delay or the number of loops, else nothing."""
    if block[1] == 0xF9 and block[2] == 4:
        return block[:7] + b"\0"
    if block[1] == 0xFF and block[3:14] == _GIF_LOOP and block[14:16] == b"\x03\x01":
        return block[:18] + b"\0"
    return b""


# --- WebP ---------------------------------------------------------------------------------------

_WEBP_CHUNKS = {b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF", b"ICCP"}
_WEBP_FRAME_CHUNKS = {b"VP8 ", b"VP8L", b"ALPH"}
# The flags in VP8X for EXIF data and XMP, and for a colour profile.
_WEBP_METADATA_FLAGS, _WEBP_PROFILE_FLAG = 0x08 | 0x04, 0x20


def _strip_webp(content: bytes) -> bytes:
    (length,) = struct.unpack_from("<I", content, 4)
    chunks = [chunk for chunk in _webp_chunks(content[12 : 8 + length]) if chunk[0] in _WEBP_CHUNKS]
    if any(name == b"ICCP" and not _is_colour_profile(data) for name, data in chunks):
        chunks = [chunk for chunk in chunks if chunk[0] != b"ICCP"]
    has_profile = any(name == b"ICCP" for name, _data in chunks)
    parts = []
    for name, data in chunks:
        if name == b"VP8X":
            removed = _WEBP_METADATA_FLAGS | (0 if has_profile else _WEBP_PROFILE_FLAG)
            data = bytes([data[0] & ~removed]) + data[1:10]
        elif name == b"ANIM":
            data = data[:6]
        elif name == b"ANMF":
            frame = [chunk for chunk in _webp_chunks(data[16:]) if chunk[0] in _WEBP_FRAME_CHUNKS]
            data = data[:16] + b"".join(_webp_chunk(*chunk) for chunk in frame)
        parts.append(_webp_chunk(name, data))
    body = b"".join(parts)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def _webp_chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    chunks = []
    position = 0
    while position + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, position)
        if position + 8 + length > len(data):
            raise DamagedFile
        chunks.append((name, data[position + 8 : position + 8 + length]))
        # Padded to an even length.
        position += 8 + length + length % 2
    return chunks


def _webp_chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


_STRIPPERS: dict[str, Callable[[bytes], bytes]] = {
    "JPEG": _strip_jpeg,
    "PNG": _strip_png,
    "GIF": _strip_gif,
    "WEBP": _strip_webp,
    "AVIF": strip_avif,
}
