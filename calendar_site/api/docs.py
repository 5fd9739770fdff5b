"""The description of the API in the terms of OpenAPI."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.response import Response

from calendar_site.api.components import TEXT, object_of
from calendar_site.api.openapi import describe_api
from calendar_site.api.operations import Operation
from calendar_site.api.schema import circumstances
from calendar_site.api.views import ContractView

ANYTHING = {"type": "object"}
DOCUMENT = {
    **object_of({"openapi": TEXT, "info": ANYTHING, "paths": ANYTHING, "components": ANYTHING}),
    "additionalProperties": True,
}


class DocView(ContractView):
    """The OpenAPI document. `patterns` answers the URL patterns below the API's root."""

    patterns: Callable[[], list[Any]] = list

    def get(self, request: Any, **path: Any) -> Response:
        version = self.namespace.rpartition("/")[2]
        document = describe_api(self.patterns, self.kwargs["api_base"], version, circumstances())
        return Response(self.selection.cut(document | {"servers": [{"url": self.links.api}]}))

    def operation_of(self, method: str) -> Operation:
        return Operation("read_document", _("Read this document"), DOCUMENT)
