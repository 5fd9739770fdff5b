"""Parsers of request bodies: JSON, and forms with keys in brackets. Any other body has no arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import orjson
from django.http import QueryDict
from rest_framework import parsers
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request

from calendar_site.api.errors import InvalidBody, InvalidJSON

KEY = re.compile(r"([^\[]+)((?:\[[^\[\]]*\])*)")
# The first limits keys in brackets, the second all data.
MAX_KEY_DEPTH = 5
MAX_DEPTH = 32
# Digits of a key that can be an index of a list.
MAX_INDEX_DIGITS = 9


class RepeatedValues(list):
    """The values of a repeated plain key. Where no list is expected, the last one counts."""


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
    """Parses a JSON object; any other value has no arguments.

    Reads `request.body`, as the other parsers do, because the limit on bodies does not apply to the stream.
    """

    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> dict[str, Any]:
        body = parser_context["request"].body
        if not body.strip():
            return {}
        try:
            data = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            raise InvalidJSON from error
        return data if isinstance(data, dict) else {}


class FormParser(parsers.BaseParser):
    media_type = "application/x-www-form-urlencoded"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> dict[str, Any]:
        return parse_nested(QueryDict(parser_context["request"].body, encoding="utf-8").lists())


class MultiPartParser(parsers.MultiPartParser):
    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        parts = super().parse(stream, media_type, parser_context)
        return parse_nested([*parts.data.lists(), *parts.files.lists()])


class NoArgumentsParser(parsers.BaseParser):
    """Parses any other media type, which has no arguments."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> dict[str, Any]:
        # Read anyway, so that the limit on bodies applies.
        _ = parser_context["request"].body
        return {}


class ContractNegotiation(BaseContentNegotiation):
    """Responds with JSON to every `Accept` header; parses `application/*+json` as JSON."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        content_type = (request.content_type or "").split(";")[0].strip().lower()
        if content_type.startswith("application/") and content_type.endswith("+json"):
            content_type = JSONParser.media_type
        return next((parser for parser in parsers if parser.media_type == content_type), parsers[-1])

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type


def read_arguments(request: Request, in_body: bool) -> dict[str, Any]:
    """Return the arguments of the query, overridden by those of the body.

    Raises InvalidJSON, RequestDataTooBig and InvalidBody.
    """
    arguments = parse_nested(request.query_params.lists())
    if in_body:
        body = request.data
        # If the CSRF check has read a form, Django has parsed it.
        arguments |= parse_nested(body.lists()) if isinstance(body, QueryDict) else body
    refuse_null_characters(arguments)
    return arguments


def refuse_null_characters(arguments: Any, depth: int = 0) -> None:
    """Raise InvalidBody for NUL characters, which databases refuse, and for nesting that is too deep."""
    if depth > MAX_DEPTH or (isinstance(arguments, str) and "\x00" in arguments):
        raise InvalidBody
    if isinstance(arguments, dict):
        for key, value in arguments.items():
            refuse_null_characters(key, depth + 1)
            refuse_null_characters(value, depth + 1)
    elif isinstance(arguments, list):
        for value in arguments:
            refuse_null_characters(value, depth + 1)
