"""The addresses of the site: the API under each of its bases, the admin, and the pages for people."""

import re

from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from calendar_site.api.docs import DocView
from calendar_site.api.index import IndexView
from calendar_site.api.links import own_base
from calendar_site.api.views import UnknownRoute
from calendar_site.console import console
from calendar_site.media import NAME, image_file
from events import urls as events
from organizers import urls as organizers
from taxonomy import urls as taxonomy
from venues import urls as venues

handler400 = "calendar_site.faults.bad_request"
handler403 = "calendar_site.pages.forbidden"
handler404 = "calendar_site.pages.not_found"
handler500 = "calendar_site.faults.server_error"


def api_patterns():
    """What is below the API's root, for the views that describe it."""
    return API


API = [
    re_path(r"^\Z", IndexView.as_view(patterns=api_patterns), name="index"),
    re_path(r"^doc/?\Z", DocView.as_view(patterns=api_patterns, page=console), name="doc"),
    *(path("", include(resource)) for resource in (events, venues, organizers, taxonomy)),
    re_path("", UnknownRoute.as_view()),
]
BASES = "|".join(re.escape(base) for base in (own_base(), *settings.NAMESPACE_ALIASES))

# Where another server gives out the images, this one does not.
MEDIA = [re_path(rf"^{re.escape(settings.MEDIA_PATH)}/(?P<name>{NAME})\Z", image_file)] if settings.MEDIA_PATH else []

urlpatterns = [
    re_path(rf"^(?P<api_base>{BASES})(?:/|\Z)", include(API)),
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    *MEDIA,
    path("", include("events.page_urls")),
]
