"""Deleting the names and addresses of senders some time after their events."""

from __future__ import annotations

from datetime import time, timedelta

from django_tasks import task

from calendar_site.core import clock
from calendar_site.core.database.write_lock import write_lock
from calendar_site.review.models import Review
from calendar_site.submissions.account import USERNAME
from calendar_site.submissions.models import MistakeReport, PublicSubmission
from calendar_site.tasks.schedule import daily
from events.models import Event

KEPT_AFTER_EVENT = timedelta(days=90)


@daily(at=time(3, 30))
@task()
def delete_addresses_of_senders() -> None:
    """Delete the names and addresses of senders and reporters 90 days after their events."""
    over = clock.now() - KEPT_AFTER_EVENT
    old = PublicSubmission.objects.filter(event__end__lt=over).exclude(sender_email="")
    with write_lock():
        ids = list(old.values_list("event_id", flat=True))
        old.update(sender_name="", sender_email="")
        reviews = Review.objects.filter(model_label=Event._meta.label_lower, record_id__in=ids)
        reviews.filter(submitted_by_name__contains="@").update(submitted_by_name=USERNAME)
        MistakeReport.objects.filter(event__end__lt=over).exclude(email="").update(email="")
