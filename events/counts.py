"""The number of published events that anonymous visitors find by each category and tag, kept by the services."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from django.db.models import F

from calendar_site.core.choices import Status
from calendar_site.core.compiled_queries import CompiledQuery, example_ids
from events.models import Event

TERM_LINKS = (("category", Event.categories.through), ("tag", Event.tags.through))


@contextmanager
def updating_term_counts(events: Iterable[Event]) -> Iterator[None]:
    """Update `event_count` of the terms whose published events change inside the block.

    Four queries (two if all events are new), and one for all terms whose count changes by the same number. Must run
    inside `write_lock()`.
    """
    events = list(events)
    ids = {event.pk for event in events if event.pk}
    before = _count_by_term(ids)
    yield
    # By now, new events have an id, and deleted ones have none.
    after = _count_by_term(ids | {event.pk for event in events if event.pk})
    for (column, links), old, new in zip(TERM_LINKS, before, after, strict=True):
        model: Any = links._meta.get_field(column).related_model
        new.subtract(old)
        for change in {*new.values()} - {0}:
            changed = [pk for pk, by in new.items() if by == change]
            model._default_manager.filter(pk__in=changed).update(event_count=F("event_count") + change)


def _count_by_term(ids: set[int]) -> list[Counter[int]]:
    """Return the number of published events among these by category, and by tag."""
    return [
        Counter(pk for (pk,) in _published_links(links, column, len(ids)).run_for(list(ids))) if ids else Counter()
        for column, links in TERM_LINKS
    ]


@lru_cache(maxsize=64)
def _published_links(links: Any, column: str, count: int) -> CompiledQuery:
    events = Event.objects.filter(status=Status.PUBLISH).found_by_terms()
    rows = links.objects.filter(event__in=example_ids(count)).filter(event__in=events.order_by())
    return CompiledQuery(rows.values_list(column))
