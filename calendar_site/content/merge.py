"""Merge duplicate records: one of them is kept and gets the events of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from django.core.exceptions import PermissionDenied
from django.db.models import Count, Field, Model, QuerySet, Value

from calendar_site.audit.models import ChangeKind
from calendar_site.audit.recorder import MERGED_INTO, MERGED_RECORDS, REPLACED_IN_EVENTS, Action, ExtraState
from calendar_site.content.models import LinkedContent
from calendar_site.content.services import ContentChanges, save_content, trash_linked, unlinked_events
from calendar_site.content.signals import records_merged
from calendar_site.core import permissions
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser

Row = TypeVar("Row", bound=Model)
Linked = TypeVar("Linked", bound=LinkedContent)

BATCH_SIZE = 500
# A venue has both or neither.
COORDINATES = ("geo_lat", "geo_lng")


def can_merge_any(user: AnyUser, model: type[Model]) -> bool:
    """Return whether the user may merge records of this type at all: merging changes the events of others."""
    event_model: Any = model._meta.get_field("events").related_model
    return permissions.has_model_permission(user, "delete", model) and permissions.can_edit_others(user, event_model)


def can_merge(user: AnyUser, row: Model) -> bool:
    """Return whether the user may merge this record into another, or another into it."""
    return can_merge_any(user, type(row)) and permissions.can_edit(user, row) and permissions.can_delete(user, row)


def count_links(rows: Sequence[Model], user: AnyUser) -> dict[int, int]:
    """Return how many events that the user may read link to each of these records of one model. One query."""
    if not rows:
        return {}
    model: Any = rows[0]._meta.model
    records = model._default_manager.all()
    events = records.event_model()
    hidden = events._default_manager.with_fields_hidden_from(user).order_by()
    links = records.links.filter(
        permissions.readable_q(user, events, "event__"), **{f"{records.link_field}__in": [row.pk for row in rows]}
    )
    links = links.exclude(event__in=hidden.values("pk")).order_by()
    counts = dict(links.values_list(records.link_field).annotate(count=Count("pk")))
    return {row.pk: counts.get(row.pk, 0) for row in rows}


def merge_linked(kept: Linked, *, others: Iterable[Linked], user: AnyUser) -> Linked:
    """Merge other venues or organizers into `kept`, which gets the values that it lacks; move the others to the trash.

    Raises ValidationError, and PermissionDenied if the user may not merge one of them.
    """
    rows: Any = type(kept).objects.all()
    with write_lock():
        kept, merged = reload_for_merge(kept, others, user)
        events = move_links(rows.links, rows.link_field, kept, merged)
        action = Action(ChangeKind.MERGED, extra={MERGED_RECORDS: [row.pk for row in merged]})
        changes = cast("ContentChanges", missing_values(kept, merged))
        save_content(kept, changes=changes, user=user, action=action)
        for row in merged:
            trash_linked(row, user=user, action=Action(extra=merged_into(kept, events.get(row.pk))))
    return kept


class EventsBeforeMerge(NamedTuple):
    """The events of a merged record before the merge."""

    # The position of the record in each event, by the id of the event. Terms have none: it is 0.
    positions: dict[int, int]
    # ids of the events in which the kept record has replaced it.
    replaced: list[int]


def reload_for_merge(kept: Row, others: Iterable[Row], user: AnyUser) -> tuple[Row, list[Row]]:
    """Return the current rows. Must run inside `write_lock()`. One query.

    Raises PermissionDenied if one was deleted, or if the user may not merge it.
    """
    ids = [kept.pk, *(row.pk for row in others)]
    found = type(kept)._default_manager.in_bulk(ids)
    if len(found) < len(ids) or not all(can_merge(user, row) for row in found.values()):
        raise PermissionDenied
    return found[kept.pk], [found[pk] for pk in ids[1:]]


def move_links(links: QuerySet, column: str, kept: Model, merged: Sequence[Model]) -> dict[int, EventsBeforeMerge]:
    """Move the event links of the merged records to `kept`; return the events that each of them had, by its id.

    In an event, `kept` replaces the first merged record. The remaining links belong to events that link to `kept`
    already; they are deleted with the merged records. Sends `records_merged`.
    """
    events: dict[int, EventsBeforeMerge] = {}
    position = "position" if has_positions(links.model) else Value(0)
    events_of_kept = set(links.filter(**{column: kept.pk}).values_list("event", flat=True))
    moved = []
    links_of_merged = links.filter(**{f"{column}__in": [row.pk for row in merged]})
    for link, event, row, place in links_of_merged.order_by("event", "pk").values_list("pk", "event", column, position):
        before = events.setdefault(row, EventsBeforeMerge({}, []))
        before.positions[event] = place
        if event not in events_of_kept:
            events_of_kept.add(event)
            moved.append(link)
            before.replaced.append(event)
    for start in range(0, len(moved), BATCH_SIZE):
        links.filter(pk__in=moved[start : start + BATCH_SIZE]).update(**{column: kept.pk})
    records_merged.send(sender=type(kept), kept=kept.pk, merged=[row.pk for row in merged])
    return events


def has_positions(link_model: type[Model]) -> bool:
    """Return whether events have an order of their links to these records."""
    return any(field.name == "position" for field in link_model._meta.fields)


def merged_into(kept: Model, before: EventsBeforeMerge | None) -> ExtraState:
    """Return the extra state of a record that is merged into `kept`, from which `relink_events()` undoes the merge."""
    if before is None:
        return {MERGED_INTO: kept.pk}
    replaced = {REPLACED_IN_EVENTS: before.replaced} if before.replaced else {}
    return {MERGED_INTO: kept.pk, **unlinked_events(before.positions), **replaced}


def missing_values(kept: Any, merged: Sequence[Any]) -> dict[str, Any]:
    """Return changes that fill the empty fields of `kept`, each from the first merged record with a value.

    Custom values are filled one by one.
    """
    changes: dict[str, Any] = {}
    for row in merged:
        for field in kept._meta.concrete_fields:
            value = getattr(row, field.name)
            if value and _can_be_empty(field) and field.name not in COORDINATES and not getattr(kept, field.name):
                changes.setdefault(field.name, value)
        if hasattr(kept, "geo_lat") and kept.geo_lat is None and row.geo_lat is not None:
            changes = {**{name: getattr(row, name) for name in COORDINATES}, **changes}
    if hasattr(kept, "custom_values"):
        values: dict[str, Any] = {}
        for row in (*reversed(merged), kept):
            values.update(row.custom_values)
        changes["custom_values"] = values
    return changes


def _can_be_empty(field: Field) -> bool:
    return field.editable and field.blank and field.name != "slug"
