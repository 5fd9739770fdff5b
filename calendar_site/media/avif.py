"""AVIF files without decoding them: overwriting everything that does not affect the pixels.

An AVIF file is a tree of boxes (ISO/IEC 14496-12). Offsets in some boxes point into others, so nothing is moved: boxes
and data that are not needed are filled with zeros.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

# Boxes whose content is more boxes, with the number of bytes before the first one.
_CONTAINERS = {
    b"meta": 4, b"iprp": 0, b"ipco": 0, b"moov": 0, b"trak": 0, b"mdia": 0, b"minf": 0, b"dinf": 0, b"stbl": 0,
    b"edts": 0,
}  # fmt: skip
# The other boxes that a decoder needs: of files, of items and their properties, and of tracks.
_KEPT = {
    b"ftyp", b"mdat", b"hdlr", b"pitm", b"iloc", b"iinf", b"iref", b"idat", b"grpl", b"ipma",
    b"av1C", b"ispe", b"pixi", b"colr", b"irot", b"imir", b"clap", b"pasp", b"auxC", b"lsel", b"a1lx", b"a1op",
    b"clli", b"mdcv",
    b"mvhd", b"tkhd", b"tref", b"mdhd", b"vmhd", b"nmhd", b"dref", b"elst", b"stsd", b"stts", b"stsc", b"stsz", b"stco",
    b"co64", b"stss", b"ctts", b"sgpd", b"sbgp",
}  # fmt: skip
# Types of items with pixels; others are metadata (Exif, XMP) or files.
_IMAGE_ITEMS = {b"av01", b"grid", b"iovl", b"tmap", b"iden"}
_UNUSED = b"free"
MAX_DEPTH = 12


class Box(NamedTuple):
    """A box: its type, and the positions of its header, its content and its end."""

    type: bytes
    start: int
    content: int
    end: int


class Extent(NamedTuple):
    """A part of the file with data of an item."""

    item: int
    start: int
    end: int


def strip_avif(content: bytes) -> bytes:
    """Return the file with zeros in place of metadata, unknown boxes and unused data. Raises struct.error."""
    boxes = list(_boxes(content, 0, len(content)))
    # Bytes after the last box.
    data = bytearray(content[: boxes[-1].end])
    for box in boxes:
        _clear_unknown_boxes(data, box, depth=0)
    metas = [box for box in boxes if box.type == b"meta"]
    for meta in metas:
        _clear_metadata_items(data, meta, boxes)
    return bytes(data)


def _boxes(data: bytes | bytearray, position: int, end: int) -> Iterator[Box]:
    while position + 8 <= end:
        size, type_ = struct.unpack_from(">I4s", data, position)
        content = position + 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, content)
            content += 8
        box_end = end if size == 0 else position + size
        if box_end < content or box_end > end:
            return
        yield Box(type_, position, content, box_end)
        position = box_end


def _clear(data: bytearray, start: int, end: int) -> None:
    data[start:end] = bytes(end - start)


def _clear_unknown_boxes(data: bytearray, box: Box, depth: int) -> None:
    if box.type in _CONTAINERS and depth < MAX_DEPTH:
        position = box.content + _CONTAINERS[box.type]
        for inner in _boxes(data, position, box.end):
            _clear_unknown_boxes(data, inner, depth + 1)
            position = inner.end
        # Bytes after the last box of the container.
        _clear(data, position, box.end)
    elif box.type not in _KEPT:
        data[box.start + 4 : box.start + 8] = _UNUSED
        _clear(data, box.content, box.end)


def _clear_metadata_items(data: bytearray, meta: Box, boxes: list[Box]) -> None:
    """Clear the data of items without pixels, and data that belongs to no item or track."""
    parts = {box.type: box for box in _boxes(data, meta.content + 4, meta.end)}
    extents = _extents(data, parts[b"iloc"], parts.get(b"idat")) if b"iloc" in parts else []
    images = _clear_metadata_entries(data, parts[b"iinf"]) if b"iinf" in parts else set()
    used = sorted((extent.start, extent.end) for extent in extents if extent.item in images)
    for extent in extents:
        if extent.item not in images:
            for start, end in _gaps(used, extent.start, extent.end):
                _clear(data, start, end)
    # The samples of an animation have their own tables, and are not items.
    stores = [] if any(box.type == b"moov" for box in boxes) else [box for box in boxes if box.type == b"mdat"]
    for box in [*stores, *([parts[b"idat"]] if b"idat" in parts else [])]:
        for start, end in _gaps(used, box.content, box.end):
            _clear(data, start, end)


def _gaps(used: list[tuple[int, int]], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts from `start` to `end` that are not in `used`, which is sorted."""
    for used_start, used_end in used:
        if start < min(used_start, end):
            yield start, min(used_start, end)
        start = max(start, used_end)
    if start < end:
        yield start, end


def _clear_metadata_entries(data: bytearray, iinf: Box) -> set[int]:
    """Return the ids of the items with pixels, and give the others a type that decoders skip."""
    version = data[iinf.content]
    images = set()
    for entry in _boxes(data, iinf.content + (6 if version == 0 else 8), iinf.end):
        # Version 2 has an id of 16 bits, version 3 of 32 bits; then 16 bits, and the type.
        id_format = ">H" if data[entry.content] < 3 else ">I"
        (item,) = struct.unpack_from(id_format, data, entry.content + 4)
        type_position = entry.content + 4 + struct.calcsize(id_format) + 2
        if bytes(data[type_position : type_position + 4]) in _IMAGE_ITEMS:
            images.add(item)
        else:
            data[type_position : type_position + 4] = _UNUSED
        # The name of the item, and the media type of a file.
        _clear(data, type_position + 4, entry.end)
    return images


def _extents(data: bytearray, iloc: Box, idat: Box | None) -> list[Extent]:
    """Return the positions of the data of each item, as the box `iloc` has them."""
    version = data[iloc.content]
    position = iloc.content + 4
    sizes = data[position] >> 4, data[position] & 15, data[position + 1] >> 4, data[position + 1] & 15
    offset_size, length_size, base_size, index_size = sizes
    position += 2
    wide = ">I" if version == 2 else ">H"

    def read(size: int) -> int:
        nonlocal position
        if position + size > iloc.end:
            raise struct.error
        position += size
        return int.from_bytes(data[position - size : position], "big")

    extents = []
    for _item in range(read(struct.calcsize(wide))):
        item = read(struct.calcsize(wide))
        method = read(2) & 15 if version else 0
        read(2)  # the file with the data
        base = read(base_size) + (idat.content if method == 1 and idat else 0)
        for _extent in range(read(2)):
            read(index_size if version else 0)
            start = base + read(offset_size)
            extents.append(Extent(item, start, min(start + read(length_size), len(data))))
    return extents
