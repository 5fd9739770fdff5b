"""Records as WordPress represents them: the keys that `wp/v2` and `tec/v1` share."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from calendar_site.compatibility.addresses import OriginalURLs
from calendar_site.compatibility.kinds import EVENTS, Kind

Record = Mapping[str, Any]


def to_post(record: Record, kind: Kind, urls: OriginalURLs, *, with_raw: bool = False) -> dict[str, Any]:
    """Return a record of the contract as a post, with the `raw` texts for those who edit it."""
    title, post_type = record[kind.name_key], kind.post_type
    is_protected = hides_fields(record)
    return {
        "id": record["id"],
        "date": to_wp_date(record["date"]),
        "date_gmt": to_wp_date(record["date_utc"]),
        "guid": {"rendered": f"{urls.site}/?post_type={post_type}&p={record['id']}"},
        "modified": to_wp_date(record["modified"]),
        "modified_gmt": to_wp_date(record["modified_utc"]),
        "slug": record["slug"],
        "status": record["status"],
        "type": post_type,
        "link": record["url"],
        "title": {**({"raw": title} if with_raw else {}), "rendered": escape(title, quote=False)},
        "content": _html(record["description"], with_raw, is_protected),
        "excerpt": _html(record["excerpt"], with_raw, is_protected),
        "author": record["author"],
        "featured_media": record["image"]["id"] if record["image"] else 0,
        "template": "",
    }


def terms_of_event(event: Record) -> dict[str, Any]:
    """Return the keys of an event about its terms."""
    return {
        "tags": [tag["id"] for tag in event["tags"]],
        "tribe_events_cat": [category["id"] for category in event["categories"]],
        "class_list": [
            f"post-{event['id']}",
            EVENTS.post_type,
            f"type-{EVENTS.post_type}",
            f"status-{event['status']}",
            "hentry",
            *(f"tag-{tag['slug']}" for tag in event["tags"]),
            *(f"tribe_events_cat-{category['slug']}" for category in event["categories"]),
        ],
    }


def hides_fields(record: Record) -> bool:
    """Return whether the record is that of an event whose fields a password hides from the reader."""
    return record.get("all_day", False) is None


def to_wp_date(date: str) -> str:
    return date.replace(" ", "T")


def _html(markup: str, with_raw: bool, is_protected: bool) -> dict[str, Any]:
    return {**({"raw": markup} if with_raw else {}), "rendered": markup, "protected": is_protected}
