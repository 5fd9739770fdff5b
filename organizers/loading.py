"""The rows of organizers that responses are made of."""

from datetime import datetime
from typing import Any, NamedTuple


class OrganizerRow(NamedTuple):
    """The columns of an organizer that responses need."""

    id: int
    author_id: int
    status: str
    published_at: datetime
    modified_at: datetime
    title: str
    slug: str
    description: str
    excerpt: str
    phone: str
    website: str
    image_id: int | None
    custom_values: dict[str, Any]
    email: str
