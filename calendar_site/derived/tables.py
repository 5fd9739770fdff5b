"""Tables whose rows are the result of a query."""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection


class DerivedTable(NamedTuple):
    """A table and the SELECT that computes all its rows, with these columns in this order.

    `stored` is the SELECT whose rows must be the same, if these are not the rows of the table.
    """

    name: str
    columns: tuple[str, ...]
    query: str
    stored: str = ""

    def rebuild(self) -> None:
        """Replace all rows by the result of the query."""
        with connection.cursor() as cursor:
            cursor.execute(f'DELETE FROM "{self.name}"')
            cursor.execute(f'INSERT INTO "{self.name}" ({quoted(self.columns)}) {self.query}')

    def count_differences(self) -> int:
        """Return how many rows are missing, superfluous or have other values. The database compares them."""
        stored = self.stored or f'SELECT {quoted(self.columns)} FROM "{self.name}"'
        # In subqueries, because a compound SELECT of SQLite has no parentheses.
        computed = f"SELECT * FROM ({self.query}) AS computed"
        return _count(f"{computed} EXCEPT {stored}") + _count(f"{stored} EXCEPT {computed}")


def quoted(columns: tuple[str, ...], prefix: str = "") -> str:
    """Return the columns as a list in SQL. `prefix` is the name of their table, such as `NEW`."""
    return ", ".join(f'{prefix}."{column}"' if prefix else f'"{column}"' for column in columns)


def _count(rows: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM ({rows}) AS differing")
        ((count,),) = cursor.fetchall()
    return int(count)
