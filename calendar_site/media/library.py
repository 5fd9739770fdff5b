"""The image library: preparing, fetching, storing, changing and deleting images."""

from __future__ import annotations

import hashlib
import logging
import secrets
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, ValuesView
from contextlib import contextmanager
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TypedDict
from urllib.parse import quote, unquote, urlsplit

from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DatabaseError
from django.db.models import ProtectedError, QuerySet
from django.utils.translation import gettext as _

from calendar_site.audit.record_services import RecordServices
from calendar_site.audit.recorder import SAVE, Action, record_deletion, record_revision
from calendar_site.core import permissions
from calendar_site.core.busy import ResourceBusy
from calendar_site.core.database.write_lock import is_lock_timeout, lock_keys, on_rollback, write_lock
from calendar_site.core.database.write_permits import release_permit
from calendar_site.core.http.http_client import fetch
from calendar_site.core.slugs import slugify
from calendar_site.core.types import AnyUser
from calendar_site.media import processing
from calendar_site.media.image_process import InvalidImage, crop_image, process_image
from calendar_site.media.models import Image, ImageFile, Rendition
from calendar_site.media.processing import EncodedImage, FocalPoint
from calendar_site.media.tasks import delete_files
from calendar_site.media.uses import images_in_html

logger = logging.getLogger(__name__)

FETCH_SECONDS = 10.0
# For storing all files of an image.
STORE_SECONDS = 15.0
# For downloading and processing all images of a request.
REQUEST_SECONDS = 15.0
MAX_STEM_LENGTH = 60
MAX_SOURCE_LENGTH: int = Image._meta.get_field("source").max_length or 0


class ImageChanges(TypedDict, total=False):
    """The texts and the focal point of an image, by model field name; missing keys change nothing."""

    name: str
    alt: str
    decorative: bool
    credit: str
    focus_x: float
    focus_y: float


class StoredFiles(NamedTuple):
    """The names of the files of an image in the storage."""

    original: str
    renditions: dict[str, Rendition]

    @property
    def names(self) -> list[str]:
        return [self.original, *(rendition["file"] for rendition in self.renditions.values())]


class PreparedImage(NamedTuple):
    """A validated image with its renditions, ready to be stored. Prepare it before taking the write lock."""

    encoded: EncodedImage
    renditions: dict[str, EncodedImage]
    digest: str
    name: str
    source: str = ""
    # None if `store_image()` stores them, or if the library has the image.
    files: StoredFiles | None = None


def image_deadline() -> float:
    """Return the moment at which all images of a request that begins now must be prepared, as `time.monotonic()`."""
    return time.monotonic() + REQUEST_SECONDS


def prepare_image(content: bytes, file_name: str, source: str = "", *, deadline: float | None = None) -> PreparedImage:
    """Validate an image file and make its renditions. Raises InvalidImage and ResourceBusy."""
    # The write waits for another process, and then for the storage.
    release_permit()
    processed = process_image(content, FocalPoint(), deadline=deadline or image_deadline())
    name = PurePosixPath(file_name).stem[: Image._meta.get_field("name").max_length]
    return PreparedImage(processed.original, processed.renditions, hashlib.sha256(content).hexdigest(), name, source)


def fetch_image(url: str, *, deadline: float) -> PreparedImage:
    """Fetch an image from the web and prepare it. Raises FetchError, InvalidImage and ResourceBusy."""
    release_permit()
    seconds = min(FETCH_SECONDS, deadline - time.monotonic())
    fetched = fetch(url, max_bytes=processing.MAX_BYTES, seconds=seconds)
    file_name = unquote(urlsplit(fetched.url).path)
    return prepare_image(fetched.content, file_name, source=url[:MAX_SOURCE_LENGTH], deadline=deadline)


def store_files(new: PreparedImage) -> PreparedImage:
    """Store the files of the image unless the library has them, and return it with their names.

    Call it before taking the write lock, because an object store may respond slowly, and delete them with
    `deleting_unused_files()` if the write fails. Raises ResourceBusy.
    """
    known = Image.objects.filter(digest=new.digest).first()
    if known is not None and _has_files(known):
        return new
    return new._replace(files=_store_files(new))


@contextmanager
def deleting_unused_files(images: Collection[PreparedImage] | ValuesView[PreparedImage]) -> Iterator[None]:
    """Run a write, and then delete the files of these images that no image of the library has.

    If the connection to the database is lost, the write may have been committed: the files are kept, and the command
    `clean_media` deletes them later.
    """
    try:
        yield
    except DatabaseError as error:
        if is_lock_timeout(error):
            _delete_unused_files(images)
        raise
    except BaseException:
        _delete_unused_files(images)
        raise
    else:
        _delete_unused_files(images)


def _delete_unused_files(images: Iterable[PreparedImage]) -> None:
    stored = {new.files.original: new.files for new in images if new.files}
    if stored:
        used = set(Image.objects.filter(file__in=stored).values_list("file", flat=True))
        _delete_now(name for original, files in stored.items() if original not in used for name in files.names)


def store_image(
    new: PreparedImage,
    *,
    user: AnyUser,
    alt: str = "",
    decorative: bool = False,
    credit: str = "",
    author_id: int | None = None,
) -> Image:
    """Save the image with its files, and record it. If an image with the same bytes exists, return it unchanged.

    Files that an existing image has lost are replaced. Files that `store_files()` has not stored are stored here, and
    deleted if the current write is rolled back. Raises PermissionDenied for users who may not even submit images,
    ValidationError, and ResourceBusy.
    """
    if not permissions.can_submit(user, Image):
        raise PermissionDenied
    with write_lock(parallel=True):
        lock_keys([f"image {new.digest}"])
        known = Image.objects.filter(digest=new.digest).first()
        if known is not None:
            if new.files and not _has_files(known):
                _set_files(known, new, new.files)
                known.save()
            return known
        author: Any = user.pk if author_id is None else author_id
        image = Image(
            author_id=author,
            alt=alt,
            decorative=decorative,
            credit=credit,
            digest=new.digest,
            name=new.name,
            source=new.source,
            submitted=not permissions.can_create(user, Image),
        )
        files = new.files
        if files is None:
            files = _store_files(new)
            on_rollback(partial(_delete_now, files.names))
        _set_files(image, new, files)
        image.full_clean()
        image.save()
        record_revision(image, user)
    return image


def save_image(image: Image, *, changes: ImageChanges, user: AnyUser, action: Action = SAVE) -> Image:
    """Validate and save the description of an image, and record it. Crop it again if its focal point has moved.

    New crops have new URLs, because browsers and proxies may have cached the old ones. Raises ValidationError.
    """
    apply_image(image, changes=changes, user=user)
    image.full_clean()
    crops = _store_crops(image) if _moved_coordinates(image) else {}
    try:
        with write_lock():
            if crops:
                _delete_files(image.renditions[name]["file"] for name in crops)
                image.renditions = {**image.renditions, **crops}
            image.save()
            record_revision(image, user, action=action)
    except BaseException as error:
        # If the connection is lost, the write may have been committed.
        if not isinstance(error, DatabaseError) or is_lock_timeout(error):
            _delete_now(crop["file"] for crop in crops.values())
        raise
    return image


def _store_crops(image: Image) -> dict[str, Rendition]:
    """Crop the image again, and store the new files. Raises ValidationError and ResourceBusy."""
    release_permit()
    focal_point = FocalPoint(image.focus_x, image.focus_y)
    try:
        with image.file.open() as file:
            crops = crop_image(file.read(), focal_point, deadline=image_deadline())
    except InvalidImage as error:
        raise ValidationError(str(error)) from error
    path = _random_path()
    names = _rendition_names(path, image.name, crops)
    _save_files({names[name]: crop for name, crop in crops.items()})
    return _describe_renditions(names, crops)


def apply_image(image: Image, *, changes: ImageChanges, user: AnyUser) -> None:
    """Set `changes` on the image; save nothing. Raises ValidationError if the file to crop is missing."""
    for name, value in changes.items():
        setattr(image, name, value)
    moved = _moved_coordinates(image)
    if moved and not default_storage.exists(str(image.file)):
        raise ValidationError({moved[0]: _("The original file is missing, so the image cannot be cropped again.")})


def delete_image(image: Image, *, user: AnyUser | None) -> None:
    """Delete the image and its files permanently, and record it. Raises ProtectedError if a record uses it."""
    _delete_unused([image], user)


def delete_images(images: QuerySet[Image], *, user: AnyUser | None) -> int:
    """Delete the images permanently and return their number. Raises ProtectedError if a record uses one."""
    with write_lock():
        deleted = list(images)
        _delete_unused(deleted, user)
    return len(deleted)


def _delete_unused(images: list[Image], user: AnyUser | None) -> None:
    with write_lock():
        shown = images_in_html(images)
        if shown:
            raise ProtectedError("A text contains the image.", {image for image in images if image.pk in shown})
        for image in images:
            names = image.file_names
            record_deletion([image], user)
            image.delete()
            _delete_files(names)


image_services = RecordServices(save=save_image, apply=apply_image, delete=delete_images)


def file_url(name: str) -> str:
    """Return the URL of a stored file, on this site or at the object store."""
    return settings.MEDIA_URL + quote(name)


def find_by_file(name: str) -> Image | None:
    """Return the image whose original or rendition is the stored file."""
    # No text in a database contains NUL.
    if "\0" in name:
        return None
    return Image.objects.filter(pk__in=ImageFile.objects.filter(name=name).values("image_id")).first()


def _moved_coordinates(image: Image) -> list[str]:
    """Return the coordinates of the focal point that differ from the stored ones.

    Compares with the loaded values, because a form may have applied the changes already.
    """
    stored = image.loaded_values or {}
    return [name for name in ("focus_x", "focus_y") if stored.get(name) not in (None, getattr(image, name))]


def _has_files(image: Image) -> bool:
    """Return whether all files of the image exist in the storage. Raises ResourceBusy if the storage fails."""
    try:
        return all(map(default_storage.exists, image.file_names))
    # Each storage has exceptions of its own.
    except Exception as error:
        logger.exception("The storage of images does not respond.")
        raise ResourceBusy(_("The image could not be stored. Try again in a moment.")) from error


def _set_files(image: Image, new: PreparedImage, files: StoredFiles) -> None:
    image.file.name = files.original
    image.width, image.height = new.encoded.width, new.encoded.height
    image.filesize, image.media_type = len(new.encoded.content), new.encoded.media_type
    image.renditions = files.renditions


def _store_files(new: PreparedImage) -> StoredFiles:
    """Store the original and the renditions under new names. Raises ResourceBusy."""
    path = _random_path()
    original = f"{path}-{_file_stem(new.name)}.{new.encoded.extension}"
    names = _rendition_names(path, new.name, new.renditions)
    _save_files({original: new.encoded, **{names[name]: file for name, file in new.renditions.items()}})
    return StoredFiles(original, _describe_renditions(names, new.renditions))


def _save_files(files: Mapping[str, EncodedImage]) -> None:
    """Save the files under these names, all or none. Raises ResourceBusy if the storage fails."""
    deadline = time.monotonic() + STORE_SECONDS
    try:
        for name, encoded in files.items():
            if time.monotonic() > deadline:
                raise TimeoutError("The storage is too slow.")
            default_storage.save(name, ContentFile(encoded.content))
    # Each storage has exceptions of its own.
    except Exception as error:
        # That a disk is full or read-only needs no traceback.
        logger.error("The files of an image could not be stored: %s", error, exc_info=not isinstance(error, OSError))
        # Also the file that failed, of which a part may exist.
        _delete_now(files)
        raise ResourceBusy(_("The image could not be stored. Try again in a moment.")) from error


def _rendition_names(path: str, name: str, renditions: Mapping[str, EncodedImage]) -> dict[str, str]:
    return {
        size: f"{path}-{_file_stem(name)}-{encoded.width}x{encoded.height}.{encoded.extension}"
        for size, encoded in renditions.items()
    }


def _describe_renditions(names: Mapping[str, str], renditions: Mapping[str, EncodedImage]) -> dict[str, Rendition]:
    return {
        size: {
            "file": names[size],
            "width": encoded.width,
            "height": encoded.height,
            "media_type": encoded.media_type,
            "filesize": len(encoded.content),
        }
        for size, encoded in renditions.items()
    }


def _delete_now(names: Iterable[str]) -> None:
    """Delete files that no record has, up to the first that cannot be deleted now. `clean_media` deletes the rest.

    A store that does not respond would otherwise hold the request for the timeout of each file.
    """
    for name in names:
        try:
            default_storage.delete(name)
        # Each storage has exceptions of its own.
        except Exception:
            logger.exception("The file %s and those after it could not be deleted.", name)
            return


def _random_path() -> str:
    """Return an unguessable prefix of file names, because images of unpublished records are served without a check."""
    secret = secrets.token_hex(16)
    return f"{Image.FOLDER}/{secret[:2]}/{secret}"


def _file_stem(name: str) -> str:
    slug = slugify(name)
    return slug[:MAX_STEM_LENGTH].strip("-") if slug.isascii() and slug else "image"


def _delete_files(names: Iterable[str]) -> None:
    """Delete files in the background once the transaction has committed, because an object store may be slow."""
    delete_files.enqueue(list(names))
