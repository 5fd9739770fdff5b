"""The form of a venue."""

from __future__ import annotations

from calendar_site.back_office.forms.content import LinkedContentForm


class VenueForm(LinkedContentForm):
    """A venue, whose coordinates are picked on a map or typed."""

    class Media:
        css = {"all": ("leaflet/leaflet.css", "back_office/venue_map.css")}
        js = ("leaflet/leaflet.js", "back_office/venue_map.js")
