"""Queries for the outcomes of reviews: sent back, approved, and the notes of reviewers."""

from __future__ import annotations

from datetime import timedelta

from calendar_site.content.models import Content
from calendar_site.core import clock
from calendar_site.core.choices import PUBLISHED_STATUSES, Status
from calendar_site.core.permissions import editable_q
from calendar_site.core.types import AnyUser
from calendar_site.review.choices import ReviewOutcome
from calendar_site.review.models import Review, reviewed_models
from calendar_site.review.querysets import ReviewQuerySet

RECENT = timedelta(days=14)
# Notes on the review page of a record.
MAX_NOTES = 10

DECISION_OUTCOMES = (ReviewOutcome.APPROVED, ReviewOutcome.SENT_BACK)


def sent_back_to(user: AnyUser) -> ReviewQuerySet:
    """Return the reviews of the user's drafts that were sent back, and have not been submitted or published since.

    Each has the `title` of its record.
    """
    drafts = (
        model.objects.filter(editable_q(user, model), status=Status.DRAFT, author=user.pk)
        for model in reviewed_models()
    )
    reviews = Review.objects.filter(outcome=ReviewOutcome.SENT_BACK).last_of_record()
    return reviews.for_rows(*drafts).defer("revision_data")


def recently_approved(user: AnyUser) -> ReviewQuerySet:
    """Return recent reviews in which others approved records of the user that are still published.

    Each has the `title` of its record.
    """
    published = (
        model.objects.readable_by(user).filter(author=user.pk, status__in=PUBLISHED_STATUSES)
        for model in reviewed_models()
    )
    reviews = Review.objects.filter(decided_at__gt=clock.now() - RECENT).exclude(decided_by_id=user.pk)
    reviews = reviews.last_of_record(outcome=ReviewOutcome.APPROVED)
    return reviews.for_rows(*published).defer("revision_data")


def notes_on(row: Content) -> list[Review]:
    """Return the last decisions on the record that have a note, the latest first, at most `MAX_NOTES`."""
    decisions = Review.objects.for_record(row).filter(outcome__in=DECISION_OUTCOMES).exclude(note="")
    return list(decisions.defer("revision_data").order_by("-pk")[:MAX_NOTES])


def sent_back_review(row: Content) -> Review | None:
    """Return the review by which a draft was sent back; None if it was submitted or published since, or never was."""
    if row.status != Status.DRAFT:
        return None
    last = Review.objects.for_record(row).defer("revision_data").order_by("-pk").first()
    return last if last is not None and last.is_sent_back else None


def last_approval(row: Content) -> Review | None:
    """Return the review by which the record was approved; None if it never was, or was sent back since."""
    decisions = Review.objects.for_record(row).filter(outcome__in=DECISION_OUTCOMES)
    last = decisions.defer("revision_data").order_by("-pk").first()
    return last if last is not None and not last.is_sent_back else None
