"""What an answer reads of an organizer."""

from collections import namedtuple

COLUMNS = (
    "id",
    "author_id",
    "status",
    "published_at",
    "modified_at",
    "title",
    "slug",
    "description",
    "excerpt",
    "phone",
    "website",
    "email",
)
OrganizerRow = namedtuple("OrganizerRow", COLUMNS)
