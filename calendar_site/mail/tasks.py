"""Emails about reviews: submissions, to the reviewers, and decisions, to the author of the record."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import time, timedelta
from itertools import pairwise, takewhile
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django_tasks import task

from calendar_site.content.models import Content
from calendar_site.core import clock
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.dates.formatting import format_in_sentence
from calendar_site.core.permissions import can_publish, can_read, can_review
from calendar_site.mail.messages import Link, Message, absolute_url, can_mail, send
from calendar_site.mail.models import (
    MailPreferences,
    SubmissionMail,
    SubmissionNotice,
    preferences_of,
    reader_language,
    submission_mail,
)
from calendar_site.review.choices import ReviewOutcome
from calendar_site.review.groups import ReviewEntry, entries_of
from calendar_site.review.models import Review
from calendar_site.review.queue import review_queue
from calendar_site.tasks.models import BackgroundTask
from calendar_site.tasks.schedule import daily

# Submissions of this time are in one email, so that many submissions do not become as many emails.
COLLECTION_TIME = timedelta(minutes=2)
# Decisions on events of a series within this time are in one email.
DECISION_TIME = timedelta(seconds=10)
# Submissions that an email lists.
MAX_LISTED = 50

DECISION_SUBJECTS = {
    ReviewOutcome.APPROVED: gettext_lazy("Approved: %(title)s"),
    ReviewOutcome.SENT_BACK: gettext_lazy("Sent back: %(title)s"),
    ReviewOutcome.PUBLISHED: gettext_lazy("Published: %(title)s"),
    ReviewOutcome.TRASHED: gettext_lazy("Moved to trash: %(title)s"),
}
DECISION_TEXTS = {
    ReviewOutcome.APPROVED: gettext_lazy("%(user)s has approved “%(title)s”."),
    ReviewOutcome.SENT_BACK: gettext_lazy("%(user)s has sent “%(title)s” back to you."),
    ReviewOutcome.PUBLISHED: gettext_lazy("%(user)s has published “%(title)s”."),
    ReviewOutcome.TRASHED: gettext_lazy("%(user)s has moved “%(title)s” to the trash."),
}


@task()
def queue_submission_notices(review_id: int) -> None:
    """Note for each reviewer that there is a new submission, and queue an email to those who want it at once."""
    review = Review.objects.open().filter(pk=review_id).defer("revision_data").first()
    row = _record(review) if review else None
    if review is None or row is None:
        return
    with write_lock():
        for user in _publishers(type(row)):
            is_submitter = user.pk == review.submitted_by_id
            if not is_submitter and can_mail(user) and can_review(user, row):
                _note_submission(user, review)


@daily(at=time(7, 0))
@task()
def send_submission_digests() -> None:
    """Queue an email to each reviewer with submissions that no email was sent about."""
    with write_lock():
        for user_id in SubmissionNotice.objects.order_by("user").values_list("user", flat=True).distinct():
            send_submissions.enqueue(user_id)


@task()
def send_submissions(user_id: int) -> None:
    """Send a reviewer an email about the noted submissions that are still open and that the reviewer may review."""
    user = get_user_model().objects.filter(pk=user_id).first()
    notices = SubmissionNotice.objects.filter(user=user_id)
    noted = dict(notices.values_list("review", "pk"))
    if user is None or not noted:
        return
    preferences = preferences_of(user_id)
    if submission_mail(preferences) != SubmissionMail.NEVER and user.is_staff:
        found = review_queue(user).filter(pk__in=noted).defer("revision_data")
        reviews = [review for review in found if can_publish(user, review.model)]
        if reviews:
            with translation.override(reader_language(preferences)):
                send(_submissions_message(reviews), user)
    with write_lock():
        notices.filter(pk__in=noted.values()).delete()
        # Submissions that were noted while this email was being sent have counted on it.
        if submission_mail(preferences) == SubmissionMail.AT_ONCE and notices.exists():
            _queue_submissions(user_id)


@task()
def send_decision(review_id: int) -> None:
    """Send the author of a record an email about the outcome of its submission, unless the author has decided.

    For an event of a series, the email waits for the decisions on the others.
    """
    review = Review.objects.filter(pk=review_id).defer("revision_data").first()
    row = _record(review) if review else None
    if review is None or row is None or review.outcome not in DECISION_SUBJECTS:
        return
    decided_at = review.decided_at or clock.now()
    if clock.now() < decided_at + DECISION_TIME and row.reviewed_together().exclude(pk=row.pk).exists():
        send_decision.using(run_after=decided_at + DECISION_TIME).enqueue(review_id)
        return
    others = _decided_before(review, row)
    if others is None:
        # The email about the last of them is about all.
        return
    author, preferences = row.author, preferences_of(row.author_id)
    is_wanted = preferences.wants_decisions and author.pk != review.decided_by_id
    if is_wanted and author.is_staff and can_read(author, row):
        with translation.override(reader_language(preferences)):
            send(_decision_message(review, row, others), author)


def _record(review: Review) -> Content | None:
    rows: Any = review.model._default_manager
    row: Content | None = rows.select_related("author").filter(pk=review.record_id).first()
    return row


def _publishers(model: type[Content]) -> QuerySet[Any]:
    """Return the active users of the admin who may publish records of a model, with their preferences."""
    users: Any = get_user_model().objects
    permission = f"{model._meta.app_label}.publish_{model._meta.model_name}"
    publishers: QuerySet[Any] = users.with_perm(
        permission, backend="calendar_site.accounts.backends.CompiledPermissionsBackend"
    )
    return publishers.filter(is_staff=True).exclude(email="").select_related("mail_preferences")


def _note_submission(user: Any, review: Review) -> None:
    choice = submission_mail(getattr(user, "mail_preferences", None) or MailPreferences(user=user))
    if choice == SubmissionMail.NEVER:
        return
    SubmissionNotice.objects.get_or_create(user=user, review=review)
    if choice == SubmissionMail.AT_ONCE:
        _queue_submissions(user.pk)


def _queue_submissions(user_id: int) -> None:
    """Queue the email about the noted submissions, unless it is in the queue. Must run inside `write_lock()`.

    Notices alone do not mean that it is: those of a daily email wait until the morning.
    """
    waiting = BackgroundTask.objects.filter(
        status=BackgroundTask.Status.READY, task_path=send_submissions.module_path, args_kwargs__args=[user_id]
    )
    if not waiting.exists():
        send_submissions.using(run_after=clock.now() + COLLECTION_TIME).enqueue(user_id)


def _submissions_message(reviews: list[Review]) -> Message:
    entries = entries_of(reviews)
    count = len(entries)
    if count == 1:
        subject = _("Submitted for review: %(title)s") % {"title": reviews[0].title}
    else:
        subject = ngettext("%(count)s submission for review", "%(count)s submissions for review", count)
    text = ngettext(
        "%(count)s new submission is waiting for your review.",
        "%(count)s new submissions are waiting for your review.",
        count,
    )
    return Message(
        subject=subject % {"count": count} if count != 1 else subject,
        paragraphs=[text % {"count": count}],
        links=list(_review_links(entries[:MAX_LISTED])),
        action=Link(_("Open review queue"), absolute_url("admin:review")),
        is_optional=True,
    )


def _review_links(entries: Iterable[ReviewEntry]) -> Iterable[Link]:
    for entry in entries:
        review = entry.review
        options = review.model._meta
        names = {
            "kind": options.verbose_name,
            "user": review.submitted_by_name,
            "moment": format_in_sentence(review.submitted_at) if review.submitted_at else "",
        }
        url = absolute_url(f"admin:{options.app_label}_{options.model_name}_review", review.record_id)
        detail = _("%(kind)s, submitted by %(user)s on %(moment)s") % names
        yield Link(review.title, url, ", ".join(filter(None, (detail, entry.others_display))))


def _decided_before(review: Review, row: Content) -> int | None:
    """Return how many other records of the author got the same decision, each within DECISION_TIME of the next.

    None if a later one did. One query.
    """
    same = Review.objects.filter(outcome=review.outcome, decided_by_id=review.decided_by_id, note=review.note)
    of_author = same.for_rows(row.reviewed_together().filter(author=row.author_id))
    decisions = of_author.order_by("decided_at", "pk").values_list("pk", "decided_at")
    moments = {pk: moment for pk, moment in decisions if moment}
    number = list(moments).index(review.pk)
    are_together = [second - first <= DECISION_TIME for first, second in pairwise(moments.values())]
    if any(are_together[number : number + 1]):
        return None
    return len(list(takewhile(bool, reversed(are_together[:number]))))


def _decision_message(review: Review, row: Content, others: int) -> Message:
    names = {"title": row.title, "user": review.decided_by_name or _("An administrator")}
    outcome = ReviewOutcome(review.outcome)
    options = row._meta
    paragraphs = [str(DECISION_TEXTS[outcome]) % names]
    if others:
        text = ngettext(
            "The decision applies to %(count)s more event of the series.",
            "The decision applies to %(count)s more events of the series.",
            others,
        )
        paragraphs.append(text % {"count": others})
    if review.note:
        paragraphs.append(_("Note:"))
    return Message(
        subject=str(DECISION_SUBJECTS[outcome]) % names,
        paragraphs=paragraphs,
        quote=review.note,
        action=Link(
            _("Open in the admin"), absolute_url(f"admin:{options.app_label}_{options.model_name}_change", row.pk)
        ),
        is_optional=True,
    )
