"""Places where events happen."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from calendar_site.content.fields import PlainField
from calendar_site.content.models import NamedContent
from calendar_site.content.validators import validate_web_address
from venues.querysets import VenueQuerySet


class Venue(NamedContent):
    """A place with an address; events link to any number of them."""

    address = PlainField(_("address"), max_length=500, blank=True)
    city = PlainField(_("city"), max_length=200, blank=True)
    country = PlainField(_("country"), max_length=200, blank=True)
    province = PlainField(_("province"), max_length=200, blank=True)
    state = PlainField(_("state"), max_length=200, blank=True)
    state_province = PlainField(_("state or province"), max_length=200, blank=True)
    zip = PlainField(_("postal code"), max_length=50, blank=True)
    phone = PlainField(_("phone"), max_length=200, blank=True)
    website = models.CharField(_("website"), max_length=2000, blank=True, validators=[validate_web_address])
    show_map = models.BooleanField(_("show a map"), default=True)
    show_map_link = models.BooleanField(_("show a link to a map"), default=True)

    objects = VenueQuerySet.as_manager()

    searched = (
        "title", "description", "phone", "address", "city", "province", "state", "state_province", "zip"
    )  # fmt: skip

    class Meta(NamedContent.Meta):
        verbose_name = _("venue")
        verbose_name_plural = _("venues")
        ordering = ("-published_at", "-pk")
        indexes = [models.Index(fields=["-published_at", "-id"], name="venue_newest")]

    @property
    def region(self) -> str:
        """The state, else the province, else what was given as both in one."""
        return self.state or self.province or self.state_province
