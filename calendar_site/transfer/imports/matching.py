"""Records of the calendar that a record of a source stands for, before a link says so."""

from __future__ import annotations

from typing import Any

from calendar_site.core.choices import Status
from calendar_site.core.text.plain_text import name_key
from calendar_site.core.types import AnyUser
from calendar_site.transfer.imports.kinds import KINDS
from calendar_site.transfer.imports.records import ImportedRecord, RecordKind
from calendar_site.transfer.models import Source, SourceRecord
from events.models import Event
from taxonomy.models import Category

# So many events that start at one moment are compared.
MAX_AT_ONE_START = 200


def find_existing(source: Source, record: ImportedRecord, parent_id: int | None, user: AnyUser) -> Any:
    """Return the row that the record stands for, None if there is none. One to three queries."""
    match record.kind:
        case RecordKind.CATEGORY | RecordKind.TAG:
            return _find_term(record, parent_id)
        case RecordKind.VENUE | RecordKind.ORGANIZER:
            # By its name alone: the source knows which of its records are different ones, such as rooms of a house.
            of_source = SourceRecord.objects.filter(source=source, kind=record.kind).values("record_id")
            rows = KINDS[record.kind].model.objects.exclude(pk__in=of_source)
            return rows.find_by_name(record.title, None, user)
        case RecordKind.EVENT:
            return _find_event(source, record)
    return None


def _find_term(record: ImportedRecord, parent_id: int | None) -> Any:
    model = KINDS[record.kind].model
    rows = model.objects.filter(name_key=model.key_of(record.values["name"])).order_by("pk")
    return rows.filter(parent=parent_id).first() if model is Category else rows.first()


def _find_event(source: Source, record: ImportedRecord) -> Event | None:
    """Return the event that another source has under its identifier, or else the one of the same title and time.

    An event that another record of the same source stands for is another one. Two queries, and more if one is found.
    """
    rows = Event.objects.exclude(status=Status.TRASH)
    candidates: list[int] = []
    # Not by the key: the numbers of two sites are those of different events.
    if uid := record.values.get("uid"):
        elsewhere = SourceRecord.objects.filter(kind=RecordKind.EVENT, key=uid).exclude(source=source)
        candidates += elsewhere.order_by("pk").values_list("record_id", flat=True)[:1]
    if record.values.get("start") is not None:
        at_start = rows.filter(start=record.values["start"]).order_by("pk").values_list("pk", "title")
        key = name_key(record.title)
        candidates += [pk for pk, title in at_start[:MAX_AT_ONE_START] if name_key(title) == key]
    for pk in candidates:
        if not SourceRecord.objects.filter(source=source, kind=RecordKind.EVENT, record_id=pk).exists():
            found = rows.filter(pk=pk).first()
            if found is not None:
                return found
    return None
