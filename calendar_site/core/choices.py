"""Choices that several apps share."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Status(models.TextChoices):
    """The status of an event, venue or organizer."""

    PUBLISH = "publish", _("Published")
    FUTURE = "future", _("Scheduled")
    DRAFT = "draft", _("Draft")
    PENDING = "pending", _("Pending review")
    PRIVATE = "private", _("Private")
    TRASH = "trash", _("In the trash")


class Accessibility(models.TextChoices):
    """A feature that makes an event or a venue accessible."""

    STEP_FREE = "step_free", _("Step-free access")
    HEARING_LOOP = "hearing_loop", _("Hearing loop")
    SIGN_LANGUAGE = "sign_language", _("Sign language")
    QUIET_HOUR = "quiet_hour", _("Quiet hour")


# The statuses that users choose from: records are scheduled by their publish date, and trashed by another action.
SELECTABLE_STATUSES = (Status.DRAFT, Status.PENDING, Status.PUBLISH, Status.PRIVATE)
# Public from the publication date on: a scheduled record needs no job to be published.
PUBLIC_STATUSES = (Status.PUBLISH, Status.FUTURE)
# Contributors may not set these, nor change a record that has one of them.
PUBLISHED_STATUSES = (Status.PUBLISH, Status.FUTURE, Status.PRIVATE)
