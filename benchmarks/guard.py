"""Compare the instructions of some requests with recorded limits, so that slow changes are noticed at once.

Instructions, not time: they are the same on a busy machine. Runs on SQLite, in one process under callgrind, with an
empty cache unless the name says otherwise. Exits with status 1 if a request takes more than MARGIN over its limit.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import callgrind
from cases import BASE, Case, cases
from run import NO_CACHE, filled_database, probe

LIMITS = Path(__file__).with_name("instruction_limits.json")
EVENTS = 2000
REPEATS = 3
# Versions of libraries and of Python differ by less.
MARGIN = 0.05
# The cases of the benchmark that are compared.
NAMES = {
    "events, default page",
    "events, 50 on a page",
    "events, one category",
    "events, search of a common word",
    "events, near a point",
    "events, default page, signed in",
    "one event by id",
    "one event by slug",
    "venues",
    "categories",
}
CACHED = Case("events, default page, from the cache", f"{BASE}/events")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="record the instructions as limits")
    arguments = parser.parse_args()
    if not callgrind.is_available():
        print("Instructions were not compared: this needs valgrind, on an x86-64 machine.")
        return 0
    with filled_database("sqlite", EVENTS) as (environment, parameters):
        selected = [case for case in cases(parameters) if case.name in NAMES]
        counts = measure(selected, environment | NO_CACHE, parameters) | measure([CACHED], environment, parameters)
    if arguments.record:
        LIMITS.write_text(json.dumps(counts, indent=2) + "\n")
        return 0
    return compare(counts, json.loads(LIMITS.read_text()))


def measure(selected: list[Case], environment: dict[str, str], parameters: dict[str, Any]) -> dict[str, float]:
    works = probe(selected, "", environment, parameters, has_instructions=True, repeats=REPEATS)
    return {case.name: round(work["instructions"], 2) for case, work in zip(selected, works, strict=True)}


def compare(counts: dict[str, float], limits: dict[str, float]) -> int:
    """Print the millions of instructions beside the limits, and return the exit status."""
    is_slower = False
    for name, count in counts.items():
        if name not in limits:
            print(f"{name:40} {count:8.2f} million, no limit recorded")
            continue
        change = count / limits[name] - 1
        is_slower |= change > MARGIN
        outcome = "too many" if change > MARGIN else ""
        print(f"{name:40} {count:8.2f} million, recorded: {limits[name]:8.2f}  {change:+.1%} {outcome}")
    if is_slower:
        print("Some requests take more work. If this is intended: make benchmark-guard ARGS=--record", file=sys.stderr)
    return int(is_slower)


if __name__ == "__main__":
    sys.exit(main())
