"""The parts of records that events, venues and organizers share."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import Any, Literal, NotRequired, Protocol, TypedDict

from calendar_site.api.output.loading import ContentRelations, HasRelations
from calendar_site.api.site_urls import SiteURLs
from calendar_site.core import clock
from calendar_site.core.choices import Status
from calendar_site.core.dates.conversion import site_zone, to_utc_wire, to_wire
from calendar_site.core.permissions import Authored
from calendar_site.custom_fields.values import RepresentedValue, represent_values
from calendar_site.media.loading import ImageRow

# An object in the vocabulary of schema.org.
JSONLD = dict[str, Any]
# `[]` if there are no values.
CustomFieldsRecord = dict[str, RepresentedValue] | list[RepresentedValue]


class PublishedRow(Authored, Protocol):
    """The columns about publishing: of an instance, or of a loaded row."""

    @property
    def modified_at(self) -> datetime: ...


class PublicationRecord(TypedDict):
    author: int
    status: str
    date: str
    date_utc: str
    modified: str
    modified_utc: str


class GlobalIdsRecord(TypedDict):
    global_id: str
    global_id_lineage: list[str]


ImageSizeRecord = TypedDict(
    "ImageSizeRecord", {"url": str, "width": int, "height": int, "mime-type": str, "filesize": int}
)


class ImageRecord(TypedDict):
    url: str
    id: int
    extension: str
    width: int
    height: int
    filesize: int
    alt: str
    sizes: dict[str, ImageSizeRecord]


class ContentRecord(PublicationRecord, GlobalIdsRecord):
    """The keys that events, venues and organizers have in common."""

    id: int
    url: str
    slug: str
    description: str
    excerpt: str
    image: ImageRecord | Literal[False]
    custom_fields: CustomFieldsRecord
    # Only in the response to a read of one record.
    json_ld: NotRequired[JSONLD]


def represent_publication(row: PublishedRow) -> PublicationRecord:
    site_tz = site_zone().tz
    date, date_utc = _local_and_utc_wire(row.published_at, site_tz)
    modified, modified_utc = _local_and_utc_wire(row.modified_at, site_tz)
    return {
        "author": row.author_id,
        "status": current_status(row),
        "date": date,
        "date_utc": date_utc,
        "modified": modified,
        "modified_utc": modified_utc,
    }


def _local_and_utc_wire(moment: datetime, tz: tzinfo) -> tuple[str, str]:
    """Return the wire dates of a moment in a time zone and in UTC, formatted once if they are equal."""
    local, utc = moment.astimezone(tz), to_utc_wire(moment)
    return (to_wire(local) if local.utcoffset() else utc), utc


def current_status(row: Authored) -> str:
    """Return the stored status, or `publish` for a scheduled record whose publication date has come."""
    if row.status == Status.FUTURE and clock.has_passed(row.published_at):
        return Status.PUBLISH.value
    return str(row.status)


def represent_global_ids(urls: SiteURLs, resource: str, pk: int) -> GlobalIdsRecord:
    global_id = urls.global_id(resource, pk)
    return {"global_id": global_id, "global_id_lineage": [global_id]}


def represent_image_of(row: HasRelations, urls: SiteURLs, relations: ContentRelations) -> ImageRecord | Literal[False]:
    """Return the image of a row, False for none."""
    image = relations.image_of(row)
    return represent_image(image, urls) if image else False


def represent_image(image: ImageRow, urls: SiteURLs) -> ImageRecord:
    return {
        "url": urls.media_url(image.file),
        "id": image.id,
        "extension": image.file.rpartition(".")[2],
        "width": image.width,
        "height": image.height,
        "filesize": image.filesize,
        "alt": image.alt,
        "sizes": {
            name: {
                "url": urls.media_url(size["file"]),
                "width": size["width"],
                "height": size["height"],
                "mime-type": size["media_type"],
                "filesize": size["filesize"],
            }
            for name, size in image.renditions.items()
        },
    }


def represent_custom_fields(row: HasRelations, resource: str, relations: ContentRelations) -> CustomFieldsRecord:
    return represent_values(row.custom_values, relations.custom_fields.get(resource, ())) if row.custom_values else []


def without_context(thing: JSONLD) -> JSONLD:
    """Return an object of schema.org without `@context`, as a part of another one that has it."""
    return {name: value for name, value in thing.items() if name != "@context"}
