"""When the last public event of each venue and organizer ends (`events.index_models.LinkedActivity`)."""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection

from calendar_site.derived.registry import DerivedData
from calendar_site.derived.tables import DerivedTable
from calendar_site.derived.triggers import Trigger
from events.index_models import IndexedOrganizer, IndexedVenue, OrganizerActivity, VenueActivity
from organizers.models import Organizer
from venues.models import Venue

COLUMNS = ("linked_id", "last_end", "status", "published_at")


class ActivityTable(NamedTuple):
    """A table of activity, and the tables from which it is derived."""

    name: str
    # The indexed links.
    links: str
    # Venues or organizers.
    records: str

    @property
    def derived(self) -> DerivedTable:
        ends = f'SELECT linked_id, MAX("end") AS last_end FROM {self.links} WHERE {_is_public()} GROUP BY linked_id'
        return DerivedTable(
            self.name,
            COLUMNS,
            "SELECT ends.linked_id, ends.last_end, record.status, record.published_at "
            f"FROM ({ends}) ends JOIN {self.records} record ON record.id = ends.linked_id",
        )


TABLES = (
    ActivityTable(VenueActivity._meta.db_table, IndexedVenue._meta.db_table, Venue._meta.db_table),
    ActivityTable(OrganizerActivity._meta.db_table, IndexedOrganizer._meta.db_table, Organizer._meta.db_table),
)


def _is_public(row: str = "") -> str:
    """Return the condition for links of published events without a password. `row` is NEW or OLD with a dot, or ""."""
    return f"{row}status = 'publish' AND NOT {row}is_protected"


def triggers() -> list[Trigger]:
    return [trigger for table in TABLES for trigger in (*_link_triggers(table), *_record_triggers(table))]


def _link_triggers(activity: ActivityTable) -> list[Trigger]:
    table, links = activity.name, activity.links
    # Nearly all events end before the last one. Their writers share the row, so that they do not wait for each other.
    add = f"""
    INSERT INTO {table} (linked_id, last_end, status, published_at)
    SELECT NEW.linked_id, NEW."end", record.status, record.published_at FROM {activity.records} record
    WHERE record.id = NEW.linked_id AND {_is_public("NEW.")} AND NOT EXISTS (
        SELECT 1 FROM {table} WHERE linked_id = NEW.linked_id AND last_end >= NEW."end" {_share_lock()}
    ) {_share_lock("record")}
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


def _record_triggers(activity: ActivityTable) -> list[Trigger]:
    """Return the triggers that copy the columns of the venue or organizer. Its links end its activity."""
    table = activity.name
    # The links of a new record exist already if SQL or a fixture inserts them first, in the same transaction.
    add = f"""
    INSERT INTO {table} (linked_id, last_end, status, published_at)
    SELECT NEW.id, MAX("end"), NEW.status, NEW.published_at FROM {activity.links}
    WHERE linked_id = NEW.id AND {_is_public()} GROUP BY linked_id
    ON CONFLICT (linked_id) DO UPDATE SET
        last_end = EXCLUDED.last_end, status = EXCLUDED.status, published_at = EXCLUDED.published_at;
    """
    copy = f"UPDATE {table} SET status = NEW.status, published_at = NEW.published_at WHERE linked_id = NEW.id;"
    changed = "(NEW.status, NEW.published_at) IS DISTINCT FROM (OLD.status, OLD.published_at)"
    return [
        Trigger(f"{table}_record_insert", activity.records, "INSERT", add),
        Trigger(f"{table}_record_update", activity.records, "UPDATE OF status, published_at", copy, changed),
    ]


def _share_lock(table: str = "") -> str:
    """Return the end of a query whose rows no other writer may change until the commit: of one table, or of all."""
    if connection.vendor != "postgresql":
        return ""
    return f"FOR SHARE OF {table}" if table else "FOR SHARE"


def rebuild() -> None:
    for table in TABLES:
        table.derived.rebuild()


def count_differences() -> int:
    return sum(table.derived.count_differences() for table in TABLES)


linked_activity = DerivedData("activity of venues and organizers", triggers, rebuild, count_differences)
