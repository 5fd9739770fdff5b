"""Places where events happen."""

from functools import lru_cache
from typing import Any, ClassVar, Protocol

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from calendar_site.audit.models import UNTRACKED, FieldDisplay, History
from calendar_site.content.models import LINKED_FIELD_DISPLAYS, LinkedContent, format_accessibility
from calendar_site.core.database.constraints import CheckConstraint
from calendar_site.core.fields import AccessibilityField, PlainTextField
from calendar_site.core.search.geo import MAX_LATITUDE, MAX_LONGITUDE, to_point
from calendar_site.core.validators import validate_http_url, validate_time_zone
from venues.countries import country_key
from venues.querysets import VenueQuerySet
from venues.time_zones import derive_time_zone


class HasRegion(Protocol):
    """A venue, or a row of its columns."""

    @property
    def country(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def province(self) -> str: ...
    @property
    def state_province(self) -> str: ...


# How people write the country that has states and no provinces: the letters without case and accents.
UNITED_STATES = {
    "us", "usa", "unitedstates", "theunitedstates", "unitedstatesofamerica", "theunitedstatesofamerica", "usofa",
    "america", "vereinigtestaaten", "vereinigtestaatenvonamerika", "etatsunis", "etatsunisdamerique", "estadosunidos",
    "estadosunidosdeamerica", "eeuu", "eua", "statiuniti", "statiunitidamerica", "verenigdestaten", "vs",
    "verenigdestatenvanamerika", "stanyzjednoczone", "stanyzjednoczoneameryki",
}  # fmt: skip


# The arguments of `derive_time_zone()`.
TIME_ZONE_SOURCES = ("geo_lat", "geo_lng", "country")


def region_of(venue: HasRegion) -> str:
    """Return `stateprovince` as the contract decides (D24).

    It is the text that was sent for it, else the state or the province of the venue: first the state in the United
    States and where no country is set, first the province elsewhere.
    """
    if venue.state_province:
        return venue.state_province
    has_states = _has_states(venue.country)
    return (venue.state or venue.province) if has_states else (venue.province or venue.state)


@lru_cache(maxsize=256)
def _has_states(country: str) -> bool:
    letters = country_key(country)
    return not letters or letters in UNITED_STATES


class Venue(LinkedContent):
    """A place with an address; events link to any number of them."""

    MAX_ADDRESS_LENGTH = 500
    # The limit of cities, countries, provinces and states.
    MAX_PLACE_LENGTH = 200
    MAX_ZIP_LENGTH = 50
    MAX_TIME_ZONE_LENGTH = 64

    address = PlainTextField(_("address"), max_length=MAX_ADDRESS_LENGTH, blank=True)
    city = PlainTextField(_("city"), max_length=MAX_PLACE_LENGTH, blank=True)
    country = PlainTextField(_("country"), max_length=MAX_PLACE_LENGTH, blank=True)
    province = PlainTextField(_("province"), max_length=MAX_PLACE_LENGTH, blank=True)
    state = PlainTextField(_("state"), max_length=MAX_PLACE_LENGTH, blank=True)
    state_province = PlainTextField(_("state or province"), max_length=MAX_PLACE_LENGTH, blank=True)
    zip = PlainTextField(_("postal code"), max_length=MAX_ZIP_LENGTH, blank=True)
    phone = PlainTextField(_("phone"), max_length=LinkedContent.MAX_PHONE_LENGTH, blank=True)
    website = models.CharField(
        _("website"), max_length=LinkedContent.MAX_WEBSITE_LENGTH, blank=True, validators=[validate_http_url]
    )
    show_map = models.BooleanField(_("show map"), default=True)
    show_map_link = models.BooleanField(_("show map link"), default=True)
    accessibility = AccessibilityField(_("accessibility"), max_length=200, blank=True, default=list, db_default="")

    geo_lat = models.FloatField(
        _("latitude"),
        null=True,
        blank=True,
        validators=[MinValueValidator(-MAX_LATITUDE), MaxValueValidator(MAX_LATITUDE)],
    )
    geo_lng = models.FloatField(
        _("longitude"),
        null=True,
        blank=True,
        validators=[MinValueValidator(-MAX_LONGITUDE), MaxValueValidator(MAX_LONGITUDE)],
    )

    # "" if it is unknown.
    time_zone = models.CharField(
        _("time zone"),
        max_length=MAX_TIME_ZONE_LENGTH,
        blank=True,
        default="",
        db_default="",
        validators=[validate_time_zone],
    )

    # The same place as a point on the unit sphere, from which distances are computed.
    geo_x = models.FloatField(null=True, editable=False)
    geo_y = models.FloatField(null=True, editable=False)
    geo_z = models.FloatField(null=True, editable=False)

    objects: ClassVar = VenueQuerySet.as_manager()
    history = History(
        excluded=(*UNTRACKED, "name_key", "geo_x", "geo_y", "geo_z"),
        field_displays={**LINKED_FIELD_DISPLAYS, "accessibility": FieldDisplay(format=format_accessibility)},
    )

    search_fields = (
        "title", "description", "phone", "address", "city", "province", "state", "state_province", "zip"
    )  # fmt: skip

    class Meta(LinkedContent.Meta):
        verbose_name = _("venue")
        verbose_name_plural = _("venues")
        ordering = ("-published_at", "-pk")
        indexes = [
            models.Index(fields=["-published_at", "-id", "status", "author"], name="venue_newest"),
            # With every column that the search for places reads.
            models.Index(
                fields=["geo_lat", "geo_lng", "id", "geo_x", "geo_y", "geo_z", "status", "published_at", "author"],
                name="venue_place",
            ),
        ]
        constraints = [
            *LinkedContent.Meta.constraints,
            CheckConstraint(
                condition=Q(geo_lat__isnull=True, geo_lng__isnull=True)
                | Q(
                    # Explicit, because a check constraint that evaluates to NULL counts as met.
                    geo_lat__isnull=False,
                    geo_lng__isnull=False,
                    geo_lat__range=(-MAX_LATITUDE, MAX_LATITUDE),
                    geo_lng__range=(-MAX_LONGITUDE, MAX_LONGITUDE),
                ),
                name="venue_on_earth",
                violation_error_message=_("Set both latitude and longitude, or neither."),
            ),
        ]

    def clean(self) -> None:
        super().clean()
        if (self.geo_lat is None) != (self.geo_lng is None):
            missing = "geo_lat" if self.geo_lat is None else "geo_lng"
            raise ValidationError({missing: _("Set both latitude and longitude, or neither.")})

    def update_derived_fields(self) -> None:
        super().update_derived_fields()
        if self.geo_lat is None or self.geo_lng is None:
            self.geo_x = self.geo_y = self.geo_z = None
        else:
            self.geo_x, self.geo_y, self.geo_z = to_point(self.geo_lat, self.geo_lng)
        self._derive_time_zone()

    def _derive_time_zone(self) -> None:
        """Derive the time zone of the place, unless another one was set.

        A stored zone that is the one of the stored place follows changes of the place.
        """
        stored = self.loaded_values or {}
        if self.time_zone and self.time_zone != stored.get("time_zone"):
            return
        before: list[Any] = [stored.get(name) for name in TIME_ZONE_SOURCES]
        now: list[Any] = [getattr(self, name) for name in TIME_ZONE_SOURCES]
        if not self.time_zone or (now != before and self.time_zone == derive_time_zone(*before)):
            self.time_zone = derive_time_zone(*now)

    region = property(region_of)
