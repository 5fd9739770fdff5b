"""The table of former slugs."""

from __future__ import annotations

from django.db import models

from calendar_site.core.slugs import MAX_SLUG_LENGTH


class FormerSlug(models.Model):
    """A slug under which a record had a public page, until it got another slug or was moved to the trash.

    Not a foreign key: the record may be deleted, and its page is still known to be gone.
    """

    # The model of the record, such as `events.event`.
    model_label = models.CharField(max_length=100)
    slug = models.CharField(max_length=MAX_SLUG_LENGTH)
    record_id = models.BigIntegerField()

    class Meta:
        default_permissions = ()
        constraints = (models.UniqueConstraint(fields=["model_label", "slug"], name="former_slug_once"),)

    def __str__(self) -> str:
        return self.slug
