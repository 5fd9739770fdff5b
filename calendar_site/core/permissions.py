"""Who may do what: one set of rules for the API, the admin, imports and commands.

Permissions on a model are Django permissions, granted by roles. Permissions on a record depend on its author and
status as well, never on the model alone.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.utils import timezone

from calendar_site.core.choices import PUBLIC_STATUSES, PUBLISHED_STATUSES, Status
from calendar_site.core.row_rules import EVERY_ROW, NO_ROW, RowCondition, RowRule
from calendar_site.core.types import AnyUser


class Authored(Protocol):
    """A content record: a model instance, or a row of values with the same names."""

    @property
    def status(self) -> str: ...
    @property
    def author_id(self) -> int: ...
    @property
    def published_at(self) -> datetime: ...


class AuthorNotAllowed(PermissionDenied):
    """A user named another author without the permission to edit the records of others (D6)."""


def has_model_permission(user: AnyUser, action: str, model: type[Model]) -> bool:
    """Return whether the user's roles allow `action` on records of this model at all."""
    if not user.is_authenticated:
        return False
    return user.has_perm(f"{model._meta.app_label}.{action}_{model._meta.model_name}")


def can_create(user: AnyUser, model: type[Model]) -> bool:
    return has_model_permission(user, "add", model)


def can_publish(user: AnyUser, model: type[Model]) -> bool:
    return has_model_permission(user, "publish", model)


def can_edit_others(user: AnyUser, model: type[Model]) -> bool:
    return has_model_permission(user, "change_others", model)


# --- Rules about rows. `content.querysets` filters by them, the functions below ask them about one record.


def published_rows() -> RowRule:
    """Return the rule for rows that everybody may read now."""
    return RowRule([RowCondition({"status__in": PUBLIC_STATUSES, "published_at__lte": timezone.now()})])


def readable_rows(user: AnyUser, model: type[Model]) -> RowRule:
    """Return the rule for rows that the user may read: published ones, their own, or any for editors."""
    if can_edit_others(user, model):
        return EVERY_ROW
    if has_model_permission(user, "change", model):
        return RowRule([*published_rows(), RowCondition({"author_id": user.pk})])
    return published_rows()


def visible_rows(user: AnyUser, model: type[Model]) -> RowRule:
    """Return the rule for rows that lists show to the user: readable ones outside the trash."""
    return readable_rows(user, model).without("status", Status.TRASH)


def editable_rows(user: AnyUser, model: type[Model]) -> RowRule:
    """Return the rule for rows that the user may change."""
    return _rows_to_act_on(user, "change", model)


def _rows_to_act_on(user: AnyUser, action: str, model: type[Model]) -> RowRule:
    if not has_model_permission(user, action, model):
        return NO_ROW
    if not hasattr(model, "author_id"):
        return EVERY_ROW
    may_act_on_others = has_model_permission(user, f"{action}_others", model)
    # An image has an author, but no status.
    may_act_on_published = not hasattr(model, "status") or can_publish(user, model)
    if may_act_on_others and may_act_on_published:
        return EVERY_ROW
    own = RowCondition({"author_id": user.pk}, {} if may_act_on_published else {"status__in": PUBLISHED_STATUSES})
    others = RowCondition(excluded={"author_id": user.pk})
    return RowRule([own, others]) if may_act_on_others else RowRule([own])


def is_published(row: Authored) -> bool:
    """Return whether everybody may read the record now."""
    return published_rows().matches(row)


def can_read(user: AnyUser, row: Model | Authored, model: type[Model] | None = None) -> bool:
    """Return whether the user may read this record. `model` is required if `row` is no model instance."""
    return readable_rows(user, model or _model_of(row)).matches(row)


def can_edit(user: AnyUser, row: Model | Authored, model: type[Model] | None = None) -> bool:
    """Return whether the user may change this record. `model` is required if `row` is no model instance."""
    return editable_rows(user, model or _model_of(row)).matches(row)


def can_review(user: AnyUser, row: Model) -> bool:
    """Return whether the user may approve this record or send it back, which takes the permission to publish it."""
    return can_publish(user, type(row)) and can_edit(user, row)


def can_delete(user: AnyUser, row: Model) -> bool:
    """Return whether the user may move this record to the trash, or delete it there."""
    return _rows_to_act_on(user, "delete", type(row)).matches(row)


def _model_of(row: Model | Authored) -> type[Model]:
    if not isinstance(row, Model):
        raise TypeError("Name the model of a row that is no model instance.")
    return type(row)


def can_filter_by_status(user: AnyUser, model: type[Model]) -> bool:
    """Return whether the user may filter lists by statuses other than `publish`."""
    return has_model_permission(user, "change", model)


def allowed_status(user: AnyUser, model: type[Model], requested: str | None) -> str:
    """Return the status that a user's record gets when `requested` is asked for (None for the default).

    A user who may not publish gets a draft, or `pending` if the requested status is a published one.
    """
    if can_publish(user, model):
        return requested or Status.PUBLISH
    if requested in PUBLISHED_STATUSES:
        return Status.PENDING
    return requested or Status.DRAFT


def check_author(user: AnyUser, model: type[Model], author_id: int) -> None:
    """Raise AuthorNotAllowed if `author_id` is another user and `user` may not edit the records of others."""
    if author_id != user.pk and not can_edit_others(user, model):
        raise AuthorNotAllowed
