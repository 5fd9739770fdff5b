"""Submissions of records for review, and their outcomes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar

from django.apps import apps
from django.core import serializers
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from calendar_site.audit.models import Revision
from calendar_site.content.models import Content
from calendar_site.core.dates.formatting import format_in_sentence
from calendar_site.review.choices import ReviewOutcome
from calendar_site.review.querysets import ReviewQuerySet


class Review(models.Model):
    """A submission of a record, from the moment when the record becomes pending, and its outcome.

    Unpublishing a public record creates a review, too, with the outcome `UNPUBLISHED` and without a submitter. It keeps
    the last public revision, with which the next submission is compared.

    Users are stored by id and by the name that they had at the time, so that a review outlives their accounts.
    """

    MAX_NOTE_LENGTH: ClassVar = 2000

    # The record: a label such as "events.event", and its id. Content types would cost a query or a join.
    model_label = models.CharField(max_length=100)
    record_id = models.BigIntegerField()
    outcome = models.CharField(max_length=15, choices=ReviewOutcome, default=ReviewOutcome.OPEN)

    submitted_at = models.DateTimeField(null=True)
    submitted_by_id = models.BigIntegerField(null=True)
    submitted_by_name = models.CharField(max_length=150, blank=True)

    decided_at = models.DateTimeField(null=True)
    decided_by_id = models.BigIntegerField(null=True)
    # Empty for a command on the server.
    decided_by_name = models.CharField(max_length=150, blank=True)
    note = models.TextField(blank=True, max_length=MAX_NOTE_LENGTH)
    # The revision that a later submission is compared with: see `revision`.
    revision_data = models.JSONField(null=True, encoder=DjangoJSONEncoder)

    # The title of the record and its `Content.review_group`, if `ReviewQuerySet.for_rows()` has annotated them.
    title: str
    group: int | None

    objects = ReviewQuerySet.as_manager()

    class Meta:
        # The permissions on the record apply.
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["model_label", "record_id"], condition=Q(outcome=ReviewOutcome.OPEN), name="review_one_open"
            ),
            models.CheckConstraint(
                condition=Q(submitted_at__isnull=False) | Q(outcome=ReviewOutcome.UNPUBLISHED), name="review_submitted"
            ),
            models.CheckConstraint(
                condition=Q(decided_at__isnull=False) | Q(outcome=ReviewOutcome.OPEN), name="review_decided"
            ),
        ]
        indexes = [
            models.Index(fields=["model_label", "record_id", "-id"], name="review_record"),
            models.Index(fields=["outcome", "decided_at"], name="review_outcome"),
        ]

    def __str__(self) -> str:
        return f"{self.model_label} {self.record_id}: {self.outcome}"

    @property
    def model(self) -> type[Content]:
        return apps.get_model(self.model_label)

    @property
    def revision(self) -> Any:
        """Return the revision of the record that was sent back, or that was public last; None for other outcomes.

        It is a copy, because the history of the record may be pruned at any time.
        """
        if self.revision_data is None:
            return None
        (copy,) = serializers.deserialize("python", [self.revision_data], ignorenonexistent=True)
        return copy.object

    @revision.setter
    def revision(self, revision: Revision) -> None:
        self.revision_data = None if revision is None else serializers.serialize("python", [revision])[0]

    @property
    def is_sent_back(self) -> bool:
        return self.outcome == ReviewOutcome.SENT_BACK

    @property
    def submitted_at_display(self) -> str:
        return format_in_sentence(self.submitted_at) if self.submitted_at else ""

    @property
    def decided_at_display(self) -> str:
        return format_in_sentence(self.decided_at) if self.decided_at else ""


@lru_cache
def reviewed_models() -> list[type[Content]]:
    """Return the models of the records that are reviewed."""
    return [model for model in apps.get_models() if issubclass(model, Content)]
