"""The enumerations of published content."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Status(models.TextChoices):
    """The states of an event, venue or organizer."""

    PUBLISH = "publish", _("published")
    FUTURE = "future", _("scheduled")
    DRAFT = "draft", _("draft")
    PENDING = "pending", _("waiting for review")
    PRIVATE = "private", _("private")
    TRASH = "trash", _("in the trash")


# Public once the publication date has come: a scheduled record needs no job to be published.
PUBLIC_STATUSES = (Status.PUBLISH, Status.FUTURE)
# What a contributor may not set, and may not change once it is set.
PUBLISHED_STATUSES = (Status.PUBLISH, Status.FUTURE, Status.PRIVATE)
