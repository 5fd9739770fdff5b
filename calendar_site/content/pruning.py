"""Dropping old history."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.apps import apps
from django.db.models import Max, Model

from calendar_site.content.history import Kind
from calendar_site.content.submissions import telling_states
from calendar_site.content.transactions import writing

# Deleting so many holds other writers up for some tenths of a second at the most: they have their turn between.
ROWS_AT_A_TIME = 1000


def prune_history(until: datetime, *, dry_run: bool = False) -> dict[type[Model], int]:
    """Drops states that are older than `until`; answers how many, by the records that they are states of.

    Of each record that is there the newest state stays, the last time that it was sent back, and what its review
    tells from: when it was submitted, and what was last decided on it.
    """
    recorded = [model for model in apps.get_models() if hasattr(model, "history")]
    return {model: _prune(model, until, dry_run) for model in recorded}


def _prune(model: Any, until: datetime, dry_run: bool) -> int:
    count = 0
    for batch in _batches(model, until):
        needless = batch.keys() - _kept(model, set(batch.values()))
        if needless and not dry_run:
            with writing():
                # What is newer by now makes none of these needed.
                model.history.filter(history_id__in=needless).delete()
        count += len(needless)
    return count


def _batches(model: Any, until: datetime) -> Iterator[dict[int, int]]:
    """The old states, with the ids of their records, in the order in which they were recorded."""
    last = 0
    old = model.history.filter(history_date__lt=until).order_by("history_id")
    while batch := dict(old.filter(history_id__gt=last).values_list("history_id", "id")[:ROWS_AT_A_TIME]):
        yield batch
        last = max(batch)


def _kept(model: Any, ids: set[int]) -> set[int]:
    """The states of these records that stay."""
    living = set(model._default_manager.filter(pk__in=ids).values_list("pk", flat=True))
    states = model.history.filter(id__in=living).order_by().values("id").annotate(last=Max("history_id"))
    newest = states.values_list("last", flat=True)
    notes = states.filter(history_kind=Kind.SENT_BACK).values_list("last", flat=True)
    return {*newest, *notes, *telling_states(model, living)}
