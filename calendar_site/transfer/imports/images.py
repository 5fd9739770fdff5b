"""The images of records: each is fetched once, before the write lock is taken."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NamedTuple
from urllib.parse import urlsplit

from django.db.models import ProtectedError

from calendar_site.core.busy import ResourceBusy
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.http.http_client import FetchError
from calendar_site.core.permissions import can_delete
from calendar_site.core.text.plain_text import unescape_references
from calendar_site.core.types import AnyUser
from calendar_site.media.image_process import InvalidImage
from calendar_site.media.library import (
    PreparedImage,
    delete_image,
    deleting_unused_files,
    fetch_image,
    file_url,
    image_deadline,
    store_files,
    store_image,
)
from calendar_site.media.models import Image
from calendar_site.transfer.imports.records import ImageLink, ImportedRecord
from calendar_site.transfer.models import ImportRun, Source, SourceRecord

# The kind of the links of images.
IMAGE = "image"
IMAGE_TAG = re.compile(r"<img\b[^>]*?\bsrc\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
# The files of one image differ in their size: `photo-300x200.jpg`.
SIZE = re.compile(r"-\d{2,5}x\d{2,5}(?=\.[a-z]{3,4}\Z)", re.IGNORECASE)


class FetchedImages(NamedTuple):
    """The images of some records, by URL, and why others are missing."""

    known: Mapping[str, int]
    prepared: Mapping[str, PreparedImage]
    missing: Mapping[str, str]


def image_urls(record: ImportedRecord) -> list[str]:
    """Return the URLs of the images that the record shows, as its image and in its description."""
    urls = [record.image.url] if isinstance(record.image, ImageLink) else []
    host = urlsplit(record.url).netloc
    if host:
        # Only images of the site that is moved: it may be gone afterwards.
        urls += [url for url in _urls_in(record.values.get("description", "")) if urlsplit(url).netloc == host]
    return list(dict.fromkeys(urls))


def _urls_in(markup: str) -> list[str]:
    return [unescape_references(match[1] or match[2]) for match in IMAGE_TAG.finditer(markup)]


def original_url(url: str) -> str:
    """Return the URL of the original of a smaller file, as WordPress names them."""
    return SIZE.sub("", url)


@contextmanager
def fetched_images(
    source: Source, records: Iterable[ImportedRecord], missing: dict[str, str]
) -> Iterator[FetchedImages]:
    """Fetch the images that no import of the source has stored, and delete the files of those that stay unused.

    Those that cannot be fetched are added to `missing`, and not tried again in the same run.
    """
    urls = {original_url(url) for record in records for url in image_urls(record)}
    known = known_images(source, urls)
    prepared: dict[str, PreparedImage] = {}
    for url in sorted(urls - known.keys() - missing.keys()):
        try:
            prepared[url] = store_files(fetch_image(url, deadline=image_deadline()))
        except (FetchError, InvalidImage, ResourceBusy) as error:
            missing[url] = str(error)
    with deleting_unused_files(prepared.values()):
        yield FetchedImages(known, prepared, missing)


def known_images(source: Source, urls: Iterable[str]) -> dict[str, int]:
    """Return the images that imports of the source have stored, by URL. Two queries at most."""
    found = {
        link.key: link.record_id
        for link in SourceRecord.objects.filter(source=source, kind=IMAGE, key__in=[url[:500] for url in urls])
    }
    existing = set(Image.objects.filter(pk__in=found.values()).values_list("pk", flat=True)) if found else set()
    return {url: found[url[:500]] for url in urls if found.get(url[:500]) in existing}


class StoredImages:
    """The images of a batch of records, which are stored when a record needs them. Used inside the write lock."""

    def __init__(self, run: ImportRun, fetched: FetchedImages) -> None:
        self._run, self._source, self._user = run, run.source, run.source.owner
        self._fetched = fetched
        self._ids: dict[str, int] = {}

    def get(self, link: ImageLink) -> Image | None:
        """Return the image, None if it could not be fetched. Raises PermissionDenied and ValidationError."""
        url = original_url(link.url)
        pk = self._fetched.known.get(url) or self._ids.get(url)
        if pk is not None:
            return Image.objects.filter(pk=pk).first()
        prepared = self._fetched.prepared.get(url)
        return self._store(url, prepared, link) if prepared else None

    def _store(self, url: str, prepared: PreparedImage, link: ImageLink) -> Image:
        alt, credit = (text[: Image.MAX_TEXT_LENGTH] for text in (link.alt, link.credit))
        image = store_image(prepared, user=self._user, alt=alt, credit=credit)
        # In the savepoint of the record, like the image itself.
        SourceRecord.objects.update_or_create(
            source=self._source, kind=IMAGE, key=url[:500], defaults={"record_id": image.pk, "seen_in": self._run}
        )
        self._ids[url] = image.pk
        return image

    def forget_stored(self) -> None:
        """Forget what was stored for a record whose write was rolled back."""
        self._ids.clear()

    def localize(self, markup: str) -> str:
        """Return HTML in which the images of the source are those of the library."""

        def replace(match: re.Match[str]) -> str:
            url = unescape_references(match[1] or match[2])
            image = self.get(ImageLink(url)) if self._has(url) else None
            return match[0].replace(match[1] or match[2], file_url(str(image.file))) if image else match[0]

        return IMAGE_TAG.sub(replace, markup)

    def _has(self, url: str) -> bool:
        original = original_url(url)
        return original in self._fetched.known or original in self._fetched.prepared

    def reasons(self, record: ImportedRecord) -> list[str]:
        """Return which images of the record are missing, and why."""
        urls = [original_url(url) for url in image_urls(record)]
        return [f"{url}: {self._fetched.missing[url]}" for url in urls if url in self._fetched.missing]


def delete_unused_images(run: ImportRun, user: AnyUser) -> None:
    """Delete the images that a run has stored and that no record has. Each is deleted by itself."""
    for link in SourceRecord.objects.filter(source=run.source, kind=IMAGE, seen_in=run):
        image = Image.objects.filter(pk=link.record_id).first()
        if image is None or can_delete(user, image):
            with suppress(ProtectedError), write_lock():
                if image is not None:
                    delete_image(image, user=user)
                link.delete()
