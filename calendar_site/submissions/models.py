"""Events that visitors have submitted, and mistakes that they have reported."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from events.models import Event

MAX_NAME_LENGTH = 100
MAX_REPORT_LENGTH = 2000


class PublicSubmission(models.Model):
    """An event that a visitor has submitted, and how to reach the sender, until the event is long over."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="+")
    sender_name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    sender_email = models.EmailField(blank=True)
    # The language of the emails.
    language = models.CharField(max_length=10)
    # The SHA-256 hash of the token in the link with which the sender edits or withdraws the event.
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.event_id}: {self.sender_name}"


class MistakeReport(models.Model):
    """A mistake in an event, reported by a visitor. Editors delete it when they have dealt with it."""

    event = models.ForeignKey(Event, verbose_name=_("event"), on_delete=models.CASCADE, related_name="+")
    text = models.TextField(_("mistake"), max_length=MAX_REPORT_LENGTH)
    email = models.EmailField(_("email address of the visitor"), blank=True)
    created_at = models.DateTimeField(_("reported"))

    class Meta:
        verbose_name = _("reported mistake")
        verbose_name_plural = _("reported mistakes")
        default_permissions = ("view", "delete")
        ordering = ("-created_at", "-pk")

    def __str__(self) -> str:
        return f"{self.event}: {self.text[:50]}"
