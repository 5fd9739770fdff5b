"""Running an action on records one by one, from a list or a form, and reporting the outcome to the user."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from calendar_site.back_office.content.background_actions import MAX_AT_ONCE, BackgroundRequest, leave_to_background
from calendar_site.back_office.urls import UNDO_TAG, undo_url
from calendar_site.content.models import Content
from calendar_site.core import permissions
from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser

MAX_TITLES = 5

# Changes a record, and returns the message about the changed records, with the placeholder `titles`.
RowAction = Callable[[Any, Any], str]


class Refused(Exception):
    """An action skipped a record. The message has the placeholder `titles`."""


def run_on_each(
    request: HttpRequest,
    rows: QuerySet,
    action: RowAction,
    *,
    unsaved: Sequence[Model] = (),
    can_undo: bool = True,
    in_parts: bool = True,
) -> None:
    """Call `action(row, user)` on each record, reloaded under the write lock, and report each outcome.

    `unsaved` are other records, which come first and are not reloaded. The first message offers to undo the changes of
    this request if `can_undo`: see `undo.py`. With `in_parts`, more than MAX_AT_ONCE records are left to a background
    task, which calls the view again.
    """
    ids = list(rows.values_list("pk", flat=True))
    if isinstance(request, BackgroundRequest):
        own = set(request.ids)
        ids = [pk for pk in ids if pk in own]
    elif in_parts and len(ids) > MAX_AT_ONCE:
        _run_on(request, rows.model, [*unsaved, *ids[:MAX_AT_ONCE]], action, can_undo=can_undo)
        leave_to_background(request, rows.model, ids[MAX_AT_ONCE:])
        return
    _run_on(request, rows.model, [*unsaved, *ids], action, can_undo=can_undo)


def _run_on(
    request: HttpRequest, model: type[Model], known_rows: Sequence[Model | int], action: RowAction, *, can_undo: bool
) -> None:
    done: dict[str, list[str]] = {}
    refused: dict[str, list[str]] = {}
    records: Any = model._default_manager
    # Everybody in the admin may read other records, such as categories.
    readable = records.readable_by(request.user) if issubclass(model, Content) else records.all()
    for known in known_rows:
        with write_lock():
            row = known if isinstance(known, Model) else readable.filter(pk=known).first()
            if row is None:
                continue
            title = str(row)
            try:
                message = action(row, request.user)
            except Refused as refusal:
                refused.setdefault(str(refusal), []).append(title)
            except ValidationError as error:
                refused.setdefault(_refusal_for(error), []).append(title)
            else:
                done.setdefault(message, []).append(title)
    tag = UNDO_TAG + undo_url(model) if can_undo else ""
    for message, titles in done.items():
        messages.success(request, message % {"titles": _join(titles)}, extra_tags=tag)
        tag = ""
    for message, titles in refused.items():
        warn_refused(request, message, titles)


def check_editable(user: AnyUser, row: Model, rule: Callable[[AnyUser, Model], bool] = permissions.can_edit) -> None:
    """Raise Refused if the user may not change the record, by the rule."""
    if not rule(user, row):
        raise Refused(_("Skipped (no permission to change): %(titles)s."))


def check_not_trashed(row: Content) -> None:
    """Raise Refused if the record is in the trash."""
    if row.status == Status.TRASH:
        raise Refused(_("Skipped (in the trash): %(titles)s."))


def warn_refused(request: HttpRequest, message: str, rows: Iterable[Any]) -> None:
    """Show a warning with the titles of the records that an action skipped, if any. `rows` are records or titles."""
    if titles := [str(row) for row in rows]:
        messages.warning(request, message % {"titles": _join(titles)})


def not_deletable_message() -> str:
    return _("Skipped (no permission to delete): %(titles)s.")


def fill_in(message: str, **values: Any) -> str:
    """Return the message with these values filled in. The placeholder `titles` stays."""
    escaped = {name: str(value).replace("%", "%%") for name, value in values.items()}
    return message % {"titles": "%(titles)s", **escaped}


def _refusal_for(error: ValidationError) -> str:
    return fill_in(_("Skipped: %(titles)s. %(reason)s"), reason=" ".join(error.messages))


def _join(titles: list[str]) -> str:
    shown = ", ".join(titles[:MAX_TITLES])
    more = len(titles) - MAX_TITLES
    if more <= 0:
        return shown
    text = ngettext("%(titles)s and %(count)d more", "%(titles)s and %(count)d more", more)
    return text % {"titles": shown, "count": more}
