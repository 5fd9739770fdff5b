"""Permissions: one set of rules for the API, the admin, imports and commands.

Permissions on a model are Django permissions, granted by roles. Permissions on a record depend on its author and
status as well, never on the model alone.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q

from calendar_site.core import clock
from calendar_site.core.choices import PUBLIC_STATUSES, PUBLISHED_STATUSES, SELECTABLE_STATUSES, Status
from calendar_site.core.clock import Moments
from calendar_site.core.database.conditions import evaluate
from calendar_site.core.types import AnyUser

# Not the empty Q, because `Q() | condition` is the condition.
EVERY_ROW = ~Q(pk__in=[])


# Returns whether a user may perform an action on records of a model at all.
ModelRule = Callable[[AnyUser, str, type[Model]], bool]


class Authored(Protocol):
    """A content record: a model instance, or a row of values with the same names."""

    @property
    def status(self) -> str: ...
    @property
    def author_id(self) -> int: ...
    @property
    def published_at(self) -> datetime: ...


class AuthorNotAllowed(PermissionDenied):
    """The user sets another author, but may not edit the records of others (D6)."""


def role_allows(user: AnyUser, action: str, model: type[Model]) -> bool:
    """Return whether the user's roles allow `action` on records of this model at all.

    Only rules about reading call it: what a user may read depends on what their roles allow to change, even if the
    credentials of the request allow reads only. The permissions of a model that names another one in `permissions_of`
    are those of that model.
    """
    if not user.is_authenticated:
        return False
    name = getattr(model, "permissions_of", model._meta.model_name)
    return user.has_perm(f"{model._meta.app_label}.{action}_{name}")


def has_model_permission(user: AnyUser, action: str, model: type[Model]) -> bool:
    """Return whether the user may perform `action` on records of this model at all."""
    if action != "view" and getattr(user, "is_read_only", False):
        return False
    return role_allows(user, action, model)


def can_create(user: AnyUser, model: type[Model]) -> bool:
    return has_model_permission(user, "add", model)


def can_submit(user: AnyUser, model: type[Model]) -> bool:
    """Return whether the user may add records of this model, or at least those that others see after an approval."""
    return can_create(user, model) or has_model_permission(user, "submit", model)


def can_publish(user: AnyUser, model: type[Model]) -> bool:
    return has_model_permission(user, "publish", model)


def can_edit_others(user: AnyUser, model: type[Model]) -> bool:
    return has_model_permission(user, "change_others", model)


# --- Conditions on rows: for querysets, and evaluated below for one record. `prefix` is the path to the rows of
# `model`, such as `venue__`.


def published_q(prefix: str = "") -> Q:
    """Return the condition for rows that everybody may read now."""
    now = clock.now_among(Moments.PUBLICATION)
    return Q(**{f"{prefix}status__in": PUBLIC_STATUSES, f"{prefix}published_at__lte": now})


def reads_published_only(user: AnyUser, model: type[Model]) -> bool:
    """Return whether the user may read the rows that everybody may read, and no others."""
    return not (role_allows(user, "change", model) or role_allows(user, "change_others", model))


def readable_q(user: AnyUser, model: type[Model], prefix: str = "", *, with_trash: bool = True) -> Q:
    """Return the condition for rows that the user may read: published ones, their own, or any for editors."""
    if reads_published_only(user, model):
        return published_q(prefix)
    kept = EVERY_ROW if with_trash else ~Q(**{f"{prefix}status": Status.TRASH})
    if role_allows(user, "change_others", model):
        return kept
    return published_q(prefix) | (Q(**{f"{prefix}author_id": user.pk}) & kept)


def visible_q(user: AnyUser, model: type[Model], prefix: str = "") -> Q:
    """Return the condition for rows that lists show to the user: readable ones outside the trash."""
    return readable_q(user, model, prefix, with_trash=False)


def editable_q(user: AnyUser, model: type[Model]) -> Q:
    """Return the condition for rows that the user may change."""
    return _actionable_q(user, "change", model)


def deletable_q(user: AnyUser, model: type[Model]) -> Q:
    """Return the condition for rows that the user may move to the trash, or delete there."""
    return _actionable_q(user, "delete", model)


def _actionable_q(user: AnyUser, action: str, model: type[Model], is_allowed: ModelRule = has_model_permission) -> Q:
    if not is_allowed(user, action, model):
        return ~EVERY_ROW
    if not hasattr(model, "author_id"):
        return EVERY_ROW
    may_act_on_others = is_allowed(user, f"{action}_others", model)
    # An image has an author, but no status.
    may_act_on_published = not hasattr(model, "status") or is_allowed(user, "publish", model)
    if may_act_on_others and may_act_on_published:
        return EVERY_ROW
    own = Q(author_id=user.pk)
    others = ~own if may_act_on_others else ~EVERY_ROW
    return others | (own if may_act_on_published else own & ~Q(status__in=PUBLISHED_STATUSES))


def is_published(row: Authored) -> bool:
    """Return whether everybody may read the record now."""
    return bool(evaluate(published_q(), row))


def can_read(user: AnyUser, row: Model | Authored, model: type[Model] | None = None) -> bool:
    """Return whether the user may read this record. `model` is required if `row` is not a model instance."""
    return bool(evaluate(readable_q(user, model or _model_of(row)), row))


def is_listed_for(user: AnyUser, row: Model) -> bool:
    """Return whether lists show this record to the user: it is readable, and outside the trash."""
    return bool(evaluate(visible_q(user, type(row)), row))


def can_edit(user: AnyUser, row: Model | Authored, model: type[Model] | None = None) -> bool:
    """Return whether the user may change this record. `model` is required if `row` is not a model instance."""
    return bool(evaluate(editable_q(user, model or _model_of(row)), row))


def can_read_protected_fields(user: AnyUser, row: Model | Authored, model: type[Model]) -> bool:
    """Return whether the user reads this record without its password: users whose roles allow to change it do."""
    return bool(evaluate(_actionable_q(user, "change", model, role_allows), row))


def can_review(user: AnyUser, row: Model) -> bool:
    """Return whether the user may approve this record or send it back: reviewers may change and publish it."""
    return can_publish(user, type(row)) and can_edit(user, row)


def can_delete(user: AnyUser, row: Model | Authored, model: type[Model] | None = None) -> bool:
    """Return whether the user may move this record to the trash, or delete it there.

    `model` is required if `row` is not a model instance.
    """
    return bool(evaluate(deletable_q(user, model or _model_of(row)), row))


def _model_of(row: Model | Authored) -> type[Model]:
    if not isinstance(row, Model):
        raise TypeError("Name the model of a row that is no model instance.")
    return type(row)


def can_filter_by_status(user: AnyUser, model: type[Model]) -> bool:
    """Return whether the user may filter lists by statuses other than `publish`."""
    return role_allows(user, "change", model)


def allowed_status(user: AnyUser, model: type[Model], requested: str | None) -> str:
    """Return the status to save. `requested` is None for the default status.

    A user who may not publish gets a draft, or `pending` if the requested status is a published one.
    """
    if can_publish(user, model):
        return requested or Status.PUBLISH
    if requested in PUBLISHED_STATUSES:
        return Status.PENDING
    return requested or Status.DRAFT


def selectable_statuses(user: AnyUser, model: type[Model]) -> list[Status]:
    """Return the statuses that the user may choose for a record, without the current one that it may have."""
    return [status for status in SELECTABLE_STATUSES if allowed_status(user, model, status) == status]


def check_author(user: AnyUser, model: type[Model], author_id: int) -> None:
    """Raise AuthorNotAllowed if `author_id` is another user and `user` may not edit the records of others."""
    if author_id != user.pk and not can_edit_others(user, model):
        raise AuthorNotAllowed
