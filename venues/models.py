"""Places where events happen."""

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from calendar_site.content.fields import PlainField
from calendar_site.content.geography import point
from calendar_site.content.history import History
from calendar_site.content.models import DERIVED, NAMED_WORDS, NamedContent
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

    geo_lat = models.FloatField(
        _("latitude"), null=True, blank=True, validators=[MinValueValidator(-90), MaxValueValidator(90)]
    )
    geo_lng = models.FloatField(
        _("longitude"), null=True, blank=True, validators=[MinValueValidator(-180), MaxValueValidator(180)]
    )

    # The same place as a point of a ball: what distances are reckoned from.
    geo_x = models.FloatField(null=True, editable=False)
    geo_y = models.FloatField(null=True, editable=False)
    geo_z = models.FloatField(null=True, editable=False)

    objects = VenueQuerySet.as_manager()
    history = History(excluded=(*DERIVED, "name_key", "geo_x", "geo_y", "geo_z"), words=NAMED_WORDS)

    searched = (
        "title", "description", "phone", "address", "city", "province", "state", "state_province", "zip"
    )  # fmt: skip

    class Meta(NamedContent.Meta):
        verbose_name = _("venue")
        verbose_name_plural = _("venues")
        ordering = ("-published_at", "-pk")
        indexes = [
            models.Index(fields=["-published_at", "-id"], name="venue_newest"),
            models.Index(fields=["geo_lat", "geo_lng"], name="venue_place"),
        ]
        constraints = [
            *NamedContent.Meta.constraints,
            models.CheckConstraint(
                condition=Q(geo_lat__isnull=True, geo_lng__isnull=True)
                | Q(
                    # Said, because a condition on nothing counts as fulfilled.
                    geo_lat__isnull=False,
                    geo_lng__isnull=False,
                    geo_lat__range=(-90, 90),
                    geo_lng__range=(-180, 180),
                ),
                name="venue_on_earth",
                violation_error_message=_("A place has both a latitude and a longitude, or neither."),
            ),
        ]

    def clean(self) -> None:
        super().clean()
        if (self.geo_lat is None) != (self.geo_lng is None):
            missing = "geo_lat" if self.geo_lat is None else "geo_lng"
            raise ValidationError({missing: _("A place has both a latitude and a longitude, or neither.")})

    def derive(self) -> None:
        super().derive()
        is_placed = self.geo_lat is not None and self.geo_lng is not None
        self.geo_x, self.geo_y, self.geo_z = point(self.geo_lat, self.geo_lng) if is_placed else (None, None, None)

    @property
    def region(self) -> str:
        """The state, else the province, else what was given as both in one."""
        return self.state or self.province or self.state_province
