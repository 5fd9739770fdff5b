"""Venues in the admin: their list, their form."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from calendar_site.content.admin.content import ASIDE, PUBLICATION
from calendar_site.content.admin.named import NamedAdmin
from venues.admin.places import MAP, MapViews, VenueForm
from venues.models import Venue


@admin.register(Venue)
class VenueAdmin(MapViews, NamedAdmin):
    form = VenueForm
    page = "venue-page"
    namesake = _("There is another venue of this name. Programs that write a name get the older one.")
    list_display = (
        "thumbnail",
        "name",
        "city",
        "region",
        "country",
        "linked_events",
        "status_now",
        "author_name",
        "modified",
    )
    search_help_text = _("Words of the name, the description, the phone number or the address.")
    fieldsets = (
        (None, {"fields": ("title", "slug", "description", "image")}),
        (
            _("Address"),
            {"fields": ("address", ("zip", "city"), ("state", "province"), ("state_province", "country"))},
        ),
        (_("On the map"), {"description": MAP, "fields": (("geo_lat", "geo_lng"),)}),
        (_("Contact"), {"fields": ("phone", "website")}),
        (_("How it is shown"), {"classes": (ASIDE,), "fields": ("show_map", "show_map_link")}),
        PUBLICATION,
    )

    def told_in_queue(self, venue):
        return ", ".join(filter(None, [venue.address, venue.city]))

    @admin.display(description=_("state or province"))
    def region(self, venue):
        return venue.region
