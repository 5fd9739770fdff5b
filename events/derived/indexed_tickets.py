"""Events with tickets, with the columns by which lists filter and order (`events.derived_models.IndexedTicketed`)."""

from __future__ import annotations

from calendar_site.derived.registry import DerivedData
from calendar_site.derived.tables import DerivedTable, quoted
from calendar_site.derived.triggers import Trigger
from events.derived.indexed_links import COLUMNS, EVENT, LinkTable, copied_values, event_trigger, triggers_of
from events.derived_models import IndexedTicketed
from events.models import Ticket

TICKETS = LinkTable(Ticket._meta.db_table, "id", IndexedTicketed._meta.db_table)
VALUES = copied_values(str(IndexedTicketed.TICKETED))

table = DerivedTable(
    TICKETS.indexed,
    COLUMNS,
    f"SELECT {VALUES} FROM {EVENT} event WHERE EXISTS (SELECT 1 FROM {TICKETS.name} WHERE event_id = event.id)",
)


def triggers() -> list[Trigger]:
    add = (
        f"INSERT INTO {TICKETS.indexed} ({quoted(COLUMNS)}) SELECT {VALUES} FROM {EVENT} event "
        "WHERE event.id = NEW.event_id ON CONFLICT DO NOTHING;"
    )
    remove = (
        f"DELETE FROM {TICKETS.indexed} WHERE event_id = OLD.event_id "
        f"AND NOT EXISTS (SELECT 1 FROM {TICKETS.name} WHERE event_id = OLD.event_id);"
    )
    return [*triggers_of(TICKETS, add, remove), event_trigger("events_indexedticketed_event", [TICKETS.indexed])]


indexed_tickets = DerivedData("events with tickets", triggers, table.rebuild, table.count_differences)
