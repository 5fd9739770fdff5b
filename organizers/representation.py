"""Organizers as the contract represents them."""

from __future__ import annotations

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
from organizers.loading import OrganizerRow
from organizers.models import Organizer


class OrganizerRecord(ContentRecord):
    organizer: str
    phone: str
    website: str
    email: str


def represent_organizer(row: Organizer | OrganizerRow, urls: SiteURLs, relations: ContentRelations) -> OrganizerRecord:
    """Return the record with all keys, including those with empty values (D4)."""
    return {
        "id": row.id,
        **represent_publication(row),
        "url": urls.page_url("organizer", row.slug),
        "organizer": row.title,
        "slug": row.slug,
        "description": row.description,
        "excerpt": row.excerpt,
        "image": represent_image_of(row, urls, relations),
        "phone": row.phone,
        "website": row.website,
        "email": row.email,
        "custom_fields": represent_custom_fields(row, "organizer", relations),
        **represent_global_ids(urls, "organizer", row.id),
    }


def organization_json_ld(organizer: OrganizerRecord) -> JSONLD:
    """Return an organizer as schema.org's Organization (D29); empty values are left out."""
    image = organizer["image"]
    optional = {
        "url": organizer["url"],
        "telephone": organizer["phone"],
        "email": organizer["email"],
        "sameAs": organizer["website"],
        "image": [image["url"]] if image else None,
    }
    return {
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": organizer["organizer"],
        **{name: value for name, value in optional.items() if value},
    }


def add_organization_json_ld(organizer: OrganizerRecord) -> dict[str, object]:
    return {**organizer, "json_ld": organization_json_ld(organizer)}
