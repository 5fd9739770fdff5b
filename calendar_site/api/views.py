"""What every view of the API does before and after its own work."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any
from urllib.parse import quote

from django.contrib.auth.models import AnonymousUser
from django.utils.cache import patch_vary_headers
from rest_framework.response import Response
from rest_framework.views import APIView

from calendar_site.api.errors import NoRoute
from calendar_site.api.links import Links, links_for
from calendar_site.api.operations import WRITES, Described
from calendar_site.api.parsers import read_arguments
from calendar_site.api.selection import Selection

# Arguments that every address understands; the last is what a form of the admin's session carries.
COMMON = {"_fields", "_method", "csrfmiddlewaretoken"}
MOST_NAMES = 20
LONGEST_NAME = 50


class ContractView(Described, APIView):
    """A view in the contract's order: account, readable request, route, right to do such a thing at all (D17)."""

    http_method_names = ["get", "post", "put", "patch", "delete", "head", "options"]
    arguments: dict[str, Any]
    # Names of arguments that meant nothing here (D12).
    ignored: tuple[str, ...] = ()

    def initialize_request(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        override_method(request)
        return super().initialize_request(request, *args, **kwargs)

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        self.format_kwarg = None
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        try:
            self.perform_authentication(request)
        except Exception:
            # Nobody, from here on: whoever asks again for the user must not meet the fault again.
            request.user = AnonymousUser()
            raise
        finally:
            # Wrong credentials count as well, or they could be guessed without a limit.
            self.check_throttles(request)
        self.arguments = read_arguments(request, in_body=request.method in WRITES)
        if request.method not in self.allowed_methods:
            raise NoRoute
        self.check_permissions(request)

    @cached_property
    def links(self) -> Links:
        return links_for(self.request, self.kwargs["api_base"])

    @property
    def namespace(self) -> str:
        """The name under which the API was asked for: three segments, without what stands before them."""
        return "/".join(self.kwargs["api_base"].split("/")[-3:])

    @cached_property
    def selection(self) -> Selection:
        return Selection.of(self.arguments.get("_fields"))

    def note_ignored(self, *known: Iterable[str]) -> None:
        """Notes the arguments that meant nothing: neither what every address understands nor `known`."""
        names = COMMON.union(*known)
        self.ignored = tuple(name for name in self.arguments if name not in names)

    def methods(self) -> list[str]:
        """The methods that the contract names for this address."""
        return [method for method in self.allowed_methods if method not in ("HEAD", "OPTIONS")]

    def methods_allowed(self) -> Iterable[str]:
        """Those of them that the caller may use."""
        return self.methods()

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Allow"] = ", ".join(self.methods_allowed())
        response["Link"] = ", ".join(filter(None, (response.get("Link"), self.links.way_in)))
        patch_vary_headers(response, ["Authorization", "Cookie"])
        if request.user.is_authenticated:
            response["Cache-Control"] = "private, no-store"
        if self.ignored:
            response["X-Ignored-Fields"] = ", ".join(
                quote(name[:LONGEST_NAME], safe="[]") for name in self.ignored[:MOST_NAMES]
            )
        return response

    def http_method_not_allowed(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        raise NoRoute


class UnknownRoute(ContractView):
    """Every address below the API's that is none: 404, after the account and the body were looked at."""

    # Not even OPTIONS, which Django REST framework would answer anywhere.
    http_method_names = []


def override_method(request: Any) -> None:
    """A POST may stand for another method, by a header or in the query; for clients that can only POST."""
    if request.method == "POST":
        wanted = request.headers.get("X-HTTP-Method-Override") or request.GET.get("_method")
        if wanted:
            request.method = wanted.upper()
