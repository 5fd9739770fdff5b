"""The rows of categories and tags that responses are made of."""

from typing import NamedTuple


class CategoryRow(NamedTuple):
    """The columns that responses need; `published_events` is annotated (`TermQuerySet.with_published_counts`)."""

    id: int
    name: str
    slug: str
    description: str
    parent_id: int | None
    published_events: int


class TagRow(NamedTuple):
    """The columns that responses need; `published_events` is annotated (`TermQuerySet.with_published_counts`)."""

    id: int
    name: str
    slug: str
    description: str
    published_events: int
