"""The writes of one kind of record as one object, for code that handles all kinds: admin, API, review, restore."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet

from calendar_site.audit.recorder import SAVE, Action, ExtraState
from calendar_site.core.types import AnyUser

Row = TypeVar("Row", bound=Model)
RowArgument = TypeVar("RowArgument", bound=Model, contravariant=True)


class RelatedErrors(ValidationError):
    """Errors of rows that are saved along with a record, such as the tickets of an event."""

    def __init__(self, relation: str, by_position: Mapping[int, ValidationError]) -> None:
        """`by_position` contains the errors of each row, by its position in `changes[relation]`."""
        super().__init__({relation: [message for error in by_position.values() for message in error.messages]})
        self.relation, self.by_position = relation, by_position


class Save(Protocol[Row]):
    """A service that validates the row with `changes`, saves it and records it, in one transaction.

    `changes` are values by model field name; missing fields keep their value. Raises ValidationError and
    PermissionDenied; nothing is saved then.
    """

    def __call__(self, row: Row, /, *, changes: Any, user: AnyUser, action: Action = SAVE) -> Row: ...


class Apply(Protocol[RowArgument]):
    """A service that sets `changes` and derived values on the row as `save` does, without saving it.

    Raises ValidationError and PermissionDenied.
    """

    def __call__(self, row: RowArgument, /, *, changes: Any, user: AnyUser) -> None: ...


class Delete(Protocol[RowArgument]):
    """A service that deletes the rows permanently, records the deletion, and returns their number."""

    def __call__(self, rows: QuerySet[RowArgument], /, *, user: AnyUser | None) -> int: ...


class Trash(Protocol[Row]):
    """A service that moves the row to the trash and records the change."""

    def __call__(self, row: Row, /, *, user: AnyUser | None, action: Action = SAVE) -> Row: ...


def no_extra_state(rows: Iterable[Model]) -> dict[int, ExtraState]:
    """Return an empty mapping: these records consist only of their columns."""
    return {}


@dataclass(frozen=True, kw_only=True)
class RecordServices(Generic[Row]):
    """The writes of one kind of record."""

    save: Save[Row]
    apply: Apply[Row]
    delete: Delete[Row]
    # Returns the extra state of records by their ids.
    extra_state: Callable[[Iterable[Row]], Mapping[int, ExtraState]] = no_extra_state


@dataclass(frozen=True, kw_only=True)
class ContentServices(RecordServices[Row]):
    """The writes of records that have a status and a trash."""

    trash: Trash[Row]
