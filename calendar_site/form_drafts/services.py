"""Storing, finding and deleting form drafts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from calendar_site.core import clock
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.types import AnyUser
from calendar_site.form_drafts.models import FormDraft

# The drafts that a user may have. A new one deletes the oldest one beyond.
MAX_DRAFTS = 20
# The drafts that a form offers at once. Older ones are offered when these have been discarded.
MAX_OFFERED = 3
PRUNE_BATCH = 100


class FormKey(NamedTuple):
    """The form of a record, or of a new record if `record_id` is None. The label is that of the model."""

    model_label: str
    record_id: int | None


def store_draft(
    user: AnyUser,
    token: str,
    *,
    form: FormKey,
    revision_id: int | None,
    title: str,
    pairs: Iterable[tuple[str, str]],
    replaced: str = "",
) -> FormDraft:
    """Create or overwrite the draft of the user with this token, and delete the one with the token `replaced`."""
    values = {
        **form._asdict(),
        "revision_id": revision_id,
        "title": title[: FormDraft.MAX_TITLE_LENGTH],
        "fields": json.dumps(list(pairs)),
        "saved_at": clock.now(),
    }
    # Drafts are no records that other writes read.
    with write_lock(parallel=True):
        draft, is_new = _drafts_of(user).update_or_create(token=token, defaults={**values, "user": user})
        delete_drafts(user, [replaced])
        if is_new:
            _prune_drafts_of(user)
    return draft


def _drafts_of(user: AnyUser) -> Any:
    drafts: Any = FormDraft.objects
    return drafts.filter(user=user)


def _prune_drafts_of(user: AnyUser) -> None:
    newest_first = _drafts_of(user).order_by("-saved_at", "-pk")
    surplus = list(newest_first.values_list("pk", flat=True)[MAX_DRAFTS:])
    if surplus:
        FormDraft.objects.filter(pk__in=surplus).delete()


def find_drafts(user: AnyUser, form: FormKey) -> list[FormDraft]:
    """Return the newest drafts of this user for this form, the newest first."""
    return list(_drafts_of(user).filter(**form._asdict()).order_by("-saved_at", "-pk")[:MAX_OFFERED])


def find_draft(user: AnyUser, form: FormKey, token: str) -> FormDraft | None:
    """Return the draft of this user for this form with the token; None if there is none."""
    return _drafts_of(user).filter(token=token, **form._asdict()).first()


def delete_drafts(user: AnyUser, tokens: Iterable[str]) -> None:
    """Delete the drafts of this user with these tokens. Unknown and empty tokens are ignored."""
    wanted = [token for token in tokens if token]
    if wanted:
        _drafts_of(user).filter(token__in=wanted).delete()


def prune_drafts(until: datetime) -> None:
    """Delete all drafts that were stored before `until`. Other writers get the lock between batches."""
    old = FormDraft.objects.filter(saved_at__lt=until).order_by("saved_at")
    while ids := list(old.values_list("pk", flat=True)[:PRUNE_BATCH]):
        with write_lock():
            # A draft that its user has stored again meanwhile is kept.
            FormDraft.objects.filter(pk__in=ids, saved_at__lt=until).delete()
