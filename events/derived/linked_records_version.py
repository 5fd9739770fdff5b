"""A version of the records that events link to, by which processes know whether their copies are up to date.

New records do not change it: nothing has a copy of them yet.
"""

from __future__ import annotations

from django.db import connection
from django.db.models import Model

from calendar_site.custom_fields.models import CustomField
from calendar_site.derived.registry import DerivedData
from calendar_site.derived.triggers import Trigger
from calendar_site.media.loading import ImageRow
from calendar_site.media.models import Image
from events.index_models import LinkedRecordsVersion
from organizers.loading import OrganizerRow
from organizers.models import Organizer
from taxonomy.loading import CategoryRow, TagRow
from taxonomy.models import Category, Tag
from venues.loading import VenueRow
from venues.models import Venue

_RAISE = "UPDATE events_linkedrecordsversion SET version = CAST(random() AS varchar(40));"
# The columns of responses. Not the event counts of terms, which change with most writes and are read for each response.
_COLUMNS: dict[type[Model], tuple[str, ...]] = {
    Venue: VenueRow._fields,
    Organizer: OrganizerRow._fields,
    Category: CategoryRow._fields[:-1],
    Tag: TagRow._fields[:-1],
    Image: ImageRow._fields,
    CustomField: ("id", "resource", "name", "label", "kind", "position"),
}


def _triggers() -> list[Trigger]:
    triggers = []
    for model, columns in _COLUMNS.items():
        table = model._meta.db_table
        triggers += [
            Trigger(f"linked_version_update_{table}", table, f"UPDATE OF {', '.join(columns)}", _RAISE),
            Trigger(f"linked_version_delete_{table}", table, "DELETE", _RAISE),
        ]
    # A new custom field appears in records that have a value under its name.
    return [*triggers, Trigger("linked_version_insert_custom_field", CustomField._meta.db_table, "INSERT", _RAISE)]


def _rebuild() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM events_linkedrecordsversion")
        cursor.execute(
            "INSERT INTO events_linkedrecordsversion (id, version) VALUES (1, CAST(random() AS varchar(40)))"
        )


def _count_differences() -> int:
    return int(LinkedRecordsVersion.objects.count() != 1)


LINKED_RECORDS_VERSION = DerivedData("linked records version", _triggers, _rebuild, _count_differences)
