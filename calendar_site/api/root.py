"""The views at the root of the API: the namespace index and the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request
from rest_framework.response import Response

from calendar_site.api.description.arguments import Argument, Arguments, current_context
from calendar_site.api.description.components import TEXT, object_schema
from calendar_site.api.description.index import INDEX, build_index
from calendar_site.api.description.openapi import build_document
from calendar_site.api.description.operations import Authentication, Operation
from calendar_site.api.errors import ContractError, UnknownNamespace
from calendar_site.api.site_urls import SiteURLs
from calendar_site.api.views import ContractView

OBJECT = {"type": "object"}
DOCUMENT = {
    **object_schema({"openapi": TEXT, "info": OBJECT, "paths": OBJECT, "components": OBJECT}),
    "additionalProperties": True,
}
JSON, HTML = "application/json", "text/html"


class IndexView(ContractView):
    """The namespace and all its routes. `patterns` returns the URL patterns below the API's root."""

    patterns: Callable[[], list[Any]] = list

    def get(self, request: Request, **path: str) -> Response:
        if self.arguments.get("namespace", self.namespace) != self.namespace:
            raise UnknownNamespace
        self.ignore_arguments_except(self.get_arguments("GET"))
        index = build_index(self.patterns, self.kwargs["api_base"], self.namespace, self.urls.api, current_context())
        return Response(self.selection.apply(index))

    def get_operation(self, method: str) -> Operation:
        return Operation(
            "getIndex",
            _("Get the index"),
            INDEX,
            description=_("Returns every route with its methods and their parameters."),
            authentication=Authentication.NONE,
        )

    def get_errors(self, method: str) -> list[ContractError]:
        return [*super().get_errors(method), UnknownNamespace()]

    def get_arguments(self, method: str) -> Arguments:
        return {
            "namespace": Argument(TEXT, _("The API namespace. Only the default is accepted."), default=self.namespace),
            "context": Argument(TEXT, _("Accepted for compatibility, but has no effect."), default="view"),
        }


class DocView(ContractView):
    """The OpenAPI document, or, for a browser, the response of `page`. See IndexView for `patterns`."""

    patterns: Callable[[], list[Any]] = list
    page: Callable[[HttpRequest, SiteURLs], HttpResponseBase] | None = None
    # Django's own request, which views of HTML pages take.
    http_request: HttpRequest

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        self.http_request = request

    def get(self, request: Request, **path: str) -> HttpResponseBase:
        # Clients without a preference get JSON.
        if self.page and request.get_preferred_type([JSON, HTML]) == HTML:
            return self.page(self.http_request, self.urls)
        self.ignore_arguments_except(self.get_arguments("GET"))
        version = self.namespace.rpartition("/")[2]
        document = build_document(self.patterns, self.kwargs["api_base"], version, current_context())
        # Not cached with the document, because they depend on the host of the request.
        contact = {"name": settings.SITE_NAME, "url": f"{self.urls.site}/"}
        places: dict[str, Any] = {
            "info": document["info"] | {"contact": contact},
            "servers": [{"url": self.urls.api}],
        }
        if self.urls.docs:
            places["externalDocs"] = {"url": self.urls.docs, "description": str(_("Documentation"))}
        return Response(self.selection.apply(document | places))

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(*args, **kwargs)
        patch_vary_headers(response, ["Accept"])
        return response

    def get_operation(self, method: str) -> Operation:
        return Operation(
            "getDocument",
            _("Get the OpenAPI document"),
            DOCUMENT,
            description=_("Returns this document. Browsers get a page on which you can call every operation."),
            authentication=Authentication.NONE,
            is_page=True,
        )
