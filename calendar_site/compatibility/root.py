"""The root of the original's API, and the indexes of its namespaces (compatibility.md, section 3)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.api.description.arguments import Argument, Arguments, Context, current_context
from calendar_site.api.description.components import TEXT
from calendar_site.api.description.index import build_index
from calendar_site.compatibility.addresses import REST_PATH, TEC, TRIBE, WP
from calendar_site.compatibility.views import OriginalView
from calendar_site.core import clock
from calendar_site.core.dates.conversion import site_zone
from calendar_site.site_profile.current import load_name

NAMESPACES = (TRIBE, TEC, WP)
# The patterns of the URLs of each namespace.
Patterns = dict[str, Callable[[], list[Any]]]

CONTEXT = Argument(TEXT, _("Accepted for compatibility, but has no effect."), default="view")


class RootView(OriginalView):
    """The site, its namespaces, and every route of them."""

    patterns: Callable[[], Patterns] = dict

    def get(self, request: Request, **path: str) -> Response:
        self.ignore_arguments_except(self.get_arguments("GET"))
        site = self.urls.site
        root = {
            "name": load_name(),
            "description": "",
            "url": site,
            "home": site,
            "gmt_offset": _offset_now(),
            "timezone_string": settings.SITE_TIME_ZONE,
            "page_for_posts": 0,
            "page_on_front": 0,
            "show_on_front": "posts",
            "site_logo": 0,
            "site_icon": 0,
            "site_icon_url": "",
            "namespaces": list(NAMESPACES),
            "authentication": {
                "application-passwords": {"endpoints": {"authorization": f"{site}{_authorization_path()}"}}
            },
            "routes": self._routes() if self.selection.includes("routes") else {},
            "_links": {"self": [{"href": f"{self.urls.rest}/"}], "help": [{"href": self.urls.docs or f"{site}/"}]},
        }
        return Response(self.selection.apply(root))

    def _routes(self) -> dict[str, Any]:
        """Return the routes of all namespaces by their patterns, the root first."""
        routes = {"/": _describe_root(self, "", f"{self.urls.rest}/")}
        for namespace, patterns in self.patterns().items():
            routes[f"/{namespace}"] = _describe_root(self, namespace, f"{self.urls.rest}/{namespace}")
            routes |= namespace_routes(patterns, namespace, self.urls.rest, current_context())
        return routes

    def get_arguments(self, method: str) -> Arguments:
        return {"context": CONTEXT}


class NamespaceView(OriginalView):
    """The routes of one namespace."""

    patterns: Callable[[], list[Any]] = list

    def get(self, request: Request, **path: str) -> Response:
        self.ignore_arguments_except(self.get_arguments("GET"))
        namespace, rest = self.namespace, self.urls.rest
        routes = {
            f"/{namespace}": _describe_root(self, namespace, f"{rest}/{namespace}"),
            **namespace_routes(self.patterns, namespace, rest, current_context()),
        }
        index = {"namespace": namespace, "routes": routes, "_links": {"up": [{"href": f"{rest}/"}]}}
        return Response(self.selection.apply(index))

    def get_arguments(self, method: str) -> Arguments:
        return {
            "namespace": Argument(TEXT, _("The API namespace. Only the default is accepted."), default=self.namespace),
            "context": CONTEXT,
        }


@lru_cache(maxsize=64)
def namespace_routes(
    patterns: Callable[[], list[Any]], namespace: str, rest_url: str, _context: Context
) -> dict[str, Any]:
    """Return the routes of a namespace by their patterns. `_context` is only part of the cache key."""
    index = build_index(patterns, f"{REST_PATH}/{namespace}", namespace, f"{rest_url}/{namespace}", _context)
    return {path: route for path, route in index["routes"].items() if path != f"/{namespace}"}


def _describe_root(view: OriginalView, namespace: str, url: str) -> dict[str, Any]:
    args = {name: argument.as_index_entry() for name, argument in view.get_arguments("GET").items()}
    return {
        "namespace": namespace,
        "methods": ["GET"],
        "endpoints": [{"methods": ["GET"], "args": args}],
        "_links": {"self": [{"href": url}]},
    }


def _offset_now() -> int | float:
    """Return the offset of the site's zone in hours, at noon of the current day."""
    tz = site_zone().tz
    offset = datetime.combine(clock.today(tz), time(12), tz).utcoffset()
    hours = offset.total_seconds() / 3600 if offset else 0
    return int(hours) if hours == int(hours) else hours


def _authorization_path() -> str:
    return f"/{reverse('authorize-application').lstrip('/')}"
