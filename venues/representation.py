"""Venues as the contract represents them."""

from __future__ import annotations

from collections.abc import Iterable

from calendar_site.api.output.loading import ContentRelations
from calendar_site.api.output.representation import (
    JSONLD,
    ContentRecord,
    represent_custom_fields,
    represent_global_ids,
    represent_image_of,
    represent_publication,
)
from calendar_site.api.site_urls import SiteURLs
from venues.loading import VenueRow
from venues.models import Venue


class VenueRecord(ContentRecord):
    venue: str
    address: str
    city: str
    country: str
    province: str
    state: str
    zip: str
    phone: str
    website: str
    stateprovince: str
    show_map: bool
    show_map_link: bool
    accessibility: list[str]
    geo_lat: float | None
    geo_lng: float | None
    timezone: str | None


def represent_venue(row: Venue | VenueRow, urls: SiteURLs, relations: ContentRelations) -> VenueRecord:
    """Return the record with all keys, including those with empty values (D4)."""
    return {
        "id": row.id,
        **represent_publication(row),
        "url": urls.page_url("venue", row.slug),
        "venue": row.title,
        "slug": row.slug,
        "description": row.description,
        "excerpt": row.excerpt,
        "image": represent_image_of(row, urls, relations),
        "address": row.address,
        "city": row.city,
        "country": row.country,
        "province": row.province,
        "state": row.state,
        "zip": row.zip,
        "phone": row.phone,
        "website": row.website,
        "stateprovince": row.region,
        "show_map": row.show_map,
        "show_map_link": row.show_map_link,
        "accessibility": row.accessibility,
        "geo_lat": row.geo_lat,
        "geo_lng": row.geo_lng,
        "timezone": row.time_zone or None,
        "custom_fields": represent_custom_fields(row, "venue", relations),
        **represent_global_ids(urls, "venue", row.id),
    }


def place_json_ld(venue: VenueRecord) -> JSONLD:
    """Return a venue as schema.org's Place; empty values are left out."""
    address = {
        "streetAddress": venue["address"],
        "addressLocality": venue["city"],
        "addressRegion": venue["stateprovince"],
        "postalCode": venue["zip"],
        "addressCountry": venue["country"],
    }
    image = venue["image"]
    optional: JSONLD = {
        "address": {"@type": "PostalAddress", **_present(address)} if any(address.values()) else None,
        "url": venue["url"],
        "telephone": venue["phone"],
        "sameAs": venue["website"],
        "image": [image["url"]] if image else None,
        "geo": (
            {"@type": "GeoCoordinates", "latitude": venue["geo_lat"], "longitude": venue["geo_lng"]}
            if venue["geo_lat"] is not None
            else None
        ),
        "amenityFeature": amenity_features(venue["accessibility"]),
    }
    return {
        "@context": "https://schema.org",
        "@type": "Place",
        "name": venue["venue"],
        **_present(optional),
    }


def amenity_features(features: Iterable[str]) -> list[JSONLD]:
    """Return accessibility features as schema.org's LocationFeatureSpecification."""
    return [{"@type": "LocationFeatureSpecification", "name": feature, "value": True} for feature in features]


def add_place_json_ld(venue: VenueRecord) -> dict[str, object]:
    return {**venue, "json_ld": place_json_ld(venue)}


def _present(things: JSONLD) -> JSONLD:
    return {name: value for name, value in things.items() if value}
