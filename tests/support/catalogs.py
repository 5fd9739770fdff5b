"""Translatable strings: the languages with complete catalogs, and extracting the strings from the sources."""

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from django.utils.translation.template import templatize

# The languages with complete catalogs, without English. Do not remove one.
COMPLETE = ["de", "es", "fr", "it", "nl", "pl", "pt"]

# The positions of context, singular and plural in the arguments of each function.
CALLS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), (None, 0, None)),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (None, 0, 1)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), (0, 1, None)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), (0, 1, 2)),
}
_STRING = r"u?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
# `templatize` turns a template into calls, and masks everything else.
_CALL = re.compile(rf"\b(?:n?p?gettext|_)\(\s*{_STRING}(?:\s*,\s*(?:{_STRING}|count))*\s*\)", re.DOTALL)


class Text(NamedTuple):
    """A text with its context and plural, None if it has none."""

    context: str | None
    single: str
    plural: str | None


def texts_in(folder: Path, without: Collection[Path] = ()) -> Iterator[Text]:
    """Yield every text in the modules and templates below `folder`, except in the folders `without`."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".py", ".html") or not set(path.parents).isdisjoint(without):
            continue
        source = path.read_text(encoding="utf-8")
        if path.suffix == ".html":
            source = "\n".join(call[0] for call in _CALL.finditer(templatize(source)))
        yield from _in_program(source)


def _in_program(source: str) -> Iterator[Text]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in CALLS:
            context, single, plural = (None if place is None else _constant(node, place) for place in CALLS[name])
            if single:
                yield Text(context, single, plural)


def _constant(call: ast.Call, place: int) -> str | None:
    argument = call.args[place] if place < len(call.args) else None
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None
