"""The description of the API in the terms of OpenAPI, read off the routers, filter sets and serializers."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from rest_framework.response import Response

from calendar_site.api.index import ResourcesView

IN_PATH = {"id", "slug"}
READS = ("GET", "DELETE")


class DocView(ResourcesView):
    """An OpenAPI 3.1 document of every route, its methods and what they take."""

    def get(self, request: Any, **path: Any) -> Response:
        paths = {
            _template(pattern): {method.lower(): _operation(view, method) for method in methods}
            for pattern, view, methods in self.resource_routes()
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
    arguments = view.arguments_of(method)
    in_body = {} if method in READS else {name: args for name, args in arguments.items() if name not in IN_PATH}
    operation: dict[str, Any] = {
        "tags": [view.collection],
        "parameters": [_parameter(name, given) for name, given in arguments.items() if name not in in_body],
        "responses": {"201" if method == "POST" and not view.detail else "200": {"description": view.kind}},
    }
    if in_body:
        schema = {
            "type": "object",
            "properties": {name: _schema(given) for name, given in in_body.items()},
            "required": [name for name, given in in_body.items() if given["required"]],
        }
        operation["requestBody"] = {"content": {"application/json": {"schema": schema}}}
    return operation


def _parameter(name: str, given: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "in": "path" if name in IN_PATH else "query",
        "required": given["required"],
        "schema": _schema(given),
    }


def _schema(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name != "required"}
