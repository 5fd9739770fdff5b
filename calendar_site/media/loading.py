"""Loading the images of records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from calendar_site.media.models import Image, Rendition


class HasImage(Protocol):
    """A record that may have an image."""

    @property
    def image_id(self) -> int | None: ...


class ImageRow(NamedTuple):
    """The columns of an image that responses need."""

    id: int
    file: str
    alt: str
    credit: str
    width: int
    height: int
    filesize: int
    renditions: dict[str, Rendition]


def load_images(rows: Iterable[HasImage]) -> dict[int, ImageRow]:
    """Return the images of these rows by id. One query, none if no row has an image."""
    ids = {row.image_id for row in rows if row.image_id}
    if not ids:
        return {}
    found = Image.objects.filter(pk__in=ids).order_by().values_list(*ImageRow._fields)
    return {row[0]: ImageRow(*row) for row in found}
