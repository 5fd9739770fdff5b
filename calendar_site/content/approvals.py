"""What was approved of a user's records, which he may not change any more and so has no history of."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import CharField, Exists, F, OuterRef, QuerySet, Subquery, Value
from django.utils import timezone

from calendar_site.content.choices import PUBLISHED_STATUSES
from calendar_site.content.history import Kind
from calendar_site.content.models import Content
from calendar_site.content.submissions import Note, reviewed_models

LATELY = timedelta(days=14)


def approved_lately(user: Any) -> QuerySet:
    """The user's records that somebody else has approved, the last first, as values of `Decided`. Costs a query."""
    first, *others = [_approved(model, user) for model in reviewed_models()]
    return first.union(*others, all=True).order_by("-when", "kind", "row")


def last_approval(row: Content) -> Note | None:
    """What was said when the record was approved; None where it was not, or was sent back since."""
    states = type(row).history.filter(id=row.pk, history_kind__in=(Kind.APPROVED, Kind.SENT_BACK))
    last = states.order_by("-history_id").first()
    if last is None or last.history_kind != Kind.APPROVED:
        return None
    return Note(last.history_kind, last.history_date, last.history_who, last.history_change_reason)


def _approved(model: Any, user: Any) -> QuerySet:
    """From the approvals on, which an index has by their time: they are few, and the user's records may be many."""
    states = model.history.model.objects.filter(history_kind=Kind.APPROVED)
    later = states.filter(id=OuterRef("id"), history_id__gt=OuterRef("history_id"))
    rows = model.objects.readable_by(user).filter(pk=OuterRef("id"), author=user.pk, status__in=PUBLISHED_STATUSES)
    found = states.filter(Exists(rows), ~Exists(later), history_date__gt=timezone.now() - LATELY)
    told = (
        found.exclude(history_user_id=user.pk)
        .order_by()
        .annotate(
            kind=Value(model._meta.label_lower, CharField()),
            row=F("id"),
            now_called=Subquery(rows.values("title")[:1]),
            when=F("history_date"),
            who=F("history_who"),
            note=F("history_change_reason"),
        )
    )
    return told.values_list("kind", "row", "now_called", "when", "who", "note")
