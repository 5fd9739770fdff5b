"""The times of an event as one line of text, which a script of the form turns into the values of its fields."""

from __future__ import annotations

from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse

from calendar_site.back_office.forms.time_fields import SiteTimeZoneField
from calendar_site.core.dates.conversion import parse_zone
from calendar_site.core.dates.written_spans import parse_span


def written_times_view(request: HttpRequest, *, model_admin: admin.ModelAdmin) -> HttpResponse:
    """Return the values of the fields for the line `text`, in local time, or else an error."""
    if not (model_admin.has_add_permission(request) or model_admin.has_change_permission(request)):
        raise PermissionDenied
    if request.method != "GET":
        return HttpResponseNotAllowed(["GET"])
    try:
        zone = parse_zone(SiteTimeZoneField(required=False).clean(request.GET.get("time_zone", "")))
        span = parse_span(request.GET.get("text", ""), zone)
    except ValidationError as error:
        return JsonResponse({"error": " ".join(error.messages)})
    except ValueError as error:
        return JsonResponse({"error": str(error)})
    length = 10 if span.is_all_day else 16
    return JsonResponse(
        {
            "error": "",
            "start": span.start.isoformat()[:length],
            "end": span.end.isoformat()[:length] if span.end else "",
            "all_day": span.is_all_day,
        }
    )
