"""The services of each kind of record, and the values that its rows have now."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import Max, Model, QuerySet

from calendar_site.content.services import delete_linked, save_content, trash_linked
from calendar_site.core import permissions
from calendar_site.core.types import AnyUser
from calendar_site.revisions.restore import RestorePlan, plan_restore
from calendar_site.transfer.imports.records import RecordKind
from events.models import Event, Series
from events.recurrence.schedules import RECURRENCE_FIELDS
from events.relations import RELATIONS, load_relations
from events.restore import plan_event_restore
from events.series.restore import plan_series_restore
from events.series.services import can_edit_series, delete_series, save_series
from events.series.template import EventTemplate
from events.services import delete_events, save_event, trash_event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from taxonomy.services import delete_terms, save_term
from venues.models import Venue

DIGEST_LENGTH = 16


class KindServices(NamedTuple):
    """How records of a kind are written."""

    model: Any
    save: Callable[..., Any]
    delete: Callable[..., int]
    # Returns the plan to restore a revision.
    plan: Callable[[Any, Any, AnyUser], RestorePlan]
    # None for records that have no trash.
    trash: Callable[..., Any] | None = None


def _delete_series(rows: QuerySet[Series], *, user: AnyUser | None) -> int:
    """Delete series with their events."""
    delete_events(Event.objects.filter(series__in=list(rows)), user=user)
    return delete_series(rows, user=user)


KINDS: dict[str, KindServices] = {
    RecordKind.CATEGORY: KindServices(Category, save_term, delete_terms, plan_restore),
    RecordKind.TAG: KindServices(Tag, save_term, delete_terms, plan_restore),
    RecordKind.VENUE: KindServices(Venue, save_content, delete_linked, plan_restore, trash_linked),
    RecordKind.ORGANIZER: KindServices(Organizer, save_content, delete_linked, plan_restore, trash_linked),
    RecordKind.SERIES: KindServices(Series, save_series, _delete_series, plan_series_restore),
    RecordKind.EVENT: KindServices(Event, save_event, delete_events, plan_event_restore, trash_event),
}


def can_create(user: AnyUser, kind: str) -> bool:
    return permissions.can_create(user, Event if kind == RecordKind.SERIES else KINDS[kind].model)


def can_edit(user: AnyUser, kind: str, row: Any) -> bool:
    if kind == RecordKind.SERIES:
        return can_edit_series(user, row)
    return permissions.can_edit(user, row)


def current_values(kind: str, rows: Iterable[Any]) -> dict[int, Mapping[str, Any]]:
    """Return what the rows have in each field and relation, by id, for `digest()`. At most one query for events."""
    rows = list(rows)
    if kind == RecordKind.EVENT:
        relations = load_relations(rows)
        return {row.pk: _columns(row) | {**relations[row.pk]} for row in rows}
    if kind == RecordKind.SERIES:
        return {row.pk: _series_values(row) for row in rows}
    return {row.pk: _columns(row) for row in rows}


def _columns(row: Model) -> dict[str, Any]:
    columns = {field.name: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return columns | {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def _series_values(series: Series) -> dict[str, Any]:
    template = EventTemplate.of_series(series)
    columns = {name.removesuffix("_id"): value for name, value in template.columns.items()}
    schedule = {"start": series.start_local, "end": series.end_local}
    own = {name: getattr(series, name) for name in ("status", "published_at", "time_zone", "all_day")}
    recurrence = {name: getattr(series, name) for name in RECURRENCE_FIELDS}
    relations: Mapping[str, Any] = template.relations
    return {**columns, **{name: relations[name] for name in RELATIONS}, **own, **schedule, **recurrence}


def digest(value: Any) -> str:
    """Return a short digest of a value. Equal moments in different zones have the same one."""
    text = json.dumps(value, sort_keys=True, default=_to_json)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def _to_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, Model):
        return value.pk
    if isinstance(value, Mapping):
        return dict(value)
    return str(value)


def last_revisions(kind: str, ids: list[int]) -> dict[int, int]:
    """Return the ids of the last revisions of records, by the ids of these. One query."""
    revisions = KINDS[kind].model.history.filter(id__in=ids).order_by()
    return dict(revisions.values("id").annotate(last=Max("history_id")).values_list("id", "last"))


def last_revision(kind: str, pk: int) -> int | None:
    """Return the id of the last revision of a record. One query."""
    return last_revisions(kind, [pk]).get(pk)
