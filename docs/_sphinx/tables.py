"""Tables of parameters, fields, errors, permissions, commands and date formats, generated from the code at every build.

Each table has two columns, so that it fits a phone: the name with its type below it, and the description.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management import get_commands, load_command_class
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from calendar_site.core.dates.spellings import FORMS
from docs._sphinx.api_entries import (
    VIEWSETS,
    Entry,
    Operation,
    error_codes,
    operations,
    query_parameters_of,
    request_fields_of,
    response_fields_of,
    response_headers,
)
from docs._sphinx.role_permissions import ALL, NO, USERS, YES, role_permissions

OURS = ("calendar_site.", "events")

# Cells are texts, with code between backticks.
Row = tuple[str, ...]


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
