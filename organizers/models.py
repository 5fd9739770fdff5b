"""People and groups that run events."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from calendar_site.content.fields import PlainField
from calendar_site.content.history import History
from calendar_site.content.models import DERIVED, NAMED_WORDS, NamedContent
from calendar_site.content.validators import validate_web_address
from organizers.querysets import OrganizerQuerySet


class Organizer(NamedContent):
    """A person or a group; events link to any number of them."""

    phone = PlainField(_("phone"), max_length=200, blank=True)
    website = models.CharField(_("website"), max_length=2000, blank=True, validators=[validate_web_address])
    # The contract takes any text here: the form of an address is not checked.
    email = PlainField(_("email"), max_length=320, blank=True)

    objects = OrganizerQuerySet.as_manager()
    history = History(excluded=(*DERIVED, "name_key"), words=NAMED_WORDS)

    searched = ("title", "description", "phone", "email", "website")

    class Meta(NamedContent.Meta):
        verbose_name = _("organizer")
        verbose_name_plural = _("organizers")
        ordering = ("-published_at", "-pk")
        indexes = [models.Index(fields=["-published_at", "-id"], name="organizer_newest")]
