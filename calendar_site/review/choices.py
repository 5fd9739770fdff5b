"""The enumerations of reviews."""

from django.db import models


class ReviewOutcome(models.TextChoices):
    """The outcome of a submission."""

    OPEN = "open"
    APPROVED = "approved"
    SENT_BACK = "sent_back"
    # Published by a form or the API, without an approval.
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"
    TRASHED = "trashed"
    # Not a submission: a public record was unpublished.
    UNPUBLISHED = "unpublished"
