"""Categories and tags as the contract answers them."""

from __future__ import annotations

from typing import Any

from calendar_site.api.links import Links


def represent_term(row: Any, links: Links, collection: str, kind: str) -> dict[str, Any]:
    """A term; `count` is how many published events have it."""
    address = f"{links.api}/{collection}"
    urls = {"self": f"{address}/{row.id}", "collection": address}
    return {
        "id": row.id,
        "name": row.name,
        "slug": row.slug,
        "description": row.description,
        "parent": 0,
        "count": row.published_events,
        "url": links.page(f"events/{kind}", row.slug),
        "urls": urls,
    }


def represent_category(row: Any, links: Links) -> dict[str, Any]:
    term = represent_term(row, links, "categories", "category")
    if row.parent_id:
        term["parent"] = row.parent_id
        term["urls"]["up"] = f"{term['urls']['collection']}/{row.parent_id}"
    return term


def represent_tag(row: Any, links: Links) -> dict[str, Any]:
    """A tag; it has no parent, so the key is not there."""
    term = represent_term(row, links, "tags", "tag")
    del term["parent"]
    return term
