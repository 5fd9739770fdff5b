"""The lifetime of a response: the time around a request in which it is correct."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from calendar_site.core import clock
from calendar_site.core.clock import Moments, TimeUse
from calendar_site.core.compiled_queries.querysets import first_values
from calendar_site.derived.content_version import Version

MAX_LIFETIME = timedelta(days=1)
NEVER = datetime.max.replace(tzinfo=UTC)
# If more moments have passed since the last change, the response is as new as the request.
MAX_STEPS = 10


class Lifetime(NamedTuple):
    since: datetime
    ends: datetime


class Timeline:
    """The moments of the records around the present time, remembered for one content version."""

    def __init__(self) -> None:
        self._known: dict[Moments, tuple[Version, Lifetime]] = {}

    def lifetime(self, use: TimeUse, version: Version) -> Lifetime:
        """Return the time around `use.started` in which a response with this use of the time is the same."""
        parts = [self._around(moments, use.started, version) for moments in use.moments]
        since = [part.since for part in parts] + [moment for moment in (use.since,) if moment]
        ends = [part.ends for part in parts] + [moment for moment in (use.ends,) if moment]
        return Lifetime(
            max([version.modified_at, *since]),
            min([use.started + MAX_LIFETIME, *ends]),
        )

    def _around(self, moments: Moments, present: datetime, version: Version) -> Lifetime:
        known_version, part = self._known.get(moments, (None, None))
        if known_version != version or part is None or present < part.since:
            start = min(version.modified_at, present)
            part = Lifetime(start, _next(moments, start))
        for _step in range(MAX_STEPS):
            if present < part.ends:
                break
            part = Lifetime(part.ends, _next(moments, part.ends))
        else:
            part = Lifetime(present, _next(moments, present))
        self._known[moments] = (version, part)
        return part


def _next(moments: Moments, after: datetime) -> datetime:
    """Return the first of the moments after the given one. One query."""
    return min(filter(None, first_values(clock.next_moment_columns(moments, after))), default=NEVER)
