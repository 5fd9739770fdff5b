"""The back office as a whole: its name and its clock."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from calendar_site.content.dates import site_zone

ADMIN_PATH = "/admin/"

admin.site.site_header = admin.site.site_title = settings.SITE_NAME


def on_the_sites_clock(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: the admin shows and reads times in the zone of the site."""

    def answer(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(ADMIN_PATH):
            return get_response(request)
        with timezone.override(site_zone().tz):
            return get_response(request)

    return answer
