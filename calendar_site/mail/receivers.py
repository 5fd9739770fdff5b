"""Queue emails about reviews, in the transaction of the write."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from calendar_site.mail.messages import is_mail_enabled
from calendar_site.mail.tasks import DECISION_SUBJECTS, queue_submission_notices, send_decision
from calendar_site.review.models import Review
from calendar_site.review.signals import review_closed, review_opened


@receiver(review_opened)
def queue_submission(review: Review, **kwargs: Any) -> None:
    """Queue the emails to the reviewers of a new submission."""
    if is_mail_enabled():
        queue_submission_notices.enqueue(review.pk)


@receiver(review_closed)
def queue_decision(review: Review, **kwargs: Any) -> None:
    """Queue the email to the author about a decision."""
    if is_mail_enabled() and review.outcome in DECISION_SUBJECTS:
        send_decision.enqueue(review.pk)
