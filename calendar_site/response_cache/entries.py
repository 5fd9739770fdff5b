"""Stored responses."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple, Self

import orjson
from django.http import HttpResponse

from calendar_site.derived.content_version import Version


class Entry(NamedTuple):
    """A stored response. It is valid for `version`, from `started` until `ends`, which are Unix times."""

    version: Version
    started: float
    ends: float
    headers: list[tuple[str, str]]
    body: bytes
    # The route of the URL pattern, for metrics.
    route: str | None
    # Whether requests for it count for THROTTLE_ANONYMOUS.
    is_counted: bool

    def is_valid(self, version: Version, present: datetime) -> bool:
        return self.version == version and self.started <= present.timestamp() < self.ends

    @property
    def size(self) -> int:
        """About the bytes in memory."""
        return len(self.body) + sum(len(name) + len(value) + 100 for name, value in self.headers) + 500

    def make_response(self) -> HttpResponse:
        response = HttpResponse(self.body)
        for name, value in self.headers:
            response.headers[name] = value
        return response

    def serialize(self) -> bytes:
        """Return the entry as a line of JSON, followed by the body."""
        return orjson.dumps(self._asdict() | {"version": list(self.version), "body": ""}) + b"\n" + self.body

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """Return the entry of `serialize()`. Raises ValueError, TypeError and KeyError for other data."""
        line, _newline, body = data.partition(b"\n")
        values: dict[str, Any] = orjson.loads(line)
        headers = [(str(name), str(value)) for name, value in values.pop("headers")]
        version = Version(*values.pop("version"))
        return cls(**{**values, "version": version, "headers": headers, "body": body})
