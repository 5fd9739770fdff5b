"""Writes of events, venues and organizers: author, status, publication date and slug are settled here."""

from __future__ import annotations

from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.utils import timezone

from calendar_site.content import rules
from calendar_site.content.choices import Status
from calendar_site.content.images import NewImage, keep_image
from calendar_site.content.models import Content, NamedContent
from calendar_site.content.recording import TAKEN_FROM, Besides, record, record_deleted
from calendar_site.content.slugs import slugify, unique_slug
from calendar_site.content.transactions import writing

Row = TypeVar("Row", bound=Content)
Named = TypeVar("Named", bound=NamedContent)


def save_content(row: Row, fields: dict[str, Any], user: Any) -> Row:
    """Writes validated `fields` by the model's names; a key that is missing is left alone.

    Raises Django's ValidationError, as the admin form does, and ActsForOthers where the user names an author
    for whom he may not act.
    """
    with writing():
        set_content(row, fields, user)
        row.full_clean()
        row.save()
        taken = _take_from_events(row) if isinstance(row, NamedContent) and row.status == Status.TRASH else {}
        record(row, user, taken, before=taken)
    return row


def create_named(model: type[Named], fields: dict[str, Any], user: Any) -> Named:
    """A new venue or organizer, or the known one of the same name, unchanged.

    Raises PermissionDenied for who may not create one.
    """
    if not rules.can_create(user, model):
        raise PermissionDenied
    with writing():
        rows: Any = model.objects
        known = rows.known(fields["title"], fields.get("description"), user)
        return known or save_content(model(), fields, user)


def trash_named(row: Named, user: Any) -> Named:
    """The venue or organizer in the trash, taken from its events."""
    with writing():
        taken = _take_from_events(row)
        row.status = Status.TRASH
        row.save()
        record(row, user, taken, before=taken)
    return row


def _take_from_events(row: NamedContent) -> Besides:
    """Which events have lost it is kept here: each of them by itself would be a write for each."""
    events = list(row.events.order_by("pk").values_list("pk", flat=True))
    if not events:
        return {}
    row.events.clear()
    return {TAKEN_FROM: events}


def delete_named(rows: QuerySet[Named], user: Any) -> int:
    """Deletes venues or organizers for good and answers how many; their events stay."""
    with writing():
        gone = list(rows)
        record_deleted(gone, user)
        rows.delete()
    return len(gone)


def set_content(row: Content, fields: dict[str, Any], user: Any) -> None:
    """Sets `fields` on `row` and settles what follows from them. Saves nothing but an image that is new."""
    settled = {"status", "author_id", "published_at", "slug", "image", "custom_values"}
    for name, value in fields.items():
        if name not in settled:
            setattr(row, name, value)
    if "image" in fields:
        image = fields["image"]
        row.image = keep_image(image, user) if isinstance(image, NewImage) else image
    if "custom_values" in fields:
        _set_custom_values(row, fields["custom_values"])
    _set_author(row, fields.get("author_id"), user)
    _set_status(row, fields.get("status"), fields.get("published_at"), user)
    _set_slug(row, fields.get("slug"))


def _set_custom_values(row: Content, changes: dict[str, Any] | None) -> None:
    """None empties them all, and a None among them that one; those that are not named stay."""
    values = {**row.custom_values, **changes} if changes is not None else {}
    row.custom_values = {name: value for name, value in values.items() if value is not None}


def _set_author(row: Content, author_id: int | None, user: Any) -> None:
    author_id = author_id or row.author_id or user.pk
    if author_id != row.author_id:
        rules.check_author(user, type(row), author_id)
        row.author_id = author_id


def _set_status(row: Content, wanted: str | None, published_at: Any, user: Any) -> None:
    """Without a publication date ahead `future` is `publish`, and with one `publish` is `future`."""
    if wanted or row._state.adding:
        row.status = rules.status_for(user, type(row), wanted)
    row.published_at = published_at or row.published_at
    if row.status in (Status.PUBLISH, Status.FUTURE):
        row.status = Status.FUTURE if row.published_at > timezone.now() else Status.PUBLISH


def _set_slug(row: Content, given: str | None) -> None:
    """A slug is made once and kept; whoever comes out of the trash and finds it taken gets a number."""
    wanted = slugify(given or "") or row.slug or row.title
    others = type(row).objects.outside_trash().exclude(pk=row.pk)
    if wanted != row.slug or others.filter(slug=wanted).exists():
        row.slug = unique_slug(others, wanted, fallback=str(row._meta.model_name))
