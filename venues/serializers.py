"""What is written about venues."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from calendar_site.api.input import NamedInput, NumberInput, SwitchInput, TextInput, WebAddressInput


class VenueInput(NamedInput):
    kind = "venue"

    venue = TextInput(source="title", required=True, describe=_("The name of the venue."))
    address = TextInput(clearable=True, describe=_("Street and number of the venue."))
    city = TextInput(max_length=200, clearable=True, describe=_("The city of the venue."))
    country = TextInput(max_length=200, clearable=True, describe=_("The country of the venue."))
    province = TextInput(max_length=200, clearable=True, describe=_("The province of the venue."))
    state = TextInput(max_length=200, clearable=True, describe=_("The state of the venue."))
    stateprovince = TextInput(
        source="state_province",
        max_length=200,
        clearable=True,
        describe=_("The state or the province, for who does not tell them apart."),
    )
    zip = TextInput(max_length=50, clearable=True, describe=_("The postal code of the venue."))
    phone = TextInput(max_length=200, clearable=True, describe=_("The phone number of the venue."))
    website = WebAddressInput(clearable=True, describe=_("The address of the venue's own website."))
    show_map = SwitchInput(describe=_("Whether events at the venue show a map: true or false."))
    show_map_link = SwitchInput(describe=_("Whether events at the venue show a link to a map: true or false."))

    geo_lat = NumberInput(
        minimum=-90, maximum=90, clearable=True, empty=None, describe=_("The latitude of the venue, in degrees.")
    )
    geo_lng = NumberInput(
        minimum=-180, maximum=180, clearable=True, empty=None, describe=_("The longitude of the venue, in degrees.")
    )

    # In the contract, whatever describes a venue is null unless it is said, the two switches too.
    defaults = dict.fromkeys(
        (
            "description", "image", "show_map", "show_map_link", "address", "city", "country", "province", "state",
            "zip", "phone", "stateprovince", "website",
        )
    )  # fmt: skip

    def check(self) -> dict[str, Any]:
        fields = super().check()
        # A state or province is answered as the stateprovince, too: what comes back so is not one of its own.
        region = fields.get("state") or fields.get("province") or (self.instance.region if self.instance else "")
        if fields.get("state_province") and fields["state_province"] == region:
            del fields["state_province"]
        return fields
