"""The number of published events of each category and tag (`Term.event_count`), which services keep.

Triggers do not keep it: all writers of events with a popular tag would wait for its row until the other one commits,
and two of them for each other (decision 0003). Services add to the row as their last step, in the order of ids.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count

from calendar_site.derived.registry import DerivedData
from events.counts import TERM_LINKS, counted_q
from events.models import Event


class CountedTerms(NamedTuple):
    """The terms of one kind whose count differs from the number of counted links, as SQL with parameters."""

    table: str
    # Begins each statement: a table `differing` with the id of a term and its right count.
    differing: str
    parameters: tuple[Any, ...]

    def rebuild(self) -> None:
        self._run(
            f'UPDATE "{self.table}" SET event_count = differing.number FROM differing '
            f'WHERE differing.term_id = "{self.table}".id'
        )

    def count_differences(self) -> int:
        return int(self._run("SELECT COUNT(*) FROM differing"))

    def _run(self, statement: str) -> Any:
        with connection.cursor() as cursor:
            cursor.execute(f"{self.differing} {statement}", self.parameters)
            return cursor.fetchone()[0] if cursor.description else None


def counted_terms() -> Iterator[CountedTerms]:
    """Yield the kinds of terms. The database counts their links in one pass."""
    for column, links in TERM_LINKS:
        counts = links.objects.filter(counted_q("event__")).order_by().values(column).annotate(number=Count("pk"))
        query, parameters = counts.values_list(f"{column}_id", "number").query.sql_with_params()
        terms: Any = links._meta.get_field(column).related_model
        table = terms._meta.db_table
        differing = (
            f"WITH counted (term_id, number) AS ({query}), differing (term_id, number) AS ("
            f'SELECT term.id, COALESCE(number, 0) FROM "{table}" term LEFT JOIN counted ON term_id = term.id '
            "WHERE event_count <> COALESCE(number, 0))"
        )
        yield CountedTerms(table, differing, parameters)


def rebuild() -> None:
    for terms in counted_terms():
        terms.rebuild()


def count_differences() -> int:
    return sum(terms.count_differences() for terms in counted_terms())


term_counts = DerivedData(
    "event counts of terms",
    list,
    rebuild,
    count_differences,
    untriggered_sources=frozenset({Event._meta.db_table, *(links._meta.db_table for _column, links in TERM_LINKS)}),
)
