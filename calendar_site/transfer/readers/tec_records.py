"""The records of The Events Calendar, in the shape of its REST API (`tribe/events/v1`)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from calendar_site.core.slugs import decode_slug
from calendar_site.core.text.plain_text import unescape_references
from calendar_site.transfer.imports.records import ImageLink, ImportedRecord, RecordKind, RejectedRecord, SourceLink
from events.uids import from_clock

# The statuses that we have as well.
STATUSES = {"publish", "pending", "draft", "private", "future"}


@dataclass
class TecRecordMaker:
    """Makes records of what a site answers."""

    keeps_ids: bool
    # By URL and by id, with their alternative texts.
    images: dict[str, ImageLink] = field(default_factory=dict)
    images_by_id: dict[str, ImageLink] = field(default_factory=dict)
    # The email addresses of authors by id, as far as they are known.
    emails: dict[str, str] = field(default_factory=dict)

    def add_image(self, pk: Any, url: str, alt: str) -> None:
        self.images[url] = self.images_by_id[str(pk)] = ImageLink(url, unescape_references(alt))

    def read(self, kind: RecordKind, records: Iterable[dict[str, Any]]) -> Iterator[ImportedRecord | RejectedRecord]:
        """Yield the records of a kind; one that cannot be understood is rejected."""
        readers: dict[RecordKind, Callable[[RecordKind, dict[str, Any]], ImportedRecord]] = {
            RecordKind.CATEGORY: self._term,
            RecordKind.TAG: self._term,
            RecordKind.VENUE: self._venue,
            RecordKind.ORGANIZER: self._organizer,
            RecordKind.EVENT: self._event,
        }
        for record in records:
            try:
                yield readers[kind](kind, record)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                key, raw = str(record.get("id", "")), json.dumps(record)
                names = (record.get(name) for name in ("title", "venue", "organizer", "name"))
                title = next((str(name) for name in names if name), "")
                reason = f"{type(error).__name__}: {error}"
                yield RejectedRecord(reason=reason, kind=kind, key=key, title=title, raw=raw)

    def _id(self, record: Mapping[str, Any]) -> int | None:
        return int(record["id"]) if self.keeps_ids else None

    def _term(self, kind: RecordKind, record: dict[str, Any]) -> ImportedRecord:
        values = {
            "name": unescape_references(record["name"]),
            "slug": decode_slug(record["slug"]),
            "description": unescape_references(record.get("description") or ""),
        }
        parent = record.get("parent")
        links = {"parent": (SourceLink(str(parent)),) if parent else ()} if kind == RecordKind.CATEGORY else {}
        return ImportedRecord(
            kind=kind,
            key=str(record["id"]),
            title=values["name"],
            values=values,
            links=links,
            id=self._id(record),
            url=str(record.get("url") or ""),
            raw=json.dumps(record),
        )

    def _content(self, kind: RecordKind, record: dict[str, Any], title: str, **values: Any) -> dict[str, Any]:
        """Return the arguments of a record that all content has."""
        status = record.get("status")
        return {
            "kind": kind,
            "key": str(record["id"]),
            "title": title,
            "values": {
                "title": title,
                "slug": decode_slug(record.get("slug") or "") or None,
                "description": record.get("description") or "",
                "status": status if status in STATUSES else "draft",
                **_publication(record),
                **values,
            },
            "image": self._image(record),
            "author_email": self.emails.get(str(record.get("author")), ""),
            "id": self._id(record),
            "url": str(record.get("url") or ""),
            "raw": json.dumps(record),
        }

    def _image(self, record: Mapping[str, Any]) -> ImageLink | None:
        if "image_id" in record:
            return self.images_by_id.get(str(record["image_id"]))
        image = record.get("image")
        if not isinstance(image, dict) or not image.get("url"):
            return None
        return self.images.get(image["url"]) or ImageLink(str(image["url"]))

    def _venue(self, kind: RecordKind, record: dict[str, Any]) -> ImportedRecord:
        names = {"address": "address", "city": "city", "country": "country", "province": "province", "state": "state"}
        names |= {"state_province": "stateprovince", "zip": "zip", "phone": "phone", "website": "website"}
        values: dict[str, Any] = {name: unescape_references(str(record.get(key) or "")) for name, key in names.items()}
        values |= {name: bool(record.get(name)) for name in ("show_map", "show_map_link")}
        latitude, longitude = record.get("geo_lat"), record.get("geo_lng")
        if latitude not in (None, "") and longitude not in (None, ""):
            values |= {"geo_lat": float(latitude), "geo_lng": float(longitude)}
        return ImportedRecord(**self._content(kind, record, unescape_references(record["venue"]), **values))

    def _organizer(self, kind: RecordKind, record: dict[str, Any]) -> ImportedRecord:
        values = {name: unescape_references(str(record.get(name) or "")) for name in ("phone", "website", "email")}
        return ImportedRecord(**self._content(kind, record, unescape_references(record["organizer"]), **values))

    def _event(self, kind: RecordKind, record: dict[str, Any]) -> ImportedRecord:
        flags = ("all_day", "show_map", "show_map_link", "hide_from_listings", "sticky", "featured")
        website = str(record.get("website") or "")
        values: dict[str, Any] = {
            "excerpt": record.get("excerpt") or "",
            "start": _utc(record["utc_start_date"]),
            "end": _utc(record["utc_end_date"]),
            "time_zone": record["timezone"],
            "cost": unescape_references(str(record.get("cost") or "")),
            # Without a website, the original names its own page.
            "website": "" if website == record.get("url") else website,
            "uid": _uid(record),
            **{name: bool(record.get(name)) for name in flags},
        }
        if password := record.get("password"):
            values["password"] = str(password)
        links = {name: _links(record.get(name)) for name in ("categories", "tags")}
        links |= {"venues": _links(record.get("venue")), "organizers": _links(record.get("organizer"))}
        title = unescape_references(record["title"])
        return ImportedRecord(**self._content(kind, record, title, **values), links=links)


def _links(records: Any) -> tuple[SourceLink, ...]:
    rows = [records] if isinstance(records, dict) else records or []
    return tuple(SourceLink(str(row["id"])) for row in rows if isinstance(row, dict) and "id" in row)


def _utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _publication(record: Mapping[str, Any]) -> dict[str, datetime]:
    """Return the publication date, which drafts do not have (`0000-00-00`)."""
    text = str(record.get("date_utc") or "")
    return {} if not text or text.startswith("0000") else {"published_at": _utc(text)}


def _uid(record: Mapping[str, Any]) -> str:
    """Return the identifier that calendars have of the event, so that their subscribers see no event twice."""
    start, end = (int(from_clock(record[name]).timestamp()) for name in ("start_date", "end_date"))
    return f"{record['id']}-{start}-{end}@{urlsplit(record['url']).netloc}"


def parents_first(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return categories in an order in which each follows its parent."""
    left = {record.get("id"): record for record in records}
    ordered: list[dict[str, Any]] = []
    while left:
        ready = [record for record in left.values() if record.get("parent") not in left]
        # A circle of parents is broken anywhere.
        ordered += [left.pop(record.get("id")) for record in ready or list(left.values())[:1]]
    return ordered
