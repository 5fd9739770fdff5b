"""The namespace index: what the API consists of, and what each of its addresses takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.response import Response

from calendar_site.api.components import ADDRESS, BOOLEAN, TEXT, Component, described, object_of
from calendar_site.api.endpoints import endpoints_in
from calendar_site.api.errors import ContractError, UnknownNamespace
from calendar_site.api.operations import Operation
from calendar_site.api.schema import Argument, Arguments, circumstances, describe_route
from calendar_site.api.views import ContractView

ENDPOINT = Component(
    "Endpoint",
    object_of(
        {
            "methods": described({"type": "array", "items": TEXT}, _("The methods that take these arguments.")),
            "args": {
                "type": "object",
                "additionalProperties": {
                    **object_of({"required": BOOLEAN, "description": TEXT}),
                    "additionalProperties": True,
                },
                "description": _("The arguments by their names, each in the terms of JSON Schema."),
            },
        }
    ),
)
LINKS = {
    **object_of({"self": {"type": "array", "items": object_of({"href": ADDRESS})}}),
    "description": _("Where this is, unless the address has a part to fill in."),
}
ROUTE = Component(
    "Route",
    object_of(
        {
            "namespace": described(TEXT, _("The namespace of the address.")),
            "methods": described({"type": "array", "items": TEXT}, _("The methods of the address.")),
            "endpoints": {"type": "array", "items": ENDPOINT},
            "_links": LINKS,
        },
        optional=("_links",),
    ),
)
INDEX = Component(
    "Index",
    object_of(
        {
            "namespace": described(TEXT, _("The namespace that this is the index of.")),
            "routes": {
                "type": "object",
                "additionalProperties": ROUTE,
                "description": _("The addresses by their patterns."),
            },
            "_links": LINKS,
        }
    ),
)


class IndexView(ContractView):
    """The namespace and all its routes. `patterns` answers the URL patterns below the API's root."""

    patterns: Callable[[], list[Any]] = list

    def get(self, request: Any, **path: Any) -> Response:
        if self.arguments.get("namespace", self.namespace) != self.namespace:
            raise UnknownNamespace
        self.note_ignored(self.arguments_of("GET"))
        api_base = self.kwargs["api_base"]
        routes = _routes(self.patterns, api_base, self.namespace, self.links.api, circumstances())
        index = {"namespace": self.namespace, "routes": routes, "_links": _link_to(self.links.api)}
        return Response(self.selection.cut(index))

    def operation_of(self, method: str) -> Operation:
        return Operation("read_index", _("Read the index"), INDEX)

    def errors_of(self, method: str) -> list[ContractError]:
        return [*super().errors_of(method), UnknownNamespace()]

    def arguments_of(self, method: str) -> Arguments:
        text = {"type": "string"}
        return {
            "namespace": Argument(text, _("The namespace that is meant; there is no other."), default=self.namespace),
            "context": Argument(
                text, _("Taken for the sake of programs that send it; it changes nothing."), default="view"
            ),
        }


@lru_cache(maxsize=64)
def _routes(
    patterns: Callable[[], list[Any]], api_base: str, namespace: str, api: str, _circumstances: Any
) -> dict[str, Any]:
    """The patterns of all addresses, as the contract's clients know them, and what is said of each."""
    routes = {}
    for endpoint in endpoints_in(patterns(), api_base):
        described = describe_route(endpoint.view, endpoint.methods, namespace)
        if not endpoint.view.path_arguments():
            described["_links"] = _link_to(_below(api, endpoint.pattern))
        routes["/" + _below(namespace, endpoint.pattern)] = described
    return routes


def _below(root: str, pattern: str) -> str:
    return f"{root}/{pattern}" if pattern else root


def _link_to(address: str) -> dict[str, Any]:
    return {"self": [{"href": address}]}
