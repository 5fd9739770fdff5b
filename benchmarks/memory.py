"""The memory of a worker after many different requests."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

from cases import BASE, Case, day
from load import Load, get_request, run_loads
from server import worker_memory

CONNECTIONS = 8
# Drafts and events with a password are refused.
ACCEPTED = (200, 401, 403, 404, 410)
# How many requests are made in advance, and then repeated.
DIFFERENT_REQUESTS = 5000


def memory_after(
    amount: int, port: int, server: int, selected: list[Case], parameters: dict[str, Any]
) -> dict[str, float]:
    """Return the memory of a new worker in megabytes after `amount` mixed requests."""
    load = Load(itertools.islice(mixed_requests(port, selected, parameters), amount), CONNECTIONS, accepted=ACCEPTED)
    run_loads(port, [load], seconds=24 * 3600)
    return worker_memory(server)


def mixed_requests(port: int, selected: list[Case], parameters: dict[str, Any]) -> Iterator[bytes]:
    """Yield half the cases of the benchmark, and half requests with other pages, days, ids and words."""
    rng = random.Random(7)
    made = []
    for number in range(DIFFERENT_REQUESTS):
        if number % 2:
            made.append(rng.choice(selected).request(port, parameters))
            continue
        first = rng.randrange(600)
        made.append(
            get_request(
                port,
                rng.choice(
                    [
                        f"{BASE}/events?page={rng.randrange(1, 100)}",
                        f"{BASE}/events?start_date={day(first)}&end_date={day(first + 7)}&per_page=50",
                        f"{BASE}/events/{rng.randrange(1, 2000)}",
                        f"{BASE}/events?search={rng.choice(WORDS)}",
                        f"{BASE}/events?venue={rng.randrange(1, 20)}",
                        f"{BASE}/venues?page={rng.randrange(1, 3)}",
                        f"{BASE}/organizers/{rng.randrange(1, 10)}",
                        "/events/",
                    ]
                ),
            )
        )
    return itertools.cycle(made)


WORDS = ["garden", "river", "library", "museum", "poetry", "forest", "chess", "tango", "radio", "kitchen"]
