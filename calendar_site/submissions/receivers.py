"""Queue emails to visitors about decisions on their events, in the transaction of the write."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from calendar_site.mail.messages import is_mail_enabled
from calendar_site.review.models import Review
from calendar_site.review.signals import review_closed
from calendar_site.submissions.account import USERNAME
from calendar_site.submissions.models import PublicSubmission
from calendar_site.submissions.tasks import SUBJECTS, send_outcome
from events.models import Event


@receiver(review_closed)
def queue_outcome(review: Review, **kwargs: Any) -> None:
    """Queue the email to the visitor who has submitted the event."""
    if not is_mail_enabled() or review.outcome not in SUBJECTS or review.model_label != Event._meta.label_lower:
        return
    if review.decided_by_name == USERNAME:
        # The sender has withdrawn the event.
        return
    if PublicSubmission.objects.filter(event_id=review.record_id).exists():
        send_outcome.enqueue(review.pk)
