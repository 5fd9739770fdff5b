"""The table of the permissions of each role, generated from `core.permissions`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from django.utils import timezone

from calendar_site.accounts.models import User
from calendar_site.accounts.roles import ROLE_PERMISSIONS, ROLES
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.custom_fields.models import CustomField
from calendar_site.media.models import Image
from events.models import Event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

NO_ACCOUNT = "no account"
CONTENT = (Event, Venue, Organizer)
ME, ANOTHER = 1, 2
NO, YES, OWN, ALL = "–", "yes", "own", "all"


class RoleUser(NamedTuple):
    """A user with one role, as `core.permissions` sees users."""

    role: str
    pk: int = ME

    @property
    def is_authenticated(self) -> bool:
        return self.role != NO_ACCOUNT

    def has_perm(self, permission: str) -> bool:
        return permission in ROLE_PERMISSIONS[self.role]


USERS = tuple(map(RoleUser, (*ROLES, NO_ACCOUNT)))
Scope = Callable[[RoleUser], str]


def role_permissions() -> list[tuple[str, list[str]]]:
    """Return the actions, each with its scope for each of `USERS`."""
    return [(action, [scope(user) for user in USERS]) for action, scope in ACTIONS.items()]


def _on_rows(is_allowed: Callable[..., bool], *statuses: str) -> Scope:
    """Return a function that maps a user to a scope: all records with these statuses, the user's own, or none."""

    def scope(user: RoleUser) -> str:
        return _single(
            _scope_of(
                *(
                    is_allowed(user, model(author_id=author, status=status, published_at=timezone.now()))
                    for author in (ME, ANOTHER)
                )
            )
            for model in CONTENT
            for status in statuses
        )

    return scope


def _on_images(user: RoleUser) -> str:
    return _single(
        _scope_of(*(is_allowed(user, Image(author_id=author)) for author in (ME, ANOTHER)))
        for is_allowed in (permissions.can_edit, permissions.can_delete)
    )


def _submitting_images(user: RoleUser) -> str:
    return YES if permissions.can_submit(user, Image) else NO


def _on_type(action: str, *models: Any) -> Scope:
    return lambda user: _single(
        YES if permissions.has_model_permission(user, action, model) else NO for model in models
    )


def _writing(model: Any) -> Scope:
    return lambda user: _single(
        YES if permissions.has_model_permission(user, action, model) else NO for action in ("add", "change", "delete")
    )


def _publishing(user: RoleUser) -> str:
    """Return the status of a new record that the user wants to publish."""
    if not user.is_authenticated or not all(permissions.can_create(user, model) for model in CONTENT):
        return NO
    return _single(
        YES
        if (status := permissions.allowed_status(user, model, Status.PUBLISH)) == Status.PUBLISH
        else f"becomes {status}"
        for model in CONTENT
    )


def _scope_of(own: bool, others: bool) -> str:
    return ALL if own and others else OWN if own else NO


def _single(scopes: Iterable[str]) -> str:
    """Return the scope that all of them share. Raises ValueError if one table row would not be true for all."""
    (scope,) = set(scopes)
    return scope


UNPUBLISHED = (Status.DRAFT, Status.PENDING)
PUBLISHED = (Status.PUBLISH, Status.PRIVATE)
ACTIONS: dict[str, Scope] = {
    "Read published records": _on_rows(permissions.can_read, Status.PUBLISH),
    "Read drafts, pending and private records": _on_rows(permissions.can_read, *UNPUBLISHED, Status.PRIVATE),
    "Filter lists by other statuses": _on_type("change", *CONTENT),
    "Create events, venues and organizers": _on_type("add", *CONTENT),
    "Publish events, venues and organizers": _publishing,
    "Change drafts and pending records": _on_rows(permissions.can_edit, *UNPUBLISHED),
    "Change published, scheduled and private records": _on_rows(permissions.can_edit, *PUBLISHED, Status.FUTURE),
    "Move drafts and pending records to the trash": _on_rows(permissions.can_delete, *UNPUBLISHED),
    "Move published, scheduled and private records to the trash": _on_rows(
        permissions.can_delete, *PUBLISHED, Status.FUTURE
    ),
    "Set another author": _on_type("change_others", *CONTENT),
    "Create, change and delete categories": _writing(Category),
    "Create, change and delete tags": _writing(Tag),
    "Add images": _on_type("add", Image),
    "Upload images that others may use after an approval": _submitting_images,
    "Change and delete images": _on_images,
    "Declare custom fields": _writing(CustomField),
    "Manage accounts and roles": _writing(User),
}
