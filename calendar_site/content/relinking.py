"""Link records to their events again: venues and organizers from the trash, and all merged records."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import Count

from calendar_site.audit.models import ChangeKind, TrackedModel
from calendar_site.audit.recorder import (
    MERGED_INTO,
    RELINKED_EVENTS,
    REPLACED_IN_EVENTS,
    UNLINKED_EVENTS,
    UNLINKED_POSITIONS,
    Action,
    ExtraState,
    record_revision,
)
from calendar_site.content.merge import has_positions
from calendar_site.content.signals import merge_undone
from calendar_site.core import permissions
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser

BATCH_SIZE = 500


class RelinkedEvents(NamedTuple):
    """How many events link to the record again, and how many others had linked to it."""

    linked: int
    left_out: int


def relink_events(row: TrackedModel, *, unlinked: ExtraState, user: AnyUser) -> RelinkedEvents:
    """Link the row to the events that a write unlinked from it, at its position in each, and record it in its history.

    The row is a venue, an organizer or a term. `unlinked` is the extra state of the revision of that write. If the
    write merged the row into another record, the row takes the place of that record in the events in which that record
    had replaced it, and `merge_undone` is sent. Left out are events that were deleted, that link to the row by now,
    that the user may not change, that no longer link to the record that replaced it, and that have as many records of
    this kind as an event may have. Five queries for each BATCH_SIZE events at most.
    """
    ids: list[int] = unlinked.get(UNLINKED_EVENTS, [])
    positions = dict(zip(ids, unlinked.get(UNLINKED_POSITIONS) or [0] * len(ids), strict=True))
    replaced, kept = set(unlinked.get(REPLACED_IN_EVENTS, [])), unlinked.get(MERGED_INTO)
    linked: list[int] = []
    with write_lock():
        for start in range(0, len(ids), BATCH_SIZE):
            events = _linkable_events(row, ids[start : start + BATCH_SIZE], user)
            linked += _take_back(row, kept, events & replaced)
            added = events - replaced
            linked += _insert_links(row, {pk: positions[pk] for pk in sorted(added - _full_events(row, added))})
        if linked:
            action = Action(ChangeKind.RESTORED, extra={RELINKED_EVENTS: sorted(linked)})
            record_revision(row, user, action=action)
        if kept is not None:
            merge_undone.send(sender=type(row), kept=kept, restored=row.pk, unlinked=unlinked)
    return RelinkedEvents(len(linked), len(ids) - len(linked))


def _linkable_events(row: TrackedModel, ids: list[int], user: AnyUser) -> set[int]:
    """Return the events that exist, that the user may change, and that do not link to the row."""
    rows: Any = type(row)._default_manager.all()
    model = rows.event_model()
    linked = rows.links.filter(**{rows.link_field: row.pk}).order_by()
    events = model._default_manager.filter(permissions.editable_q(user, model), pk__in=ids).order_by()
    return set(events.exclude(pk__in=linked.values("event")).values_list("pk", flat=True))


def _take_back(row: TrackedModel, kept: int | None, events: set[int]) -> list[int]:
    """Replace the record `kept` by the row in these events, and return those that still linked to it."""
    if not events:
        return []
    rows: Any = type(row)._default_manager.all()
    links = rows.links.filter(**{rows.link_field: kept, "event__in": events})
    found = list(links.order_by().values_list("event", flat=True))
    links.update(**{rows.link_field: row.pk})
    return found


def _full_events(row: TrackedModel, events: set[int]) -> set[int]:
    """Return the events that cannot link to another record of this kind."""
    rows: Any = type(row)._default_manager.all()
    relation: Any = rows.model._meta.get_field("events")
    limit = getattr(rows.event_model(), f"MAX_{relation.field.name.upper()}")
    counts = rows.links.filter(event__in=events).order_by().values("event").annotate(count=Count("pk"))
    return set(counts.filter(count__gte=limit).values_list("event", flat=True))


def _insert_links(row: TrackedModel, positions: dict[int, int]) -> list[int]:
    rows: Any = type(row)._default_manager.all()
    link: Any = rows.links.model
    column, is_ordered = f"{rows.link_field}_id", has_positions(link)
    rows.links.bulk_create(
        link(event_id=event, **{column: row.pk}, **({"position": position} if is_ordered else {}))
        for event, position in positions.items()
    )
    return list(positions)
