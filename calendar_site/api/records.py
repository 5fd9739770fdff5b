"""The keys that records of events, venues and organizers share."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from calendar_site.api.links import Links
from calendar_site.content.choices import Status
from calendar_site.content.custom_values import answered
from calendar_site.content.dates import site_zone, utc_wire, wire
from calendar_site.content.loading import Extras, ImageRow


def publication(row: Any) -> dict[str, Any]:
    """Who made the record, its status as it reads now, and when it was published and changed."""
    tz = site_zone().tz
    return {
        "author": row.author_id,
        "status": status_now(row),
        "date": wire(row.published_at.astimezone(tz)),
        "date_utc": utc_wire(row.published_at),
        "modified": wire(row.modified_at.astimezone(tz)),
        "modified_utc": utc_wire(row.modified_at),
    }


def status_now(row: Any) -> str:
    """`publish` for a scheduled record whose date has come, else the status that is stored."""
    if row.status == Status.FUTURE and row.published_at <= timezone.now():
        return Status.PUBLISH.value
    return str(row.status)


def global_ids(links: Links, kind: str, pk: int) -> dict[str, Any]:
    global_id = links.global_id(kind, pk)
    return {"global_id": global_id, "global_id_lineage": [global_id]}


def image_of(row: Any, links: Links, extras: Extras) -> Any:
    """The image of a record, `False` for none."""
    image = extras.images.get(row.image_id)
    return represent_image(image, links) if image else False


def represent_image(image: ImageRow, links: Links) -> dict[str, Any]:
    """An image with its sizes, in the shape that the contract's clients know."""
    return {
        "url": links.media(image.file),
        "id": image.id,
        "extension": image.file.rpartition(".")[2],
        "width": image.width,
        "height": image.height,
        "filesize": image.filesize,
        "alt": image.alt,
        "sizes": {
            name: {
                "url": links.media(size["file"]),
                "width": size["width"],
                "height": size["height"],
                "mime-type": size["media_type"],
                "filesize": size["filesize"],
            }
            for name, size in image.renditions.items()
        },
    }


def custom_fields_of(row: Any, kind: str, extras: Extras) -> Any:
    """What the record holds in its custom fields, `[]` for nothing."""
    return answered(row.custom_values, extras.custom_fields.get(kind, ())) if row.custom_values else []
