"""The declarations of custom fields."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from calendar_site.audit.models import History, TrackedModel
from calendar_site.core.fields import PlainTextField
from calendar_site.core.text.html import strip_markup


class CustomField(TrackedModel):
    """A field that administrators declare for all events, venues or organizers."""

    class Resource(models.TextChoices):
        EVENT = "event", _("events")
        VENUE = "venue", _("venues")
        ORGANIZER = "organizer", _("organizers")

    class Kind(models.TextChoices):
        TEXT = "text", _("Text")
        NUMBER = "number", _("Number")
        BOOLEAN = "boolean", _("Yes/no")
        DATE = "date", _("Date")
        URL = "url", _("URL")
        CHOICE = "choice", _("Single choice")

    MAX_CHOICE_LENGTH = 200

    resource = models.CharField(_("applies to"), max_length=10, choices=Resource)
    name = models.CharField(
        _("name"),
        max_length=50,
        validators=[
            RegexValidator(
                r"\A[a-z][a-z0-9_]*\Z", _("Use lowercase letters, digits and underscores. Start with a letter.")
            )
        ],
        help_text=_("The name of the field in the API. Use lowercase letters, digits and underscores."),
    )
    label = PlainTextField(_("label"), max_length=200, help_text=_("The name shown in forms and on public pages."))
    kind = models.CharField(_("type"), max_length=10, choices=Kind, default=Kind.TEXT)
    choices = models.TextField(_("choices"), blank=True, help_text=_("One choice per line."))
    position = models.PositiveSmallIntegerField(_("position"), default=0)

    history = History()

    class Meta:
        verbose_name = _("custom field")
        verbose_name_plural = _("custom fields")
        ordering = ("resource", "position", "pk")
        constraints = [
            models.UniqueConstraint(
                fields=["resource", "name"],
                name="custom_field_once",
                violation_error_message=_("A field with this name already exists."),
            )
        ]

    def __str__(self) -> str:
        return self.label

    def clean(self) -> None:
        super().clean()
        if self.kind != self.Kind.CHOICE:
            if self.choices.strip():
                raise ValidationError({"choices": _("Only fields of type “Single choice” can have choices.")})
        elif not self.options:
            raise ValidationError({"choices": _("Enter at least one choice.")})
        elif len(max(self.options, key=len)) > self.MAX_CHOICE_LENGTH:
            raise ValidationError(
                {"choices": _("A choice can have at most %(limit)s characters.") % {"limit": self.MAX_CHOICE_LENGTH}}
            )
        self.choices = "\n".join(self.options)

    @property
    def options(self) -> list[str]:
        """Return the choices in order, without duplicates, cleaned as values are."""
        return list(dict.fromkeys(filter(None, map(strip_markup, self.choices.splitlines()))))
