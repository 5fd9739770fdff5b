"""Reading arguments: JSON, forms with bracket notation, and nothing from any other body."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import orjson
from django.http import QueryDict
from rest_framework import parsers
from rest_framework.negotiation import BaseContentNegotiation

from calendar_site.api.errors import InvalidJSON, UnreadableBody

_KEY = re.compile(r"([^\[]+)((?:\[[^\[\]]*\])*)")
_DEPTH = 5
# Digits of a key that can be a place in a list.
LONGEST_PLACE = 10


class Repeated(list):
    """The values of a plain key that was sent several times: a list to who takes lists, else the last counts."""


def nested(pairs: Iterable[tuple[str, list[Any]]]) -> dict[str, Any]:
    """Arguments from form keys with brackets: `venue[city]=Lima`, `tags[]=1&tags[]=2`, `organizer[0][id]=7`."""
    tree: dict[str, Any] = {}
    for key, values in pairs:
        match = _KEY.fullmatch(key)
        steps = re.findall(r"\[([^\[\]]*)\]", match[2]) if match else []
        if not match or not steps or len(steps) > _DEPTH:
            tree[key] = values[0] if len(values) == 1 else Repeated(values)
            continue
        for value in values:
            _put(tree, [match[1], *steps], value)
    return {key: _lists(value) for key, value in tree.items()}


def _put(branch: dict[str, Any], steps: list[str], value: Any) -> None:
    for step in steps[:-1]:
        name = step or str(len(branch))
        if not isinstance(branch.get(name), dict):
            branch[name] = {}
        branch = branch[name]
    branch[steps[-1] or str(len(branch))] = value


def _lists(value: Any) -> Any:
    """Objects whose keys are all numbers as lists, as PHP's clients mean them."""
    if not isinstance(value, dict):
        return value
    inner = {key: _lists(item) for key, item in value.items()}
    if inner and all(key.isdecimal() and len(key) < LONGEST_PLACE for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner


class JSONParser(parsers.BaseParser):
    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> dict[str, Any]:
        body = parser_context["request"]._request.body
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
        request = parser_context["request"]._request
        return nested(QueryDict(request.body, encoding="utf-8").lists())


class MultiPartParser(parsers.MultiPartParser):
    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        parts = super().parse(stream, media_type, parser_context)
        return nested([*parts.data.lists(), *parts.files.lists()])


class NoArgumentsParser(parsers.BaseParser):
    """Any other media type carries no arguments."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> dict[str, Any]:
        # Read all the same, so that the limit of bodies holds.
        _ = parser_context["request"]._request.body
        return {}


class ContractNegotiation(BaseContentNegotiation):
    """Answers are JSON whatever is asked for; `application/*+json` is read as JSON."""

    def select_parser(self, request: Any, parsers: Any) -> Any:
        sent = (request.content_type or "").split(";")[0].strip().lower()
        if sent.startswith("application/") and sent.endswith("+json"):
            sent = "application/json"
        return next((parser for parser in parsers if parser.media_type == sent), parsers[-1])

    def select_renderer(self, request: Any, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type


def read_arguments(request: Any, in_body: bool) -> dict[str, Any]:
    """The arguments of a request: those of the query, and over them those of the body.

    Raises InvalidJSON, RequestDataTooBig and UnreadableBody.
    """
    arguments = nested(request.query_params.lists())
    if in_body:
        body = request.data
        # A form that the check of the CSRF token had to read first comes as Django parsed it.
        arguments |= nested(body.lists()) if isinstance(body, QueryDict) else body
    refuse_null_characters(arguments)
    return arguments


def refuse_null_characters(arguments: Any, depth: int = 0) -> None:
    """Raises where a text holds NUL, which databases refuse, or the data are nested without end."""
    if depth > 32:
        raise UnreadableBody
    if isinstance(arguments, str) and "\x00" in arguments:
        raise UnreadableBody
    if isinstance(arguments, dict):
        for key, value in arguments.items():
            refuse_null_characters(key, depth + 1)
            refuse_null_characters(value, depth + 1)
    elif isinstance(arguments, list):
        for value in arguments:
            refuse_null_characters(value, depth + 1)
