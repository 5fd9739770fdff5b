"""Deleting old history."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.apps import apps
from django.db.models import Max, Model

from calendar_site.core.database.write_lock import write_lock

# Deleting one batch blocks other writers for a few tenths of a second at most; they get the lock between batches.
BATCH_SIZE = 1000


def prune_history(until: datetime, *, dry_run: bool = False) -> dict[type[Model], int]:
    """Delete the revisions that were recorded before `until`, and return their number by the model of their records.

    The newest revision of each record that exists is kept.
    """
    return {model: _prune(model, until, dry_run) for model in tracked_models()}


def clear_addresses(until: datetime) -> int:
    """Delete the client addresses in revisions that were recorded before `until`, and return their number."""
    count = 0
    for model in tracked_models():
        revisions = model.history.model.objects.filter(history_date__lt=until, history_address__isnull=False).order_by()
        while ids := list(revisions.values_list("history_id", flat=True)[:BATCH_SIZE]):
            with write_lock():
                count += model.history.filter(history_id__in=ids).update(history_address=None)
    return count


def tracked_models() -> list[Any]:
    """Return all models with a history."""
    return [model for model in apps.get_models() if hasattr(model, "history")]


def _prune(model: Any, until: datetime, dry_run: bool) -> int:
    count = 0
    for batch in _batches(model, until):
        superseded = batch.keys() - _newest_revisions(model, set(batch.values()))
        if superseded and not dry_run:
            with write_lock():
                # A superseded revision stays superseded: revisions recorded meanwhile are newer.
                model.history.filter(history_id__in=superseded).delete()
        count += len(superseded)
    return count


def _batches(model: Any, until: datetime) -> Iterator[dict[int, int]]:
    """Yield the old revisions with the ids of their records, in the order in which they were recorded."""
    last = 0
    old = model.history.filter(history_date__lt=until).order_by("history_id")
    while batch := dict(old.filter(history_id__gt=last).values_list("history_id", "id")[:BATCH_SIZE]):
        yield batch
        last = max(batch)


def _newest_revisions(model: Any, ids: set[int]) -> set[int]:
    """Return the ids of the newest revisions of the existing records among these."""
    existing = model._default_manager.filter(pk__in=ids).values_list("pk", flat=True)
    revisions = model.history.filter(id__in=list(existing)).order_by().values("id")
    return set(revisions.annotate(newest=Max("history_id")).values_list("newest", flat=True))
