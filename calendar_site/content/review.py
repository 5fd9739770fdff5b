"""Reviewing what waits: it is approved, or sent back with a note. What was decided stands in its history alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from unicodedata import category

from django.core.exceptions import PermissionDenied, ValidationError
from django.utils.translation import gettext as _

from calendar_site.content import rules
from calendar_site.content.choices import Status
from calendar_site.content.history import Kind
from calendar_site.content.models import Content
from calendar_site.content.recording import meaning
from calendar_site.content.transactions import writing

Row = TypeVar("Row", bound=Content)
# The service that writes records of a kind, such as `save_event`.
Save = Callable[[Any, dict[str, Any], Any], Any]

LONGEST_NOTE = 2000


class NotWaiting(Exception):
    """The record waits for review no longer: somebody else was quicker. Says so in words."""


class ChangedSince(Exception):
    """The record is not as it was when the reviewer looked at it. Says so in words."""


def approve(row: Row, user: Any, save: Save, note: str = "", *, seen: int | None = None) -> Row:
    """The record published, or scheduled where its publication date is ahead.

    `seen` is the state that was looked at (`newest_state`). Raises NotWaiting, ChangedSince, PermissionDenied, and
    ValidationError for a note that is too long and for what `save` refuses.
    """
    return _decided(row, user, save, Status.PUBLISH, Kind.APPROVED, cleaned_note(note), seen)


def send_back(row: Row, user: Any, save: Save, note: str, *, seen: int | None = None) -> Row:
    """The record as a draft again, with a note that says why. Raises what `approve` raises."""
    text = cleaned_note(note)
    if not text:
        raise ValidationError({"note": _("Say what is missing, or what should be otherwise.")})
    return _decided(row, user, save, Status.DRAFT, Kind.SENT_BACK, text, seen)


def cleaned_note(note: str) -> str:
    """Plain text with its line ends, without control characters. Raises ValidationError where it is too long."""
    lines = note.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    text = "".join(char for char in lines if char == "\n" or category(char) not in ("Cc", "Cs")).strip()
    if len(text) > LONGEST_NOTE:
        raise ValidationError({"note": _("A note has at most %(limit)s characters.") % {"limit": LONGEST_NOTE}})
    return text


def newest_state(row: Content) -> int:
    """Which of the record's states is its last; 0 where none is recorded."""
    states = type(row).history.filter(id=row.pk).order_by("-history_id")
    return states.values_list("history_id", flat=True).first() or 0


def _decided(row: Row, user: Any, save: Save, status: Status, kind: Kind, note: str, seen: int | None) -> Row:
    with writing():
        # As it is at this moment, which may not be as it was read.
        rows: Any = type(row)._default_manager
        now: Row | None = rows.filter(pk=row.pk).first()
        if now is None:
            raise NotWaiting(_("“%(title)s” is not there any more.") % {"title": row})
        if not rules.can_review(user, now):
            raise PermissionDenied
        if now.status != Status.PENDING:
            raise NotWaiting(not_waiting(now))
        if seen is not None and seen != newest_state(now):
            raise ChangedSince(_("It has been changed since you opened this page. This is how it is now."))
        with meaning(now, kind, note=note):
            save(now, {"status": status}, user)
        return now


def not_waiting(row: Content) -> str:
    text = _("“%(title)s” waits for review no longer. Its status now: %(status)s.")
    return text % {"title": row, "status": Status(row.status).label}
