"""Parsers of request bodies: JSON, and forms with keys in brackets. All other bodies contain no arguments."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any
from urllib.parse import unquote

import orjson
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import parsers
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request

from calendar_site.api.errors import InvalidBody, InvalidJSON, NullCharacters
from calendar_site.api.input.values import RepeatedValues

KEY = re.compile(r"([^\[]+)((?:\[[^\[\]]*\])*)")
# Maximum nesting: of form keys in brackets, and of all data.
MAX_KEY_DEPTH = 5
NOT_UTF_8 = gettext_lazy("The request contains text that is not UTF-8. Encode it as UTF-8.")
MAX_DEPTH = 32
# Digits of a key that can be an index of a list.
MAX_INDEX_DIGITS = 9
# How much of an ignored body is examined.
MAX_LEADING_SPACE = 100
# How many invalid arguments an error names, and how much of each name.
MAX_REPORTED_PATHS = 20
MAX_REPORTED_NAME = 50

# Keys and positions in nested arguments.
Path = tuple[str | int, ...]


def parse_nested(pairs: Iterable[tuple[str, list[Any]]]) -> dict[str, Any]:
    """Return arguments from form keys with brackets: `venue[city]=Lima`, `tags[]=1&tags[]=2`, `organizer[0][id]=7`."""
    tree: dict[str, Any] = {}
    for key, values in pairs:
        match = KEY.fullmatch(key)
        keys = re.findall(r"\[([^\[\]]*)\]", match[2]) if match else []
        if not match or not keys or len(keys) > MAX_KEY_DEPTH:
            tree[key] = values[0] if len(values) == 1 else RepeatedValues(values)
            continue
        for value in values:
            _set_in(tree, [match[1], *keys], value)
    return {key: _with_lists(value) for key, value in tree.items()}


def _set_in(branch: dict[str, Any], keys: list[str], value: Any) -> None:
    """Set a value in nested dicts; an empty key is the next index."""
    for key in keys[:-1]:
        name = key or str(len(branch))
        if not isinstance(branch.get(name), dict):
            branch[name] = {}
        branch = branch[name]
    branch[keys[-1] or str(len(branch))] = value


def _with_lists(value: Any) -> Any:
    """Turn objects whose keys are all numbers into lists, as PHP clients write them."""
    if not isinstance(value, dict):
        return value
    inner = {key: _with_lists(item) for key, item in value.items()}
    if inner and all(key.isdecimal() and len(key) <= MAX_INDEX_DIGITS for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner


class JSONParser(parsers.BaseParser):
    """A parser of JSON objects; any other JSON value contains no arguments.

    Reads `request.body`, as the other parsers do, because the size limit on bodies does not apply to the stream.
    """

    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> dict[str, Any]:
        body = parser_context["request"].body.removeprefix(BOM_UTF8)
        if not body.strip():
            return {}
        try:
            data = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            raise InvalidJSON(error.lineno, error.colno, error.msg) from error
        return data if isinstance(data, dict) else {}


class FormParser(parsers.BaseParser):
    media_type = "application/x-www-form-urlencoded"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> dict[str, Any]:
        body = parser_context["request"].body
        refuse_other_encodings(body)
        return parse_nested(QueryDict(body, encoding="utf-8").lists())


class MultiPartParser(parsers.MultiPartParser):
    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        parts = super().parse(stream, media_type, parser_context)
        # The parser has replaced what is not UTF-8.
        texts = (text for key, values in parts.data.lists() for text in (key, *values))
        if any("\N{REPLACEMENT CHARACTER}" in text for text in texts):
            raise InvalidBody(NOT_UTF_8)
        return parse_nested([*parts.data.lists(), *parts.files.lists()])


class NoArgumentsParser(parsers.BaseParser):
    """A parser of all other media types, which contain no arguments."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> dict[str, Any]:
        # Read the body anyway, so that the size limit applies.
        len(parser_context["request"].body)
        return {}


class ContractNegotiation(BaseContentNegotiation):
    """Content negotiation that always responds with JSON, and parses `application/*+json` as JSON."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        media_type = _media_type(request)
        return next((parser for parser in parsers if parser.media_type == media_type), parsers[-1])

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type


def read_arguments(request: Request, in_body: bool) -> dict[str, Any]:
    """Return the arguments of the query, overridden by those of the body.

    Raises InvalidJSON, RequestDataTooBig and InvalidBody.
    """
    refuse_other_encodings(request.META.get("QUERY_STRING", "").encode("latin-1"))
    arguments = parse_nested(request.query_params.lists())
    if in_body:
        body = request.data
        # If the CSRF check has read a form, Django has parsed it.
        arguments |= parse_nested(body.lists()) if isinstance(body, QueryDict) else body
    refuse_null_characters(arguments)
    return arguments


def refuse_other_encodings(encoded: bytes) -> None:
    """Raise InvalidBody for percent-encoded text that is not UTF-8, of which characters would be lost.

    Octets that are not percent-encoded are latin-1 if they are not UTF-8, as Django reads them.
    """
    try:
        text = encoded.decode()
    except UnicodeDecodeError:
        text = encoded.decode("latin-1")
    try:
        unquote(text, errors="strict")
    except UnicodeDecodeError as error:
        raise InvalidBody(NOT_UTF_8) from error


def refuse_null_characters(arguments: dict[str, Any]) -> None:
    """Raise NullCharacters, and InvalidBody for nesting that is too deep."""
    # A body may contain hundreds of thousands.
    if paths := list(islice(_null_character_paths((), arguments), MAX_REPORTED_PATHS)):
        raise NullCharacters(map(_format_path, paths))


def _null_character_paths(path: Path, value: Any) -> Iterator[Path]:
    """Yield the paths of the arguments that contain NUL characters in their names or values."""
    if len(path) > MAX_DEPTH:
        raise InvalidBody(_("The data is nested more than %(limit)s levels deep.") % {"limit": MAX_DEPTH})
    if isinstance(value, str) and "\0" in value:
        yield path
    elif isinstance(value, dict):
        for name, inner in value.items():
            if isinstance(name, str) and "\0" in name:
                yield (*path, name)
            yield from _null_character_paths((*path, name), inner)
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            if isinstance(inner, str | dict | list):
                yield from _null_character_paths((*path, position), inner)


def _format_path(path: Path) -> str:
    """Return a path such as `tickets[0].name`, with names of a reasonable length."""
    name, *rest = path
    parts = [f"[{key}]" if isinstance(key, int) else f".{key[:MAX_REPORTED_NAME]}" for key in rest]
    return "".join([str(name)[:MAX_REPORTED_NAME], *parts]).replace("\0", "\N{SYMBOL FOR NULL}")


def describe_ignored_body(request: Request) -> str:
    """Return why the body contains no arguments, and what to send instead; "" for an empty body or a form."""
    media_type = _media_type(request)
    if media_type == MultiPartParser.media_type:
        return ""
    start = request.body[:MAX_LEADING_SPACE].lstrip()[:1]
    if not start or (media_type == JSONParser.media_type and start == b"{"):
        return ""
    if media_type == JSONParser.media_type:
        return _("The JSON body was ignored, because it is not an object.")
    if media_type == FormParser.media_type and start not in (b"{", b"["):
        return ""
    if not media_type:
        return _("The body was ignored, because it has no Content-Type. For JSON, send Content-Type: application/json.")
    text = _(
        "The body was ignored, because its Content-Type is %(type)s. For JSON, send Content-Type: application/json."
    )
    return text % {"type": media_type}


def _media_type(request: Request) -> str:
    media_type = (request.content_type or "").split(";")[0].strip().lower()
    is_json = media_type.startswith("application/") and media_type.endswith("+json")
    return JSONParser.media_type if is_json else media_type
