"""Every route of the URL configuration, with a path of each."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver

from calendar_site.core.http.admin_path import ADMIN_PATH
from tests.support.api_client import API

# A value for each argument of a route. A route with another argument needs an entry here.
ARGUMENTS = {
    "api_base": API.strip("/"), "id": "1", "slug": "fair", "token": "1:x:y", "name": "events", "number": "1",
}  # fmt: skip


class NamedRoute(NamedTuple):
    """A route with a name outside the admin, and a path that leads to it."""

    name: str
    path: str


def named_routes(**arguments: Any) -> list[NamedRoute]:
    """Return all named routes outside the admin. `arguments` replace those of ARGUMENTS."""
    # Valid at any time: the calendar has pages from the month before the current one to the month after it.
    today = datetime.now(UTC)
    dates = {"month": f"{today:%Y-%m}", "day": f"{today:%Y-%m-%d}"}
    values = {name: str(value) for name, value in {**ARGUMENTS, **dates, **arguments}.items()}
    return [
        NamedRoute(name, "/" + _fill(route, values))
        for name, route in sorted(_named_patterns(get_resolver().url_patterns, ""))
    ]


def _named_patterns(patterns: list[Any], prefix: str) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern).removeprefix("^")
        if isinstance(pattern, URLResolver):
            if route != ADMIN_PATH.lstrip("/"):
                yield from _named_patterns(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and pattern.name:
            yield pattern.name, route


def _fill(route: str, values: dict[str, str]) -> str:
    """Return a path that matches a route. `reverse()` cannot process the alternatives in ours."""
    path = re.sub(r"\(\?P<(\w+)>[^()]*\)|<(?:\w+:)?(\w+)>", lambda found: values[found[1] or found[2]], route)
    return (
        re.sub(r"\(\?:/\|\\Z\)", "/", path)
        .replace("(?:events/?)?", "")
        .replace("/?", "")
        .replace("\\.", ".")
        .removesuffix("\\Z")
        .removesuffix("$")
    )
