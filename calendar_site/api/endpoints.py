"""What the API consists of, read off the URL patterns: nothing that answers can be left out of index and document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.urls import URLResolver

# How the contract's clients know a digit in the pattern of an address.
DIGIT = r"\d"


class Endpoint(NamedTuple):
    """An address: its pattern below the API's root, a view that answers there, and the methods that it answers."""

    pattern: str
    view: Any
    methods: list[str]


def endpoints_in(patterns: Iterable[Any], api_base: str) -> Iterator[Endpoint]:
    """The endpoints as they are when they are asked for under `api_base`."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from endpoints_in(pattern.url_patterns, api_base)
            continue
        callback = pattern.callback
        view = callback.cls(**callback.initkwargs)
        view.kwargs = {"api_base": api_base}
        # A viewset has its methods from the router; once it has answered, HEAD is among them.
        actions = view.action_map = getattr(callback, "actions", None)
        methods = [method.upper() for method in actions if method != "head"] if actions else view.methods()
        if methods:
            yield Endpoint(_plain(str(pattern.pattern)), view, methods)


def _plain(regex: str) -> str:
    """The pattern without anchors and the slash that may stand at the end."""
    return regex.removeprefix("^").removesuffix("$").removesuffix(r"\Z").removesuffix("/?").replace("[0-9]", DIGIT)
