"""How many events start on each day, by status (`events.models.EventTally`), for the totals of long lists."""

from __future__ import annotations

from django.db import connection

from calendar_site.derived.registry import DerivedData
from calendar_site.derived.tables import DerivedTable, quoted
from calendar_site.derived.triggers import Trigger
from events.models import Event, EventTally

EVENT = Event._meta.db_table
TALLY = EventTally._meta.db_table
KEY = ("status", "featured", "day")
# Rows for each key on PostgreSQL, for writes at the same time.
SLOTS = 8
# The columns of events that decide on which row an event is counted, if at all.
SOURCES = ("status", "featured", "start_local", "hide_from_listings", "is_long")

table = DerivedTable(
    TALLY,
    (*KEY, "count"),
    f"SELECT status, featured, substr(start_local, 1, 10), COUNT(*) FROM {EVENT} "
    "WHERE NOT hide_from_listings AND NOT is_long GROUP BY 1, 2, 3",
    stored=f"SELECT {quoted(KEY)}, SUM(count) FROM {TALLY} GROUP BY {quoted(KEY)} HAVING SUM(count) <> 0",
)


def triggers() -> list[Trigger]:
    removed, added = _change("OLD", -1), _change("NEW", 1)
    remove_empty = f"DELETE FROM {TALLY} WHERE {quoted(('count',))} = 0 AND {key_of('OLD')} AND slot = {_slot()};"
    is_changed = " OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in SOURCES)
    return [
        Trigger("events_eventtally_insert", EVENT, "INSERT", _add(added)),
        Trigger("events_eventtally_delete", EVENT, "DELETE", _add(removed) + remove_empty),
        Trigger(
            "events_eventtally_update",
            EVENT,
            f"UPDATE OF {quoted(SOURCES)}",
            _add(f"{removed} UNION ALL {added}") + remove_empty,
            is_changed,
        ),
    ]


def _add(changes: str) -> str:
    """Return the statement that adds changes to the tally.

    It writes rows in the order of their key, so that two writers lock them in the same order.
    """
    key, count = quoted(KEY), quoted(("count",))
    return (
        f"INSERT INTO {TALLY} ({key}, slot, {count}) SELECT {key}, {_slot()}, SUM(change) FROM ({changes}) AS changes "
        f"WHERE true GROUP BY {key} ORDER BY {key} "
        f"ON CONFLICT ({key}, slot) DO UPDATE SET {count} = {TALLY}.{count} + EXCLUDED.{count};"
    )


def _slot() -> str:
    """Return the slot to which the trigger writes. The count of one slot may be below zero."""
    return f"pg_backend_pid() % {SLOTS}" if connection.vendor == "postgresql" else "0"


def _change(row: str, change: int) -> str:
    """Return the row of the tally on which an event is counted, with the change of its count."""
    return (
        f"SELECT {row}.status AS status, {row}.featured AS featured, substr({row}.start_local, 1, 10) AS day, "
        f"{change} AS change WHERE NOT {row}.hide_from_listings AND NOT {row}.is_long"
    )


def key_of(row: str) -> str:
    return f"status = {row}.status AND featured = {row}.featured AND day = substr({row}.start_local, 1, 10)"


event_tally = DerivedData("event tally", triggers, table.rebuild, table.count_differences)
