"""The namespace index: what the API consists of, read off the routers, filter sets and serializers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rest_framework.response import Response

from calendar_site.api.errors import UnknownNamespace
from calendar_site.api.schema import describe_route
from calendar_site.api.views import ContractView

# How the contract's clients know a digit in the pattern of an address.
DIGIT = r"\d"


class ResourcesView(ContractView):
    """A view about the resources as a whole. `routers` are theirs."""

    routers: tuple[Any, ...] = ()

    def resource_routes(self) -> Iterator[tuple[str, Any, list[str]]]:
        """The address pattern of each route, a view for it, and its methods."""
        for router in self.routers:
            for prefix, viewset, _name in router.registry:
                for route in router.get_routes(viewset):
                    view = viewset(detail=route.detail, **route.initkwargs)
                    pattern = route.url.format(prefix=prefix, trailing_slash="").strip("^$").removesuffix("/?")
                    yield pattern, view, [method.upper() for method in route.mapping]


class IndexView(ResourcesView):
    """The namespace and all its routes."""

    def get(self, request: Any, **path: Any) -> Response:
        if self.arguments.get("namespace", self.namespace) != self.namespace:
            raise UnknownNamespace
        root = f"/{self.namespace}"
        routes = {root: describe_route(self, self.methods(), self.namespace)}
        for pattern, view, methods in self.resource_routes():
            address = f"{root}/{pattern.replace('[0-9]', DIGIT)}"
            routes[address] = describe_route(view, methods, self.namespace)
        return Response(self.selection.cut({"namespace": self.namespace, "routes": routes}))

    def arguments_of(self, method: str) -> dict[str, Any]:
        return {
            "namespace": {"required": False, "type": "string", "default": self.namespace},
            "context": {"required": False, "type": "string", "default": "view"},
        }
