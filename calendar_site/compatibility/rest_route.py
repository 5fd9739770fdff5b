"""Other addresses of the original's API: `?rest_route=/wp/v2/users/me` under any path, and `/index.php/wp-json/`."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase

from calendar_site.compatibility.addresses import REST_PATH

GetResponse = Callable[[HttpRequest], HttpResponseBase]

PARAMETER = "rest_route"
INDEX_PATH = "/index.php"


def rest_route(get_response: GetResponse) -> GetResponse:
    """Let a request for such an address continue as a request for the route itself."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        route = _requested_route(request)
        if route is not None:
            _move(request, f"/{REST_PATH}{route}")
        elif request.path_info.startswith(f"{INDEX_PATH}/{REST_PATH}"):
            _move(request, request.path_info.removeprefix(INDEX_PATH))
        elif request.path_info == INDEX_PATH:
            _move(request, "/")
        return get_response(request)

    return middleware


def _requested_route(request: HttpRequest) -> str | None:
    """Return the route in the query, None without one. One that does not begin with a slash is no route."""
    if PARAMETER not in request.META.get("QUERY_STRING", ""):
        return None
    route = request.GET.get(PARAMETER)
    return (route if route.startswith("/") else f"//{route}") if route else None


def _move(request: HttpRequest, path: str) -> None:
    """Change the path of the request, and take the route out of its query."""
    query: QueryDict = request.GET.copy()
    query.pop(PARAMETER, None)
    request.META["QUERY_STRING"] = query.urlencode()
    request.META["PATH_INFO"] = path
    request.path_info = path
    request.path = f"{request.META.get('SCRIPT_NAME', '').rstrip('/')}{path}"
    # Computed from the query string once.
    request.__dict__.pop("GET", None)
