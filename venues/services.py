"""Services of venues: the common services of venues and organizers."""

from __future__ import annotations

from calendar_site.audit.record_services import ContentServices
from calendar_site.content.services import ContentChanges, apply_content, delete_linked, save_content, trash_linked
from venues.models import Venue


class VenueChanges(ContentChanges, total=False):
    """The fields of a venue, by model field name; missing keys change nothing."""

    address: str
    city: str
    country: str
    province: str
    state: str
    state_province: str
    zip: str
    phone: str
    website: str
    show_map: bool
    show_map_link: bool
    accessibility: list[str]
    geo_lat: float | None
    geo_lng: float | None
    # "" to derive it from the place.
    time_zone: str


venue_services: ContentServices[Venue] = ContentServices(
    save=save_content, apply=apply_content, trash=trash_linked, delete=delete_linked
)
