"""Comparing the files of the storage with the images of the library, after faults and crashes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.core.files.storage import default_storage

from calendar_site.core import clock
from calendar_site.core.database.write_lock import write_lock
from calendar_site.media.models import Image, OrphanedFile


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
    images = _images_by_file()
    orphans = [name for name in sorted(stored - images.keys()) if _was_stored_before(until, name)]
    if not dry_run:
        _delete(orphans)
    missing: dict[int, list[str]] = {}
    for name, image in images.items():
        if name not in stored and not default_storage.exists(name):
            missing.setdefault(image, []).append(name)
    return CleanUp(orphans, missing)


def delete_old_orphans(until: datetime) -> list[str]:
    """Delete the files that no image has had since `until` or longer, and return their names.

    Notes the orphans that are new, for the next calls.
    """
    stored = set(_stored_names())
    with write_lock():
        orphans = stored - _images_by_file().keys()
        known = dict(OrphanedFile.objects.values_list("name", "noticed_at"))
        OrphanedFile.objects.filter(name__in=known.keys() - orphans).delete()
        now = clock.now()
        OrphanedFile.objects.bulk_create(OrphanedFile(name=name, noticed_at=now) for name in orphans - known.keys())
    old = sorted(name for name in orphans & known.keys() if known[name] <= until)
    _delete(old)
    return old


def _images_by_file() -> dict[str, int]:
    """Return the ids of all images by the names of their files."""
    images = Image.objects.only("pk", "file", "renditions").order_by("pk")
    return {name: image.pk for image in images.iterator() for name in image.file_names}


def _was_stored_before(moment: datetime, name: str) -> bool:
    try:
        return default_storage.get_modified_time(name) < moment
    except FileNotFoundError:
        # It was deleted after it had been listed.
        return False


def _delete(names: list[str]) -> None:
    for name in names:
        default_storage.delete(name)


def _stored_names() -> Iterator[str]:
    try:
        folders, _files = default_storage.listdir(Image.FOLDER)
    except FileNotFoundError:
        return
    for folder in folders:
        _folders, files = default_storage.listdir(f"{Image.FOLDER}/{folder}")
        yield from (f"{Image.FOLDER}/{folder}/{file}" for file in files)
