"""Recording and finding former slugs."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from calendar_site.core import clock
from calendar_site.core.choices import PUBLIC_STATUSES, Status
from calendar_site.former_slugs.models import FormerSlug


class PageMove(NamedTuple):
    """A record whose page is no longer where its slug was."""

    record: Any
    slug: str


def record_moves(records: Iterable[Any]) -> None:
    """Record which of these saved records of one model had a public page under a slug that they do not have any more.

    Must run inside `write_lock()`, while `loaded_values` are those before the write. No query for other records.
    """
    moves = [PageMove(record, record.loaded_values["slug"]) for record in records if _has_moved(record)]
    if moves:
        store_moves(moves)


def store_moves(moves: Collection[PageMove]) -> None:
    """Store former slugs; a slug that several records had leads to the last one. One query."""
    rows = {
        (label, move.slug): FormerSlug(model_label=label, slug=move.slug, record_id=move.record.pk)
        for move in moves
        for label in [move.record._meta.label_lower]
    }
    FormerSlug.objects.bulk_create(
        rows.values(), update_conflicts=True, unique_fields=["model_label", "slug"], update_fields=["record_id"]
    )


def find_former(model: Any, slug: str) -> int | None:
    """Return the id of the record that had a public page under this slug last, None if none had. One query."""
    rows = FormerSlug.objects.filter(model_label=model._meta.label_lower, slug=slug)
    return rows.values_list("record_id", flat=True).first()


def _has_moved(record: Any) -> bool:
    before = record.loaded_values
    if not before or not before.get("slug"):
        return False
    was_public = before["status"] in PUBLIC_STATUSES and before["published_at"] <= clock.now()
    return was_public and (before["slug"] != record.slug or record.status == Status.TRASH)
