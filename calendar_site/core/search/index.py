"""The index of the search text: finds the rows that may contain the words of a search, without reading every text.

On SQLite, it is a table of trigrams (FTS5), which triggers keep; on PostgreSQL, an index of the extension `pg_trgm`. It
finds more rows than match, and the condition on the text decides: a missing index makes a search slow, never wrong.
"""

from __future__ import annotations

import json
import logging
import re
import sqlite3
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

from django.db import DatabaseError, connection, transaction
from django.db.models import F, Lookup, Model, QuerySet
from django.db.models.sql.compiler import SQLCompiler

from calendar_site.core.database.driver import run_sql

logger = logging.getLogger(__name__)

# Up to this number of rows, the ids are read and are a parameter of the query of the list.
MAX_FOUND_ROWS = 2000
# SQLite looks up a row in the time in which it reads that many entries of an index.
ENTRIES_PER_ROW = 20
# Limits of a word or phrase, and of a whole search: with more, finding takes longer and finds hardly fewer rows.
MAX_TRIGRAMS_OF_TERM = 12
MAX_TRIGRAMS = 60
# FTS5 merges its segments when there are that many on a level. With its default, 4, a write takes half as long again.
AUTOMERGE = 8
SQLITE_WITH_TRIGRAMS = (3, 34)


Rows = TypeVar("Rows", bound=QuerySet[Any, Any])


def restrict(rows: Rows, terms: Sequence[str]) -> Rows:
    """Filter to the rows that the index finds for all terms, or return all rows if it cannot help. One query.

    Only for use beside a condition on the text, which decides: the index may find rows that do not match.
    """
    query = find_query(rows.model, terms)
    if query is None:
        return rows
    ids = query.first_ids(MAX_FOUND_ROWS + 1)
    if not ids:
        return rows.none()
    if len(ids) <= MAX_FOUND_ROWS:
        return rows.filter(query.is_one_of(ids))
    # PostgreSQL has no way to read many rows that is better than reading the texts.
    return rows.filter(IsFound(F("pk"), query)) if connection.vendor == "sqlite" else rows


class SearchLookup(Lookup[Any]):
    """A condition with one value, on which its SQL does not depend, so that it is compiled once (docs/speed.md)."""

    prepare_rhs = False

    @property
    def shape(self) -> Hashable:
        """Return all of the condition but the value."""
        return type(self), self.lhs

    @property
    def value(self) -> Any:
        return self.rhs

    def with_value(self, value: Any) -> Self:
        """Return the condition with another value."""
        return type(self)(self.lhs, value)


class IsOneOf(SearchLookup):
    """The condition that a column has one of many values, which are a single parameter of the query."""

    @staticmethod
    def parameter(values: list[int]) -> Any:
        """Return the parameter of the query for these values."""
        return json.dumps(values) if connection.vendor == "sqlite" else values

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> Any:
        column, values = self.process_lhs(compiler, connection)
        return f"{column} = ANY(%s)", [*values, self.parameter(self.rhs)]

    def as_sqlite(self, compiler: SQLCompiler, connection: Any) -> Any:
        column, values = self.process_lhs(compiler, connection)
        return f"{column} IN (SELECT value FROM json_each(%s))", [*values, self.parameter(self.rhs)]  # noqa: S608


class IsAmong(IsOneOf):
    """`IsOneOf` for SQLite that is checked for each row, instead of looking up the rows with these values."""

    def as_sqlite(self, compiler: SQLCompiler, connection: Any) -> Any:
        sql, values = super().as_sqlite(compiler, connection)
        return f"+{sql}", values


class IsFound(SearchLookup):
    """The condition that the index of SQLite finds the row, which is checked for each row."""

    @property
    def shape(self) -> Hashable:
        return type(self), self.lhs, self.rhs.model, self.rhs.sql

    @property
    def value(self) -> str:
        (text,) = self.rhs.values
        return str(text)

    def with_value(self, value: str) -> Self:
        return type(self)(self.lhs, replace(self.rhs, values=[value]))

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> Any:
        column, values = self.process_lhs(compiler, connection)
        return f"+{column} IN ({self.rhs.sql})", [*values, *self.rhs.values]


# --- The query


@dataclass
class FindQuery:
    """The query for the ids of all rows that the index finds."""

    model: type[Model]
    sql: str
    values: list[Any]
    # Known once the query has run, on SQLite.
    table_size: int = 0

    def first_ids(self, limit: int) -> list[int]:
        """Return some of the ids. One query."""
        largest = f'(SELECT MAX(id) FROM "{self.model._meta.db_table}")' if connection.vendor == "sqlite" else "0"  # noqa: S608
        rows = run_sql(f"SELECT id, {largest} FROM ({self.sql}) found LIMIT {limit:d}", tuple(self.values))  # noqa: S608
        self.table_size = rows[0][1] if rows else 0
        return [pk for pk, _size in rows]

    def is_one_of(self, ids: list[int]) -> Lookup[Any]:
        """Return the condition for the rows with these ids."""
        looks_up_each_row = connection.vendor != "sqlite" or len(ids) * ENTRIES_PER_ROW < self.table_size
        return (IsOneOf if looks_up_each_row else IsAmong)(F("pk"), ids)


def find_query(model: type[Model], terms: Sequence[str]) -> FindQuery | None:
    """Return the query for the rows whose search text may contain all terms, or None if the index cannot answer it."""
    if model not in indexed_models or not has_index(model):
        return None
    table = model._meta.db_table
    if connection.vendor == "sqlite":
        trigrams = _trigrams(terms)
        sql = f'SELECT rowid AS id FROM "{index_name(model)}" WHERE "{index_name(model)}" MATCH %s'  # noqa: S608
        return FindQuery(model, sql, [" AND ".join(map(_quoted, trigrams))]) if trigrams else None
    patterns = [f"%{connection.ops.prep_for_like_query(term)}%" for term in terms if _WORD.search(term)]
    conditions = " AND ".join(["search_text LIKE %s"] * len(patterns))
    # Materialized, so that PostgreSQL does not read the table in the hope of finding enough rows soon.
    sql = f'WITH found AS MATERIALIZED (SELECT id FROM "{table}" WHERE {conditions}) SELECT id FROM found'  # noqa: S608
    return FindQuery(model, sql, patterns) if patterns else None


# pg_trgm indexes letters and digits only.
_WORD = re.compile(r"[^\W_]{3}")


def _trigrams(terms: Sequence[str]) -> list[str]:
    """Return some parts with three characters of each term, spread over all of it, the longest terms first."""
    trigrams: dict[str, None] = {}
    for term in sorted(terms, key=len, reverse=True):
        count = len(term) - 2
        step = max(1, -(-count // MAX_TRIGRAMS_OF_TERM))
        trigrams |= dict.fromkeys(term[start : start + 3] for start in range(0, count, step))
    return list(trigrams)[:MAX_TRIGRAMS]


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


# --- The index

# The models that have an index.
indexed_models: set[type[Model]] = set()
# The names of indexes that exist, by database: looked up by each process until it is there.
_known: set[tuple[str, str]] = set()


def index_name(model: type[Model]) -> str:
    return f"{model._meta.db_table}_search"


def has_index(model: type[Model]) -> bool:
    """Return whether the index exists. One query, until it does."""
    key = (str(connection.settings_dict["NAME"]), index_name(model))
    if key not in _known and _find_index(index_name(model)):
        _known.add(key)
    return key in _known


def _find_index(name: str) -> bool:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = %s", [name])
        else:
            cursor.execute("SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(%s) AND indisvalid", [name])
        return cursor.fetchone() is not None


def supports_index() -> bool:
    """Return whether the database can have the index. On PostgreSQL, creates the extension if this user may."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")
            return cursor.fetchone() is not None and sqlite3.sqlite_version_info >= SQLITE_WITH_TRIGRAMS
        try:
            with transaction.atomic():
                cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        except DatabaseError as error:
            logger.warning("Searches read all texts, because the extension pg_trgm could not be created: %s", error)
            return False
    return True


def create_index(model: type[Model]) -> None:
    """Create the index of the search text of these rows, and index all of them. One of PostgreSQL is kept."""
    table, name = model._meta.db_table, index_name(model)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f'DROP TABLE IF EXISTS "{name}"')
            cursor.execute(
                f"CREATE VIRTUAL TABLE \"{name}\" USING fts5(search_text, content='{table}', "
                "content_rowid='id', tokenize='trigram case_sensitive 1', detail=none, columnsize=0)"
            )
            _command(cursor, name, f"('automerge', {AUTOMERGE})")
            _command(cursor, name, "('rebuild', NULL)")
        elif not has_index(model):
            # Without a short list of pending entries, one write in many would wait for the whole list to be merged.
            cursor.execute(
                f'CREATE INDEX "{name}" ON "{table}" USING gin (search_text gin_trgm_ops)'
                " WITH (gin_pending_list_limit = 256)"
            )


def is_index_right(model: type[Model]) -> bool:
    """Return whether the index has the texts of all rows and no others. PostgreSQL keeps its index itself."""
    if connection.vendor != "sqlite":
        return True
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            _command(cursor, index_name(model), "('integrity-check', 1)")
    except DatabaseError:
        return False
    return True


def _command(cursor: Any, name: str, values: str) -> None:
    """Give FTS5 a command, which it takes as a row to insert."""
    cursor.execute(f'INSERT INTO "{name}" ("{name}", rank) VALUES {values}')  # noqa: S608


def indexing_statements(model: type[Model]) -> tuple[str, str]:
    """Return the statements of triggers that add NEW to the index of SQLite, and remove OLD."""
    name = index_name(model)
    return (
        f'INSERT INTO "{name}" (rowid, search_text) VALUES (NEW.id, NEW.search_text);',  # noqa: S608
        f'INSERT INTO "{name}" ("{name}", rowid, search_text) VALUES (\'delete\', OLD.id, OLD.search_text);',  # noqa: S608
    )
