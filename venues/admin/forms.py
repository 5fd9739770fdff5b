"""The form of a venue."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from calendar_site.back_office.forms.content import LinkedContentForm
from calendar_site.back_office.forms.time_fields import TimeZoneField


class VenueForm(LinkedContentForm):
    """A venue, whose coordinates are picked on a map or typed."""

    class Media:
        css = {"all": ("leaflet/leaflet.css", "back_office/venue_map.css")}
        js = ("leaflet/leaflet.js", "back_office/venue_map.js")

    time_zone = TimeZoneField(
        label=gettext_lazy("Time zone"),
        required=False,
        help_text=gettext_lazy(
            "New events at this venue use it. Leave empty to derive it from the map location or the country."
        ),
    )
