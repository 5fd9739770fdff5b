"""Records with the same name, and merging them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import Count

from calendar_site.content.merge import merge_linked
from calendar_site.core.choices import Status
from calendar_site.core.types import AnyUser
from organizers.models import Organizer
from taxonomy.merge import merge_terms
from taxonomy.models import Category, Tag
from venues.models import Venue

MERGES: dict[str, tuple[Any, Any]] = {
    "venues": (Venue, merge_linked),
    "organizers": (Organizer, merge_linked),
    "categories": (Category, merge_terms),
    "tags": (Tag, merge_terms),
}


class Duplicates(NamedTuple):
    """Records of one kind with the same name: the one to keep, which has the most events, and the others."""

    kept: Any
    others: list[Any]


def find_duplicates(kind: str) -> Iterator[Duplicates]:
    """Yield the records of a kind that have the same name; categories only below the same parent.

    Venues with different addresses are different places.
    """
    model, _merge = MERGES[kind]
    rows = model.objects.all()
    if hasattr(model, "status"):
        rows = rows.exclude(status=Status.TRASH)
    names = rows.values("name_key").annotate(number=Count("pk")).filter(number__gt=1).order_by("name_key")
    for name in names.values_list("name_key", flat=True).iterator():
        groups: dict[Any, list[Any]] = {}
        for row in rows.filter(name_key=name).annotate(uses=Count("events")).order_by("-uses", "pk"):
            groups.setdefault(_place_of(row), []).append(row)
        for first, *others in groups.values():
            if others:
                yield Duplicates(first, others)


def _place_of(row: Any) -> Any:
    """Return what else has to be the same."""
    if isinstance(row, Venue):
        return (row.address.casefold(), row.city.casefold(), row.zip)
    return row.parent_id if isinstance(row, Category) else None


def merge(kind: str, duplicates: Duplicates, user: AnyUser) -> None:
    """Merge the others into the kept record. Raises ValidationError and PermissionDenied."""
    _model, merge_records = MERGES[kind]
    merge_records(duplicates.kept, others=duplicates.others, user=user)
