"""Common services of events, venues and organizers, and the services of venues and organizers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, TypedDict, TypeVar, cast

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet

from calendar_site.audit.recorder import (
    SAVE,
    UNLINKED_EVENTS,
    UNLINKED_POSITIONS,
    Action,
    ExtraState,
    RecordedWrite,
    record_deletion,
    record_revisions,
)
from calendar_site.content.models import Content, LinkedContent
from calendar_site.content.signals import records_deleted, status_changed
from calendar_site.core import clock, permissions
from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import lock_keys, write_lock
from calendar_site.core.slugs import is_free_slug, slug_key, slugify, unique_slug
from calendar_site.core.text.plain_text import name_key
from calendar_site.core.types import AnyUser
from calendar_site.former_slugs.services import record_moves
from calendar_site.media.library import PreparedImage, store_image
from calendar_site.media.models import Image

Linked = TypeVar("Linked", bound=LinkedContent)
Changes = TypeVar("Changes", bound="ContentChanges")


class ContentChanges(TypedDict, total=False):
    """The fields of all content, by model field name. Missing keys change nothing."""

    title: str
    slug: str | None
    status: str | None
    author_id: int | None
    published_at: datetime | None
    description: str
    excerpt: str
    # A prepared image is stored by the write.
    image: Image | PreparedImage | None
    # None instead of a dict clears all values; None for a field clears its value; missing fields keep theirs.
    custom_values: dict[str, Any] | None


def save_content(row: Linked, *, changes: ContentChanges, user: AnyUser, action: Action = SAVE) -> Linked:
    """Validate and save a venue or organizer, and record it.

    Raises ValidationError, PermissionDenied, and AuthorNotAllowed if the user may not set the author in `changes`;
    nothing is saved then.
    """
    with write_lock(parallel=row._state.adding):
        apply_content(row, changes=store_new_image(changes, user=user), user=user)
        validate_content(row, user)
        row.save()
        taken = _unlink_from_events(row) if row.status == Status.TRASH else {}
        record_content_revision(row, user, extra=taken, before=taken, action=action)
    return row


def get_or_create_by_name(model: type[Linked], *, changes: ContentChanges, user: AnyUser) -> Linked:
    """Return the venue or organizer with this name that the user may see, unchanged; create it if there is none.

    Raises PermissionDenied for users who may not create one, and the exceptions of `save_content`.
    """
    if not permissions.can_create(user, model):
        raise PermissionDenied
    with write_lock(parallel=True):
        lock_keys(creation_keys(model, changes))
        rows: Any = model.objects
        known = rows.find_by_name(changes["title"], changes.get("description"), user)
        return known or save_content(model(), changes=changes, user=user)


def creation_keys(model: type[LinkedContent], changes: ContentChanges) -> set[str]:
    """Return the keys to lock before a venue or organizer is created by name."""
    base = slugify(changes.get("slug") or "") or slugify(changes["title"]) or str(model._meta.model_name)
    return {f"name {model._meta.label} {name_key(changes['title'])}", slug_key(model, base)}


def trash_linked(row: Linked, *, user: AnyUser | None, action: Action = SAVE) -> Linked:
    """Move a venue or organizer to the trash, and unlink it from its events."""
    with write_lock():
        taken = _unlink_from_events(row)
        row.status = Status.TRASH
        row.save()
        record_content_revision(row, user, extra=taken, before=taken, action=action)
    return row


def delete_linked(rows: QuerySet[Linked], *, user: AnyUser | None) -> int:
    """Delete venues or organizers permanently and return their number. Keep their events."""
    with write_lock():
        deleted = list(rows)
        record_deletion(deleted, user)
        rows.delete()
        records_deleted.send(sender=rows.model, ids=[row.pk for row in deleted])
    return len(deleted)


def apply_content(row: Content, *, changes: ContentChanges, user: AnyUser) -> None:
    """Set `changes` on the row, with the author, status and slug that follow from them, without saving it.

    One query for the slug. Raises AuthorNotAllowed.
    """
    derived = {"status", "author_id", "published_at", "slug", "custom_values"}
    for name, value in changes.items():
        if name not in derived:
            setattr(row, name, value)
    if "custom_values" in changes:
        _apply_custom_values(row, changes["custom_values"])
    _apply_author(row, changes.get("author_id"), user)
    _apply_status(row, changes.get("status"), changes.get("published_at"), user)
    _apply_slug(row, changes.get("slug"))


def validate_content(row: Content, user: AnyUser) -> None:
    """Call `full_clean()` after `apply_content()`, without the queries for what it has checked: a free slug.

    The account of the user exists. Raises ValidationError.
    """
    row.full_clean(exclude={"slug", "author"} if row.author_id == user.pk else {"slug"})


def store_new_image(changes: Changes, *, user: AnyUser) -> Changes:
    """Store a prepared image, and return `changes` with the stored one. Must run inside `write_lock()`.

    Raises PermissionDenied for users who may not add images, and ValidationError.
    """
    image = changes.get("image")
    if not isinstance(image, PreparedImage):
        return changes
    return cast("Changes", {**changes, "image": store_image(image, user=user)})


def record_content_revision(
    row: Content,
    user: AnyUser | None,
    *,
    extra: ExtraState | None = None,
    before: ExtraState | None = None,
    action: Action = SAVE,
) -> None:
    """Record the row as `record_revision()` does, and send `status_changed` if its status has changed."""
    record_content_revisions([RecordedWrite(row, extra, before)], user, action=action)


def record_content_revisions(writes: Collection[RecordedWrite], user: AnyUser | None, *, action: Action = SAVE) -> None:
    """Record rows of one model as `record_content_revision()` does for each; one query for all new revisions."""
    old_statuses = [(write.row.loaded_values or {}).get("status") for write in writes]
    record_moves(write.row for write in writes)
    record_revisions(writes, user, action=action)
    for (row, _extra, _before), old_status in zip(writes, old_statuses, strict=True):
        if row.status != old_status:
            status_changed.send(sender=type(row), row=row, old_status=old_status, user=user, action=action)


def _unlink_from_events(row: LinkedContent) -> ExtraState:
    """Unlink the row from its events, and return them for its own history.

    The histories of the events do not record it, because that would be a write for each event.
    """
    rows: Any = type(row)._default_manager.all()
    links = rows.links.filter(**{rows.link_field: row.pk}).order_by("event")
    positions = dict(links.values_list("event", "position"))
    if positions:
        row.events.clear()
    return unlinked_events(positions)


def unlinked_events(positions: Mapping[int, int]) -> ExtraState:
    """Return what the history of a record says about the events that it was unlinked from, by its position in each."""
    if not positions:
        return {}
    state: dict[str, Any] = {UNLINKED_EVENTS: list(positions)}
    return {**state, UNLINKED_POSITIONS: list(positions.values())} if any(positions.values()) else state


def _apply_custom_values(row: Content, changes: Mapping[str, Any] | None) -> None:
    values = {**row.custom_values, **changes} if changes is not None else {}
    row.custom_values = {name: value for name, value in values.items() if value is not None}


def _apply_author(row: Content, author_id: int | None, user: AnyUser) -> None:
    author: Any = author_id or row.author_id or user.pk
    if author != row.author_id:
        permissions.check_author(user, type(row), author)
        row.author_id = author


def _apply_status(row: Content, status: str | None, published_at: datetime | None, user: AnyUser) -> None:
    """Set status and publication date: the status is `future` with a date in the future, else `publish`."""
    if status or row._state.adding:
        row.status = permissions.allowed_status(user, type(row), status)
    row.published_at = published_at or row.published_at
    if row.status in (Status.PUBLISH, Status.FUTURE):
        row.status = Status.FUTURE if row.published_at > clock.now() else Status.PUBLISH


def _apply_slug(row: Content, slug: str | None) -> None:
    """Set the slug, by default from the title. A row that leaves the trash may need another one."""
    base = slugify(slug or "") or row.slug or row.title
    if base != row.slug or not (_has_slug(row) or is_free_slug(row, base)):
        row.slug = unique_slug(row, base)


def _has_slug(row: Content) -> bool:
    """Return whether the slug is stored for this row, which a constraint keeps from others outside the trash."""
    loaded = row.loaded_values or {}
    return bool(loaded) and loaded["slug"] == row.slug and loaded["status"] != Status.TRASH
