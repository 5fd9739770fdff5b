"""The time zones of an event and of its venues: the default for new events, and a warning if they differ."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.utils.translation import gettext as _

from calendar_site.back_office.urls import is_valid_id
from calendar_site.core.dates.conversion import keep_same_time, parse_zone, site_zone
from calendar_site.core.types import AnyUser
from events.choices import AttendanceMode
from events.models import Event
from venues.models import Venue


def venue_zone_view(request: HttpRequest, *, model_admin: ModelAdmin) -> HttpResponse:
    """Return the time zone of a new event at the venue with the id in `venue`, as JSON."""
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    if request.method != "GET":
        return HttpResponseNotAllowed(["GET"])
    pk = request.GET.get("venue", "")
    venue = Venue.objects.visible_to(request.user).filter(pk=pk).first() if is_valid_id(pk) else None
    return JsonResponse({"time_zone": event_zone_at(venue)})


def event_zone_at(venue: Venue | None) -> str:
    """Return the time zone of a new event at the venue: that of the site unless the venue has another time."""
    site = site_zone()
    if venue is None or not venue.time_zone or keep_same_time(parse_zone(venue.time_zone), site):
        return site.name
    return venue.time_zone


def zone_warning(event: Event, user: AnyUser) -> str:
    """Return a warning if people meet at a venue where it is not the time of the event; "" if not. One query."""
    if event.attendance_mode == AttendanceMode.ONLINE:
        return ""
    # Venues that the user may not see are not named.
    venues: Any = event.venues
    known = venues.visible_to(user).exclude(time_zone="").values_list("title", "time_zone")
    for title, name in known:
        if any(_offset(moment, name) != _offset(moment, event.time_zone) for moment in (event.start, event.end)):
            text = _("The times are in the time zone %(zone)s, but “%(venue)s” is in the time zone %(venue_zone)s.")
            return text % {"zone": event.time_zone, "venue": title, "venue_zone": name}
    return ""


def _offset(moment: datetime, zone_name: str) -> object:
    return moment.astimezone(parse_zone(zone_name).tz).utcoffset()
