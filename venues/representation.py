"""Venues as the contract answers them."""

from __future__ import annotations

from typing import Any

from calendar_site.api.links import Links
from calendar_site.api.records import custom_fields_of, global_ids, image_of, publication
from calendar_site.content.loading import Extras

ADDRESS = {
    "address": "streetAddress",
    "city": "addressLocality",
    "stateprovince": "addressRegion",
    "zip": "postalCode",
    "country": "addressCountry",
}


def represent_venue(row: Any, links: Links, extras: Extras) -> dict[str, Any]:
    """A venue with every key, empty ones too (D4)."""
    return {
        "id": row.id,
        **publication(row),
        "url": links.page("venue", row.slug),
        "venue": row.title,
        "slug": row.slug,
        "description": row.description,
        "excerpt": row.excerpt,
        "image": image_of(row, links, extras),
        "address": row.address,
        "city": row.city,
        "country": row.country,
        "province": row.province,
        "state": row.state,
        "zip": row.zip,
        "phone": row.phone,
        "website": row.website,
        "stateprovince": row.state or row.province or row.state_province,
        "show_map": row.show_map,
        "show_map_link": row.show_map_link,
        "geo_lat": row.geo_lat,
        "geo_lng": row.geo_lng,
        "custom_fields": custom_fields_of(row, "venue", extras),
        **global_ids(links, "venue", row.id),
    }


def place(venue: dict[str, Any]) -> dict[str, Any]:
    """A venue's answer as schema.org's Place."""
    address = {name: venue[key] for key, name in ADDRESS.items() if venue[key]}
    facts = {
        "url": venue["url"],
        "telephone": venue["phone"],
        "sameAs": venue["website"],
        "image": venue["image"] and [venue["image"]["url"]],
    }
    if venue["geo_lat"] is not None:
        facts["geo"] = {"@type": "GeoCoordinates", "latitude": venue["geo_lat"], "longitude": venue["geo_lng"]}
    return {
        "@context": "https://schema.org",
        "@type": "Place",
        "name": venue["venue"],
        **({"address": {"@type": "PostalAddress", **address}} if address else {}),
        **{name: value for name, value in facts.items() if value},
    }
