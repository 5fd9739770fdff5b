"""What an answer reads of a venue."""

from datetime import datetime
from typing import Any, NamedTuple


class VenueRow(NamedTuple):
    """The columns, in their order."""

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
