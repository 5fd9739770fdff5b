"""The description of the API in the terms of OpenAPI."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _
from rest_framework.response import Response

from calendar_site.api.components import TEXT, object_of
from calendar_site.api.links import Links
from calendar_site.api.openapi import describe_api
from calendar_site.api.operations import Operation
from calendar_site.api.schema import circumstances
from calendar_site.api.views import ContractView

ANYTHING = {"type": "object"}
DOCUMENT = {
    **object_of({"openapi": TEXT, "info": ANYTHING, "paths": ANYTHING, "components": ANYTHING}),
    "additionalProperties": True,
}
JSON, HTML = "application/json", "text/html"


class DocView(ContractView):
    """The OpenAPI document, or `page` for a browser. `patterns` answers the URL patterns below the API's root."""

    patterns: Callable[[], list[Any]] = list
    page: Callable[[HttpRequest, Links], HttpResponseBase] | None = None

    def get(self, request: Any, **path: Any) -> HttpResponseBase:
        # Whoever takes both as gladly is a program.
        if self.page and request._request.get_preferred_type([JSON, HTML]) == HTML:
            return self.page(request._request, self.links)
        self.note_ignored(self.arguments_of("GET"))
        version = self.namespace.rpartition("/")[2]
        document = describe_api(self.patterns, self.kwargs["api_base"], version, circumstances())
        return Response(self.selection.cut(document | {"servers": [{"url": self.links.api}]}))

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(*args, **kwargs)
        patch_vary_headers(response, ["Accept"])
        return response

    def operation_of(self, method: str) -> Operation:
        return Operation("read_document", _("Read this document"), DOCUMENT, is_page=True)
