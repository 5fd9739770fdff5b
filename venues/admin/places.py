"""The map on the form of a venue, which works without anybody else's map: what it shows, and what it asks for."""

from django import forms
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpResponseNotAllowed, JsonResponse
from django.urls import path, reverse
from django.utils.functional import lazystr
from django.utils.html import format_html

from calendar_site.content.admin.forms import NamedForm
from venues.models import Venue

PLACES = "venues_venue_places"
# More than these on one map help nobody: they are narrowed by looking closer.
MOST = 200
CIRCLE = 360


class Section(forms.Form):
    """The part of the earth that a map shows, in degrees; it may go on beyond the 180th."""

    south = forms.FloatField()
    west = forms.FloatField()
    north = forms.FloatField()
    east = forms.FloatField()

    def holds(self):
        """The rows of the places in it."""
        south, west, north, east = (self.cleaned_data[name] for name in self.fields)
        rows = Q(geo_lat__range=(south, north))
        if east - west >= CIRCLE:
            return rows
        # The same meridians by the numbers that rows have.
        west, east = ((degrees + 180) % CIRCLE - 180 for degrees in (west, east))
        if west <= east:
            return rows & Q(geo_lng__range=(west, east))
        return rows & (Q(geo_lng__gte=west) | Q(geo_lng__lte=east))


class MapViews:
    """What the map asks for, for the admin of venues."""

    def get_urls(self):
        return [path("places/", self.admin_site.admin_view(self.places_view), name=PLACES), *super().get_urls()]

    def places_view(self, request):
        """The names and places of venues in a section of the earth, as far as the user may see them."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method != "GET":
            return HttpResponseNotAllowed(["GET"])
        section = Section(request.GET)
        if not section.is_valid():
            faults = [f"{name}: {' '.join(texts)}" for name, texts in section.errors.items()]
            return JsonResponse({"message": " ".join(faults)}, status=400)
        rows = Venue.objects.visible_to(request.user).filter(section.holds()).order_by("pk")
        found = list(rows.values("id", "title", "geo_lat", "geo_lng")[: MOST + 1])
        return JsonResponse({"venues": found[:MOST], "is_cut": len(found) > MOST})


class VenueForm(NamedForm):
    """A venue, whose place is picked on a map or typed."""

    class Media:
        css = {"all": ("leaflet/leaflet.css", "back_office/map.css")}
        js = ("leaflet/leaflet.js", "back_office/map.js")


class _Place:
    """Where a script puts the map; without one there is nothing to see."""

    def __str__(self):
        return format_html(
            '<div class="place-map" data-lat="id_geo_lat" data-lng="id_geo_lng" data-address="{}" data-tiles="{}" '
            'data-attribution="{}" hidden></div>',
            reverse(f"admin:{PLACES}"),
            settings.MAP_TILES_URL,
            settings.MAP_TILES_ATTRIBUTION,
        )


# For sections of forms, which are written down before there are addresses.
MAP = lazystr(_Place())
