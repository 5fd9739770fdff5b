"""The rows of venues that responses are made of."""

from datetime import datetime
from typing import Any, NamedTuple

from venues.models import region_of


class VenueRow(NamedTuple):
    """The columns of a venue that responses need."""

    id: int
    author_id: int
    status: str
    published_at: datetime
    modified_at: datetime
    title: str
    slug: str
    description: str
    excerpt: str
    address: str
    city: str
    country: str
    province: str
    state: str
    state_province: str
    zip: str
    phone: str
    website: str
    image_id: int | None
    custom_values: dict[str, Any]
    geo_lat: float | None
    geo_lng: float | None
    show_map: bool
    show_map_link: bool
    accessibility: list[str]
    time_zone: str

    @property
    def region(self) -> str:
        return region_of(self)
