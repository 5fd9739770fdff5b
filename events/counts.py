"""How many published events each category and tag has: kept exact by whoever writes events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.db.models import F

from calendar_site.content.choices import Status
from events.models import Event

TERM_LINKS = (("category", Event.categories.through), ("tag", Event.tags.through))


@contextmanager
def keeping_counts(events: Iterable[Event]) -> Iterator[None]:
    """Corrects the counts of the terms whose published events change inside. Costs four queries and the corrections.

    Must run inside `writing()`.
    """
    events = list(events)
    ids = {event.pk for event in events if event.pk}
    before = _counted(ids)
    yield
    # A new event has its id only now, a deleted one has lost it.
    after = _counted(ids | {event.pk for event in events if event.pk})
    for (column, links), old, new in zip(TERM_LINKS, before, after, strict=True):
        terms = links._meta.get_field(column).related_model._default_manager
        new.subtract(old)
        for pk, change in new.items():
            if change:
                terms.filter(pk=pk).update(event_count=F("event_count") + change)


def _counted(ids: set[int]) -> list[Counter[int]]:
    """For each kind of term: how many of these events are published and have it."""
    return [
        Counter(links.objects.filter(event__in=ids, event__status=Status.PUBLISH).values_list(column, flat=True))
        if ids
        else Counter()
        for column, links in TERM_LINKS
    ]
