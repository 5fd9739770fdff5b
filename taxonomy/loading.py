"""What an answer reads of a term."""

from typing import NamedTuple


class CategoryRow(NamedTuple):
    """The columns, in their order; `published_events` is computed (TermQuerySet.counted)."""

    id: int
    name: str
    slug: str
    description: str
    parent_id: int | None
    published_events: int


class TagRow(NamedTuple):
    """The columns, in their order; `published_events` is computed (TermQuerySet.counted)."""

    id: int
    name: str
    slug: str
    description: str
    published_events: int
