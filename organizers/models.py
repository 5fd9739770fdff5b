"""People and groups that run events."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from calendar_site.audit.models import UNTRACKED, History
from calendar_site.content.models import LINKED_FIELD_DISPLAYS, LinkedContent
from calendar_site.core.fields import PlainTextField
from calendar_site.core.validators import validate_http_url
from organizers.querysets import OrganizerQuerySet


class Organizer(LinkedContent):
    """A person or a group; events link to any number of them."""

    # The longest email address that RFC 5321 allows: 64 characters, @ and 255.
    MAX_EMAIL_LENGTH = 320

    phone = PlainTextField(_("phone"), max_length=LinkedContent.MAX_PHONE_LENGTH, blank=True)
    website = models.CharField(
        _("website"), max_length=LinkedContent.MAX_WEBSITE_LENGTH, blank=True, validators=[validate_http_url]
    )
    # The contract accepts any text here, so the format of the email address is not validated.
    email = PlainTextField(_("email"), max_length=MAX_EMAIL_LENGTH, blank=True)

    objects: ClassVar = OrganizerQuerySet.as_manager()
    history = History(excluded=(*UNTRACKED, "name_key"), field_displays=LINKED_FIELD_DISPLAYS)

    search_fields = ("title", "description", "phone", "email", "website")

    class Meta(LinkedContent.Meta):
        verbose_name = _("organizer")
        verbose_name_plural = _("organizers")
        ordering = ("-published_at", "-pk")
        indexes = [models.Index(fields=["-published_at", "-id", "status", "author"], name="organizer_newest")]
