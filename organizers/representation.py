"""Organizers as the contract answers them."""

from __future__ import annotations

from typing import Any

from calendar_site.api.links import Links
from calendar_site.api.records import custom_fields_of, global_ids, image_of, publication
from calendar_site.content.loading import Extras


def represent_organizer(row: Any, links: Links, extras: Extras) -> dict[str, Any]:
    """An organizer with every key, empty ones too (D4)."""
    return {
        "id": row.id,
        **publication(row),
        "url": links.page("organizer", row.slug),
        "organizer": row.title,
        "slug": row.slug,
        "description": row.description,
        "excerpt": row.excerpt,
        "image": image_of(row, links, extras),
        "phone": row.phone,
        "website": row.website,
        "email": row.email,
        "custom_fields": custom_fields_of(row, "organizer", extras),
        **global_ids(links, "organizer", row.id),
    }


def person(organizer: dict[str, Any]) -> dict[str, Any]:
    """An organizer's answer as schema.org's Person, the type that the contract's clients know."""
    facts = {
        "url": organizer["url"],
        "telephone": organizer["phone"],
        "email": organizer["email"],
        "sameAs": organizer["website"],
        "image": organizer["image"] and [organizer["image"]["url"]],
    }
    return {
        "@context": "https://schema.org",
        "@type": "Person",
        "name": organizer["organizer"],
        **{name: value for name, value in facts.items() if value},
    }
