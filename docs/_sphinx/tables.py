"""Tables that say what the code says: parameters, write fields, rights, commands. Read off it at every build."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import get_commands, load_command_class
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from calendar_site.api.schema import describe_fields, describe_filters
from calendar_site.urls import ROUTERS
from docs._sphinx.rights import PEOPLE, rights

Cell = list[nodes.Node]
OURS = ("calendar_site.", "events")


def viewset_of(collection: str) -> Any:
    for router in ROUTERS:
        for prefix, viewset, _name in router.registry:
            if prefix == collection:
                return viewset
    raise ValueError(f"There is no resource named {collection}.")


class Parameters(SphinxDirective):
    """The parameters of the list of a resource."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        described = describe_filters(viewset_of(self.arguments[0]).filterset_class)
        return [
            table(
                ("Parameter", "Type", "Default", "Meaning"),
                [
                    (code(name), text(type_of(given)), default_of(given), text(given.get("description", "")))
                    for name, given in described.items()
                ],
            )
        ]


class Fields(SphinxDirective):
    """The write fields of a resource."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        described = describe_fields(viewset_of(self.arguments[0]).input_class())
        return [
            table(
                ("Field", "Type", "Meaning"),
                [(code(name), text(type_of(given)), meaning_of(given)) for name, given in described.items()],
            )
        ]


class Rights(SphinxDirective):
    """Who may do what: roles beside each other, actions below each other."""

    def run(self) -> list[nodes.Node]:
        headings = ("", *(person.role for person in PEOPLE))
        return [table(headings, [(text(action), *map(text, cells)) for action, cells in rights()])]


class Commands(SphinxDirective):
    """The commands of this project with their arguments, each in a section of its own."""

    def run(self) -> list[nodes.Node]:
        return [
            self.section(name, load_command_class(app, name))
            for name, app in sorted(get_commands().items())
            if app.startswith(OURS)
        ]

    def section(self, name: str, command: Any) -> nodes.Node:
        parser = ArgumentParser(prog=f"manage.py {name}", add_help=False)
        command.add_arguments(parser)
        section = nodes.section(ids=[nodes.make_id(name)], names=[name])
        usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
        section += [
            nodes.title("", "", nodes.literal(text=name)),
            nodes.paragraph(text=command.help),
            nodes.literal_block(usage, usage, language="text"),
        ]
        if parser._actions:
            rows = [
                (code(", ".join(action.option_strings) or str(action.metavar)), text(action.help or ""))
                for action in parser._actions
            ]
            section += table(("Argument", "Meaning"), rows)
        return section


def type_of(schema: dict[str, Any]) -> str:
    """The type in words: `integer, 1 or more`, `array of integer`, `string or number`."""
    kinds = schema.get("type", "any")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    words = " or ".join(
        f"array of {schema['items'].get('type', 'any')}" if "items" in schema and kind == "array" else kind
        for kind in kinds
    )
    if "enum" in schema:
        words += ": " + ", ".join(map(str, schema["enum"]))
    match schema.get("format"):
        case "date-time":
            words += " (date)"
        case "uri":
            words += " (address)"
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and most is not None:
        return f"{words}, from {least} to {most}"
    return words if least is None else f"{words}, {least} or more"


def default_of(schema: dict[str, Any]) -> Cell:
    default = schema.get("default")
    if default is None:
        return text("–")
    return code(str(default).lower() if isinstance(default, bool) else str(default))


def meaning_of(schema: dict[str, Any]) -> Cell:
    cell = text(schema.get("description", ""))
    if schema["required"]:
        cell = [*text("Required in a create. "), *cell]
    return cell


def text(words: str) -> Cell:
    return [nodes.Text(words)]


def code(words: str) -> Cell:
    return [nodes.literal(text=words)]


def table(headings: tuple[str, ...], rows: list[tuple[Cell, ...]]) -> nodes.Node:
    group = nodes.tgroup(cols=len(headings))
    group += [nodes.colspec(colwidth=1) for _heading in headings]
    group += nodes.thead("", _row(map(text, headings)))
    group += nodes.tbody("", *map(_row, rows))
    return nodes.table("", group, classes=["docutils"])


def _row(cells: Any) -> nodes.Node:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells))


def setup(app: Sphinx) -> dict[str, Any]:
    for name, directive in (
        ("parameters", Parameters),
        ("fields", Fields),
        ("rights", Rights),
        ("commands", Commands),
    ):
        app.add_directive(name, directive)
    return {"parallel_read_safe": True}
