"""The review queue: the submissions that a user may see, and the changes since the last decision on each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.db.models import QuerySet

from calendar_site.audit.recorder import ExtraState, snapshot
from calendar_site.content.models import Content
from calendar_site.core import permissions
from calendar_site.core.dates.formatting import format_in_sentence
from calendar_site.core.permissions import editable_q
from calendar_site.core.types import AnyUser
from calendar_site.review.groups import group_reviews
from calendar_site.review.models import Review, reviewed_models
from calendar_site.review.querysets import ReviewQuerySet
from calendar_site.revisions.diff import Difference, differences_of_pairs

# The status differs in every submission. For a new record, the author need not be listed either.
FIELDS_NOT_COMPARED = ("status",)
FIELDS_NOT_LISTED = ("status", "author")


class Submission(NamedTuple):
    """A pending record with its review and its changes."""

    review: Review
    row: Any
    # The last review that kept a revision, because the record was sent back or unpublished, and that revision. None for
    # a new record.
    previous: Review | None
    previous_revision: Any
    # The changes from the previous revision to the current one.
    differences: list[Difference]

    @property
    def previous_display(self) -> str:
        """Return when the previous revision was recorded."""
        return format_in_sentence(self.previous_revision.history_date)


def can_see_queue(user: AnyUser) -> bool:
    """Return whether the user may change records of a reviewed model, and so have one in the queue."""
    return any(permissions.has_model_permission(user, "change", model) for model in reviewed_models())


def review_queue(user: AnyUser) -> ReviewQuerySet:
    """Return the open reviews of records that the user may change, the oldest first, with the `title` of each."""
    rows = (model.objects.pending().filter(editable_q(user, model)) for model in reviewed_models())
    return Review.objects.open().for_rows(*rows).order_by("submitted_at", "model_label", "record_id")


def grouped_queue(user: AnyUser) -> QuerySet[Review, dict[str, Any]]:
    """Return the groups of the queue, the oldest first, for `load_entries()`."""
    return group_reviews(review_queue(user))


def describe_submissions(
    reviews: Iterable[Review], rows: Mapping[int, Content], extra_state: Mapping[int, ExtraState], user: AnyUser
) -> list[Submission]:
    """Return the submissions of records of one model, in the order of the reviews.

    `rows` are the records and `extra_state` their extra state, both by record id. Reviews of other records are left
    out. One query in addition to those of `differences_of_pairs`, for any number of reviews.
    """
    reviews = [review for review in reviews if review.record_id in rows]
    previous = {review.record_id: review for review in _previous_decisions(rows.values())}
    revisions = [previous[review.record_id].revision if review.record_id in previous else None for review in reviews]
    current = [snapshot(rows[review.record_id], extra_state.get(review.record_id)) for review in reviews]
    submissions = []
    pairs = zip(revisions, current, strict=True)
    for review, revision, differences in zip(reviews, revisions, differences_of_pairs(pairs, user), strict=True):
        left_out = FIELDS_NOT_COMPARED if revision else FIELDS_NOT_LISTED
        shown = [difference for difference in differences if difference.name not in left_out]
        submissions.append(Submission(review, rows[review.record_id], previous.get(review.record_id), revision, shown))
    return submissions


def submitted_fields(row: Content, extra_state: ExtraState | None, user: AnyUser) -> list[Difference]:
    """Return the fields of the record that have a value and that the user may see."""
    (differences,) = differences_of_pairs([(None, snapshot(row, extra_state))], user)
    return [difference for difference in differences if difference.name not in FIELDS_NOT_LISTED]


def _previous_decisions(rows: Iterable[Content]) -> ReviewQuerySet:
    """Return the last review of each record of one model that kept its revision."""
    rows = list(rows)
    if not rows:
        return Review.objects.none()
    label, ids = rows[0]._meta.label_lower, [row.pk for row in rows]
    return Review.objects.filter(model_label=label, record_id__in=ids).last_of_record(revision_data__isnull=False)
