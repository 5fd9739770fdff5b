"""Tables of parameters, fields, errors, permissions, commands and date formats, generated from the code at every build.

Each table has two columns, so that it fits a phone: the name with its type below it, and the description.
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from django.core.management import get_commands, load_command_class
from docutils import nodes
from rest_framework.fields import empty
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from calendar_site.api import errors
from calendar_site.api.description.arguments import Argument, Arguments, describe_fields, describe_filters
from calendar_site.api.description.components import WIRE_DATE, Component
from calendar_site.api.description.endpoints import endpoints_in
from calendar_site.api.description.openapi import HEADERS, path_template
from calendar_site.api.description.operations import WRITE_METHODS
from calendar_site.api.site_urls import default_api_base
from calendar_site.core.dates.spellings import FORMS
from calendar_site.urls import API_PATTERNS
from docs._sphinx.role_permissions import ALL, NO, USERS, YES, role_permissions
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
OURS = ("calendar_site.", "events")

# Cells are texts, with code between backticks.
Row = tuple[str, ...]


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


def commands() -> Iterable[tuple[str, str, str, list[Row]]]:
    """Return the commands of this project: the name, purpose, usage and arguments of each."""
    for name, app in sorted(get_commands().items()):
        if app.startswith(OURS):
            command = load_command_class(app, name)
            parser = ArgumentParser(prog=f".venv/bin/python manage.py {name}", add_help=False)
            command.add_arguments(parser)
            usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
            arguments = [
                (f"`{', '.join(action.option_strings) or action.metavar}`", action.help or "")
                for action in parser._actions
            ]
            yield name, command.help, usage, arguments


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


class QueryParameters(SphinxDirective):
    """The query parameters of the list of a resource."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return [entry_table("Parameter", query_parameters_of(self.arguments[0]))]


class RequestFields(SphinxDirective):
    """The fields of a request body."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return [entry_table("Field", request_fields_of(self.arguments[0]))]


class ResponseFields(SphinxDirective):
    """The fields of a record in responses."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return [entry_table("Field", response_fields_of(self.arguments[0]))]


class ResponseHeaders(SphinxDirective):
    """The headers that the API adds to responses."""

    def run(self) -> list[nodes.Node]:
        return [entry_table("Header", response_headers())]


class ErrorCodes(SphinxDirective):
    """Every error code with its status code and message."""

    def run(self) -> list[nodes.Node]:
        rows = [(f"`{error.code}`", f"{error.status}: {error.message}") for error in error_codes()]
        return [table(("Code", "Status code and message"), rows)]


class Endpoints(SphinxDirective):
    """Every endpoint in a section for each resource: parameters, fields, errors, and the fields of the response."""

    def run(self) -> list[nodes.Node]:
        return [self.resource(name, found) for name, found in operations().items()]

    def resource(self, name: str, found: list[Operation]) -> nodes.Node:
        section = _section(f"{name}-endpoints", nodes.Text(HEADINGS.get(name, name.capitalize())))
        section += [self.operation(operation) for operation in found]
        if name in VIEWSETS:
            fields = _section(f"{name}-response-fields", nodes.Text(f"Response fields of {name}"))
            fields += entry_table("Field", response_fields_of(name))
            section += fields
        return section

    def operation(self, operation: Operation) -> nodes.Node:
        first, *others = operation.paths
        # The examples update records with PATCH.
        methods = sorted([operation.method, *operation.other_methods])
        heading = f"{methods[0]} {first}"
        section = _section(heading, nodes.literal(text=heading))
        also = [f"`{method}`" for method in methods[1:]] + [f"`{path}`" for path in others]
        if also:
            section += nodes.paragraph("", "", *_inline(f"The same for: {', '.join(also)}."))
        if operation.arguments:
            section += entry_table("Body field" if operation.is_write else "Query parameter", operation.arguments)
        codes = ", ".join(f"{error.status} `{error.code}`" for error in operation.errors)
        section += nodes.paragraph("", "", *_inline(f"Errors: {codes}."))
        return section


# The headings of groups of endpoints that are not resources.
HEADINGS = {"api": "Index and OpenAPI document"}


class Permissions(SphinxDirective):
    """The table of actions with the roles that may perform them."""

    def run(self) -> list[nodes.Node]:
        rows = [(action, roles_by_scope(scopes)) for action, scopes in role_permissions()]
        return [table(("Action", "Who"), rows)]


def roles_by_scope(scopes: list[str]) -> str:
    """Return the roles of an action, a line for each scope: `administrator, editor: all`."""
    if set(scopes) == {ALL}:
        return "everybody"
    groups: dict[str, list[str]] = {}
    for user, scope in zip(USERS, scopes, strict=True):
        if scope != NO:
            groups.setdefault(scope, []).append(user.role)
    return "\n".join(", ".join(roles) + ("" if scope == YES else f": {scope}") for scope, roles in groups.items())


class DateForms(SphinxDirective):
    """The forms that a part of a date can have, with their examples."""

    def run(self) -> list[nodes.Node]:
        return [table(("Format", "Meaning"), date_forms())]


def date_forms() -> list[Row]:
    return [("\n".join(f"`{example}`" for example in form.examples), form.meaning) for form in FORMS]


class Commands(SphinxDirective):
    """The commands of this project, each in a section of its own."""

    def run(self) -> list[nodes.Node]:
        return [self.section(*command) for command in commands()]

    def section(self, name: str, purpose: str, usage: str, arguments: list[Row]) -> nodes.Node:
        section = nodes.section(ids=[nodes.make_id(name)], names=[name])
        section += [
            nodes.title("", "", nodes.literal(text=name)),
            nodes.paragraph(text=purpose),
            nodes.literal_block(usage, usage, language="sh"),
        ]
        if arguments:
            section += table(("Argument", "Meaning"), arguments)
        return section


def _section(name: str, *title: nodes.Node) -> Any:
    return nodes.section("", nodes.title("", "", *title), ids=[nodes.make_id(name)], names=[name])


def entry_table(heading: str, entries: list[Entry]) -> nodes.Node:
    """Return the table of entries, with types below the names."""
    return table((heading, "Description"), [(f"`{entry.name}`\n{entry.type}", entry.description) for entry in entries])


def table(headings: Row, rows: list[Row]) -> nodes.Node:
    group = nodes.tgroup(cols=len(headings))
    group += [nodes.colspec(colwidth=1) for _heading in headings]
    group += nodes.thead("", _row(headings))
    group += nodes.tbody("", *map(_row, rows))
    return nodes.table("", group, classes=["docutils"])


def _row(cells: Row) -> nodes.Node:
    return nodes.row("", *(nodes.entry("", *_paragraphs(cell)) for cell in cells))


def _paragraphs(cell: str) -> list[nodes.Node]:
    """Return a paragraph for each line of a cell."""
    return [nodes.paragraph("", "", *_inline(line)) for line in cell.split("\n")]


def _inline(cell: str) -> list[nodes.Node]:
    parts = re.split(r"`([^`]*)`", cell)
    return [nodes.literal(text=part) if place % 2 else nodes.Text(part) for place, part in enumerate(parts) if part]


def setup(app: Sphinx) -> dict[str, Any]:
    for name, directive in (
        ("query-parameters", QueryParameters),
        ("request-fields", RequestFields),
        ("response-fields", ResponseFields),
        ("response-headers", ResponseHeaders),
        ("error-codes", ErrorCodes),
        ("endpoints", Endpoints),
        ("permissions", Permissions),
        ("commands", Commands),
        ("date-forms", DateForms),
    ):
        app.add_directive(name, directive)
    return {"parallel_read_safe": True}
