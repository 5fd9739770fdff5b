"""Restoring a revision: planning what a service has to save, and saving it.

A plan lists the values that cannot be restored: linked records that are deleted or that the user may not link to,
values that are no longer valid, another author, a status that the user may not set. Passwords are not recorded, and
stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from django.contrib.auth import get_user_model
from django.db.models import Model
from django.utils.translation import gettext as _

from calendar_site.audit.models import ChangeKind
from calendar_site.audit.record_services import Save
from calendar_site.audit.recorder import Action, ExtraState, record_recreation
from calendar_site.content.models import Content
from calendar_site.core import permissions
from calendar_site.core.choices import PUBLIC_STATUSES, Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser
from calendar_site.custom_fields.loading import all_custom_fields
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.services import FIXED_FIELDS
from calendar_site.custom_fields.values import parse_value
from calendar_site.revisions.diff import HIDDEN_SIDE_EFFECTS, SIDE_EFFECTS
from calendar_site.revisions.labels import CUSTOM_VALUES, CustomFieldLabels, FieldValue, field_label, format_value
from calendar_site.revisions.titles import Titles

Row = TypeVar("Row", bound=Model)


class RestorePlan(NamedTuple):
    """The changes that restore a revision."""

    # The input of the service that saves the row.
    changes: dict[str, Any]
    # The extra state that the row will then have.
    extra: ExtraState
    # The values that cannot be restored.
    lost: list[FieldValue]


def plan_restore(revision: Any, row: Any, user: AnyUser) -> RestorePlan:
    """Return the plan to restore the revision; a new row becomes a draft of the deleted record."""
    changes: dict[str, Any] = {}
    lost = _lost_secrets(revision, row)
    for field in _restored_columns(revision, row):
        value = getattr(revision, field.attname)
        if not field.is_relation:
            changes[field.name] = value
        elif value != getattr(row, field.attname):
            found = linkable_records(field.related_model, [value], user)
            if value and not found:
                lost.append(lost_links(type(row), field.name, [value], revision, user))
            else:
                changes[field.name] = found[0] if found else None
    if isinstance(row, Content):
        lost += [
            *_plan_author(changes, revision, row, user),
            *_plan_status(changes, revision, row, user),
            *plan_secrets(changes, revision, row),
            *_plan_custom_values(changes, revision, row),
        ]
    return RestorePlan(changes, {}, lost)


def restore(row: Row, *, plan: RestorePlan, save: Save[Row], user: AnyUser, last_revision: Any = None) -> Row:
    """Save the row as planned, with the service `save`, and record that it was restored.

    If `row` replaces a deleted record, `last_revision` is the last revision of that record: its history then records
    the restore, too, so that nobody restores the record a second time. Raises the exceptions of `save`.
    """
    with write_lock():
        row = save(row, changes=plan.changes, user=user, action=Action(ChangeKind.RESTORED))
        if last_revision is not None:
            record_recreation(last_revision, user, left_out={*SIDE_EFFECTS, *HIDDEN_SIDE_EFFECTS})
    return row


def linkable_records(model: Any, ids: Iterable[Any], user: AnyUser) -> list[Any]:
    """Return the records that the user may link to, in the order of the ids. One query."""
    ids = [pk for pk in ids if pk]
    rows = model.objects.visible_to(user) if issubclass(model, Content) else model._default_manager.all()
    found = rows.filter(pk__in=ids).in_bulk() if ids else {}
    return [found[pk] for pk in ids if pk in found]


def other_links(model: Any, linked: Iterable[int], restored: Iterable[int], user: AnyUser) -> list[int]:
    """Return the other records that a record links to, which stay because the user may not see them. One query."""
    visible = {row.pk for row in linkable_records(model, linked, user)}
    return [pk for pk in linked if pk not in visible and pk not in restored]


def lost_links(model: Any, name: str, ids: list[Any], revision: Any, user: AnyUser) -> FieldValue:
    """Return a relation with the titles of its linked records that cannot be restored."""
    titles = Titles(user)
    titles.request(model._meta.get_field(name).related_model, ids)
    titles.load()
    return FieldValue(field_label(model, name), format_value(model, name, ids, revision, titles))


def _lost_secrets(revision: Any, row: Any) -> list[FieldValue]:
    """Return the secrets of a deleted record, which the user has to set again before publishing it."""
    if not row._state.adding:
        return []
    names = [name for name in revision.secrets if revision.history_extra.get(name)]
    return [FieldValue(field_label(type(row), name), _("(set)")) for name in names]


def _restored_columns(revision: Any, row: Any) -> list[Any]:
    """Return the columns that get the values of the revision; the others have rules of their own."""
    others = {"author", "status", CUSTOM_VALUES, *revision.parts_of, *revision.parts_of.values()}
    if isinstance(row, CustomField):
        others.update(FIXED_FIELDS)
    columns = {field.name: field for field in row._meta.concrete_fields}
    tracked = [columns[field.name] for field in revision.tracked_fields]
    return [field for field in tracked if field.editable and not field.primary_key and field.name not in others]


def _plan_author(changes: dict[str, Any], revision: Any, row: Content, user: AnyUser) -> list[FieldValue]:
    if revision.author_id == (row.author_id or user.pk):
        return []
    exists = get_user_model()._default_manager.filter(pk=revision.author_id).exists()
    if exists and permissions.can_edit_others(user, type(row)):
        changes["author_id"] = revision.author_id
        return []
    return [lost_links(type(row), "author", [revision.author_id], revision, user)]


def _plan_status(changes: dict[str, Any], revision: Any, row: Content, user: AnyUser) -> list[FieldValue]:
    if row._state.adding:
        changes["status"] = Status.DRAFT
        return []
    # Records are trashed by a service of its own, which unlinks venues and organizers from their events.
    if revision.status in (row.status, Status.TRASH):
        return []
    changes["status"] = revision.status
    if permissions.allowed_status(user, type(row), revision.status) == revision.status:
        return []
    return [FieldValue(field_label(type(row), "status"), str(Status(revision.status).label))]


def plan_secrets(changes: dict[str, Any], revision: Any, row: Any) -> list[FieldValue]:
    """Return the secrets that the record had and has no more. A published one becomes a draft.

    Otherwise, its former content would be public without the password that protected it.
    """
    names = [name for name in revision.secrets if revision.history_extra.get(name) and not getattr(row, name)]
    if names and not row._state.adding and changes.get("status", row.status) in PUBLIC_STATUSES:
        changes["status"] = Status.DRAFT
    return [] if row._state.adding else [FieldValue(field_label(type(row), name), _("(set)")) for name in names]


def _plan_custom_values(changes: dict[str, Any], revision: Any, row: Content) -> list[FieldValue]:
    old, now = revision.custom_values, row.custom_values
    if old == now:
        return []
    declared = {field.name: field for field in all_custom_fields().get(str(row._meta.model_name), [])}
    values: dict[str, Any] = {name: None for name in now if name not in old}
    lost = []
    for name, value in sorted(old.items()):
        if value == now.get(name):
            continue
        try:
            values[name] = parse_value(declared[name], value, None)
        except (KeyError, ValueError):
            lost.append(CustomFieldLabels().format(type(row), name, value))
    changes[CUSTOM_VALUES] = values
    return lost
