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
    return [
        Trigger(f"{name}_event_insert", EVENT, "INSERT", _refresh("NEW.id")),
        Trigger(f"{name}_event_delete", EVENT, "DELETE", _remove("OLD.id")),
        *triggers_of(VENUES, add=_refresh("NEW.event_id"), remove=_refresh("OLD.event_id")),
        event_trigger(f"{name}_event", [name]),
    ]


def _refresh(event_id: str) -> str:
    """Return the statements that replace the row of an event. Another transaction may have inserted it meanwhile."""
    add = f"INSERT INTO {VENUES.indexed} ({quoted(COLUMNS)}) {ROWS} AND event.id = {event_id} ON CONFLICT DO NOTHING;"
    return _remove(event_id) + add


def _remove(event_id: str) -> str:
    return f"DELETE FROM {VENUES.indexed} WHERE event_id = {event_id};"


indexed_venue_counts = DerivedData(
    "events without venues or with several", triggers, table.rebuild, table.count_differences
)
