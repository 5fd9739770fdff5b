"""The URLs of the site in compatibility mode: those of the original, and then those of the service."""

from typing import Any

from django.urls import include, path, re_path

from calendar_site import urls as service
from calendar_site.compatibility.addresses import REST_PATH, TEC, TRIBE, TRIBE_BASE, WP
from calendar_site.compatibility.authorization.views import authorize_application
from calendar_site.compatibility.feeds import urls as feeds
from calendar_site.compatibility.root import Patterns, RootView
from calendar_site.compatibility.tec import urls as tec
from calendar_site.compatibility.tribe import urls as tribe
from calendar_site.compatibility.views import UnknownOriginalRoute
from calendar_site.compatibility.wp import urls as wp

handler400, handler403, handler404, handler500 = (
    service.handler400,
    service.handler403,
    service.handler404,
    service.handler500,
)


def patterns_by_namespace() -> Patterns:
    return {TRIBE: tribe.tribe_patterns, TEC: tec.tec_patterns, WP: wp.wp_patterns}


rest_patterns: list[Any] = [
    re_path(r"^\Z", RootView.as_view(patterns=patterns_by_namespace), name="original-root"),
    re_path(rf"^(?:{TRIBE})(?:/|\Z)", include(tribe.urlpatterns), {"api_base": TRIBE_BASE}),
    re_path(rf"^(?:{TEC})(?:/|\Z)", include(tec.urlpatterns)),
    re_path(rf"^(?:{WP})(?:/|\Z)", include(wp.urlpatterns)),
    re_path("", UnknownOriginalRoute.as_view()),
]

urlpatterns: list[Any] = [
    re_path(rf"^{REST_PATH}(?:/|\Z)", include(rest_patterns)),
    path("authorize-application/", authorize_application, name="authorize-application"),
    *feeds.urlpatterns,
    *service.urlpatterns,
]
