"""The OpenAPI document of `tec/v1`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import orjson
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.api.description.arguments import Context, arguments_schema, current_context
from calendar_site.api.description.components import TEXT, JSONSchema
from calendar_site.api.description.endpoints import Endpoint, endpoints_in
from calendar_site.api.description.openapi import VERSION, DocumentBuilder, path_template
from calendar_site.compatibility.addresses import TEC, TRIBE_BASE
from calendar_site.compatibility.tec.views import ACKNOWLEDGEMENT
from calendar_site.compatibility.views import OriginalView

ACKNOWLEDGEMENT_PARAMETER = {
    "name": ACKNOWLEDGEMENT,
    "in": "header",
    "required": True,
    "description": _("Send the header X-TEC-EEA to acknowledge that this API may change."),
    "schema": TEXT,
}
BASIC = {"type": "http", "scheme": "basic"}
# Methods whose arguments are in the query.
IN_QUERY = {"GET", "DELETE"}


class TecDocument(OriginalView):
    """The document is for those who do not know the API yet, so it needs no acknowledgement."""

    original_namespace = TEC
    # Returns the URL patterns of the namespace.
    patterns: Callable[[], list[Any]] = list

    def get(self, request: Request, **path: str) -> Response:
        self.ignore_arguments_except()
        document = _build_document(self.patterns, current_context()) | {"servers": [{"url": self.urls.tec}]}
        return Response(self.selection.apply(document))


@lru_cache(maxsize=32)
def _build_document(patterns: Callable[[], list[Any]], _context: Context) -> dict[str, Any]:
    """Return the document of these URL patterns, without `servers`. `_context` is only part of the cache key."""
    builder = DocumentBuilder()
    builder.reference("securitySchemes", "basic", BASIC)
    document = {
        "openapi": VERSION,
        "info": {"title": TEC, "version": "1.0.0"},
        "paths": {
            path_template(endpoint.pattern): _path_item(endpoint, builder)
            for endpoint in endpoints_in(patterns(), TRIBE_BASE)
            if endpoint.pattern
        },
        "components": builder.components,
    }
    # Resolve lazy texts in the current language: the document is cached.
    resolved: dict[str, Any] = orjson.loads(orjson.dumps(document, default=str))
    return resolved


def _path_item(endpoint: Endpoint, builder: DocumentBuilder) -> JSONSchema:
    return {method.lower(): _operation(endpoint, method, builder) for method in endpoint.methods}


def _operation(endpoint: Endpoint, method: str, builder: DocumentBuilder) -> JSONSchema:
    arguments, in_query = endpoint.view.get_arguments(method), method in IN_QUERY
    operation: JSONSchema = {
        "operationId": _operation_id(endpoint, method),
        "parameters": [
            *builder.parameters("path", endpoint.view.get_path_arguments()),
            *builder.parameters("query", arguments if in_query else {}),
            builder.reference("parameters", "Acknowledgement", ACKNOWLEDGEMENT_PARAMETER),
        ],
        "security": [{}, {"basic": []}] if method == "GET" else [{"basic": []}],
        "responses": {"201" if method == "POST" else "200": {"description": _("The result of the request.")}},
    }
    if not in_query:
        schema = builder.with_references(arguments_schema(arguments))
        operation["requestBody"] = {"content": {"application/json": {"schema": schema}}}
    return operation


def _operation_id(endpoint: Endpoint, method: str) -> str:
    name, _slash, item = endpoint.pattern.partition("/")
    return f"{method.lower()}{name.capitalize()}{'Item' if item else ''}"
