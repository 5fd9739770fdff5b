"""A WordPress export with the records of The Events Calendar: the way back to the original."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, BinaryIO

from django.utils.html import escape

from calendar_site.accounts.models import User
from calendar_site.media.models import Image
from calendar_site.transfer.formats.content import (
    CHUNK_RECORDS,
    all_events,
    all_organizers,
    all_venues,
    cost_without_symbol,
    file_url,
    organizers_of,
    page_url,
    site_root,
    venues_of,
)
from events.models import Event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

HEAD = """<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0"
 xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<wp:wxr_version>1.2</wp:wxr_version>
"""
END = "</channel>\n</rss>\n"
# Control characters that XML does not allow.
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
POSITIONS = {"prefix": "prefix", "postfix": "suffix"}


class PostIds:
    """The ids of posts. WordPress has one sequence for all of them, so ids that occur twice get another one."""

    def __init__(self) -> None:
        self._offsets: dict[Any, int] = {}
        top = 0
        taken: set[int] = set()
        for model in (Event, Venue, Organizer, Image):
            ids = set(model._default_manager.values_list("pk", flat=True))
            self._offsets[model] = top if ids & taken else 0
            shifted = {pk + self._offsets[model] for pk in ids}
            taken |= shifted
            top = max(taken, default=0)

    def of(self, model: Any, pk: int) -> int:
        return pk + self._offsets[model]


def write_wxr(file: BinaryIO) -> int:
    """Write the export, and return the number of its records."""
    file.write(HEAD.encode())
    file.write(f"<wp:base_site_url>{_text(site_root())}</wp:base_site_url>\n".encode())
    count = 0
    for record in _records(PostIds()):
        file.write(record.encode())
        count += 1
    file.write(END.encode())
    return count


def _records(ids: PostIds) -> Iterator[str]:
    for user in User.objects.order_by("pk").iterator(CHUNK_RECORDS):
        yield _element("wp:author", {"wp:author_id": user.pk, "wp:author_login": user.username,
                                     "wp:author_email": user.email})  # fmt: skip
    for category in Category.objects.select_related("parent").order_by("pk").iterator(CHUNK_RECORDS):
        yield _element("wp:term", {
            "wp:term_id": category.pk, "wp:term_taxonomy": "tribe_events_cat", "wp:term_slug": category.slug,
            "wp:term_parent": category.parent.slug if category.parent else "", "wp:term_name": category.name,
            "wp:term_description": category.description,
        })  # fmt: skip
    for tag in Tag.objects.order_by("pk").iterator(CHUNK_RECORDS):
        yield _element("wp:tag", {"wp:term_id": tag.pk, "wp:tag_slug": tag.slug, "wp:tag_name": tag.name,
                                  "wp:tag_description": tag.description})  # fmt: skip
    for image in Image.objects.select_related("author").order_by("pk").iterator(CHUNK_RECORDS):
        yield _image(image, ids)
    for venue in all_venues():
        yield _post(venue, "tribe_venue", "venue", _venue_meta(venue), ids)
    for organizer in all_organizers():
        meta = {"Phone": organizer.phone, "Website": organizer.website, "Email": organizer.email}
        values = [(f"_Organizer{name}", value) for name, value in meta.items()]
        yield _post(organizer, "tribe_organizer", "organizer", values, ids)
    for event in all_events():
        yield _post(event, "tribe_events", "event", _event_meta(event, ids), ids, _event_parts(event))


def _image(image: Image, ids: PostIds) -> str:
    url = file_url(str(image.file))
    fields = {
        "title": image.name,
        "link": url,
        "dc:creator": image.author.username if image.author else "",
        "wp:post_id": ids.of(Image, image.pk),
        "wp:post_date_gmt": _utc(image.created_at),
        "wp:status": "inherit",
        "wp:post_type": "attachment",
        "wp:attachment_url": url,
    }
    return _element("item", fields, _meta([("_wp_attachment_image_alt", image.alt)]))


def _post(row: Any, post_type: str, path: str, meta: list[tuple[str, Any]], ids: PostIds, parts: str = "") -> str:
    if row.image_id:
        meta = [*meta, ("_thumbnail_id", ids.of(Image, row.image_id))]
    fields = {
        "title": row.title,
        "link": page_url(path, row.slug),
        "dc:creator": row.author.username,
        "content:encoded": row.description,
        "excerpt:encoded": getattr(row, "excerpt", ""),
        "wp:post_id": ids.of(type(row), row.pk),
        "wp:post_date_gmt": _utc(row.published_at),
        "wp:post_name": row.slug,
        "wp:status": row.status,
        "wp:post_type": post_type,
        "wp:post_password": getattr(row, "password", ""),
        # "Sticky in month view".
        "wp:menu_order": -1 if getattr(row, "sticky", False) else 0,
    }
    return _element("item", fields, parts + _meta(meta))


def _venue_meta(venue: Venue) -> list[tuple[str, Any]]:
    values = {
        "Address": venue.address, "City": venue.city, "Country": venue.country, "Province": venue.province,
        "State": venue.state, "StateProvince": venue.state_province, "Zip": venue.zip, "Phone": venue.phone,
        "URL": venue.website, "ShowMap": _flag(venue.show_map), "ShowMapLink": _flag(venue.show_map_link),
    }  # fmt: skip
    if venue.geo_lat is not None and venue.geo_lng is not None:
        values |= {"Lat": str(venue.geo_lat), "Lng": str(venue.geo_lng)}
    return [(f"_Venue{name}", value) for name, value in values.items()]


def _event_meta(event: Event, ids: PostIds) -> list[tuple[str, Any]]:
    cost = cost_without_symbol(event)
    meta: list[tuple[str, Any]] = [
        ("_EventStartDate", event.start_local),
        ("_EventEndDate", event.end_local),
        ("_EventStartDateUTC", _utc(event.start)),
        ("_EventEndDateUTC", _utc(event.end)),
        ("_EventTimezone", event.time_zone),
        ("_EventAllDay", "yes" if event.all_day else ""),
        ("_EventURL", event.website),
        ("_EventCost", cost),
        ("_EventCurrencySymbol", event.cost_symbol),
        ("_EventCurrencyPosition", POSITIONS.get(event.cost_position, "")),
        ("_EventShowMap", _flag(event.show_map)),
        ("_EventShowMapLink", _flag(event.show_map_link)),
        ("_EventHideFromUpcoming", "yes" if event.hide_from_listings else ""),
        ("_tribe_featured", _flag(event.featured)),
    ]
    meta += [("_EventVenueID", ids.of(Venue, row.pk)) for row in venues_of(event)]
    meta += [("_EventOrganizerID", ids.of(Organizer, row.pk)) for row in organizers_of(event)]
    return meta


def _event_parts(event: Event) -> str:
    terms = [("tribe_events_cat", row.slug, row.name) for row in event.categories.all()]
    terms += [("post_tag", row.slug, row.name) for row in event.tags.all()]
    return "".join(
        f'<category domain="{domain}" nicename="{escape(slug)}">{_text(name)}</category>\n'
        for domain, slug, name in terms
    )


def _meta(values: list[tuple[str, Any]]) -> str:
    return "".join(
        _element("wp:postmeta", {"wp:meta_key": name, "wp:meta_value": value})
        for name, value in values
        if value not in ("", None)
    )


def _element(name: str, fields: Mapping[str, Any], inner: str = "") -> str:
    lines = "".join(f"<{key}>{_text(value)}</{key}>\n" for key, value in fields.items())
    return f"<{name}>\n{lines}{inner}</{name}>\n"


def _text(value: Any) -> str:
    return escape(CONTROL.sub("", str(value)))


def _flag(value: bool) -> str:
    return "1" if value else ""


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S}"
