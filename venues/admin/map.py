"""The map on the form of a venue, which works without tiles of other sites."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.utils.functional import lazystr
from django.utils.html import format_html

from calendar_site.back_office.urls import admin_url
from venues.models import Venue

# Users zoom in to see more.
MAX_VENUES = 200
FULL_CIRCLE = 360


class MapSection(forms.Form):
    """The section of the earth that a map shows, in degrees; it may extend beyond the 180th meridian."""

    south = forms.FloatField()
    west = forms.FloatField()
    north = forms.FloatField()
    east = forms.FloatField()

    def contains(self) -> Q:
        """Return the condition for rows in the section."""
        south, west, north, east = (self.cleaned_data[name] for name in self.fields)
        rows = Q(geo_lat__range=(south, north))
        if east - west >= FULL_CIRCLE:
            return rows
        # Convert to the range of the meridians in rows.
        west, east = ((degrees + 180) % FULL_CIRCLE - 180 for degrees in (west, east))
        if west <= east:
            return rows & Q(geo_lng__range=(west, east))
        return rows & (Q(geo_lng__gte=west) | Q(geo_lng__lte=east))


def map_view(request: HttpRequest, *, model_admin: ModelAdmin) -> HttpResponse:
    """Return the names and coordinates of the venues in a section of the map that the user may see, as JSON."""
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    if request.method != "GET":
        return HttpResponseNotAllowed(["GET"])
    section = MapSection(request.GET)
    if not section.is_valid():
        errors = [f"{name}: {' '.join(map(str, texts))}" for name, texts in section.errors.items()]
        return JsonResponse({"message": " ".join(errors)}, status=400)
    rows = Venue.objects.visible_to(request.user).filter(section.contains()).order_by("pk")
    found = list(rows.values("id", "title", "geo_lat", "geo_lng")[: MAX_VENUES + 1])
    return JsonResponse({"venues": found[:MAX_VENUES], "is_cut": len(found) > MAX_VENUES})


class _MapElement:
    """The element that a script fills with the map; without scripts it shows nothing."""

    def __str__(self) -> str:
        return format_html(
            '<div class="venue-map" data-lat="id_geo_lat" data-lng="id_geo_lng" data-url="{}" data-tiles="{}" '
            'data-attribution="{}" hidden></div>',
            admin_url(Venue, "map"),
            settings.MAP_TILES_URL,
            settings.MAP_TILES_ATTRIBUTION,
        )


# Lazy: the sections of forms are declared before the URLs are known.
MAP = lazystr(_MapElement())
