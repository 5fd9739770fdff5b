"""Open and close reviews when the status of a record changes, through any channel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Model
from django.dispatch import receiver

from calendar_site.audit.recorder import Action
from calendar_site.content.models import Content
from calendar_site.content.signals import records_deleted, status_changed
from calendar_site.core.choices import PUBLISHED_STATUSES, Status
from calendar_site.core.types import AnyUser
from calendar_site.review.models import Review
from calendar_site.review.services import close_review, keep_public_revision, open_review


@receiver(status_changed)
def update_reviews(row: Content, old_status: str | None, user: AnyUser, action: Action, **kwargs: Any) -> None:
    """Open a review when a record becomes pending, and close it when the record is no longer pending."""
    if old_status == Status.PENDING:
        close_review(row, user=user, action=action)
    elif old_status in PUBLISHED_STATUSES and row.status not in PUBLISHED_STATUSES:
        keep_public_revision(row, user=user)
    if row.status == Status.PENDING:
        open_review(row, user=user)


@receiver(records_deleted)
def delete_reviews(sender: type[Model], ids: Iterable[int], **kwargs: Any) -> None:
    Review.objects.filter(model_label=sender._meta.label_lower, record_id__in=ids).delete()
