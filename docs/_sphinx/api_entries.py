"""The contents of the tables about the API: parameters, fields, headers, errors and operations, read from the code."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from rest_framework.fields import empty

from calendar_site.api import errors
from calendar_site.api.description.arguments import Argument, Arguments, describe_fields, describe_filters
from calendar_site.api.description.components import WIRE_DATE, Component
from calendar_site.api.description.endpoints import endpoints_in
from calendar_site.api.description.openapi import HEADERS, path_template
from calendar_site.api.description.operations import WRITE_METHODS
from calendar_site.api.site_urls import default_api_base
from calendar_site.urls import API_PATTERNS
from events.serializers import TicketSerializer
from events.series_api.views import SeriesViewSet
from events.views import EventViewSet
from organizers.views import OrganizerViewSet
from taxonomy.views import CategoryViewSet, TagViewSet
from venues.views import VenueViewSet

VIEWSETS: dict[str, Any] = {
    viewset.collection: viewset
    for viewset in (EventViewSet, SeriesViewSet, VenueViewSet, OrganizerViewSet, CategoryViewSet, TagViewSet)
}
# By the names that pages pass to the directive `request-fields`.
SERIALIZERS = {name: viewset.serializer_class for name, viewset in VIEWSETS.items()} | {"tickets": TicketSerializer}


class Entry(NamedTuple):
    """A parameter, field or header: its name, its type with requirement or default, and its description."""

    name: str
    type: str
    description: str


class ErrorCode(NamedTuple):
    """An error code with its status code and its default message."""

    code: str
    status: int
    message: str


class Operation(NamedTuple):
    """A method of an endpoint with its paths, its parameters or fields, and its errors."""

    method: str
    other_methods: list[str]
    paths: list[str]
    arguments: list[Entry]
    errors: list[ErrorCode]

    @property
    def is_write(self) -> bool:
        return self.method in WRITE_METHODS


def query_parameters_of(collection: str) -> list[Entry]:
    """Return the query parameters of a list."""
    return describe_parameters(describe_filters(VIEWSETS[collection].filterset_class))


def request_fields_of(name: str) -> list[Entry]:
    """Return the fields of a request body, the required ones first."""
    return describe_request_fields(describe_fields(SERIALIZERS[name]()))


def response_fields_of(collection: str) -> list[Entry]:
    """Return the fields of a record in responses."""
    properties = VIEWSETS[collection].record_schema.schema["properties"]
    return [
        Entry(name, type_of(schema), str(plain(schema).get("description", ""))) for name, schema in properties.items()
    ]


def describe_parameters(arguments: Arguments) -> list[Entry]:
    return [
        Entry(name, joined(type_of(argument.schema), default_of(argument)), str(argument.description))
        for name, argument in arguments.items()
    ]


def describe_request_fields(arguments: Arguments) -> list[Entry]:
    described = sorted(arguments.items(), key=lambda item: not item[1].is_required)
    return [
        Entry(
            name,
            joined(
                type_of(argument.schema),
                "required" if argument.is_required else "",
                "nullable" if argument.is_clearable else "",
            ),
            str(argument.description),
        )
        for name, argument in described
    ]


def response_headers() -> list[Entry]:
    return [Entry(name, type_of(header["schema"]), str(header["description"])) for name, header in HEADERS.items()]


def joined(*parts: str) -> str:
    return ", ".join(filter(None, parts))


@cache
def error_codes() -> list[ErrorCode]:
    """Return every error code of the API, in the order of status codes."""
    found: dict[tuple[str, int], str] = {}
    for error_class in _subclasses(errors.ContractError):
        # The errors of a record have a code for each kind of record: the views know them.
        if not issubclass(error_class, errors.RecordError):
            # A subclass without a code of its own comes after the class that has it.
            found.setdefault((error_class.default_code, error_class.status_code), str(error_class.default_detail))
    for _pattern, view, methods in _endpoints():
        for method in methods:
            for error in view.get_errors(method):
                found.setdefault((error.code, error.status_code), str(error.default_detail))
    codes = [ErrorCode(code, status, message) for (code, status), message in found.items()]
    return sorted(codes, key=lambda error: (error.status, error.code))


def operations() -> dict[str, list[Operation]]:
    """Return the operations by resource. Methods and paths with the same arguments are one operation."""
    by_resource: dict[str, list[Operation]] = {}
    for pattern, view, methods in _endpoints():
        known = by_resource.setdefault(view.get_tag(), [])
        for method in methods:
            path = path_template(pattern)
            arguments = view.get_arguments(method)
            describe = describe_request_fields if method in WRITE_METHODS else describe_parameters
            operation = Operation(method, [], [path], describe(arguments), _codes(view.get_errors(method)))
            same = next((other for other in known if _are_alike(operation, other)), None)
            if same is None:
                known.append(operation)
            else:
                same.paths.extend({path} - set(same.paths))
                same.other_methods.extend({method} - {same.method, *same.other_methods})
    return by_resource


def _are_alike(operation: Operation, other: Operation) -> bool:
    """Return whether two operations take the same arguments for the same record: PATCH and PUT, by id and by slug."""
    methods = {operation.method, other.method}
    is_same_method = len(methods) == 1 or methods <= set(WRITE_METHODS)
    are_items = all("{" in path for path in (*operation.paths, *other.paths))
    return is_same_method and are_items and operation.arguments == other.arguments


def _codes(found: Iterable[errors.ContractError]) -> list[ErrorCode]:
    codes = {ErrorCode(error.code, error.status_code, str(error.default_detail)) for error in found}
    return sorted(codes, key=lambda error: (error.status, error.code))


def _endpoints() -> Iterator[Any]:
    return endpoints_in(API_PATTERNS, default_api_base())


def _subclasses(cls: Any) -> Iterator[Any]:
    for subclass in cls.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)


def plain(schema: Any) -> dict[str, Any]:
    component = schema if isinstance(schema, Component) else schema.get("$ref")
    return component.schema | (schema if isinstance(schema, dict) else {}) if component else schema


def type_of(schema: Any) -> str:
    """Return the type as text: `integer, 1 or more`, `array of integer`, `string or number`."""
    schema = plain(schema)
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(type_of, schema["anyOf"])))
    kinds = schema.get("type", "any")
    words = " or ".join(
        f"array of {type_of(schema['items'])}" if kind == "array" and "items" in schema else kind
        for kind in (kinds if isinstance(kinds, list) else [kinds])
    )
    if "enum" in schema:
        words += ": " + ", ".join(f"`{choice}`" for choice in schema["enum"])
    if schema.get("format") in ("date", "date-time") or schema.get("pattern") == WIRE_DATE["pattern"]:
        words += " (date)"
    if schema.get("format") == "uri":
        words += " (URL)"
    least, most = schema.get("minimum"), schema.get("maximum")
    if most is not None:
        return f"{words}, from {least} to {most}"
    return words if least is None else f"{words}, {least} or more"


def default_of(argument: Argument) -> str:
    if argument.default is empty or argument.default is None:
        return ""
    if argument.schema.get("format") == "date-time":
        return "default: relative to today"
    default = str(argument.default).lower() if isinstance(argument.default, bool) else argument.default
    return f"default: `{default}`"
