"""Decisions on a series that was submitted for review, with all of its pending events."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from calendar_site.core.choices import Status
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.permissions import can_review
from calendar_site.core.types import AnyUser
from calendar_site.review.services import ChangedSince, Decision, NotPending
from events.models import Event, Series
from events.series.propagation import update_outdated
from events.series.services import save_series


def pending_events(series: Series) -> QuerySet[Event]:
    """Return the events on which one decision is made."""
    return Event.objects.filter(series=series, status=Status.PENDING)


def newest_revision_of_pending(series: Series) -> int:
    """Return the id of the newest revision of the pending events, 0 if there is none."""
    pending = pending_events(series).values("pk")
    return Event.history.filter(id__in=pending).aggregate(newest=Max("history_id"))["newest"] or 0


def decide_on_series(series: Series, decision: Decision, *, user: AnyUser, seen_id: int | None = None) -> None:
    """Give a pending series and its pending events the status of the decision. A background task changes the last ones.

    `seen_id` is the id of the newest revision that the user saw. Raises the exceptions of `approve()`.
    """
    if can_review(user, series):
        # Before the transaction of the decision, so that it stays even if the reviewer has to look again.
        update_outdated(series.pk)
    with write_lock():
        current = Series.objects.filter(pk=series.pk).first()
        if current is None:
            raise NotPending(_("“%(title)s” no longer exists.") % {"title": series})
        if not can_review(user, current):
            raise PermissionDenied
        if current.status != Status.PENDING:
            raise NotPending.of(current)
        if current.outdated or (seen_id is not None and seen_id < newest_revision_of_pending(current)):
            raise ChangedSince(
                _("An event of the series has changed since you opened this page. You now see the current version.")
            )
        save_series(current, changes={"status": decision.status}, user=user, action=decision.action)
