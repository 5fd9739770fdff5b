"""Writes: events that eight clients create, with and without relations, and a reader meanwhile.

Each create changes the content, so the reader gets new responses. The reader alone gets new ones as well, because each
of its requests is different, and the same one again and again for comparison.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from cases import BASE, authorization, day
from load import Load, Measurement, get_request, post_request, run_loads

CLIENTS = (1, 8)
EVENTS = f"{BASE}/events"
ACCEPTED = (201, 503, 500)
MIN_PLAIN_RATE, MIN_RELATED_RATE = 200, 120
MAX_P99_SECONDS = 0.25
# Each with new connections, because sometimes one worker accepts all of them, and the others have nothing to do.
ROUNDS = 4


class WorkerCounts(NamedTuple):
    """The numbers of workers, and of workers for writes (docs/speed.md)."""

    workers: int
    write_workers: int = 0

    def __str__(self) -> str:
        text = "1 worker" if self.workers == 1 else f"{self.workers} workers"
        return f"{text} and {self.write_workers} for writes" if self.write_workers else text


@dataclass
class Writes:
    """Creates by a number of clients, with the reader who read meanwhile, and the same reader alone before.

    `reader_stored` is that of a reader alone who gets a stored response.
    """

    name: str
    clients: int
    workers: WorkerCounts
    creates: Measurement
    reader: Measurement
    reader_alone: Measurement
    reader_stored: Measurement

    @property
    def successes_per_second(self) -> float:
        return self.creates.statuses[201] / self.creates.elapsed

    @property
    def failures(self) -> int:
        return sum(self.creates.statuses.values()) - self.creates.statuses[201]


def measure_writes(
    port: int,
    write_port: int,
    workers: WorkerCounts,
    numbers: Iterator[int],
    parameters: dict[str, Any],
    seconds: float,
) -> list[Writes]:
    """Measure creates of events without and with relations, each by one and by eight clients.

    The titles of the events contain the `numbers`, so that none of them has to look for a free slug.
    """
    results = []
    write_load = partial(Load, accepted=ACCEPTED, port=write_port)
    reads = (get_request(port, f"{EVENTS}?number={number}") for number in itertools.count())
    for name in ("plain", "with relations"):
        for clients in CLIENTS:
            requests = create_requests(port, numbers, parameters, has_relations=name != "plain")
            run_loads(port, [write_load(itertools.islice(requests, 2 * clients), clients)], seconds=60)
            stored = Load(itertools.repeat(get_request(port, EVENTS)), 1)
            run_loads(port, [stored], seconds=seconds / 2)
            alone = Load(reads, 1)
            run_loads(port, [alone], seconds=seconds / 2)
            creates = write_load(requests, clients)
            for _ in range(ROUNDS):
                run_loads(port, [creates], seconds=seconds / ROUNDS)
            # Not at the same time as the measurement above, whose rate the reader would lower.
            reader = Load(reads, 1)
            for _ in range(ROUNDS):
                run_loads(port, [write_load(requests, clients), reader], seconds=seconds / 2 / ROUNDS)
            measurements = (load.measurement for load in (creates, reader, alone, stored))
            results.append(Writes(name, clients, workers, *measurements))
    return results


def create_requests(
    port: int, numbers: Iterator[int], parameters: dict[str, Any], *, has_relations: bool
) -> Iterator[bytes]:
    headers = authorization(parameters)
    for number in numbers:
        yield post_request(port, EVENTS, new_event(number, parameters, has_relations=has_relations), headers)


def new_event(number: int, parameters: dict[str, Any], *, has_relations: bool) -> dict[str, Any]:
    """Return an event; with a venue, an organizer, two categories, three tags and a ticket, which exist already."""
    start = day(1 + number % 600)
    event: dict[str, Any] = {
        "title": f"Evening of the benchmark {number}",
        "description": "<p>The doors open half an hour before, and seats are not numbered.</p>",
        "start_date": f"{start} 19:00:00",
        "end_date": f"{start} 21:00:00",
        "timezone": "Europe/Berlin",
        "cost": "12",
    }
    if has_relations:
        event |= {
            "venue": {"id": parameters["venue"]},
            "organizer": {"id": parameters["organizer"]},
            "categories": parameters["categories"],
            "tags": parameters["tags"],
            "tickets": [{"name": "Regular", "price": "12.00", "currency": "EUR"}],
        }
    return event
