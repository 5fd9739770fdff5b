"""Reads: beside the floor with an empty cache, and stored responses."""

from __future__ import annotations

import statistics
import sys
import urllib.request
from dataclasses import dataclass, field
from typing import Any

from cases import FLOOR, Case
from load import Measurement, get_request, measure
from server import backend_pids, cpu_seconds, worker_pids

SLICE_SECONDS = 0.5
WARM_UP_SECONDS = 0.3
# The first has the CPU time measured, too.
CONNECTIONS = (8, 1)


@dataclass
class Side:
    """The service or the floor: the measurements by number of connections, and the CPU time in seconds."""

    measurements: dict[int, Measurement] = field(default_factory=lambda: {n: Measurement() for n in CONNECTIONS})
    cpu: float = 0
    backend: float = 0

    def cpu_milliseconds(self) -> float:
        """Return the CPU time of the worker and of PostgreSQL for a request."""
        return (self.cpu + self.backend) * 1000 / max(len(self.measurements[CONNECTIONS[0]].latencies), 1)


@dataclass
class Result:
    """A case, measured for the service and the floor alternately."""

    case: Case
    service: Side = field(default_factory=Side)
    floor: Side = field(default_factory=Side)
    # What the probe measured: CPU time, queries, bytes and instructions.
    service_work: dict[str, float] = field(default_factory=dict)
    floor_work: dict[str, float] = field(default_factory=dict)

    def ratio(self, connections: int = CONNECTIONS[0]) -> float:
        """Return the rate of the service divided by that of the floor: the median of all pairs of periods."""
        pairs = zip(
            self.service.measurements[connections].rates, self.floor.measurements[connections].rates, strict=True
        )
        return statistics.median(ours / theirs for ours, theirs in pairs)


def exists(port: int, case: Case, parameters: dict[str, Any]) -> bool:
    """Return whether there is a response: few events have no page 500.

    Exits if service and floor return different bytes: their rates would not be comparable.
    """
    bodies = []
    for prefix in ("", FLOOR):
        url = f"http://127.0.0.1:{port}{prefix}{case.path}"
        try:
            with urllib.request.urlopen(
                urllib.request.Request(url, headers=case.headers(parameters)), timeout=60
            ) as response:
                bodies.append(response.read())
        except urllib.error.HTTPError as error:
            if not prefix and error.code in (400, 404):
                return False
            raise
    if bodies[0] != bodies[1]:
        sys.exit(f"The floor does not return the same response as the service: {case.name}. Correct benchmarks/floor.")
    return True


def compare_with_floor(
    port: int, server: int, database: str, case: Case, parameters: dict[str, Any], seconds: float
) -> Result:
    """Measure a case for service and floor, `seconds` for each number of connections."""
    result = Result(case)
    sides = [
        (case.request(port, parameters), result.service),
        (case.request(port, parameters, FLOOR), result.floor),
    ]
    for request, _side in sides:
        measure(port, request, Measurement(), connections=CONNECTIONS[0], seconds=WARM_UP_SECONDS)
    workers, backends = worker_pids(server), backend_pids(database)
    for connections in CONNECTIONS:
        for _turn in range(max(round(seconds / SLICE_SECONDS / 2), 1)):
            for request, side in sides:
                cpu, backend = cpu_seconds(workers), cpu_seconds(backends)
                measure(port, request, side.measurements[connections], connections=connections, seconds=SLICE_SECONDS)
                if connections == CONNECTIONS[0]:
                    side.cpu += cpu_seconds(workers) - cpu
                    side.backend += cpu_seconds(backends) - backend
    return result


def measure_cached(port: int, selected: list[Case], parameters: dict[str, Any], seconds: float) -> dict[str, Side]:
    """Measure repeated requests without authentication, and variants of the first: compressed, and not modified."""
    requests = {case.name: (case.request(port, parameters), (200,)) for case in selected if not case.is_signed_in}
    first = selected[0]
    url = f"http://127.0.0.1:{port}{first.path}"
    with urllib.request.urlopen(url, timeout=60) as response:
        tag = response.headers.get("ETag")
    requests[f"{first.name}, compressed"] = (get_request(port, first.path, {"Accept-Encoding": "br, gzip"}), (200,))
    if tag:
        requests[f"{first.name}, not modified"] = (get_request(port, first.path, {"If-None-Match": tag}), (304,))
    sides = {}
    for name, (request, accepted) in requests.items():
        sides[name] = Side()
        measure(port, request, Measurement(), connections=CONNECTIONS[0], seconds=WARM_UP_SECONDS, accepted=accepted)
        for connections in CONNECTIONS:
            measure(
                port,
                request,
                sides[name].measurements[connections],
                connections=connections,
                seconds=seconds / 2,
                accepted=accepted,
            )
    return sides
