"""The measurements of a database, and their growth with the number of events."""

from __future__ import annotations

from dataclasses import dataclass, field

from load import Measurement
from reads import Result, Side
from writes import Writes


@dataclass
class Run:
    """The results for one database."""

    amount: int
    database: str
    results: list[Result] = field(default_factory=list)
    empty: Measurement = field(default_factory=Measurement)
    cached: dict[str, Side] = field(default_factory=dict)
    writes: list[Writes] = field(default_factory=list)
    requests: int = 0
    memory: dict[str, float] = field(default_factory=dict)
    start_seconds: float = 0


@dataclass
class Growth:
    """The CPU time in milliseconds of each case by number of events, of the process and of PostgreSQL together."""

    database: str
    times: dict[int, dict[str, float]] = field(default_factory=dict)
    floor_times: dict[int, dict[str, float]] = field(default_factory=dict)
