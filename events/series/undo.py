"""Undoing a change of a series that a user has made in one request: from its history, and that of its events."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.utils.translation import gettext as _

from calendar_site.audit.models import ChangeKind
from calendar_site.audit.recorder import Action, record_deletion, record_revision
from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.permissions import allowed_status, can_create, check_author, editable_q
from calendar_site.core.types import AnyUser
from calendar_site.revisions.restore import restore
from events.models import Event, Series
from events.series.propagation import SCHEDULE, FormerSeries, update_occurrences
from events.series.restore import plan_series_restore
from events.series.services import can_edit_series, save_series
from events.services import save_event

RESTORED = Action(ChangeKind.RESTORED)


def undo_series_change(request_id: str, *, since: datetime, user: AnyUser) -> Series:
    """Undo what the user has done to a series and its events in one request, after `since`; return the series.

    A changed series gets its former values, with its events. One that was split is joined again. One that was ended or
    deleted gets its events back from the trash. Raises ValidationError if there is nothing to undo, or if the series
    was changed in the meantime, and PermissionDenied.
    """
    with write_lock():
        first = _first_revisions(request_id, since, user)
        created = next((pk for pk, revision in first.items() if revision.history_kind == ChangeKind.CREATED), None)
        changed = next((revision for pk, revision in first.items() if pk != created), None)
        if changed is None:
            raise ValidationError(_("There is nothing to undo."))
        trashed = _trashed_in(request_id, user)
        if changed.history_kind == ChangeKind.DELETED:
            series = _recreate(changed, trashed, user)
        else:
            series = _load(changed.id, user)
            before = series.history.filter(history_id__lt=changed.history_id).order_by("-history_id").first()
            if before is None:
                raise ValidationError(_("There is nothing to undo."))
            if created is not None:
                _join(series, before, _load(created, user), user)
            elif trashed:
                _restore_dates(series, before, user)
            else:
                restore(series, plan=plan_series_restore(before, series, user), save=save_series, user=user)
        _take_back(series, trashed, user)
    return series


def _first_revisions(request_id: str, since: datetime, user: AnyUser) -> dict[int, Any]:
    """Return the first revision of each series that the request has changed. Raises ValidationError."""
    own = Series.history.filter(history_request_id=request_id, history_user_id=user.pk, history_date__gte=since)
    first: dict[int, Any] = {}
    for revision in own.order_by("history_id"):
        first.setdefault(revision.id, revision)
    for pk in first:
        if Series.history.filter(id=pk).latest("history_id").history_request_id != request_id:
            raise ValidationError(_("Could not be undone, because the series was changed in the meantime."))
    return first


def _load(pk: int, user: AnyUser) -> Series:
    """Return the series. Raises PermissionDenied if the user may not change it and all of its events."""
    series = Series.objects.get(pk=pk)
    if not can_edit_series(user, series):
        raise PermissionDenied
    return series


def _trashed_in(request_id: str, user: AnyUser) -> list[Event]:
    """Return the events that the request has moved to the trash, and out of their series. Raises PermissionDenied."""
    revisions = Event.history.filter(
        history_request_id=request_id, history_user_id=user.pk, history_kind=ChangeKind.TRASHED
    )
    ids = list(revisions.values_list("id", flat=True))
    events = Event.objects.filter(pk__in=ids, series=None, status=Status.TRASH).exclude(series_occurrence="")
    if events.exclude(editable_q(user, Event)).exists():
        raise PermissionDenied
    return list(events.order_by("series_occurrence"))


def _recreate(last: Any, events: list[Event], user: AnyUser) -> Series:
    """Save a deleted series anew, with its id and a status that the user may set today.

    `events` are those that were moved to the trash with it. Raises PermissionDenied, and ValidationError if the series
    was deleted without them, because it would create them again, or if its password is not known.
    """
    if not can_create(user, Series):
        raise PermissionDenied
    check_author(user, Series, last.author_id)
    if not events:
        raise ValidationError(
            _("Could not be undone, because the events of the series were not moved to the trash with it.")
        )
    series = Series(pk=last.id, extended_until=max((event.series_occurrence for event in events), default=""))
    for field in last.tracked_fields:
        setattr(series, field.attname, getattr(last, field.attname))
    series.status = allowed_status(user, Series, last.status)
    series.password = _password_of(last, events)
    series.save(force_insert=True)
    record_revision(series, user, action=RESTORED)
    return series


def _password_of(last: Any, events: list[Event]) -> str:
    """Return the password of a deleted series. It is not recorded, but the events have it. Raises ValidationError."""
    if not last.history_extra.get("password"):
        return ""
    passwords = {event.password for event in events}
    if len(passwords) > 1 or "" in passwords:
        raise ValidationError(
            _(
                "Could not be undone, because the password of the series is not stored, and its events do not have the "
                "same one."
            )
        )
    return passwords.pop()


def _restore_dates(series: Series, before: Any, user: AnyUser) -> None:
    for name in SCHEDULE:
        setattr(series, name, getattr(before, name))
    series.save()
    record_revision(series, user, action=RESTORED)


def _join(series: Series, before: Any, following: Series, user: AnyUser) -> None:
    """Give the events of the following series back to the series from which it was split, with the former values."""
    former = FormerSeries(following)
    _restore_dates(series, before, user)
    series.outdated = [*series.outdated, *following.outdated]
    Series.objects.filter(pk=series.pk).update(outdated=series.outdated)
    Event.objects.filter(series=following).update(series=series)
    record_deletion([following], user)
    Series.objects.filter(pk=following.pk).delete()
    update_occurrences(series, former, user)


def _take_back(series: Series, events: list[Event], user: AnyUser) -> None:
    """Take events back from the trash and into the series, with the status that each had."""
    for event in events:
        history = Event.history.filter(id=event.pk).exclude(status=Status.TRASH).order_by("-history_id")
        before = history.first()
        event.series = series
        save_event(event, changes={"status": before.status if before else series.status}, user=user, action=RESTORED)
