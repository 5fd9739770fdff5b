"""Loading the relations of records of content: images and custom fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from calendar_site.custom_fields.loading import HasCustomValues, load_custom_fields
from calendar_site.custom_fields.models import CustomField
from calendar_site.media.loading import HasImage, ImageRow, load_images


class HasRelations(HasImage, HasCustomValues, Protocol):
    """A row of content."""


class ContentRelations(NamedTuple):
    """Images by their ids, and custom fields by the resource that has them."""

    images: dict[int, ImageRow]
    custom_fields: dict[str, list[CustomField]]

    def image_of(self, row: HasImage) -> ImageRow | None:
        """Return the image of a row, None if it has none or its image was not loaded."""
        return self.images.get(row.image_id) if row.image_id else None


def load_content_relations(
    rows: Iterable[HasRelations], includes: Callable[[str], bool] = lambda key: True
) -> ContentRelations:
    """Return the relations of these rows for the keys that the response includes. Two queries at most."""
    rows = list(rows)
    return ContentRelations(
        load_images(rows) if includes("image") else {}, load_custom_fields(rows) if includes("custom_fields") else {}
    )
