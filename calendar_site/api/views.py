"""The base class of all views of the API."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar
from urllib.parse import quote

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from calendar_site.api.description.arguments import Arguments
from calendar_site.api.description.components import Text
from calendar_site.api.description.operations import WRITE_METHODS, Operation, common_errors
from calendar_site.api.errors import ContractError, RouteNotFound
from calendar_site.api.input.parsers import read_arguments
from calendar_site.api.output.selection import Selection
from calendar_site.api.site_urls import SiteURLs, urls_for
from calendar_site.api.throttles import usage_headers
from calendar_site.core.http.request_context import set_request_user

# Arguments of every route; the last is part of forms that a session protects.
COMMON_ARGUMENTS = {"_fields", "_method", "csrfmiddlewaretoken"}
# Limits of `X-Ignored-Fields`.
MAX_IGNORED_NAMES = 20
MAX_NAME_LENGTH = 50


class ContractView(APIView):
    """A view with the contract's order of errors: authentication, arguments, route, permission (D17).

    It describes itself for the index and the OpenAPI document.
    """

    # The text below the heading of its operations in the document.
    tag_description: ClassVar[Text] = _("The index of endpoints and the OpenAPI document.")

    http_method_names = ["get", "post", "put", "patch", "delete", "head", "options"]
    arguments: dict[str, Any]
    # The names of arguments that have no meaning here (D12).
    ignored_arguments: tuple[str, ...] = ()

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        override_method(request)
        return super().initialize_request(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        self.format_kwarg = None
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        try:
            self.perform_authentication(request)
            set_request_user(request.user)
        except Exception:
            # Accessing the user later must not raise the error again.
            request.user = AnonymousUser()
            raise
        finally:
            # Wrong credentials count too. Otherwise, they could be guessed without a limit.
            self.check_throttles(request)
        self.arguments = read_arguments(request, in_body=request.method in WRITE_METHODS)
        if request.method not in self.allowed_methods:
            raise RouteNotFound
        self.check_permissions(request)

    @cached_property
    def throttles(self) -> list[Any]:
        """The throttles of this request, which know how much of each rate has been used."""
        return super().get_throttles()

    def get_throttles(self) -> list[Any]:
        return self.throttles

    @cached_property
    def urls(self) -> SiteURLs:
        return urls_for(self.request, self.kwargs["api_base"])

    @property
    def namespace(self) -> str:
        """The requested name of the API: the last three segments of its base."""
        return "/".join(self.kwargs["api_base"].split("/")[-3:])

    @cached_property
    def selection(self) -> Selection:
        return Selection.parse(self.arguments.get("_fields"))

    def ignore_arguments_except(self, *known: Iterable[str]) -> None:
        """Report all arguments as ignored except these and the arguments of every route."""
        names = COMMON_ARGUMENTS.union(*known)
        self.ignored_arguments = tuple(name for name in self.arguments if name not in names)

    def documented_methods(self) -> list[str]:
        """Return the methods that the contract names for this route."""
        return [method for method in self.allowed_methods if method not in ("HEAD", "OPTIONS")]

    def methods_of_user(self) -> Iterable[str]:
        """Return the documented methods that the user may use."""
        return self.documented_methods()

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Allow"] = ", ".join(self.methods_of_user())
        response["Link"] = ", ".join(filter(None, (response.get("Link"), self.urls.link_header)))
        patch_vary_headers(response, ["Authorization", "Cookie"])
        usages = (throttle.usage for throttle in self.throttles if throttle.usage)
        for name, value in usage_headers(usages).items():
            # An error may have those of another rate.
            response.headers.setdefault(name, value)
        # With the password of an event, the response depends on more than the user.
        if request.user.is_authenticated or "password" in request.query_params:
            response["Cache-Control"] = "private, no-store"
        self.report_ignored_arguments(response)
        if isinstance(response, Response):
            response.add_post_render_callback(forget_view)
        return response

    def report_ignored_arguments(self, response: Response) -> None:
        """Set the header `X-Ignored-Fields`."""
        if self.ignored_arguments:
            response["X-Ignored-Fields"] = ", ".join(
                quote(name[:MAX_NAME_LENGTH], safe="[]") for name in self.ignored_arguments[:MAX_IGNORED_NAMES]
            )

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        raise RouteNotFound

    # --- Description

    def get_tag(self) -> str:
        """Return the heading of its operations in the document."""
        return "api"

    def get_path_arguments(self) -> Arguments:
        """Return the arguments in the path."""
        return {}

    def get_arguments(self, method: str) -> Arguments:
        """Return the other arguments of `method`, in the query or in the body."""
        return {}

    def get_operation(self, method: str) -> Operation:
        raise NotImplementedError

    def get_errors(self, method: str) -> list[ContractError]:
        """Return the errors that `method` may respond with, each as an example of itself."""
        return common_errors()


def forget_view(response: Response) -> None:
    """Remove the references between a rendered response and its view.

    They are cycles: the body would stay in memory until the next garbage collection (docs/speed.md, memory).
    """
    # Any, because Django REST framework sets the attributes after it has made the response.
    rendered: Any = response
    del rendered.renderer_context["view"].response
    del rendered.renderer_context


class UnknownRoute(ContractView):
    """The view of all other paths below the API's root: 404 if credentials and body are valid."""

    # Empty: otherwise, Django REST framework would respond to OPTIONS.
    http_method_names = []


def override_method(request: HttpRequest) -> None:
    """Replace the method of a POST with the one in a header or in the query, for clients that can only send POST."""
    if request.method == "POST":
        method = request.headers.get("X-HTTP-Method-Override") or request.GET.get("_method")
        if method:
            request.method = method.upper()
