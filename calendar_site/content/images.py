"""The image library: taking pictures in, keeping them, cutting them again, and letting them go."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.translation import gettext as _

from calendar_site.content import pictures, rules
from calendar_site.content.models import Content, Image
from calendar_site.content.outgoing import fetch
from calendar_site.content.pictures import Focus, Picture, read_picture
from calendar_site.content.querysets import rows_with
from calendar_site.content.recording import record, record_deleted
from calendar_site.content.slugs import slugify
from calendar_site.content.transactions import if_undone, writing

FETCH_SECONDS = 10.0
FOLDER = "images"
STEM_LENGTH = 60
SOURCE_LENGTH: int = Image._meta.get_field("source").max_length or 0
# Of each kind.
USES_NAMED = 50


class NewImage(NamedTuple):
    """A picture that is checked and cut, ready to be kept. Making it takes a while, and no lock."""

    picture: Picture
    sizes: dict[str, Picture]
    digest: str
    name: str
    source: str = ""


def prepare_image(content: bytes, name: str, source: str = "", focus: Focus | None = None) -> NewImage:
    """The picture in `content`, under the name of its file. Raises NotAPicture."""
    picture = read_picture(content)
    stem = PurePosixPath(name).stem[: Image._meta.get_field("name").max_length]
    sizes = pictures.renditions(picture, focus or Focus())
    return NewImage(picture, sizes, hashlib.sha256(content).hexdigest(), stem, source)


def fetch_image(address: str) -> NewImage:
    """The picture at an address of the web. Raises CannotFetch and NotAPicture."""
    fetched = fetch(address, most_bytes=pictures.MOST_BYTES, seconds=FETCH_SECONDS)
    return prepare_image(fetched.content, unquote(urlsplit(fetched.address).path), source=address[:SOURCE_LENGTH])


def keep_image(new: NewImage, user: Any, **fields: Any) -> Image:
    """The image in the library; the known one, unchanged, if these bytes are there already.

    Raises PermissionDenied for who may not add any, and ValidationError. If the write under way comes to
    nothing, the files are taken away again.
    """
    if not rules.can_create(user, Image):
        raise PermissionDenied
    with writing():
        known = Image.objects.filter(digest=new.digest).first()
        if known is not None:
            return known
        image = Image(**{"author_id": user.pk, **fields}, digest=new.digest, name=new.name, source=new.source)
        _store(image, new.picture, new.sizes)
        image.full_clean()
        image.save()
        record(image, user)
    return image


def save_image(image: Image, fields: dict[str, Any], user: Any) -> Image:
    """Writes what is said about an image, and cuts anew what follows the focal point where that moves.

    New cuts have new addresses, since the old ones may be kept anywhere. Raises ValidationError.
    """
    before = Focus(image.focus_x, image.focus_y)
    set_image(image, fields)
    image.full_clean()
    focus = Focus(image.focus_x, image.focus_y)
    with writing():
        if focus != before:
            with image.file.open() as file:
                picture = Picture(file.read(), image.media_type.split("/")[1].upper(), image.width, image.height)
            cuts = pictures.cuts(picture, focus)
            _forget_files(image.renditions[name]["file"] for name in cuts)
            image.renditions = {**image.renditions, **_stored_sizes(_secret_path(), image.name, cuts)}
        image.save()
        record(image, user)
    return image


def set_image(image: Image, fields: dict[str, Any]) -> None:
    """Sets what is said about an image, without saving. Raises ValidationError for a cut of a file that is gone."""
    focus = ("focus_x", "focus_y")
    moved = [name for name in focus if fields.get(name, getattr(image, name)) != getattr(image, name)]
    for name, value in fields.items():
        setattr(image, name, value)
    if moved and not default_storage.exists(str(image.file)):
        raise ValidationError({moved[0]: _("The file of this image is gone: it cannot be cut anew.")})


def delete_image(image: Image, user: Any) -> None:
    """The image is gone, with its files. Raises ProtectedError where something shows it."""
    with writing():
        names = [image.file.name, *(rendition["file"] for rendition in image.renditions.values())]
        record_deleted([image], user)
        image.delete()
        _forget_files(names)


def address_of(name: str) -> str:
    """Where a stored file is read: below this site, or at the store that has it."""
    return settings.MEDIA_URL + quote(name)


class Uses(NamedTuple):
    """Where an image is shown: records, kind by kind, how many more may be seen, and how many may not."""

    records: list[Content]
    more: int
    hidden: int

    @property
    def total(self) -> int:
        return len(self.records) + self.more + self.hidden


def uses_of(image: Image, user: Any) -> Uses:
    """The records that show the image, as far as the user may know of it. Costs three queries for each kind."""
    records: list[Content] = []
    seen = total = 0
    for rows in rows_with(Image):
        rows = rows.filter(image=image)
        told = rows.readable_by(user).showing_fields_to(user)
        records += told.order_by("-pk")[:USES_NAMED]
        seen, total = seen + told.count(), total + rows.count()
    return Uses(records, seen - len(records), total - seen)


def _store(image: Image, picture: Picture, sizes: dict[str, Picture]) -> None:
    path = _secret_path()
    image.file.name = _stored(f"{path}-{_stem(image.name)}.{picture.extension}", picture)
    image.width, image.height = picture.width, picture.height
    image.filesize, image.media_type = len(picture.content), picture.media_type
    image.renditions = _stored_sizes(path, image.name, sizes)


def _stored_sizes(path: str, name: str, sizes: dict[str, Picture]) -> dict[str, Any]:
    return {
        size: {
            "file": _stored(f"{path}-{_stem(name)}-{cut.width}x{cut.height}.{cut.extension}", cut),
            "width": cut.width,
            "height": cut.height,
            "media_type": cut.media_type,
            "filesize": len(cut.content),
        }
        for size, cut in sizes.items()
    }


def _stored(name: str, picture: Picture) -> str:
    stored = default_storage.save(name, ContentFile(picture.content))
    if_undone(partial(default_storage.delete, stored))
    return stored


def _secret_path() -> str:
    """The beginning of names that nobody guesses: what is not published has its files among them."""
    secret = secrets.token_hex(16)
    return f"{FOLDER}/{secret[:2]}/{secret}"


def _stem(name: str) -> str:
    slug = slugify(name)
    return slug[:STEM_LENGTH].strip("-") if slug.isascii() and slug else "image"


def _forget_files(names: Iterable[str]) -> None:
    """Deletes files once it is certain that nothing names them any more."""
    for name in names:
        # A file that stays behind is no reason to undo what is written.
        transaction.on_commit(partial(default_storage.delete, name), robust=True)
