"""Who may do what: one set of rules for the API, the admin, imports and commands.

Permissions on a model are Django permissions, granted by roles. Permissions on a record depend on its author and
status as well, never on the model alone.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Protocol

from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.utils import timezone

from calendar_site.core.choices import PUBLIC_STATUSES, PUBLISHED_STATUSES, Status
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


def can_edit(user: AnyUser, row: Any, model: type[Model] | None = None) -> bool:
    """Return whether the user may change this record. `model` is required if `row` is no model instance."""
    return _can_act(user, "change", row, model or type(row))


def can_review(user: AnyUser, row: Model) -> bool:
    """Return whether the user may approve this record or send it back, which takes the permission to publish it."""
    return can_publish(user, type(row)) and can_edit(user, row)


def can_delete(user: AnyUser, row: Model) -> bool:
    """Return whether the user may move this record to the trash, or delete it there."""
    return _can_act(user, "delete", row, type(row))


def _can_act(user: AnyUser, action: str, row: Any, model: type[Model]) -> bool:
    if not has_model_permission(user, action, model):
        return False
    if not hasattr(row, "author_id"):
        return True
    if row.author_id != user.pk:
        return has_model_permission(user, f"{action}_others", model)
    # An image has an author, but no status.
    return getattr(row, "status", None) not in PUBLISHED_STATUSES or can_publish(user, model)


def is_published(row: Authored) -> bool:
    """Return whether everybody may see the record now."""
    return row.status in PUBLIC_STATUSES and row.published_at <= timezone.now()


def can_read(user: AnyUser, row: Any, model: type[Model] | None = None) -> bool:
    """Return whether the user may see this record: a published one, their own, or any for editors.

    `model` is required if `row` is no model instance.
    """
    if is_published(row):
        return True
    model = model or type(row)
    return (row.author_id == user.pk and has_model_permission(user, "change", model)) or can_edit_others(user, model)


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
