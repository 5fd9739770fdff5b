"""The OpenAPI document, made of what the views say of themselves (`operations.py`) by drf-spectacular."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent

from calendar_site.api.components import ERROR, TEXT, Component
from calendar_site.api.endpoints import Endpoint, endpoints_in
from calendar_site.api.errors import ContractError, error_body
from calendar_site.api.operations import WRITES, Body, Described, Example, Operation
from calendar_site.api.schema import Arguments, object_of

JSON = "application/json"
URL_FORM, FILE_FORM = "application/x-www-form-urlencoded", "multipart/form-data"
FILE = {"type": "string", "format": "binary"}

FIELDS_PARAMETER = {
    "name": "_fields",
    "in": "query",
    "description": _(
        "The keys that are wanted, with commas between and dots into objects: id,title,venue.city; on a list "
        "total,events.id. The answer then has these alone."
    ),
    "schema": TEXT,
}
HEADERS: dict[str, Any] = {
    "X-TEC-Total": {"description": _("How many records the list has."), "schema": {"type": "integer"}},
    "X-TEC-TotalPages": {"description": _("How many pages the list has."), "schema": {"type": "integer"}},
    "Link": {
        "description": _("Leads to the index and to this document, from lists to the next page and the one before."),
        "schema": TEXT,
    },
    "X-Ignored-Fields": {
        "description": _("The arguments that mean nothing here, where there are such."),
        "schema": TEXT,
    },
    "WWW-Authenticate": {"description": _("How to sign in."), "schema": TEXT},
    "Retry-After": {
        "description": _("The number of seconds after which it is worth another try."),
        "schema": {"type": "integer"},
    },
}
HEADERS_OF_ERRORS = {401: ["WWW-Authenticate"], 429: ["Retry-After"], 503: ["Retry-After"]}

INTRODUCTION = (
    _("Reading needs no account. To write, sign in with the name of an account and one of its application passwords."),
    _(
        "Dates are written 2027-03-10 18:00:00, on the clock of the event's time zone or of the site's; many other "
        "spellings are understood."
    ),
    _(
        "Bodies are JSON, or forms with the same fields. Reading a record and sending it back changes nothing: each "
        "field takes what it answers, and null where it can be empty."
    ),
    _(
        "An error has a code for programs, a message for people, and the status again in data. All faults of a "
        "request are told at once."
    ),
    _("Clients that can only POST name another method in the header X-HTTP-Method-Override."),
)


@lru_cache(maxsize=32)
def describe_api(patterns: Callable[[], list[Any]], api_base: str, version: str, _circumstances: Any) -> dict[str, Any]:
    """The document of the API that these URL patterns make up, without the address where it is served."""
    generator = ContractGenerator(list(endpoints_in(patterns(), api_base)))
    document: dict[str, Any] = generator.get_schema(public=True)
    document["info"] = {
        "title": settings.SITE_NAME,
        "version": version,
        "description": "\n\n".join(map(str, INTRODUCTION)),
    }
    return document


class ContractGenerator(SchemaGenerator):
    def __init__(self, own: list[Endpoint]) -> None:
        super().__init__()
        self.own = own

    def _initialise_endpoints(self) -> None:
        """They are known."""

    def _get_paths_and_endpoints(self) -> list[tuple[str, str, str, Any]]:
        return [
            (_template(pattern), pattern, method, view) for pattern, view, methods in self.own for method in methods
        ]

    def get_schema(self, request: Any = None, public: bool = False) -> dict[str, Any]:
        document: dict[str, Any] = super().get_schema(request, public)
        headings = {endpoint.view.heading: str(endpoint.view.about) for endpoint in self.own}
        document["tags"] = [{"name": name, "description": about} for name, about in headings.items()]
        return document


def _template(pattern: str) -> str:
    return "/" + re.sub(r"\(\?P<(\w+)>[^)]*\)", r"{\1}", pattern)


class ContractSchema(AutoSchema):
    """One method of one address, as its view describes it."""

    @property
    def address(self) -> Described:
        described: Any = self.view
        return cast("Described", described)

    @property
    def operation(self) -> Operation:
        return self.address.operation_of(self.method)

    def get_operation_id(self) -> str:
        return self.operation.id

    def get_summary(self) -> str:
        return self.operation.summary

    def get_description(self) -> str:  # type: ignore[override] # as drf-spectacular's own
        return self.operation.description

    def get_tags(self) -> list[str]:
        return [self.address.heading]

    def get_auth(self) -> list[dict[str, Any]]:
        accounts: list[dict[str, Any]] = super().get_auth()
        return [{}, *accounts] if self.method == "GET" else accounts

    def _get_parameters(self) -> list[dict[str, Any]]:
        own = {} if self.method in WRITES else self.address.arguments_of(self.method)
        return [
            *_parameters("path", self.address.path_arguments()),
            *_parameters("query", own),
            self._component(ResolvedComponent.PARAMETER, "Fields", FIELDS_PARAMETER),
        ]

    # --- The body of the request

    def _get_request_body(self, direction: str = "request") -> dict[str, Any] | None:
        body = self.operation.body
        if body is None:
            return None
        fields = self.address.arguments_of(self.method)
        schema = self._component(ResolvedComponent.SCHEMA, body.name, object_of(fields))
        content: dict[str, Any] = {media_type: {"schema": schema} for media_type in (JSON, URL_FORM)}
        content[JSON] |= self._examples(body.example)
        if body.takes_files:
            content[FILE_FORM] = {"schema": self._with_file(body, object_of(fields))}
        return {"required": any(argument.is_required for argument in fields.values()), "content": content}

    def _with_file(self, body: Body, schema: dict[str, Any]) -> dict[str, Any]:
        properties = schema["properties"]
        image = FILE | {"description": properties["image"]["description"]}
        with_file = schema | {"properties": properties | {"image": image}}
        return self._component(ResolvedComponent.SCHEMA, f"{body.name}WithFile", with_file)

    # --- The answers

    def _get_response_bodies(self, direction: str = "response") -> dict[str, Any]:
        by_status: dict[int, list[ContractError]] = defaultdict(list)
        for error in self.address.errors_of(self.method):
            by_status[error.status_code].append(error)
        refusals = {str(status): self._refusal(status, errors) for status, errors in sorted(by_status.items())}
        return {str(self.operation.status): self._success(), **refusals}

    def _success(self) -> dict[str, Any]:
        operation = self.operation
        answer = {"schema": self._referring(operation.schema), **self._examples(operation.example)}
        page = {"text/html": {"schema": TEXT}} if operation.is_page else {}
        return {
            "description": operation.summary,
            "headers": self._headers(operation.headers),
            "content": {JSON: answer, **page},
        }

    def _refusal(self, status: int, errors: list[ContractError]) -> dict[str, Any]:
        """What is answered with one status: the codes it may have, and an example of each."""
        codes = {"properties": {"code": {"enum": [error.code for error in errors]}}}
        response = {
            "description": "\n".join(f"* `{error.code}`: {error.default_detail}" for error in errors),
            "headers": self._headers(HEADERS_OF_ERRORS.get(status, [])),
            "content": {
                JSON: {
                    "schema": {"allOf": [self._referring(ERROR), codes]},
                    "examples": {error.code: {"value": error_body(error)} for error in errors},
                }
            },
        }
        # A single code is often the same in many places.
        return response if errors[1:] else self._component(ResolvedComponent.RESPONSE, errors[0].code, response)

    def _examples(self, example: Example | None) -> dict[str, Any]:
        if example is None:
            return {}
        component = self._component(ResolvedComponent.EXAMPLE, example.name, {"value": example.value})
        return {"examples": {example.name: component}}

    def _headers(self, names: Any) -> dict[str, Any]:
        return {name: self._component(ResolvedComponent.HEADER, name, HEADERS[name]) for name in names}

    # --- Components

    def _referring(self, schema: Any) -> Any:
        """The schema with references to the components that stand in it, which are among those of the document then."""
        if isinstance(schema, Component):
            return self._component(ResolvedComponent.SCHEMA, schema.name, schema.schema)
        if isinstance(schema, dict):
            return {name: self._referring(part) for name, part in schema.items()}
        return [self._referring(part) for part in schema] if isinstance(schema, list) else schema

    def _component(self, kind: str, name: str, schema: Any) -> dict[str, Any]:
        registry: ComponentRegistry = self.registry
        component = ResolvedComponent(name=name, type=kind, schema=schema, object=name)
        if component not in registry:
            registry.register(component)
            component.schema = self._referring(schema)
        return component.ref


def _parameters(place: str, arguments: Arguments) -> list[dict[str, Any]]:
    parameters = []
    for name, argument in arguments.items():
        schema = argument.as_schema()
        parameter = {"name": name, "in": place, "description": schema.pop("description"), "schema": schema}
        parameters.append(parameter | ({"required": True} if argument.is_required else {}))
    return parameters
