"""The endpoints of the API, read from the URL patterns, so that the index and the document contain all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.urls import URLResolver

from calendar_site.api.description.operations import DescribedView

# The notation of the contract for a digit in the pattern of a route.
DIGIT = r"\d"


class Endpoint(NamedTuple):
    """A route: its pattern below the API's root, a view for it, and its methods."""

    pattern: str
    view: DescribedView
    methods: list[str]


def endpoints_in(patterns: Iterable[Any], api_base: str) -> Iterator[Endpoint]:
    """Yield the endpoints of these URL patterns, for the API under `api_base`."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from endpoints_in(pattern.url_patterns, api_base)
            continue
        callback = pattern.callback
        view = callback.cls(**callback.initkwargs)
        view.kwargs = {"api_base": api_base}
        # The router gives a viewset its methods; its first request adds HEAD.
        actions = view.action_map = getattr(callback, "actions", None)
        methods = [method.upper() for method in actions if method != "head"] if actions else view.documented_methods()
        if methods:
            yield Endpoint(_strip_anchors(str(pattern.pattern)), view, methods)


def _strip_anchors(regex: str) -> str:
    """Return the pattern without anchors and the optional slash at its end."""
    return regex.removeprefix("^").removesuffix("$").removesuffix(r"\Z").removesuffix("/?").replace("[0-9]", DIGIT)
