"""Events without venues or with several, for the totals of places (`events.derived_models.IndexedVenueCount`)."""

from __future__ import annotations

from calendar_site.derived.registry import DerivedData
from calendar_site.derived.tables import DerivedTable, quoted
from calendar_site.derived.triggers import Trigger
from events.derived.indexed_links import COLUMNS, EVENT, LinkTable, copied_values, event_trigger, triggers_of
from events.derived_models import IndexedVenueCount
from events.models import EventVenue

VENUES = LinkTable(EventVenue._meta.db_table, "venue_id", IndexedVenueCount._meta.db_table)
LINKS = f"FROM {VENUES.name} WHERE event_id = event.id"
COUNT = f"CASE WHEN EXISTS (SELECT 1 {LINKS}) THEN {IndexedVenueCount.SEVERAL} ELSE {IndexedVenueCount.NONE} END"
ROWS = f"SELECT {copied_values(COUNT)} FROM {EVENT} event WHERE (SELECT COUNT(*) {LINKS}) <> 1"

table = DerivedTable(VENUES.indexed, COLUMNS, ROWS)


def triggers() -> list[Trigger]:
    name = VENUES.indexed
    delete = f"DELETE FROM {name} WHERE event_id ="
    insert = f"INSERT INTO {name} ({quoted(COLUMNS)}) {ROWS} AND event.id ="
    return [
        Trigger(f"{name}_event_insert", EVENT, "INSERT", f"{insert} NEW.id;"),
        Trigger(f"{name}_event_delete", EVENT, "DELETE", f"{delete} OLD.id;"),
        *triggers_of(
            VENUES,
            add=f"{delete} NEW.event_id; {insert} NEW.event_id;",
            remove=f"{delete} OLD.event_id; {insert} OLD.event_id;",
        ),
        event_trigger(f"{name}_event", [name]),
    ]


indexed_venue_counts = DerivedData(
    "events without venues or with several", triggers, table.rebuild, table.count_differences
)
