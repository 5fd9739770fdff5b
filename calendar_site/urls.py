"""The URLs of the site: the API under each of its bases, the admin, images, and the HTML pages."""

import re

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView

from calendar_site.accounts.me_view import MeView
from calendar_site.api.root import DocView, IndexView
from calendar_site.api.site_urls import default_api_base
from calendar_site.api.views import UnknownRoute
from calendar_site.back_office.moved_sections import MOVED_PATH, MovedSection
from calendar_site.core.http.admin_path import ADMIN_PATH
from calendar_site.media.views import FILE_NAME_PATTERN, serve_image
from calendar_site.website.console import api_console
from calendar_site.website.robots_txt import robots_txt
from calendar_site.website.security_txt import security_txt
from events import urls as events
from organizers import urls as organizers
from taxonomy import urls as taxonomy
from venues import urls as venues

handler400 = "calendar_site.website.error_handlers.bad_request"
handler403 = "calendar_site.website.error_pages.forbidden"
handler404 = "calendar_site.website.old_pages.not_found"
handler500 = "calendar_site.website.error_handlers.server_error"


def api_patterns() -> list[URLPattern | URLResolver]:
    """Return the URL patterns below the API's root, for the views that describe them."""
    return API_PATTERNS


API_PATTERNS: list[URLPattern | URLResolver] = [
    re_path(r"^\Z", IndexView.as_view(patterns=api_patterns), name="index"),
    re_path(r"^me/?\Z", MeView.as_view(), name="me"),
    re_path(r"^doc/?\Z", DocView.as_view(patterns=api_patterns, page=api_console), name="doc"),
    # Not included, which takes an exception for each resource whose patterns do not match.
    *(pattern for resource in (events, venues, organizers, taxonomy) for pattern in resource.urlpatterns),
    re_path("", UnknownRoute.as_view()),
]
API_BASES = "|".join(re.escape(base) for base in (default_api_base(), *settings.NAMESPACE_ALIASES))

# Without MEDIA_PATH another server serves the images.
MEDIA_PATTERNS = (
    [re_path(rf"^{re.escape(settings.MEDIA_PATH)}/(?P<name>{FILE_NAME_PATTERN})\Z", serve_image)]
    if settings.MEDIA_PATH
    else []
)
ADMIN_ROUTE = ADMIN_PATH.lstrip("/")

urlpatterns = [
    re_path(rf"^(?P<api_base>{API_BASES})(?:/|\Z)", include(API_PATTERNS)),
    path(ADMIN_ROUTE.rstrip("/"), RedirectView.as_view(pattern_name="admin:index")),
    # Before the admin, which responds to every path below its own.
    re_path(rf"^{ADMIN_ROUTE}{MOVED_PATH}", MovedSection.as_view()),
    path(f"{ADMIN_ROUTE}content/", RedirectView.as_view(pattern_name="admin:index", permanent=True)),
    path(ADMIN_ROUTE, admin.site.urls),
    *MEDIA_PATTERNS,
    re_path(r"^\.well-known/security\.txt\Z", security_txt, name="security-txt"),
    re_path(r"^robots\.txt\Z", robots_txt, name="robots-txt"),
    path("", include("calendar_site.website.urls")),
]
