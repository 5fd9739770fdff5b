"""The routes of a resource, each with and without a trailing slash."""

from __future__ import annotations

from typing import Any

from rest_framework.routers import Route, SimpleRouter

ITEM = {"get": "retrieve", "post": "update", "put": "update", "patch": "update", "delete": "destroy"}
LIST_ROUTE = Route(
    url=r"^{prefix}/?$",
    mapping={"get": "list", "post": "create"},
    name="{basename}-list",
    detail=False,
    initkwargs={},
)
ID_ROUTE = Route(url=r"^{prefix}/(?P<id>[0-9]+)/?$", mapping=ITEM, name="{basename}-detail", detail=True, initkwargs={})
SLUG_ROUTE = Route(
    url=r"^{prefix}/by-slug/(?P<slug>[^/]+)/?$",
    mapping=ITEM,
    name="{basename}-by-slug",
    detail=True,
    initkwargs={"lookup_field": "slug"},
)


class ContractRouter(SimpleRouter):
    def get_routes(self, viewset: type[Any]) -> list[Route]:
        return [LIST_ROUTE, ID_ROUTE, *([SLUG_ROUTE] if viewset.has_slug_routes else [])]
