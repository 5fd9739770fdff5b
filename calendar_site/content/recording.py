"""Recording changes: what services call at the end of a write."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from django.utils import timezone

from calendar_site.content.choices import Status
from calendar_site.content.history import Change, Door, Kind
from calendar_site.content.transactions import current_write

# What a record has that is no column of its own: see `Change.history_besides`.
Besides = dict[str, Any]

# Under which name it is kept which events have lost the record.
TAKEN_FROM = "taken_from"
# And with which records it was made one: those that went, and the one that stays.
MERGED = TOOK_PLACE_OF, PLACE_TAKEN_BY = "merged", "merged_into"

# Whoever comes through no other door runs something on the server.
_door: ContextVar[Door] = ContextVar("door", default=Door.COMMAND)


class Meaning(NamedTuple):
    """What is being done to a row, where a change says too little."""

    row: Any
    # None for what it is anyway.
    kind: Kind | None = None
    note: str = ""
    # Comes to what the row has beside its columns.
    besides: Besides = {}


_meaning: ContextVar[Meaning | None] = ContextVar("meaning", default=None)

# What django-simple-history calls these.
TYPES: dict[str, str] = {Kind.CREATED: "+", Kind.DELETED: "-"}


@contextmanager
def through(door: Door) -> Iterator[None]:
    """What is written inside has come in here."""
    token = _door.set(door)
    try:
        yield
    finally:
        _door.reset(token)


@contextmanager
def meaning(row: Any, kind: Kind | None = None, note: str = "", **besides: Any) -> Iterator[None]:
    """What is recorded of this row inside is of this kind, says `note`, and has this beside it."""
    token = _meaning.set(Meaning(row, kind, note, besides))
    try:
        yield
    finally:
        _meaning.reset(token)


def remember(row: Any) -> None:
    """Notes how the row is now, of a model that does not do so by itself (`Recorded`)."""
    row.was = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def record(row: Any, user: Any, besides: Besides | None = None, *, before: Besides | None = None) -> None:
    """Records what this write has made of the row: one state for each write, and none where nothing has changed.

    `besides` is what the row has now beside its columns, and `before` what it had. Must run inside `writing()`.
    """
    model = row._meta.model.history.model
    besides, before = besides or {}, before or {}
    now, was = _columns(row), getattr(row, "was", None)
    changed = []
    if was is not None:
        changed = _changed_columns(model, was, now) + [n for n, value in besides.items() if value != before.get(n)]
        changed += [name for name in model.secrets if was[name] != getattr(row, name)]
    meant = _meaning_for(row)
    if was is None or changed or meant.besides:
        change = _part_of_this_write(row) or model(id=row.pk, history_kind=_kind_of(row, was), **_origin(user))
        change.history_kind = meant.kind or change.history_kind
        _write(change, now, changed, {**besides, **meant.besides, **_secrets(row)}, meant.note)
        row.last_change = (current_write(), change)
    row.was = {**(was or {}), **now, **{name: getattr(row, name) for name in model.secrets}}


def record_deleted(rows: Iterable[Any], user: Any, besides: dict[int, Besides] | None = None) -> None:
    """Records that these rows, all of one model, go for good, as they are. A query for some dozens of them."""
    rows = list(rows)
    if not rows:
        return
    model = rows[0]._meta.model.history.model
    origin = _origin(user)
    model.objects.bulk_create(
        (
            model(
                history_kind=Kind.DELETED,
                history_type=TYPES[Kind.DELETED],
                history_besides={**(besides or {}).get(row.pk, {}), **_meaning_for(row).besides, **_secrets(row)},
                **origin,
                **_columns(row),
            )
            for row in rows
        ),
        batch_size=500,
    )


def record_again(state: Any, user: Any, left_out: Collection[str] = ()) -> None:
    """Records of what was deleted, `state` being its last one, that it is there again, as a new record.

    Of what the state has beside its columns, `left_out` belongs to the deletion alone. Must run inside `writing()`.
    """
    besides = {name: value for name, value in state.history_besides.items() if name not in left_out}
    columns = {field.attname: getattr(state, field.attname) for field in state.tracked_fields}
    again = type(state)(id=state.id, history_kind=Kind.BROUGHT_BACK, **_origin(user))
    _write(again, columns, [], besides, "")


def as_it_is(row: Any, besides: Besides | None = None) -> Any:
    """A state that says how the row is at this moment, `besides` being what it has beside its columns. Is not saved."""
    return row._meta.model.history.model(history_besides={**(besides or {}), **_secrets(row)}, **_columns(row))


def forget(model: Any, ids: Iterable[int]) -> None:
    """Drops the history of these records, as if they had never been."""
    model.history.filter(id__in=list(ids)).delete()


def _write(change: Change, columns: dict[str, Any], changed: list[str], besides: Besides, note: str) -> None:
    for name, value in columns.items():
        setattr(change, name, value)
    if change.history_kind != Kind.CREATED:
        change.history_changed = list(dict.fromkeys([*change.history_changed, *changed]))
    change.history_besides = {**change.history_besides, **besides}
    change.history_type = TYPES.get(change.history_kind, "~")
    change.history_change_reason = note
    change.save()


def _part_of_this_write(row: Any) -> Change | None:
    """What the write under way has recorded of the row so far."""
    write, change = getattr(row, "last_change", None) or (None, None)
    return change if write is current_write() else None


def _columns(row: Any) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.model.history.model.tracked_fields}


def _secrets(row: Any) -> Besides:
    return {name: there_is(getattr(row, name)) for name, there_is in row._meta.model.history.model.secrets.items()}


def _changed_columns(model: Any, was: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """The names of the fields that have changed, each part under the name of the whole."""
    names = [
        model.parts.get(field.name, field.name)
        for field in model.tracked_fields
        if was[field.attname] != now[field.attname] and not (field.name == "status" and _is_by_time_alone(was, now))
    ]
    return list(dict.fromkeys(names))


def _is_by_time_alone(was: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether a scheduled record is one that has been published meanwhile: nobody has done that."""
    return (was["status"], now["status"]) == (Status.FUTURE, Status.PUBLISH) and was["published_at"] <= timezone.now()


def _meaning_for(row: Any) -> Meaning:
    meant = _meaning.get()
    return meant if meant is not None and meant.row is row else Meaning(row)


def _kind_of(row: Any, was: dict[str, Any] | None) -> Kind:
    if was is None:
        return Kind.CREATED
    is_trash = getattr(row, "status", "") == Status.TRASH
    if is_trash == (was.get("status") == Status.TRASH):
        return Kind.CHANGED
    return Kind.TRASHED if is_trash else Kind.RESTORED


def _origin(user: Any) -> dict[str, Any]:
    # Who runs a command is no account, or one that was never saved.
    is_known = user is not None and user.pk is not None
    return {
        "history_date": timezone.now(),
        "history_user_id": user.pk if is_known else None,
        "history_who": user.get_username() if is_known else "",
        "history_door": _door.get(),
    }
