"""Who may do what: the one rule for the API, the admin, imports and commands.

Rights of a type are Django permissions, given by roles. Rights on a record depend on its author and
status as well: never on the type alone.
"""

from __future__ import annotations

from typing import Any, Protocol

from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.utils import timezone

from calendar_site.content.choices import PUBLIC_STATUSES, PUBLISHED_STATUSES, Status


class Authored(Protocol):
    """A content row: a model instance, or a row of values with the same names."""

    status: str
    author_id: int
    published_at: Any


class ActsForOthers(PermissionDenied):
    """Somebody named another author without the right to edit the records of others (D6)."""


def may(user: Any, action: str, model: type[Model]) -> bool:
    """Whether the user's roles allow `action` on records of this type at all."""
    if not user.is_authenticated:
        return False
    return user.has_perm(f"{model._meta.app_label}.{action}_{model._meta.model_name}")


def can_create(user: Any, model: type[Model]) -> bool:
    return may(user, "add", model)


def can_publish(user: Any, model: type[Model]) -> bool:
    return may(user, "publish", model)


def can_edit_others(user: Any, model: type[Model]) -> bool:
    return may(user, "change_others", model)


def can_edit(user: Any, row: Any, model: type[Model] | None = None) -> bool:
    """Whether the user may change this very record; of a row of values, `model` says what it is."""
    return _can_act(user, "change", row, model or type(row))


def can_review(user: Any, row: Any) -> bool:
    """Whether the user may decide on this very record when it waits: who may publish it."""
    return can_publish(user, type(row)) and can_edit(user, row)


def can_delete(user: Any, row: Any) -> bool:
    """Whether the user may move this very record to the trash, or delete it there."""
    return _can_act(user, "delete", row, type(row))


def _can_act(user: Any, action: str, row: Any, model: type[Model]) -> bool:
    if not may(user, action, model):
        return False
    if not hasattr(row, "author_id"):
        return True
    if row.author_id != user.pk:
        return may(user, f"{action}_others", model)
    # An image has an author, but is never published by itself.
    return getattr(row, "status", None) not in PUBLISHED_STATUSES or can_publish(user, model)


def is_published(row: Authored) -> bool:
    """Whether everybody may see the record now."""
    return row.status in PUBLIC_STATUSES and row.published_at <= timezone.now()


def can_read(user: Any, row: Any, model: type[Model] | None = None) -> bool:
    """Whether the user may see this record: everybody a published one, its author and editors any.

    `model` is what a row of values is a row of.
    """
    if is_published(row):
        return True
    model = model or type(row)
    return (row.author_id == user.pk and may(user, "change", model)) or can_edit_others(user, model)


def can_ask_for_statuses(user: Any, model: type[Model]) -> bool:
    """Whether lists may be filtered by statuses other than `publish`."""
    return may(user, "change", model)


def status_for(user: Any, model: type[Model], wanted: str | None) -> str:
    """The status a user's record gets when `wanted` is asked for (None: nothing is asked for).

    Whoever may not publish gets a draft, or `pending` where publishing was asked for.
    """
    if can_publish(user, model):
        return wanted or Status.PUBLISH
    if wanted in PUBLISHED_STATUSES:
        return Status.PENDING
    return wanted or Status.DRAFT


def check_author(user: Any, model: type[Model], author_id: int) -> None:
    """Raises ActsForOthers where `author_id` is somebody whose records the user may not edit."""
    if author_id != user.pk and not can_edit_others(user, model):
        raise ActsForOthers
