"""Tables of parameters, fields, records, permissions and commands, made from the code at every build."""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management import get_commands, load_command_class
from docutils import nodes
from rest_framework.fields import empty
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from calendar_site.api.description.arguments import Argument, describe_fields, describe_filters
from calendar_site.api.description.components import WIRE_DATE, Component
from docs._sphinx.role_permissions import USERS, role_permissions
from events.serializers import TicketSerializer
from events.views import EventViewSet
from organizers.views import OrganizerViewSet
from taxonomy.views import CategoryViewSet, TagViewSet
from venues.views import VenueViewSet

VIEWSETS: dict[str, Any] = {
    viewset.collection: viewset
    for viewset in (EventViewSet, VenueViewSet, OrganizerViewSet, CategoryViewSet, TagViewSet)
}
# By the names that pages use in the directive `fields`.
SERIALIZERS = {name: viewset.serializer_class for name, viewset in VIEWSETS.items()} | {"tickets": TicketSerializer}
OURS = ("calendar_site.", "events")
NOTHING = "–"

# Cells are texts, with code between backticks.
Row = tuple[str, ...]


def list_parameters_of(collection: str) -> list[Row]:
    """Return the parameters of a list: name, type, default, meaning."""
    described = describe_filters(VIEWSETS[collection].filterset_class)
    return [
        (f"`{name}`", type_of(argument.schema), default_of(argument), str(argument.description))
        for name, argument in described.items()
    ]


def write_fields_of(name: str) -> list[Row]:
    """Return the write fields of a record: name, type, whether it may be empty, meaning."""
    described = describe_fields(SERIALIZERS[name]())
    return [
        (
            f"`{field}`",
            type_of(argument.schema),
            "yes" if argument.is_clearable else NOTHING,
            f"Required in a create. {argument.description}" if argument.is_required else str(argument.description),
        )
        for field, argument in sorted(described.items(), key=lambda item: not item[1].is_required)
    ]


def commands() -> Iterable[tuple[str, str, str, list[Row]]]:
    """The commands of this project: name, what it is for, usage, and its arguments."""
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


def record_keys_of(collection: str) -> list[Row]:
    """Return the keys of a record: name, type, meaning."""
    return [
        (f"`{name}`", type_of(schema), str(plain(schema).get("description", "")))
        for name, schema in VIEWSETS[collection].record_schema.schema["properties"].items()
    ]


def plain(schema: Any) -> dict[str, Any]:
    return schema.schema if isinstance(schema, Component) else schema


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
    if schema.get("format") == "date-time" or schema.get("pattern") == WIRE_DATE["pattern"]:
        words += " (date)"
    if schema.get("format") == "uri":
        words += " (address)"
    least, most = schema.get("minimum"), schema.get("maximum")
    if most is not None:
        return f"{words}, from {least} to {most}"
    return words if least is None else f"{words}, {least} or more"


def default_of(argument: Argument) -> str:
    if argument.default is empty or argument.default is None:
        return NOTHING
    if argument.schema.get("format") == "date-time":
        return "moves with the day"
    return f"`{str(argument.default).lower() if isinstance(argument.default, bool) else argument.default}`"


class Parameters(SphinxDirective):
    """The parameters of the list of a resource."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return [table(("Parameter", "Type", "Default", "Meaning"), list_parameters_of(self.arguments[0]))]


class Fields(SphinxDirective):
    """The write fields of a resource."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return [table(("Field", "Type", "May be empty", "Meaning"), write_fields_of(self.arguments[0]))]


class Answers(SphinxDirective):
    """The keys of a record in responses."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return [table(("Key", "Type", "Meaning"), record_keys_of(self.arguments[0]))]


class Rights(SphinxDirective):
    """Who may do what: roles beside each other, actions below each other."""

    def run(self) -> list[nodes.Node]:
        rows = [(action, *answers) for action, answers in role_permissions()]
        return [table(("", *(user.role for user in USERS)), rows)]


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


def table(headings: Row, rows: list[Row]) -> nodes.Node:
    group = nodes.tgroup(cols=len(headings))
    group += [nodes.colspec(colwidth=1) for _heading in headings]
    group += nodes.thead("", _row(headings))
    group += nodes.tbody("", *map(_row, rows))
    return nodes.table("", group, classes=["docutils"])


def _row(cells: Row) -> nodes.Node:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *_inline(cell))) for cell in cells))


def _inline(cell: str) -> list[nodes.Node]:
    parts = re.split(r"`([^`]*)`", cell)
    return [nodes.literal(text=part) if place % 2 else nodes.Text(part) for place, part in enumerate(parts) if part]


def setup(app: Sphinx) -> dict[str, Any]:
    for name, directive in (
        ("parameters", Parameters),
        ("fields", Fields),
        ("answers", Answers),
        ("rights", Rights),
        ("commands", Commands),
    ):
        app.add_directive(name, directive)
    return {"parallel_read_safe": True}
