"""The write fields of venues."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from calendar_site.api.input.fields import (
    AccessibilityInput,
    NumberField,
    SwitchField,
    TextField,
    URLField,
    ZoneNameField,
)
from calendar_site.api.input.serializers import LinkedContentSerializer
from calendar_site.core.search.geo import MAX_LATITUDE, MAX_LONGITUDE
from venues.models import Venue


class VenueSerializer(LinkedContentSerializer):
    resource = "venue"

    class Meta:
        model = Venue

    venue = TextField(source="title", required=True, help_text=_("The name of the venue."))
    address = TextField(allow_null=True, help_text=_("The street address of the venue."))
    city = TextField(allow_null=True, help_text=_("The city of the venue."))
    country = TextField(allow_null=True, help_text=_("The country of the venue."))
    province = TextField(allow_null=True, help_text=_("The province of the venue."))
    state = TextField(allow_null=True, help_text=_("The state of the venue."))
    stateprovince = TextField(
        source="state_province",
        allow_null=True,
        help_text=_("The state or province, for clients that do not distinguish between the two."),
    )
    zip = TextField(allow_null=True, help_text=_("The postal code of the venue."))
    phone = TextField(allow_null=True, help_text=_("The phone number of the venue."))
    website = URLField(allow_null=True, help_text=_("The URL of the venue's website."))
    show_map = SwitchField(help_text=_("Whether events at the venue show a map: true or false."))
    show_map_link = SwitchField(help_text=_("Whether events at the venue show a link to a map: true or false."))

    accessibility = AccessibilityInput(
        allow_null=True,
        cleared_value=[],
        help_text=_("How the venue is accessible: any of step_free, hearing_loop, sign_language and quiet_hour."),
    )

    geo_lat = NumberField(
        minimum=-MAX_LATITUDE,
        maximum=MAX_LATITUDE,
        allow_null=True,
        cleared_value=None,
        help_text=_("The latitude of the venue, in degrees."),
    )
    geo_lng = NumberField(
        minimum=-MAX_LONGITUDE,
        maximum=MAX_LONGITUDE,
        allow_null=True,
        cleared_value=None,
        help_text=_("The longitude of the venue, in degrees."),
    )
    timezone = ZoneNameField(
        source="time_zone",
        allow_null=True,
        help_text=_(
            "The time zone of the venue, for example Europe/Rome. If it is not set, it is derived from the coordinates "
            "or the country."
        ),
    )

    # In the contract, the default of these fields is null, including the two booleans.
    defaults = dict.fromkeys(
        (
            "description", "image", "show_map", "show_map_link", "address", "city", "country", "province", "state",
            "zip", "phone", "stateprovince", "website",
        )
    )  # fmt: skip

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        stored = self.instance or Venue()
        # Responses repeat the state or the province as `stateprovince`; sent back, it must not be stored twice.
        if attrs.get("state_province"):
            parts = {name: attrs.get(name, getattr(stored, name)) for name in ("country", "state", "province")}
            if attrs["state_province"] == stored.region:
                del attrs["state_province"]
            elif attrs["state_province"] == Venue(**parts).region:
                attrs["state_province"] = ""
        return attrs
