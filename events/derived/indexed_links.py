"""The links of events with the columns by which lists filter and order (`events.derived_models.IndexedLink`)."""

from __future__ import annotations

from typing import NamedTuple

from calendar_site.derived.registry import DerivedData
from calendar_site.derived.tables import DerivedTable, quoted
from calendar_site.derived.triggers import Trigger
from events.derived_models import IndexedCategory, IndexedOrganizer, IndexedTag, IndexedVenue
from events.models import Event, EventOrganizer, EventVenue

EVENT = Event._meta.db_table
# The columns that are copied from the event.
COPIED = ("start_local", "start", "end", "status", "published_at", "hide_from_listings", "author_id")
COLUMNS = ("event_id", "linked_id", *COPIED, "is_protected")

# Every category with itself and each of its ancestors.
ANCESTORS = """
WITH RECURSIVE ancestors(category_id, ancestor_id) AS (
    SELECT id, id FROM taxonomy_category
    UNION
    SELECT ancestors.category_id, parent.parent_id
    FROM ancestors JOIN taxonomy_category parent ON parent.id = ancestors.ancestor_id
    WHERE parent.parent_id IS NOT NULL
)
SELECT category_id, ancestor_id FROM ancestors
"""


class LinkTable(NamedTuple):
    """A table of links and the table that is derived from it."""

    name: str
    # The column with the id of the linked record.
    column: str
    indexed: str


TABLES = (
    LinkTable(EventVenue._meta.db_table, "venue_id", IndexedVenue._meta.db_table),
    LinkTable(EventOrganizer._meta.db_table, "organizer_id", IndexedOrganizer._meta.db_table),
    LinkTable(Event.tags.through._meta.db_table, "tag_id", IndexedTag._meta.db_table),
)
CATEGORIES = LinkTable(Event.categories.through._meta.db_table, "category_id", IndexedCategory._meta.db_table)


def copied_values(linked_id: str) -> str:
    """Return the values of `COLUMNS` for the event `event`."""
    return f"""event.id, {linked_id}, {quoted(COPIED, "event")}, event.password <> ''"""


def derived_tables() -> list[DerivedTable]:
    tables = [
        DerivedTable(
            table.indexed,
            COLUMNS,
            f"SELECT {copied_values(f'link.{table.column}')} FROM {table.name} link "
            f"JOIN {EVENT} event ON event.id = link.event_id",
        )
        for table in TABLES
    ]
    return [*tables, DerivedTable(CATEGORIES.indexed, COLUMNS, _category_rows())]


def _category_rows(links: str = CATEGORIES.name) -> str:
    return (
        f"SELECT DISTINCT {copied_values('above.ancestor_id')} FROM {links} link "
        f"JOIN {EVENT} event ON event.id = link.event_id "
        f"JOIN ({ANCESTORS}) above ON above.category_id = link.category_id"
    )


def _with_ancestors(categories: str) -> str:
    """Return the query for these categories and all their ancestors, which is faster for a few than `ANCESTORS`."""
    return f"""
    WITH RECURSIVE above(id) AS (
        {categories}
        UNION
        SELECT parent.parent_id FROM above JOIN taxonomy_category parent ON parent.id = above.id
        WHERE parent.parent_id IS NOT NULL
    )
    SELECT id FROM above
    """


def triggers() -> list[Trigger]:
    return [
        *(trigger for table in TABLES for trigger in _link_triggers(table)),
        *_category_triggers(),
        event_trigger("events_indexedlink_event", [table.indexed for table in (*TABLES, CATEGORIES)]),
    ]


def _link_triggers(table: LinkTable) -> list[Trigger]:
    add = (
        f"INSERT INTO {table.indexed} ({quoted(COLUMNS)}) SELECT {copied_values(f'NEW.{table.column}')} "
        f"FROM {EVENT} event WHERE event.id = NEW.event_id ON CONFLICT DO NOTHING;"
    )
    remove = f"DELETE FROM {table.indexed} WHERE event_id = OLD.event_id AND linked_id = OLD.{table.column};"
    return triggers_of(table, add, remove)


def _category_triggers() -> list[Trigger]:
    """Return the triggers of the links to categories, whose events also belong to the ancestors, and of the parents."""
    indexed = CATEGORIES.indexed
    insert = f"INSERT INTO {indexed} ({quoted(COLUMNS)})"
    add = (
        f"{insert} SELECT {copied_values('above.id')} FROM {EVENT} event, "
        f"({_with_ancestors('SELECT NEW.category_id')}) above WHERE event.id = NEW.event_id ON CONFLICT DO NOTHING;"
    )
    linked = f"SELECT category_id FROM {CATEGORIES.name} WHERE event_id = OLD.event_id"
    remove = f"DELETE FROM {indexed} WHERE event_id = OLD.event_id AND linked_id NOT IN ({_with_ancestors(linked)});"
    below = f"SELECT event_id FROM {indexed} WHERE linked_id = NEW.id"
    move = f"""
    DELETE FROM {indexed} WHERE event_id IN ({below}) AND (event_id, linked_id) NOT IN (
        SELECT link.event_id, above.ancestor_id FROM {CATEGORIES.name} link
        JOIN ({ANCESTORS}) above ON above.category_id = link.category_id WHERE link.event_id IN ({below})
    );
    {insert} {_category_rows()} WHERE link.event_id IN ({below}) ON CONFLICT DO NOTHING;
    """
    moved = Trigger(
        f"{indexed}_parent",
        "taxonomy_category",
        "UPDATE OF parent_id",
        move,
        "NEW.parent_id IS DISTINCT FROM OLD.parent_id",
    )
    return [*triggers_of(CATEGORIES, add, remove), moved]


def triggers_of(table: LinkTable, add: str, remove: str) -> list[Trigger]:
    """Return the triggers for new, deleted and changed links."""
    columns = f"event_id, {table.column}"
    condition = f"(NEW.event_id, NEW.{table.column}) IS DISTINCT FROM (OLD.event_id, OLD.{table.column})"
    return [
        Trigger(f"{table.indexed}_insert", table.name, "INSERT", add),
        Trigger(f"{table.indexed}_delete", table.name, "DELETE", remove),
        Trigger(f"{table.indexed}_update", table.name, f"UPDATE OF {columns}", remove + add, condition),
    ]


def event_trigger(name: str, tables: list[str]) -> Trigger:
    """Return the trigger that copies the columns of a changed event to tables with `COLUMNS`."""
    columns = (*COPIED, "password")
    changed = " OR ".join(f'NEW."{column}" IS DISTINCT FROM OLD."{column}"' for column in columns)
    values = ", ".join(f'"{column}" = NEW."{column}"' for column in COPIED)
    update = "".join(
        f"UPDATE {table} SET {values}, is_protected = (NEW.password <> '') WHERE event_id = NEW.id;" for table in tables
    )
    return Trigger(name, EVENT, f"UPDATE OF {quoted(columns)}", update, changed)


def rebuild() -> None:
    for table in derived_tables():
        table.rebuild()


def count_differences() -> int:
    return sum(table.count_differences() for table in derived_tables())


indexed_links = DerivedData("indexed links", triggers, rebuild, count_differences)
