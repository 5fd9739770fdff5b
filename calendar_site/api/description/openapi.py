"""The OpenAPI document, built from the operations of the views (`operations.py`)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import orjson
from django.conf import settings
from django.utils.translation import gettext_lazy as _
from rest_framework.fields import empty

from calendar_site.api.description.arguments import Arguments, Context, arguments_schema
from calendar_site.api.description.components import ERROR, TEXT, Component, JSONSchema
from calendar_site.api.description.endpoints import Endpoint, endpoints_in
from calendar_site.api.description.operations import (
    RATE_LIMIT_HEADERS,
    WRITE_METHODS,
    Authentication,
    DescribedView,
    Example,
    Operation,
    RequestBody,
)
from calendar_site.api.errors import ContractError, error_body

VERSION = "3.1.0"
JSON = "application/json"
URL_FORM, FILE_FORM = "application/x-www-form-urlencoded", "multipart/form-data"
FILE = {"type": "string", "format": "binary"}

FIELDS_PARAMETER = {
    "name": "_fields",
    "in": "query",
    "description": _(
        "The fields to return, separated by commas, with dots for nested fields: id,title,venue.city, or "
        "in a list total,events.id. The response contains only these fields."
    ),
    "schema": TEXT,
}
HEADERS: dict[str, JSONSchema] = {
    "X-TEC-Total": {"description": _("The total number of records on all pages."), "schema": {"type": "integer"}},
    "X-TEC-TotalPages": {"description": _("The total number of pages."), "schema": {"type": "integer"}},
    "Link": {
        "description": _("Links to the index and the OpenAPI document and, in lists, to the next and previous pages."),
        "schema": TEXT,
    },
    "X-Request-ID": {"description": _("The id of the request in the log of the service."), "schema": TEXT},
    "X-Ignored-Fields": {
        "description": _("The parameters that were ignored, if any."),
        "schema": TEXT,
    },
    "X-Did-You-Mean": {
        "description": _("The search with misspelled words corrected, percent-encoded, if it found nothing."),
        "schema": TEXT,
    },
    "X-Shortened-Records": {
        "description": _("How many records have empty texts or lists because the response would be too large."),
        "schema": {"type": "integer"},
    },
    "Location": {
        "description": _("The URL of the new record in the API."),
        "schema": {"type": "string", "format": "uri"},
    },
    "ETag": {
        "description": _(
            "Identifies the current version of the record or list, for If-None-Match and, for records, If-Match."
        ),
        "schema": TEXT,
    },
    "Last-Modified": {
        "description": _("When the record, or for a list any record of the site, was last changed, as an HTTP date."),
        "schema": TEXT,
    },
    "Idempotent-Replayed": {
        "description": _("true if this is the stored response to an earlier request with the same Idempotency-Key."),
        "schema": {"type": "string", "const": "true"},
    },
    "WWW-Authenticate": {"description": _("The authentication scheme to use."), "schema": TEXT},
    "Retry-After": {
        "description": _("The number of seconds to wait before you try again."),
        "schema": {"type": "integer"},
    },
    "RateLimit-Limit": {
        "description": _("The maximum number of requests in a period."),
        "schema": {"type": "integer"},
    },
    "RateLimit-Remaining": {
        "description": _("The number of requests left in the current period."),
        "schema": {"type": "integer"},
    },
    "RateLimit-Reset": {"description": _("The seconds until the period ends."), "schema": {"type": "integer"}},
    "RateLimit-Policy": {
        "description": _("All limits that apply, each with the length of its period in seconds, such as 100;w=60."),
        "schema": TEXT,
    },
}
ERROR_HEADERS = {
    401: ["WWW-Authenticate"],
    409: ["Retry-After"],
    412: ["ETag"],
    429: ["Retry-After", *RATE_LIMIT_HEADERS],
    503: ["Retry-After"],
}
VALIDATOR_HEADERS = ("ETag", "Last-Modified")
REQUEST_HEADERS: dict[str, JSONSchema] = {
    "If-None-Match": {
        "description": _("ETags of versions that you have. If one of them is current, the response is 304."),
        "schema": TEXT,
    },
    "Idempotency-Key": {
        "description": _(
            "A random value for this write, such as a UUID. If you repeat the write with the same value within 24 "
            "hours, it is not carried out again, and the response is the first one."
        ),
        "schema": {"type": "string", "minLength": 1, "maxLength": 255},
    },
    "If-Match": {
        "description": _("The ETag of the version that you change. If the record has changed, the response is 412."),
        "schema": TEXT,
    },
    "If-Unmodified-Since": {
        "description": _("The Last-Modified of the version that you change, for clients without ETags."),
        "schema": TEXT,
    },
}

# The license of this software, as an SPDX identifier.
LICENSE = {"name": "MIT License", "identifier": "MIT"}
INTRODUCTION = (
    _(
        "Reading requires no authentication. To write, authenticate with the username of an account and one of "
        "its application passwords."
    ),
    _(
        "Dates have the format 2027-03-10 18:00:00 and are in the event's or the site's time zone. Many other "
        "formats are accepted."
    ),
    _(
        "Send request bodies as JSON, or as form data with the same fields. Each field accepts the value that "
        "it returns, so sending a record back unchanged has no effect. Fields that can be empty also accept "
        "null."
    ),
    _(
        "An error response has a machine-readable code, a human-readable message, and the HTTP status code "
        "in data.status. A response reports every validation error at once."
    ),
    _("Clients that can only send POST can name another method in the X-HTTP-Method-Override header."),
)


@lru_cache(maxsize=32)
def build_document(
    patterns: Callable[[], list[Any]], api_base: str, version: str, _context: Context
) -> dict[str, JSONSchema]:
    """Return the document of these URL patterns, without `servers`. `_context` is only part of the cache key."""
    endpoints = list(endpoints_in(patterns(), api_base))
    builder = DocumentBuilder()
    tags = {endpoint.view.get_tag(): endpoint.view.tag_description for endpoint in endpoints}
    document = {
        "openapi": VERSION,
        "info": {
            "title": settings.SITE_NAME,
            "version": version,
            "description": "\n\n".join(map(str, INTRODUCTION)),
            "license": LICENSE,
        },
        "paths": {path_template(endpoint.pattern): builder.path_item(endpoint) for endpoint in endpoints},
        "components": builder.components,
        "tags": [{"name": name, "description": about} for name, about in tags.items()],
    }
    # Resolve lazy texts in the current language: the document is cached.
    resolved: dict[str, JSONSchema] = orjson.loads(orjson.dumps(document, default=str))
    return resolved


def path_template(pattern: str) -> str:
    return "/" + re.sub(r"\(\?P<(\w+)>[^)]*\)", r"{\1}", pattern)


class DocumentBuilder:
    """A builder that describes endpoints, and collects the `components` that the descriptions refer to."""

    def __init__(self) -> None:
        # Section -> name -> component, such as `schemas` -> `Event`.
        self.components: dict[str, dict[str, Any]] = defaultdict(dict)

    def path_item(self, endpoint: Endpoint) -> JSONSchema:
        return {method.lower(): self.operation(endpoint.view, method) for method in endpoint.methods}

    def operation(self, view: DescribedView, method: str) -> JSONSchema:
        operation = view.get_operation(method)
        arguments = view.get_arguments(method)
        described: JSONSchema = {
            "operationId": operation.id,
            "summary": operation.summary,
            "description": operation.description,
            "parameters": [
                *self.parameters("path", view.get_path_arguments()),
                *self.parameters("query", {} if method in WRITE_METHODS else arguments),
                self.reference("parameters", "Fields", FIELDS_PARAMETER),
                *self.header_parameters(operation),
            ],
            "tags": [view.get_tag()],
            "security": self.security(view, method, operation.authentication),
            "responses": {
                str(operation.status): self.success_response(operation),
                **self.not_modified_response(operation),
                **self.error_responses(view.get_errors(method)),
            },
        }
        if operation.body:
            described["requestBody"] = self.request_body(operation.body, arguments)
        return described

    def parameters(self, place: str, arguments: Arguments) -> list[JSONSchema]:
        parameters = []
        for name, argument in arguments.items():
            schema = self.with_references(argument.as_schema())
            if argument.fixed_default is not empty:
                schema["default"] = argument.fixed_default
            parameter = {"name": name, "in": place, "description": schema.pop("description"), "schema": schema}
            parameters.append(parameter | ({"required": True} if argument.is_required else {}))
        return parameters

    def header_parameters(self, operation: Operation) -> list[JSONSchema]:
        return [
            self.reference("parameters", name, {"name": name, "in": "header", **REQUEST_HEADERS[name]})
            for name in operation.request_headers
        ]

    def security(self, view: DescribedView, method: str, authentication: Authentication) -> list[JSONSchema]:
        """Return the alternative security requirements of an operation; {} is no authentication."""
        if authentication is Authentication.NONE:
            return []
        ways: list[JSONSchema] = [{}] if authentication is Authentication.OPTIONAL else []
        # Authenticators describe themselves; see `accounts/authentication.py`.
        authenticators: list[Any] = view.get_authenticators()
        for authenticator in authenticators:
            schemes = authenticator.security_schemes(method)
            for name, scheme in schemes.items():
                self.reference("securitySchemes", name, scheme)
            ways.append({name: [] for name in schemes})
        return ways

    def request_body(self, body: RequestBody, arguments: Arguments) -> JSONSchema:
        schema = arguments_schema(arguments)
        # Each media type has a schema of its own, because generated Python clients choose the media type by the class.
        content: JSONSchema = {
            JSON: {"schema": self.reference("schemas", body.name, schema), **self.examples(body.example)},
            URL_FORM: {"schema": self.reference("schemas", f"{body.name}Form", schema)},
        }
        if body.takes_files:
            content[FILE_FORM] = {"schema": self.reference("schemas", f"{body.name}WithFile", _with_file(schema))}
        return {"required": any(argument.is_required for argument in arguments.values()), "content": content}

    def success_response(self, operation: Operation) -> JSONSchema:
        content = {JSON: {"schema": self.with_references(operation.schema), **self.examples(operation.example)}}
        if operation.is_page:
            content["text/html"] = {"schema": TEXT}
        return {"description": operation.summary, "headers": self.headers(operation.headers), "content": content}

    def not_modified_response(self, operation: Operation) -> JSONSchema:
        if not operation.may_be_not_modified:
            return {}
        names = [name for name in operation.headers if name in VALIDATOR_HEADERS]
        return {"304": {"description": _("The record has not changed."), "headers": self.headers(names)}}

    def error_responses(self, errors: Iterable[ContractError]) -> JSONSchema:
        by_status: dict[int, list[ContractError]] = defaultdict(list)
        for error in errors:
            by_status[error.status_code].append(error)
        return {str(status): self.error_response(status, by_status[status]) for status in sorted(by_status)}

    def error_response(self, status: int, errors: list[ContractError]) -> JSONSchema:
        """Return the response with one status: its possible error codes, and an example of each."""
        # Beside the reference: validators check the codes, and generated clients have one class for all errors.
        codes = {"properties": {"code": {"enum": [error.code for error in errors]}}}
        response = {
            "description": "\n".join(f"* `{error.code}`: {error.default_detail}" for error in errors),
            "headers": self.headers(["X-Request-ID", *ERROR_HEADERS.get(status, [])]),
            "content": {
                JSON: {
                    "schema": self.with_references(ERROR) | codes,
                    "examples": {error.code: {"value": error_body(error)} for error in errors},
                }
            },
        }
        # Many endpoints share responses with a single code.
        return response if errors[1:] else self.reference("responses", errors[0].code, response)

    def examples(self, example: Example | None) -> JSONSchema:
        if example is None:
            return {}
        return {"examples": {example.name: self.reference("examples", example.name, {"value": example.value})}}

    def headers(self, names: Iterable[str]) -> JSONSchema:
        return {name: self.reference("headers", name, HEADERS[name]) for name in names}

    def reference(self, section: str, name: str, described: JSONSchema) -> JSONSchema:
        """Add a component to the document if it is missing, and return a reference to it."""
        components = self.components[section]
        if name not in components:
            # Added first, because a component may refer to itself.
            components[name] = {}
            components[name] = self.with_references(described)
        return {"$ref": f"#/components/{section}/{name}"}

    def with_references(self, described: Any) -> Any:
        """Return the description with each `Component` in it replaced by a reference."""
        if isinstance(described, Component):
            return self.reference("schemas", described.name, described.schema)
        if isinstance(described, dict):
            parts = {name: self.with_references(part) for name, part in described.items()}
            return parts | parts["$ref"] if isinstance(described.get("$ref"), Component) else parts
        return [self.with_references(part) for part in described] if isinstance(described, list) else described


def _with_file(schema: JSONSchema) -> JSONSchema:
    """Return the schema of a form in which the image may be a file."""
    properties = schema["properties"]
    image = FILE | {"description": properties["image"]["description"]}
    return schema | {"properties": properties | {"image": image}}
