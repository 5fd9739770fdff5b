"""Comparing the files of the storage with the images of the library, after faults and crashes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.core.files.storage import default_storage

from calendar_site.media.library import IMAGE_FOLDER
from calendar_site.media.models import Image


class CleanUp(NamedTuple):
    """The files that no image has, and the files that images have lost, by the id of the image."""

    orphans: list[str]
    missing: dict[int, list[str]]


def clean_media(until: datetime, *, dry_run: bool = False) -> CleanUp:
    """Delete the files that no image has and that were stored before `until`, and find missing files.

    Newer files may belong to a write in progress.
    """
    # The files are listed first: a file of an image that is saved meanwhile is not taken for an orphan.
    stored = set(_stored_names())
    names = {image.pk: _names(image) for image in Image.objects.only("pk", "file", "renditions").iterator()}
    used = {name for of_image in names.values() for name in of_image}
    orphans = [name for name in sorted(stored - used) if default_storage.get_modified_time(name) < until]
    if not dry_run:
        for name in orphans:
            default_storage.delete(name)
    missing = {
        pk: [name for name in of_image if name not in stored and not default_storage.exists(name)]
        for pk, of_image in names.items()
    }
    return CleanUp(orphans, {pk: lost for pk, lost in missing.items() if lost})


def _stored_names() -> Iterator[str]:
    try:
        folders, _files = default_storage.listdir(IMAGE_FOLDER)
    except FileNotFoundError:
        return
    for folder in folders:
        _folders, files = default_storage.listdir(f"{IMAGE_FOLDER}/{folder}")
        yield from (f"{IMAGE_FOLDER}/{folder}/{file}" for file in files)


def _names(image: Image) -> list[str]:
    return [str(image.file), *(rendition["file"] for rendition in image.renditions.values())]
