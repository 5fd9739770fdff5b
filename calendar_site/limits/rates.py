"""Rates such as 100 per minute, and how much of a rate has been used.

A period begins with the first use, and all uses expire together at its end.
"""

from __future__ import annotations

from math import ceil
from time import time
from typing import NamedTuple, Self

from calendar_site.limits.stores import CountedPeriod, Store

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class Rate(NamedTuple):
    """The maximum number of uses in a period, whose length is in seconds."""

    limit: int
    seconds: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the rate in the notation of the settings, such as `100/min`."""
        limit, _slash, unit = text.partition("/")
        return cls(int(limit), SECONDS[unit[0]])


class Usage(NamedTuple):
    """How much of a rate one client or user has used. `ends_at` is the end of the period in Unix time."""

    rate: Rate
    used: int
    ends_at: float
    is_exceeded: bool = False

    @property
    def remaining(self) -> int:
        return max(0, self.rate.limit - self.used)

    @property
    def seconds_left(self) -> int:
        """The whole seconds after which the period has ended."""
        return max(0, ceil(self.ends_at - time()))


def read_usage(store: Store, key: str, rate: Rate) -> Usage:
    """Return the current usage. It is exceeded if no use is left."""
    period = store.read(key) or CountedPeriod(0, time() + rate.seconds)
    return Usage(rate, period.used, period.ends_at, is_exceeded=period.used >= rate.limit)


def count_use(store: Store, key: str, rate: Rate) -> Usage:
    """Count a use, and return the usage. It is exceeded if this use was one too many.

    Call `read_usage` first: a use that is refused need not be counted, so that it writes nothing.
    """
    period = store.increment(key, rate.seconds)
    return Usage(rate, period.used, period.ends_at, is_exceeded=period.used > rate.limit)
