"""Querysets of venues."""

from collections.abc import Iterable
from typing import Self

from calendar_site.content.linked_querysets import LinkedQuerySet


class VenueQuerySet(LinkedQuerySet):
    link_field = "venue"

    def with_accessibility(self, features: Iterable[str]) -> Self:
        """Filter to venues with all of these features."""
        rows = self
        for feature in features:
            rows = rows.filter(accessibility__contains=feature)
        return rows
