"""The number of published events that anonymous visitors find by each category and tag, kept by the services."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import Q

from calendar_site.core.choices import Status
from calendar_site.core.compiled_queries.queries import CompiledQuery, example_ids
from calendar_site.core.database.conditions import evaluate
from events.models import Event
from events.querysets import found_by_terms_q

TERM_LINKS = (("category", Event.categories.through), ("tag", Event.tags.through))

# A number by category, and by tag.
TermCounts = tuple[Counter[int], Counter[int]]


def counted_q(prefix: str = "") -> Q:
    """Return the condition for events that the counts of terms include."""
    return Q(**{f"{prefix}status": Status.PUBLISH}) & found_by_terms_q(prefix)


def is_counted(event: Event) -> bool:
    return bool(evaluate(counted_q(), event))


@contextmanager
def updating_term_counts(events: Iterable[Event]) -> Iterator[None]:
    """Update `event_count` of the terms whose published events change inside the block.

    Four queries, and one for each kind of terms whose counts change. Must run inside `write_lock()`.
    """
    ids = [event.pk for event in events]
    before = count_by_term(ids)
    yield
    add_to_term_counts(subtract_counts(count_by_term(ids), before))


def count_by_term(ids: list[int]) -> TermCounts:
    """Return the number of counted events among these by category, and by tag. Two queries."""
    categories, tags = (
        Counter(pk for (pk,) in _counted_links(links, column, len(ids)).run_for(ids)) if ids else Counter[int]()
        for column, links in TERM_LINKS
    )
    return categories, tags


def counts_of(relations: Mapping[str, Any], *, is_counted: bool) -> TermCounts:
    """Return what one event with these relations adds to the counts."""
    return (Counter(relations["categories"]), Counter(relations["tags"])) if is_counted else (Counter(), Counter())


def no_counts() -> TermCounts:
    return Counter(), Counter()


def sum_counts(counts: TermCounts, others: TermCounts) -> TermCounts:
    """Return the sums, in which negative numbers are kept."""
    categories, tags = Counter(counts[0]), Counter(counts[1])
    categories.update(others[0])
    tags.update(others[1])
    return categories, tags


def subtract_counts(counts: TermCounts, others: TermCounts) -> TermCounts:
    """Return the differences, which may be negative."""
    categories, tags = Counter(counts[0]), Counter(counts[1])
    categories.subtract(others[0])
    tags.subtract(others[1])
    return categories, tags


def add_to_term_counts(differences: TermCounts) -> None:
    """Add these numbers to the `event_count` of the terms: one query for categories, and one for tags.

    Rows are updated in the order of their ids, so that parallel writes do not lock them in different orders. A count
    that is too low, because events were changed without the services, stays at zero instead of preventing the write;
    `rebuild_derived` repairs it.
    """
    for (column, links), difference in zip(TERM_LINKS, differences, strict=True):
        changes = [(-change, change, pk) for pk, change in sorted(difference.items()) if change]
        if changes:
            terms: Any = links._meta.get_field(column).related_model
            table = connection.ops.quote_name(terms._meta.db_table)
            with connection.cursor() as cursor:
                cursor.executemany(
                    f"UPDATE {table} SET event_count = CASE WHEN event_count < %s THEN 0 ELSE event_count + %s END "  # noqa: S608
                    "WHERE id = %s",
                    changes,
                )


@lru_cache(maxsize=64)
def _counted_links(links: Any, column: str, count: int) -> CompiledQuery:
    rows = links.objects.filter(counted_q("event__"), event__in=example_ids(count)).order_by()
    return CompiledQuery(rows.values_list(column))
