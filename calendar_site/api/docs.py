"""The description of the API in the terms of OpenAPI, read off the routers, filter sets and serializers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from rest_framework.response import Response

from calendar_site.api.endpoints import endpoints_in
from calendar_site.api.schema import Argument, object_of
from calendar_site.api.views import WRITES, ContractView


class DocView(ContractView):
    """An OpenAPI 3.1 document of every route, its methods and what they take."""

    patterns: Callable[[], list[Any]] = list

    def get(self, request: Any, **path: Any) -> Response:
        paths = {
            _template(pattern): {method.lower(): _operation(view, method) for method in methods}
            for pattern, view, methods in endpoints_in(self.patterns(), self.kwargs["api_base"])
        }
        document = {
            "openapi": "3.1.0",
            "info": {"title": settings.SITE_NAME, "version": self.namespace.rsplit("/", 1)[-1]},
            "servers": [{"url": self.links.api}],
            "paths": paths,
        }
        return Response(self.selection.cut(document))


def _template(pattern: str) -> str:
    return "/" + re.sub(r"\(\?P<(\w+)>[^)]*\)", r"{\1}", pattern)


def _operation(view: Any, method: str) -> dict[str, Any]:
    own = view.arguments_of(method)
    in_query = {} if method in WRITES else own
    operation: dict[str, Any] = {
        "parameters": [
            *(_parameter(name, given, "path") for name, given in view.path_arguments().items()),
            *(_parameter(name, given, "query") for name, given in in_query.items()),
        ],
        "responses": {"default": {"description": "JSON"}},
    }
    if method in WRITES:
        operation["requestBody"] = {"content": {"application/json": {"schema": object_of(own)}}}
    return operation


def _parameter(name: str, given: Argument, place: str) -> dict[str, Any]:
    return {"name": name, "in": place, "required": given.is_required, "schema": given.as_schema()}
