"""The table of form drafts."""

from __future__ import annotations

import json

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class FormDraft(models.Model):
    """The unsaved input of a user in the form of one record, or of a new one.

    Each opened form has a token of its own, so that two windows with the same form do not overwrite each other.
    """

    MAX_TITLE_LENGTH = 200
    TOKEN_LENGTH = 32

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="form_drafts")
    token = models.CharField(max_length=TOKEN_LENGTH)
    # Such as `events.event`.
    model_label = models.CharField(max_length=100)
    # None in the form of a new record.
    record_id = models.BigIntegerField(null=True)
    # The newest revision of the record when the form was opened.
    revision_id = models.BigIntegerField(null=True)
    title = models.CharField(max_length=MAX_TITLE_LENGTH, blank=True)
    # The names and values of the inputs as a JSON list of pairs.
    fields = models.TextField()
    saved_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("form draft")
        verbose_name_plural = _("form drafts")
        default_permissions = ()
        constraints = (
            models.UniqueConstraint(
                fields=["user", "token"],
                name="form_draft_token",
                violation_error_message=_("There is a draft with this token."),
            ),
        )

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The names and values of the inputs."""
        return [(name, value) for name, value in json.loads(self.fields)]
