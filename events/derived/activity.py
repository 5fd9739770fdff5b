"""When the last public event of each venue and organizer ends (`events.models.LinkedActivity`)."""

from __future__ import annotations

from typing import Any

from django.db import connection

from calendar_site.derived.registry import DerivedData
from calendar_site.derived.tables import DerivedTable
from calendar_site.derived.triggers import Trigger
from events.models import IndexedOrganizer, IndexedVenue, OrganizerActivity, VenueActivity

COLUMNS = ("linked_id", "last_end")


def _is_public(row: str = "") -> str:
    """Return the condition for links of published events without a password. `row` is NEW or OLD with a dot, or ""."""
    return f"{row}status = 'publish' AND NOT {row}is_protected"


def table_of(activity: Any, links: Any) -> DerivedTable:
    return DerivedTable(
        activity._meta.db_table,
        COLUMNS,
        f'SELECT linked_id, MAX("end") FROM {links._meta.db_table} WHERE {_is_public()} GROUP BY linked_id',
    )


TABLES = {
    IndexedVenue._meta.db_table: table_of(VenueActivity, IndexedVenue),
    IndexedOrganizer._meta.db_table: table_of(OrganizerActivity, IndexedOrganizer),
}


def triggers() -> list[Trigger]:
    return [trigger for links, table in TABLES.items() for trigger in _triggers_of(links, table.name)]


def _triggers_of(links: str, table: str) -> list[Trigger]:
    # Nearly all events end before the last one. Their writers share the row, so that they do not wait for each other.
    add = f"""
    INSERT INTO {table} (linked_id, last_end)
    SELECT NEW.linked_id, NEW."end" WHERE {_is_public("NEW.")} AND NOT EXISTS (
        SELECT 1 FROM {table} WHERE linked_id = NEW.linked_id AND last_end >= NEW."end" {_share_lock()}
    )
    ON CONFLICT (linked_id) DO UPDATE SET last_end =
        CASE WHEN EXCLUDED.last_end > {table}.last_end THEN EXCLUDED.last_end ELSE {table}.last_end END;
    """
    is_last = f'linked_id = OLD.linked_id AND last_end <= OLD."end" AND {_is_public("OLD.")}'
    others = f"FROM {links} WHERE linked_id = OLD.linked_id AND {_is_public()}"
    # The first statement locks the row, so that the others see what other writers have committed.
    remove = f"""
    UPDATE {table} SET last_end = last_end WHERE {is_last};
    DELETE FROM {table} WHERE {is_last} AND NOT EXISTS (SELECT 1 {others});
    UPDATE {table} SET last_end = (SELECT MAX("end") {others}) WHERE {is_last};
    """
    columns = ("status", "is_protected", "end")
    changed = " OR ".join(f'NEW."{column}" IS DISTINCT FROM OLD."{column}"' for column in columns)
    return [
        Trigger(f"{table}_insert", links, "INSERT", add),
        Trigger(f"{table}_delete", links, "DELETE", remove),
        Trigger(f"{table}_update", links, 'UPDATE OF status, is_protected, "end"', add + remove, changed),
    ]


def _share_lock() -> str:
    """Return the end of a query whose rows no other writer may change until the commit."""
    return "FOR SHARE" if connection.vendor == "postgresql" else ""


def rebuild() -> None:
    for table in TABLES.values():
        table.rebuild()


def count_differences() -> int:
    return sum(table.count_differences() for table in TABLES.values())


linked_activity = DerivedData("activity of venues and organizers", triggers, rebuild, count_differences)
