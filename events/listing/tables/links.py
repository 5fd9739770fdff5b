"""The links of events with the columns by which lists filter and order (`events.index_models.IndexedLink`).

Events with tickets, and events without venues or with several, have links of their own. Triggers keep all of them.
"""

from __future__ import annotations

from typing import NamedTuple

from calendar_site.derived.registry import DerivedData
from calendar_site.derived.tables import DerivedTable, quoted
from calendar_site.derived.triggers import Trigger
from events.index_models import (
    IndexedCategory,
    IndexedOrganizer,
    IndexedTag,
    IndexedTicketed,
    IndexedVenue,
    IndexedVenueCount,
)
from events.models import Event, EventOrganizer, EventVenue, Ticket

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
TICKETS = LinkTable(Ticket._meta.db_table, "id", IndexedTicketed._meta.db_table)
VENUE_COUNTS = LinkTable(EventVenue._meta.db_table, "venue_id", IndexedVenueCount._meta.db_table)


def _copied_values(linked_id: str) -> str:
    """Return the values of `COLUMNS` for the event `event`."""
    return f"""event.id, {linked_id}, {quoted(COPIED, "event")}, event.password <> ''"""


def _link_tables() -> list[DerivedTable]:
    tables = [
        DerivedTable(
            table.indexed,
            COLUMNS,
            f"SELECT {_copied_values(f'link.{table.column}')} FROM {table.name} link "
            f"JOIN {EVENT} event ON event.id = link.event_id",
        )
        for table in TABLES
    ]
    return [*tables, DerivedTable(CATEGORIES.indexed, COLUMNS, _category_rows())]


def _category_rows(links: str = CATEGORIES.name) -> str:
    return (
        f"SELECT DISTINCT {_copied_values('above.ancestor_id')} FROM {links} link "
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


def _triggers() -> list[Trigger]:
    return [
        *(trigger for table in TABLES for trigger in _link_triggers(table)),
        *_category_triggers(),
        _event_trigger("events_indexedlink_event", [table.indexed for table in (*TABLES, CATEGORIES)]),
    ]


def _link_triggers(table: LinkTable) -> list[Trigger]:
    add = (
        f"INSERT INTO {table.indexed} ({quoted(COLUMNS)}) SELECT {_copied_values(f'NEW.{table.column}')} "
        f"FROM {EVENT} event WHERE event.id = NEW.event_id ON CONFLICT DO NOTHING;"
    )
    remove = f"DELETE FROM {table.indexed} WHERE event_id = OLD.event_id AND linked_id = OLD.{table.column};"
    return _triggers_of(table, add, remove)


def _category_triggers() -> list[Trigger]:
    """Return the triggers of the links to categories, whose events also belong to the ancestors, and of the parents."""
    indexed = CATEGORIES.indexed
    insert = f"INSERT INTO {indexed} ({quoted(COLUMNS)})"
    add = (
        f"{insert} SELECT {_copied_values('above.id')} FROM {EVENT} event, "
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
    return [*_triggers_of(CATEGORIES, add, remove), moved]


def _triggers_of(table: LinkTable, add: str, remove: str) -> list[Trigger]:
    """Return the triggers for new, deleted and changed links."""
    columns = f"event_id, {table.column}"
    condition = f"(NEW.event_id, NEW.{table.column}) IS DISTINCT FROM (OLD.event_id, OLD.{table.column})"
    return [
        Trigger(f"{table.indexed}_insert", table.name, "INSERT", add),
        Trigger(f"{table.indexed}_delete", table.name, "DELETE", remove),
        Trigger(f"{table.indexed}_update", table.name, f"UPDATE OF {columns}", remove + add, condition),
    ]


def _event_trigger(name: str, tables: list[str]) -> Trigger:
    """Return the trigger that copies the columns of a changed event to tables with `COLUMNS`."""
    columns = (*COPIED, "password")
    changed = " OR ".join(f'NEW."{column}" IS DISTINCT FROM OLD."{column}"' for column in columns)
    values = ", ".join(f'"{column}" = NEW."{column}"' for column in COPIED)
    update = "".join(
        f"UPDATE {table} SET {values}, is_protected = (NEW.password <> '') WHERE event_id = NEW.id;" for table in tables
    )
    return Trigger(name, EVENT, f"UPDATE OF {quoted(columns)}", update, changed)


def _rebuild() -> None:
    for table in _link_tables():
        table.rebuild()


def _count_differences() -> int:
    return sum(table.count_differences() for table in _link_tables())


indexed_links = DerivedData("indexed links", _triggers, _rebuild, _count_differences)


# --- Events with tickets


def _ticketed_values() -> str:
    return _copied_values(str(IndexedTicketed.TICKETED))


def _ticketed_table() -> DerivedTable:
    has_tickets = f"EXISTS (SELECT 1 FROM {TICKETS.name} WHERE event_id = event.id)"
    return DerivedTable(TICKETS.indexed, COLUMNS, f"SELECT {_ticketed_values()} FROM {EVENT} event WHERE {has_tickets}")


def _ticketed_triggers() -> list[Trigger]:
    add = (
        f"INSERT INTO {TICKETS.indexed} ({quoted(COLUMNS)}) SELECT {_ticketed_values()} FROM {EVENT} event "
        "WHERE event.id = NEW.event_id ON CONFLICT DO NOTHING;"
    )
    remove = (
        f"DELETE FROM {TICKETS.indexed} WHERE event_id = OLD.event_id "
        f"AND NOT EXISTS (SELECT 1 FROM {TICKETS.name} WHERE event_id = OLD.event_id);"
    )
    return [*_triggers_of(TICKETS, add, remove), _event_trigger("events_indexedticketed_event", [TICKETS.indexed])]


indexed_tickets = DerivedData(
    "events with tickets",
    _ticketed_triggers,
    lambda: _ticketed_table().rebuild(),
    lambda: _ticketed_table().count_differences(),
)


# --- Events without venues or with several, for the totals of places


def _venue_count_rows() -> str:
    links = f"FROM {VENUE_COUNTS.name} WHERE event_id = event.id"
    none, several = IndexedVenueCount.NONE, IndexedVenueCount.SEVERAL
    count = f"CASE WHEN EXISTS (SELECT 1 {links}) THEN {several} ELSE {none} END"
    return f"SELECT {_copied_values(count)} FROM {EVENT} event WHERE (SELECT COUNT(*) {links}) <> 1"


def _venue_count_table() -> DerivedTable:
    return DerivedTable(VENUE_COUNTS.indexed, COLUMNS, _venue_count_rows())


def _venue_count_triggers() -> list[Trigger]:
    name = VENUE_COUNTS.indexed
    return [
        Trigger(f"{name}_event_insert", EVENT, "INSERT", _refresh_venue_count("NEW.id")),
        Trigger(f"{name}_event_delete", EVENT, "DELETE", _remove_venue_count("OLD.id")),
        *_triggers_of(
            VENUE_COUNTS, add=_refresh_venue_count("NEW.event_id"), remove=_refresh_venue_count("OLD.event_id")
        ),
        _event_trigger(f"{name}_event", [name]),
    ]


def _refresh_venue_count(event_id: str) -> str:
    """Return the statements that replace the row of an event. Another transaction may have inserted it meanwhile."""
    add = (
        f"INSERT INTO {VENUE_COUNTS.indexed} ({quoted(COLUMNS)}) {_venue_count_rows()} "
        f"AND event.id = {event_id} ON CONFLICT DO NOTHING;"
    )
    return _remove_venue_count(event_id) + add


def _remove_venue_count(event_id: str) -> str:
    return f"DELETE FROM {VENUE_COUNTS.indexed} WHERE event_id = {event_id};"


indexed_venue_counts = DerivedData(
    "events without venues or with several",
    _venue_count_triggers,
    lambda: _venue_count_table().rebuild(),
    lambda: _venue_count_table().count_differences(),
)
