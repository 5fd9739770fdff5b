"""What an answer reads of a venue."""

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
    "address",
    "city",
    "country",
    "province",
    "state",
    "state_province",
    "zip",
    "phone",
    "website",
    "show_map",
    "show_map_link",
)
VenueRow = namedtuple("VenueRow", COLUMNS)
