"""Emails to visitors who have submitted an event."""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_tasks import task

from calendar_site.mail.messages import Link, Message, absolute_url, build, is_mail_enabled
from calendar_site.review.choices import ReviewOutcome
from calendar_site.review.models import Review
from calendar_site.submissions.models import PublicSubmission

SUBJECTS = {
    ReviewOutcome.APPROVED: gettext_lazy("Approved: %(title)s"),
    ReviewOutcome.PUBLISHED: gettext_lazy("Published: %(title)s"),
    ReviewOutcome.SENT_BACK: gettext_lazy("Sent back: %(title)s"),
    ReviewOutcome.TRASHED: gettext_lazy("Not published: %(title)s"),
}
TEXTS = {
    ReviewOutcome.APPROVED: gettext_lazy("Your event “%(title)s” has been approved."),
    ReviewOutcome.PUBLISHED: gettext_lazy("Your event “%(title)s” has been published."),
    ReviewOutcome.SENT_BACK: gettext_lazy(
        "Your event “%(title)s” needs a change. Use the link in the first email to edit it and send it again."
    ),
    ReviewOutcome.TRASHED: gettext_lazy("Your event “%(title)s” will not be published."),
}


@task()
def send_receipt(submission_id: int, token: str) -> None:
    """Send the link with which the sender edits or withdraws the event."""
    submission = PublicSubmission.objects.select_related("event").filter(pk=submission_id).first()
    if submission is None:
        return
    with translation.override(submission.language):
        names = {"title": submission.event.title}
        message = Message(
            subject=_("Received: %(title)s") % names,
            paragraphs=[
                _("Your event “%(title)s” is waiting for a review. You will get an email about the decision.") % names,
                _("Until the event is over, you can edit or withdraw it with this link. Keep it for yourself."),
            ],
            action=Link(_("Edit or withdraw"), absolute_url("submission", token)),
        )
        _send(message, submission)


@task()
def send_outcome(review_id: int) -> None:
    """Tell the sender of an event about the decision on it."""
    review = Review.objects.filter(pk=review_id).defer("revision_data").first()
    if review is None or review.outcome not in SUBJECTS:
        return
    submission = PublicSubmission.objects.select_related("event").filter(event_id=review.record_id).first()
    if submission is None:
        return
    outcome, event = ReviewOutcome(review.outcome), submission.event
    is_public = outcome in (ReviewOutcome.APPROVED, ReviewOutcome.PUBLISHED)
    with translation.override(submission.language):
        message = Message(
            subject=str(SUBJECTS[outcome]) % {"title": event.title},
            paragraphs=[str(TEXTS[outcome]) % {"title": event.title}],
            quote=review.note,
            action=Link(_("Open page"), absolute_url("event-page", event.slug)) if is_public else None,
        )
        _send(message, submission)


def _send(message: Message, submission: PublicSubmission) -> None:
    """Send an email, unless the address was deleted meanwhile. Raises OSError."""
    if is_mail_enabled() and submission.sender_email:
        build(message, submission.sender_email).send()
