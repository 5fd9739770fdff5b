"""What is written about venues."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from calendar_site.api.input import NamedInput, NumberInput, SwitchInput, TextInput, WebAddressInput


class VenueInput(NamedInput):
    kind = "venue"

    venue = TextInput(source="title", required=True, describe=_("The venue's name."))
    address = TextInput(clearable=True, describe=_("Street and number."))
    city = TextInput(max_length=200, clearable=True, describe=_("The city."))
    country = TextInput(max_length=200, clearable=True, describe=_("The country."))
    province = TextInput(max_length=200, clearable=True, describe=_("The province."))
    state = TextInput(max_length=200, clearable=True, describe=_("The state."))
    stateprovince = TextInput(
        source="state_province", max_length=200, clearable=True, describe=_("State and province in one.")
    )
    zip = TextInput(max_length=50, clearable=True, describe=_("The postal code."))
    phone = TextInput(max_length=200, clearable=True, describe=_("The phone number."))
    website = WebAddressInput(clearable=True, describe=_("The venue's own website."))
    show_map = SwitchInput(describe=_("Whether linked events show a map."))
    show_map_link = SwitchInput(describe=_("Whether linked events show a link to a map."))

    geo_lat = NumberInput(minimum=-90, maximum=90, clearable=True, empty=None, describe=_("The latitude."))
    geo_lng = NumberInput(minimum=-180, maximum=180, clearable=True, empty=None, describe=_("The longitude."))

    def check(self) -> dict[str, Any]:
        fields = super().check()
        # A state or province is answered as the stateprovince, too: what comes back so is not one of its own.
        region = fields.get("state") or fields.get("province") or (self.instance.region if self.instance else "")
        if fields.get("state_province") and fields["state_province"] == region:
            del fields["state_province"]
        return fields
