"""Recording changes: services call these functions at the end of a write."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from django.db.models import Model

from calendar_site.audit.models import ChangeKind, Channel, Revision
from calendar_site.core import clock
from calendar_site.core.choices import Status
from calendar_site.core.compiled_queries.inserts import insert_rows
from calendar_site.core.database.write_lock import current_write
from calendar_site.core.http.request_context import current_request
from calendar_site.core.types import AnyUser

# The state of a record outside its columns, as JSON: ids of linked records, tickets, whether there is a password. It is
# stored in `Revision.history_extra`, with the effects of the write on other records, under these names:
ExtraState = Mapping[str, Any]
# ids of the events that the record was unlinked from, its position in each of them, if it was not the first in all, and
# ids of the events that the write has linked to it again,
UNLINKED_EVENTS, UNLINKED_POSITIONS, RELINKED_EVENTS = "unlinked_events", "unlinked_positions", "relinked_events"
# ids of the records that were merged into it, and the id of the one that it was merged into.
MERGED_RECORDS, MERGED_INTO = "merged", "merged_into"
# ids of the events in which the other record has replaced it, and of the subcategories that the other one got.
REPLACED_IN_EVENTS, MOVED_CHILDREN = "replaced_in_events", "moved_children"
# The id of the parent before others were merged into it: the history does not record each change of a parent.
FORMER_PARENT = "former_parent"

# The character that django-simple-history uses for a kind of change; "~" for all others.
HISTORY_TYPES: dict[str, str] = {ChangeKind.CREATED: "+", ChangeKind.DELETED: "-"}
ROWS_PER_INSERT = 500

# A context variable, unlike all other recorded data: the channel belongs to the whole request or process, and no
# service uses it. The default is a command on the server.
_channel: ContextVar[Channel] = ContextVar("channel", default=Channel.COMMAND)


class Action(NamedTuple):
    """The purpose of a write, if the changed values do not show it. Services pass it to `record_revision()`."""

    # None to derive the kind from the change.
    kind: ChangeKind | None = None
    note: str = ""
    # Recorded in addition to the extra state of the record.
    extra: ExtraState = {}


# A write that needs no explanation.
SAVE = Action()


@contextmanager
def recorded_via(channel: Channel) -> Iterator[None]:
    """Record changes inside the block as coming from this channel."""
    token = _channel.set(channel)
    try:
        yield
    finally:
        _channel.reset(token)


def track_loaded_values(row: Any) -> None:
    """Store the current values of the row as its loaded values, for models that do not inherit from `TrackedModel`."""
    row.loaded_values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def record_revision(
    row: Any,
    user: AnyUser | None,
    *,
    extra: ExtraState | None = None,
    before: ExtraState | None = None,
    action: Action = SAVE,
) -> None:
    """Record the row after a write: one revision per write, and none if nothing has changed.

    `extra` is the extra state of the row after the write, and `before` the extra state before it; names that only
    `before` has count as unchanged. `user` is the author of the change, None for commands. Must run inside
    `write_lock()`.
    """
    record_revisions([RecordedWrite(row, extra, before)], user, action=action)


class RecordedWrite(NamedTuple):
    """A row after a write, with its extra state after and before the write as `record_revision()` takes them."""

    row: Any
    extra: ExtraState | None = None
    before: ExtraState | None = None


def record_revisions(writes: Iterable[RecordedWrite], user: AnyUser | None, *, action: Action = SAVE) -> None:
    """Record rows of one model as `record_revision()` does for each; one query for all new revisions."""
    new = []
    for row, extra, before in writes:
        revision = _revision_of(row, user, extra or {}, before or {}, action)
        if revision is not None and revision.pk is None:
            new.append(revision)
        elif revision is not None:
            revision.save()
    insert_rows(new)


def _revision_of(
    row: Any, user: AnyUser | None, extra: ExtraState, before: ExtraState, action: Action
) -> Revision | None:
    """Return the revision to save, None if nothing has changed, and set the loaded values of the row."""
    revisions = _revision_model(row)
    revision = None
    loaded, values = getattr(row, "loaded_values", None), _tracked_values(row)
    changed: list[str] = []
    if loaded is not None:
        changed += _changed_columns(revisions, loaded, values)
        changed += [name for name, value in extra.items() if value != before.get(name)]
        changed += [name for name in revisions.secrets if loaded[name] != getattr(row, name)]
    if loaded is None or changed or action.extra:
        revision = _revision_of_this_write(row)
        if revision is None:
            revision = revisions(id=row.pk, history_kind=_detect_kind(row, loaded), **_origin(user))
        revision.history_kind = action.kind or revision.history_kind
        revision.history_change_reason = action.note or revision.history_change_reason
        _fill(revision, values, changed, {**extra, **action.extra, **_secret_flags(row)})
        row.last_revision = (current_write(), revision)
    stored = {field.attname for field in row._meta.concrete_fields} & row.__dict__.keys() | set(revisions.secrets)
    row.loaded_values = {**(loaded or {}), **{name: getattr(row, name) for name in stored}, **values}
    return revision


def record_deletion(
    rows: Iterable[Any], user: AnyUser | None, *, extra: Mapping[int, ExtraState] | None = None
) -> None:
    """Record the last state of rows of one model that are about to be deleted. One query per ROWS_PER_INSERT rows.

    `extra` has the extra state of the rows by id.
    """
    rows = list(rows)
    if not rows:
        return
    revisions, extra, origin = _revision_model(rows[0]), extra or {}, _origin(user)
    revisions.objects.bulk_create(
        (
            revisions(
                history_kind=ChangeKind.DELETED,
                history_type=HISTORY_TYPES[ChangeKind.DELETED],
                history_extra={**extra.get(row.pk, {}), **_secret_flags(row)},
                **origin,
                **_tracked_values(row),
            )
            for row in rows
        ),
        batch_size=ROWS_PER_INSERT,
    )


def record_recreation(last: Any, user: AnyUser | None, *, left_out: Collection[str] = ()) -> None:
    """Record in the history of a deleted record that it was restored as a new record with another id.

    `last` is its last revision. `left_out` are names in its extra state that belong to the deletion alone. Must run
    inside `write_lock()`.
    """
    extra = {name: value for name, value in last.history_extra.items() if name not in left_out}
    columns = {field.attname: getattr(last, field.attname) for field in last.tracked_fields}
    revision = type(last)(id=last.id, history_kind=ChangeKind.RESTORED, **_origin(user))
    _fill(revision, columns, [], extra)
    insert_rows([revision])


def snapshot(row: Any, extra: ExtraState | None = None) -> Any:
    """Return an unsaved revision of the row as it is now, with `extra` as its extra state."""
    return _revision_model(row)(history_extra={**(extra or {}), **_secret_flags(row)}, **_tracked_values(row))


def delete_history(model: Any, ids: Iterable[int]) -> None:
    """Delete the history of these records, as if they had never existed."""
    model.history.filter(id__in=list(ids)).delete()


def _fill(revision: Revision, columns: Mapping[str, Any], changed: list[str], extra: ExtraState) -> None:
    for name, value in columns.items():
        setattr(revision, name, value)
    if revision.history_kind != ChangeKind.CREATED:
        revision.history_changed = list(dict.fromkeys([*revision.history_changed, *changed]))
    revision.history_extra = {**revision.history_extra, **extra}
    revision.history_type = HISTORY_TYPES.get(revision.history_kind, "~")


def _revision_model(row: Model) -> Any:
    # Not `type(row)`: the user of a request is a lazy object.
    model: Any = row._meta.model
    return model.history.model


def _revision_of_this_write(row: Any) -> Revision | None:
    """Return the revision of the row that the current write has recorded, if any."""
    write, revision = getattr(row, "last_revision", None) or (None, None)
    return revision if write is current_write() else None


def _tracked_values(row: Model) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in _revision_model(row).tracked_fields}


def _secret_flags(row: Model) -> dict[str, bool]:
    """Return whether the row has each of its secrets."""
    return {name: has_value(getattr(row, name)) for name, has_value in _revision_model(row).secrets.items()}


def _changed_columns(revisions: Any, loaded: Mapping[str, Any], values: Mapping[str, Any]) -> list[str]:
    """Return the names of the fields that have changed, each part under the name of the whole."""
    names = [
        revisions.parts_of.get(field.name, field.name)
        for field in revisions.tracked_fields
        if loaded[field.attname] != values[field.attname]
        and not (field.name == "status" and _is_published_by_time(loaded, values))
    ]
    return list(dict.fromkeys(names))


def _is_published_by_time(loaded: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Return whether a scheduled record has been published by its date alone, so that no user has changed it."""
    statuses = (loaded["status"], values["status"])
    return statuses == (Status.FUTURE, Status.PUBLISH) and clock.has_passed(loaded["published_at"])


def _detect_kind(row: Model, loaded: Mapping[str, Any] | None) -> ChangeKind:
    if loaded is None:
        return ChangeKind.CREATED
    is_trash = getattr(row, "status", "") == Status.TRASH
    if is_trash == (loaded.get("status") == Status.TRASH):
        return ChangeKind.CHANGED
    return ChangeKind.TRASHED if is_trash else ChangeKind.UNTRASHED


def _origin(user: AnyUser | None) -> dict[str, Any]:
    request = current_request()
    origin = {
        "history_date": clock.now(),
        "history_channel": _channel.get(),
        "history_request_id": request.id if request else "",
        "history_address": str(request.client_address) if request and request.client_address else None,
    }
    # Commands run without an account; tests and sample content use an account that was never saved.
    if user is None or user.pk is None:
        return {**origin, "history_user_id": None, "history_username": ""}
    return {**origin, "history_user_id": user.pk, "history_username": user.get_username()}
