"""The table of idempotent requests."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class IdempotentRequest(models.Model):
    """A write with an `Idempotency-Key`: one that is running, or one that has finished, with its response.

    User, scope, route and key are only stored as a digest. Nobody needs to look them up, and rows need no deletion
    together with an account, because they are kept for a day.
    """

    DIGEST_LENGTH = 64

    # A hash of the user, the scope of the application password, method, path and key.
    digest = models.CharField(max_length=DIGEST_LENGTH, unique=True)
    # A hash of the data and the preconditions.
    fingerprint = models.CharField(max_length=DIGEST_LENGTH)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)  # noqa: TID251 - named in migrations
    # A running request that has not finished by then has died with its process.
    lease_ends_at = models.DateTimeField()
    # The response. The status is None while the request is running.
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(default=dict)
    body = models.TextField(default="")

    class Meta:
        verbose_name = _("idempotent request")
        verbose_name_plural = _("idempotent requests")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.pk} ({self.status or 'running'})"
