"""Save many events of a series: by the rules of `events.services`, with few queries for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import connection

from calendar_site.audit.recorder import SAVE, Action
from calendar_site.core.choices import Status
from calendar_site.core.types import AnyUser
from events.changes import EventChanges
from events.counts import count_by_term, subtract_counts
from events.finished_saves import SavedEvent, finish_saves
from events.models import Event
from events.relation_writes import set_relations
from events.relations import EventRelations, load_relations
from events.services import apply_event, publish_due_events

BATCH_SIZE = 100
# Events that one write moves to the trash. A background task moves the others, so that other writes do not wait long.
MAX_TRASHED_AT_ONCE = 150


class EventWrite(NamedTuple):
    """An event to save, with its changes. Columns of the series may have been set on it."""

    event: Event
    # None to move it to the trash.
    changes: EventChanges | None
    # The relations before the write, if they are known.
    relations: EventRelations | None = None
    action: Action = SAVE


def save_events(writes: Sequence[EventWrite], *, user: AnyUser) -> None:
    """Save events that exist as `save_event()` and `trash_event()` do. Must run inside `write_lock()`.

    Only values that change are validated, and constraints by the database: the others have been validated when they
    were saved. Some twenty queries for BATCH_SIZE events, and those of the links and tickets that change. Raises
    ValidationError.
    """
    for start in range(0, len(writes), BATCH_SIZE):
        _save_batch(writes[start : start + BATCH_SIZE], user)


def _save_batch(writes: Sequence[EventWrite], user: AnyUser) -> None:
    events = [write.event for write in writes]
    ids = [event.pk for event in events]
    before = load_relations(write.event for write in writes if write.relations is None)
    before |= {write.event.pk: write.relations for write in writes if write.relations is not None}
    for event, changes, *_rest in writes:
        if changes is None:
            event.status = Status.TRASH
        else:
            apply_event(event, changes=changes, user=user)
            _validate_changes(event)
    counts = publish_due_events()
    counts = subtract_counts(counts, count_by_term(ids))
    _update_columns(events)
    relations: dict[int, EventRelations] = {
        write.event.pk: set_relations(write.event, write.changes or {}, before[write.event.pk], user)
        for write in writes
    }
    saved = [
        SavedEvent(write.event, before[write.event.pk], relations[write.event.pk], write.action) for write in writes
    ]
    finish_saves(saved, counts, user=user)


def _validate_changes(event: Event) -> None:
    # The series is the one that the caller changes: looking it up would take a query for each event.
    names = {field.name for field in _changed_fields(event)} - {"series"}
    event.clean_fields(exclude={field.name for field in Event._meta.fields if field.name not in names})
    event.clean()


def _changed_fields(event: Event) -> list[Any]:
    loaded = event.loaded_values or {}
    return [
        field
        for field in Event._meta.concrete_fields
        if field.attname not in loaded or loaded[field.attname] != getattr(event, field.attname)
    ]


def _update_columns(events: list[Event]) -> None:
    """Write the changed columns of each event: one query for each set of columns."""
    updates: dict[tuple[str, ...], list[list[Any]]] = {}
    modified = Event._meta.get_field("modified_at")
    for event in events:
        if any(field.name in Event.search_fields for field in _changed_fields(event)):
            event.update_derived_fields()
        fields = [*(field for field in _changed_fields(event) if field is not modified), modified]
        values = [field.get_db_prep_save(field.pre_save(event, False), connection=connection) for field in fields]
        updates.setdefault(tuple(str(field.column) for field in fields), []).append([*values, event.pk])
    quote = connection.ops.quote_name
    for columns, rows in updates.items():
        assignments = ", ".join(f"{quote(column)} = %s" for column in columns)
        with connection.cursor() as cursor:
            cursor.executemany(f"UPDATE {quote(Event._meta.db_table)} SET {assignments} WHERE id = %s", rows)  # noqa: S608
