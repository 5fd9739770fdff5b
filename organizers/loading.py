"""What an answer reads of an organizer."""

from datetime import datetime
from typing import Any, NamedTuple


class OrganizerRow(NamedTuple):
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
    phone: str
    website: str
    image_id: int | None
    custom_values: dict[str, Any]
    email: str
