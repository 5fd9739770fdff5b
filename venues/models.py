"""Places where events happen."""

from typing import ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from calendar_site.audit.models import DERIVED, History
from calendar_site.content.models import LINKED_FIELD_DISPLAYS, LinkedContent
from calendar_site.core.constraints import CheckConstraint
from calendar_site.core.fields import PlainTextField
from calendar_site.core.geo import to_point
from calendar_site.core.validators import validate_http_url
from venues.querysets import VenueQuerySet


class Venue(LinkedContent):
    """A place with an address; events link to any number of them."""

    address = PlainTextField(_("address"), max_length=500, blank=True)
    city = PlainTextField(_("city"), max_length=200, blank=True)
    country = PlainTextField(_("country"), max_length=200, blank=True)
    province = PlainTextField(_("province"), max_length=200, blank=True)
    state = PlainTextField(_("state"), max_length=200, blank=True)
    state_province = PlainTextField(_("state or province"), max_length=200, blank=True)
    zip = PlainTextField(_("postal code"), max_length=50, blank=True)
    phone = PlainTextField(_("phone"), max_length=200, blank=True)
    website = models.CharField(_("website"), max_length=2000, blank=True, validators=[validate_http_url])
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

    objects: ClassVar = VenueQuerySet.as_manager()
    history = History(excluded=(*DERIVED, "name_key", "geo_x", "geo_y", "geo_z"), field_displays=LINKED_FIELD_DISPLAYS)

    search_fields = (
        "title", "description", "phone", "address", "city", "province", "state", "state_province", "zip"
    )  # fmt: skip

    class Meta(LinkedContent.Meta):
        verbose_name = _("venue")
        verbose_name_plural = _("venues")
        ordering = ("-published_at", "-pk")
        indexes = [
            models.Index(fields=["-published_at", "-id"], name="venue_newest"),
            models.Index(fields=["geo_lat", "geo_lng"], name="venue_place"),
        ]
        constraints = [
            *LinkedContent.Meta.constraints,
            CheckConstraint(
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

    def update_derived_fields(self) -> None:
        super().update_derived_fields()
        if self.geo_lat is None or self.geo_lng is None:
            self.geo_x = self.geo_y = self.geo_z = None
        else:
            self.geo_x, self.geo_y, self.geo_z = to_point(self.geo_lat, self.geo_lng)

    @property
    def region(self) -> str:
        """The state, else the province, else what was given as both in one."""
        return self.state or self.province or self.state_province
