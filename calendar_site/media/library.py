"""The image library: preparing, fetching, storing, changing and deleting images."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterable
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TypedDict
from urllib.parse import quote, unquote, urlsplit

from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from calendar_site.audit.models import TrackedModel
from calendar_site.audit.record_services import RecordServices
from calendar_site.audit.recorder import SAVE, Action, record_deletion, record_revision
from calendar_site.core import permissions
from calendar_site.core.http_client import fetch
from calendar_site.core.slugs import slugify
from calendar_site.core.types import AnyUser
from calendar_site.core.write_lock import on_rollback, write_lock
from calendar_site.media import processing
from calendar_site.media.image_process import crop_image, process_image
from calendar_site.media.models import Image, Rendition
from calendar_site.media.processing import EncodedImage, FocalPoint
from calendar_site.media.querysets import records_with_images
from calendar_site.media.tasks import delete_files

FETCH_SECONDS = 10.0
# For downloading and processing all images of a request.
REQUEST_SECONDS = 15.0
IMAGE_FOLDER = "images"
MAX_STEM_LENGTH = 60
MAX_SOURCE_LENGTH: int = Image._meta.get_field("source").max_length or 0
# Per kind of record.
MAX_USES_LISTED = 50


class ImageChanges(TypedDict, total=False):
    """The texts and the focal point of an image, by model field name; missing keys change nothing."""

    name: str
    alt: str
    credit: str
    focus_x: float
    focus_y: float


class PreparedImage(NamedTuple):
    """A validated image with its renditions, ready to be stored. Prepare it before taking the write lock."""

    encoded: EncodedImage
    renditions: dict[str, EncodedImage]
    digest: str
    name: str
    source: str = ""


def image_deadline() -> float:
    """Return the moment at which all images of a request that begins now must be prepared, as `time.monotonic()`."""
    return time.monotonic() + REQUEST_SECONDS


def prepare_image(content: bytes, file_name: str, source: str = "", *, deadline: float | None = None) -> PreparedImage:
    """Validate an image file and make its renditions. Raises InvalidImage and ResourceBusy."""
    processed = process_image(content, FocalPoint(), deadline=deadline or image_deadline())
    name = PurePosixPath(file_name).stem[: Image._meta.get_field("name").max_length]
    return PreparedImage(processed.original, processed.renditions, hashlib.sha256(content).hexdigest(), name, source)


def fetch_image(url: str, *, deadline: float) -> PreparedImage:
    """Fetch an image from the web and prepare it. Raises FetchError, InvalidImage and ResourceBusy."""
    seconds = min(FETCH_SECONDS, deadline - time.monotonic())
    fetched = fetch(url, max_bytes=processing.MAX_BYTES, seconds=seconds)
    file_name = unquote(urlsplit(fetched.url).path)
    return prepare_image(fetched.content, file_name, source=url[:MAX_SOURCE_LENGTH], deadline=deadline)


def store_image(
    new: PreparedImage, *, user: AnyUser, alt: str = "", credit: str = "", author_id: int | None = None
) -> Image:
    """Save the image with its files, and record it. If an image with the same bytes exists, return it unchanged.

    The files are deleted again if the current write is rolled back. Raises PermissionDenied for users who may not add
    images, and ValidationError.
    """
    if not permissions.can_create(user, Image):
        raise PermissionDenied
    with write_lock():
        known = Image.objects.filter(digest=new.digest).first()
        if known is not None:
            return known
        author: Any = user.pk if author_id is None else author_id
        image = Image(
            author_id=author,
            alt=alt,
            credit=credit,
            digest=new.digest,
            name=new.name,
            source=new.source,
        )
        _store_files(image, new.encoded, new.renditions)
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
    with write_lock():
        if _moved_coordinates(image):
            with image.file.open() as file:
                focal_point = FocalPoint(image.focus_x, image.focus_y)
                crops = crop_image(file.read(), focal_point, deadline=image_deadline())
            _delete_files(image.renditions[name]["file"] for name in crops)
            image.renditions = {**image.renditions, **_store_renditions(_random_path(), image.name, crops)}
        image.save()
        record_revision(image, user, action=action)
    return image


def apply_image(image: Image, *, changes: ImageChanges, user: AnyUser) -> None:
    """Set `changes` on the image; save nothing. Raises ValidationError if the file to crop is missing."""
    for name, value in changes.items():
        setattr(image, name, value)
    moved = _moved_coordinates(image)
    if moved and not default_storage.exists(str(image.file)):
        raise ValidationError({moved[0]: _("The original file is missing, so the image cannot be cropped again.")})


def delete_image(image: Image, *, user: AnyUser | None) -> None:
    """Delete the image and its files permanently, and record it. Raises ProtectedError if a record uses it."""
    with write_lock():
        names = [image.file.name, *(rendition["file"] for rendition in image.renditions.values())]
        record_deletion([image], user)
        image.delete()
        _delete_files(names)


def delete_images(images: QuerySet[Image], *, user: AnyUser | None) -> int:
    """Delete the images permanently and return their number. Raises ProtectedError if a record uses one."""
    with write_lock():
        deleted = list(images)
        for image in deleted:
            delete_image(image, user=user)
    return len(deleted)


image_services = RecordServices(save=save_image, apply=apply_image, delete=delete_images)


def file_url(name: str) -> str:
    """Return the URL of a stored file, on this site or at the object store."""
    return settings.MEDIA_URL + quote(name)


def find_by_file(name: str) -> Image | None:
    """Return the image whose original or rendition is the stored file. One query for an original, else two."""
    # No text in a database contains NUL.
    if "\0" in name:
        return None
    is_rendition = Q()
    for size in processing.RENDITION_SIZES:
        is_rendition |= Q(**{f"renditions__{size}__file": name})
    return Image.objects.filter(file=name).first() or Image.objects.filter(is_rendition).first()


class ImageUses(NamedTuple):
    """The records that use an image: some of them, the number of further ones, and the number of hidden ones."""

    records: list[TrackedModel]
    more: int
    hidden: int

    @property
    def total(self) -> int:
        return len(self.records) + self.more + self.hidden


def image_uses(image: Image, user: AnyUser) -> ImageUses:
    """Return the records that use the image and that the user may see. Three queries for each model."""
    records: list[TrackedModel] = []
    visible_count = total = 0
    for all_rows in records_with_images(Image):
        rows: Any = all_rows.filter(image=image)
        visible = rows.readable_by(user).with_fields_visible_to(user)
        records += visible.order_by("-pk")[:MAX_USES_LISTED]
        visible_count, total = visible_count + visible.count(), total + rows.count()
    return ImageUses(records, visible_count - len(records), total - visible_count)


def _moved_coordinates(image: Image) -> list[str]:
    """Return the coordinates of the focal point that differ from the stored ones.

    Compares with the loaded values, because a form may have applied the changes already.
    """
    stored = image.loaded_values or {}
    return [name for name in ("focus_x", "focus_y") if stored.get(name) not in (None, getattr(image, name))]


def _store_files(image: Image, encoded: EncodedImage, renditions: dict[str, EncodedImage]) -> None:
    path = _random_path()
    image.file.name = _store_file(f"{path}-{_file_stem(image.name)}.{encoded.extension}", encoded)
    image.width, image.height = encoded.width, encoded.height
    image.filesize, image.media_type = len(encoded.content), encoded.media_type
    image.renditions = _store_renditions(path, image.name, renditions)


def _store_renditions(path: str, name: str, renditions: dict[str, EncodedImage]) -> dict[str, Rendition]:
    return {
        size: {
            "file": _store_file(
                f"{path}-{_file_stem(name)}-{encoded.width}x{encoded.height}.{encoded.extension}", encoded
            ),
            "width": encoded.width,
            "height": encoded.height,
            "media_type": encoded.media_type,
            "filesize": len(encoded.content),
        }
        for size, encoded in renditions.items()
    }


def _store_file(name: str, encoded: EncodedImage) -> str:
    stored = default_storage.save(name, ContentFile(encoded.content))
    on_rollback(partial(default_storage.delete, stored))
    return stored


def _random_path() -> str:
    """Return an unguessable prefix of file names, because images of unpublished records are served without a check."""
    secret = secrets.token_hex(16)
    return f"{IMAGE_FOLDER}/{secret[:2]}/{secret}"


def _file_stem(name: str) -> str:
    slug = slugify(name)
    return slug[:MAX_STEM_LENGTH].strip("-") if slug.isascii() and slug else "image"


def _delete_files(names: Iterable[str]) -> None:
    """Delete files in the background once the transaction has committed, because an object store may be slow."""
    delete_files.enqueue(list(names))
