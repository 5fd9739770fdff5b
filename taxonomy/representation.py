"""Categories and tags as the contract represents them."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from calendar_site.api.site_urls import SiteURLs
from taxonomy.loading import CategoryRow, TagRow


class TermURLs(TypedDict):
    self: str
    collection: str
    up: NotRequired[str]


class TermRecord(TypedDict):
    """A category or a tag; a tag has a `parent` only inside an event."""

    id: int
    name: str
    slug: str
    description: str
    parent: NotRequired[int]
    count: int
    url: str
    urls: TermURLs


def represent_category(row: CategoryRow, urls: SiteURLs) -> TermRecord:
    collection = f"{urls.api}/categories"
    term_urls: TermURLs = {"self": f"{collection}/{row.id}", "collection": collection}
    if row.parent_id:
        term_urls["up"] = f"{collection}/{row.parent_id}"
    return {
        "id": row.id,
        "name": row.name,
        "slug": row.slug,
        "description": row.description,
        "parent": row.parent_id or 0,
        "count": row.published_events,
        "url": urls.page_url("events/category", row.slug),
        "urls": term_urls,
    }


def represent_tag(row: TagRow, urls: SiteURLs) -> TermRecord:
    collection = f"{urls.api}/tags"
    return {
        "id": row.id,
        "name": row.name,
        "slug": row.slug,
        "description": row.description,
        "count": row.published_events,
        "url": urls.page_url("events/tag", row.slug),
        "urls": {"self": f"{collection}/{row.id}", "collection": collection},
    }


def represent_tag_of_event(row: TagRow, urls: SiteURLs) -> TermRecord:
    """Return a tag inside an event. Clients of the original expect that it has a parent, like a category (D35)."""
    return {**represent_tag(row, urls), "parent": 0}
