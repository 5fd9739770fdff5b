"""The namespace index and the response to `OPTIONS`: every route with its methods and their arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.metadata import BaseMetadata
from rest_framework.request import Request

from calendar_site.api.description.arguments import Context
from calendar_site.api.description.components import (
    BOOLEAN,
    TEXT,
    URL,
    Component,
    JSONSchema,
    described,
    object_schema,
)
from calendar_site.api.description.endpoints import endpoints_in
from calendar_site.api.description.operations import DescribedView
from calendar_site.configuration.version import VERSION

ENDPOINT = Component(
    "Endpoint",
    object_schema(
        {
            "methods": described({"type": "array", "items": TEXT}, _("The HTTP methods that accept these parameters.")),
            "args": {
                "type": "object",
                "additionalProperties": {
                    **object_schema({"required": BOOLEAN, "description": TEXT}),
                    "additionalProperties": True,
                },
                "description": _("The parameters by name, each described in JSON Schema."),
            },
        }
    ),
)
LINKS = {
    **object_schema({"self": {"type": "array", "items": object_schema({"href": URL})}}),
    "description": _("A link to this route. Absent if its path contains parameters."),
}
ROUTE = Component(
    "Route",
    object_schema(
        {
            "namespace": described(TEXT, _("The namespace of the route.")),
            "methods": described({"type": "array", "items": TEXT}, _("The HTTP methods of the route.")),
            "endpoints": {"type": "array", "items": ENDPOINT},
            "_links": LINKS,
        },
        optional=("_links",),
    ),
)
INDEX = Component(
    "Index",
    object_schema(
        {
            "namespace": described(TEXT, _("The namespace that this index describes.")),
            "version": described(TEXT, _("The version of this service, such as 1.0.0.")),
            "routes": {
                "type": "object",
                "additionalProperties": ROUTE,
                "description": _("The routes, by path pattern."),
            },
            "_links": LINKS,
        }
    ),
)


@lru_cache(maxsize=64)
def build_index(
    patterns: Callable[[], list[Any]], api_base: str, namespace: str, api_url: str, _context: Context
) -> JSONSchema:
    """Return the index of the API with these URL patterns. `_context` is only part of the cache key."""
    routes = {}
    for endpoint in endpoints_in(patterns(), api_base):
        route = describe_route(endpoint.view, endpoint.methods, namespace)
        if not endpoint.view.get_path_arguments():
            route["_links"] = _self_link(_join(api_url, endpoint.pattern))
        routes["/" + _join(namespace, endpoint.pattern)] = route
    return {"namespace": namespace, "version": VERSION, "routes": routes, "_links": _self_link(api_url)}


def describe_route(view: DescribedView, methods: list[str], namespace: str) -> JSONSchema:
    """Return the description of a route. Methods with the same arguments, such as PUT and PATCH, are one endpoint."""
    endpoints: list[JSONSchema] = []
    for method in methods:
        # An event's slug is a part of the path and a field; the field overrides the part.
        arguments = view.get_path_arguments() | view.get_arguments(method)
        args = {name: argument.as_index_entry() for name, argument in arguments.items()}
        if endpoints and endpoints[-1]["args"] == args:
            endpoints[-1]["methods"].append(method)
        else:
            endpoints.append({"methods": [method], "args": args})
    return {"namespace": namespace, "methods": methods, "endpoints": endpoints}


class RouteMetadata(BaseMetadata):
    """The response to `OPTIONS`: the methods of a route and the arguments of each."""

    def determine_metadata(self, request: Request, view: Any) -> JSONSchema:
        route: JSONSchema = view.selection.apply(describe_route(view, view.documented_methods(), view.namespace))
        return route


def _join(root: str, pattern: str) -> str:
    return f"{root}/{pattern}" if pattern else root


def _self_link(url: str) -> JSONSchema:
    return {"self": [{"href": url}]}
