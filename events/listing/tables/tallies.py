"""How many events start on each day, for the totals of long lists: of all events, and of each category and tag."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db import connection

from calendar_site.core.choices import Status
from calendar_site.derived.registry import DerivedData
from calendar_site.derived.tables import DerivedTable, quoted
from calendar_site.derived.triggers import Trigger
from events.index_models import CategoryTally, EventTally, IndexedCategory, IndexedTag, TagTally
from events.models import Event

# Rows for each key on PostgreSQL, for writes at the same time.
SLOTS = 8
DAY = "substr({row}start_local, 1, 10)"


class Tally(NamedTuple):
    """A table with the number of rows of another one for each key.

    In expressions, `{row}` stands for `NEW.` or `OLD.` in triggers, and for nothing in queries.
    """

    name: str
    # The table whose rows are counted, and the columns that decide where a row is counted, if at all.
    source: str
    columns: tuple[str, ...]
    # The columns of the key with their expressions, and which rows are counted.
    key: dict[str, str]
    condition: str

    @property
    def table(self) -> DerivedTable:
        key, expressions = self._key_columns, _of_row("", ", ".join(self.key.values()))
        numbers = ", ".join(str(number) for number in range(1, len(self.key) + 1))
        return DerivedTable(
            self.name,
            (*self.key, "count"),
            f"SELECT {expressions}, COUNT(*) FROM {self.source} WHERE {_of_row('', self.condition)} "
            # In the order in which totals read them.
            f"GROUP BY {numbers} ORDER BY {numbers}",
            stored=f"SELECT {key}, SUM(count) FROM {self.name} GROUP BY {key} HAVING SUM(count) <> 0",
        )

    @property
    def triggers(self) -> list[Trigger]:
        removed, added = self._change("OLD.", -1), self._change("NEW.", 1)
        is_old_key = " AND ".join(
            f"{column} = {_of_row('OLD.', expression)}" for column, expression in self.key.items()
        )
        remove_empty = f"DELETE FROM {self.name} WHERE {_is_empty()} AND {is_old_key} AND slot = {_slot()};"
        is_changed = " OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in self.columns)
        return [
            Trigger(f"{self.name}_insert", self.source, "INSERT", self._add(added)),
            Trigger(f"{self.name}_delete", self.source, "DELETE", self._add(removed) + remove_empty),
            Trigger(
                f"{self.name}_update",
                self.source,
                f"UPDATE OF {quoted(self.columns)}",
                self._add(f"{removed} UNION ALL {added}") + remove_empty,
                is_changed,
            ),
        ]

    @property
    def _key_columns(self) -> str:
        return quoted(tuple(self.key))

    def _add(self, changes: str) -> str:
        """Return the statement that adds changes to the tally.

        One statement writes rows in the order of their key, so that it locks them in the same order as another one.
        The links of an event are inserted one by one: decision 0056 says what may happen then.
        """
        key, count = self._key_columns, quoted(("count",))
        return (
            f"INSERT INTO {self.name} ({key}, slot, {count}) SELECT {key}, {_slot()}, SUM(change) "
            f"FROM ({changes}) AS changes WHERE true GROUP BY {key} ORDER BY {key} "
            f"ON CONFLICT ({key}, slot) DO UPDATE SET {count} = {self.name}.{count} + EXCLUDED.{count};"
        )

    def _change(self, row: str, change: int) -> str:
        """Return the row of the tally on which a row is counted, with the change of its count."""
        key = ", ".join(f"{_of_row(row, expression)} AS {column}" for column, expression in self.key.items())
        return f"SELECT {key}, {change} AS change WHERE {_of_row(row, self.condition)}"


def _of_row(row: str, expression: str) -> str:
    """Return an expression of a tally for `NEW.`, `OLD.` or, with "", for the rows of a query."""
    return expression.replace("{row}", row)


def _is_empty() -> str:
    """Return the condition for rows that count nothing.

    On SQLite, `flush` may delete the rows of the tally before those that are counted, whose trigger then counts below
    zero.
    """
    return '"count" <= 0' if connection.vendor == "sqlite" else '"count" = 0'


def _slot() -> str:
    """Return the slot to which the trigger writes. The count of one slot may be below zero."""
    return f"pg_backend_pid() % {SLOTS}" if connection.vendor == "postgresql" else "0"


EVENTS = Tally(
    EventTally._meta.db_table,
    Event._meta.db_table,
    ("status", "featured", "start_local", "hide_from_listings", "is_long"),
    {"status": "{row}status", "featured": "{row}featured", "day": DAY},
    "NOT {row}hide_from_listings AND NOT {row}is_long",
)


def term_tally(tally: Any, links: Any) -> Tally:
    """Return the tally of the links to categories or tags, of the events that everybody finds by them."""
    return Tally(
        tally._meta.db_table,
        links._meta.db_table,
        ("status", "start_local", "hide_from_listings", "is_protected"),
        {"linked_id": "{row}linked_id", "day": DAY},
        f"{{row}}status = '{Status.PUBLISH}' AND NOT {{row}}hide_from_listings AND NOT {{row}}is_protected",
    )


# By the parameter of lists.
TERMS = {"categories": term_tally(CategoryTally, IndexedCategory), "tags": term_tally(TagTally, IndexedTag)}


def triggers_of_terms() -> list[Trigger]:
    return [trigger for tally in TERMS.values() for trigger in tally.triggers]


def rebuild_terms() -> None:
    for tally in TERMS.values():
        tally.table.rebuild()


def count_differences_of_terms() -> int:
    return sum(tally.table.count_differences() for tally in TERMS.values())


event_tally = DerivedData("event tally", lambda: EVENTS.triggers, EVENTS.table.rebuild, EVENTS.table.count_differences)
term_tallies = DerivedData(
    "tallies of categories and tags", triggers_of_terms, rebuild_terms, count_differences_of_terms
)
