"""Measure the service beside its floor: the same bytes from hand-written SQL on the same server.

The benchmark fills a database, starts a server with the production configuration, and measures reads with an empty
cache beside the floor, cached reads, writes, memory and start-up. It prints tables, and the targets of the project with
"holds" or "does not hold". It removes the databases and all files afterwards.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import pickle
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import callgrind
import report
from cases import BASE, FLOOR, Case, cases, growth_cases
from load import get_request, measure
from memory import memory_after
from reads import Result, compare_with_floor, exists, measure_cached
from results import Growth, Run
from server import ROOT, free_port, run_server, temporary_database, temporary_folder
from writes import WorkerCounts, measure_writes

PROGRAMS = Path(__file__).resolve().parent
# Reads of the first table find no stored responses.
NO_CACHE = {"RESPONSE_CACHE_MB": "0"}
MEASURED_WORKERS = [WorkerCounts(2), WorkerCounts(1, 2)]
STARTS = 3
PARTS = ["reads", "cached", "start", "memory", "writes", "growth"]


def main() -> int:
    arguments = parse_arguments()
    # SIGTERM cleans up as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if arguments.show:
        saved = [pickle.loads(file.read_bytes()) for file in arguments.show]
        runs, growths = ([one for found in column for one in found] for column in zip(*saved, strict=True))
    else:
        runs, growths = measure_all(arguments)
    if arguments.markdown:
        report.replace_results(ROOT / "benchmarks" / "results.md", report.markdown(runs, growths))
    else:
        print(report.plain(runs, growths))
        print(report.plain_targets(runs, growths))
    return 0


def measure_all(arguments: argparse.Namespace) -> tuple[list[Run], list[Growth]]:
    runs: list[Run] = []
    growths: list[Growth] = []
    for url in arguments.databases:
        growth = Growth("")
        for amount in arguments.events:
            with filled_database(url, amount) as (environment, parameters):
                growth.database = parameters["database"]
                # Before the writes, which add events.
                if len(arguments.events) > 1 and "growth" in arguments.parts:
                    measure_growth(growth, amount, environment, parameters, arguments.seconds)
                if amount == arguments.events[0] and arguments.parts != ["growth"]:
                    runs.append(run(amount, environment, parameters, arguments))
            if growth.times and growth not in growths:
                growths.append(growth)
            if arguments.save:
                # After each number of events, because the next one may take long.
                arguments.save.write_bytes(pickle.dumps((runs, growths)))
    return runs, growths


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--events", type=int, nargs="+", default=[10_000], help="numbers of events; with several, growth is measured"
    )
    parser.add_argument(
        "--databases",
        nargs="+",
        default=[os.environ.get("DATABASE_URL", "sqlite")],
        metavar="URL",
        help="`sqlite`, or a PostgreSQL server's URL, beside whose database another one is created",
    )
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="what to measure")
    parser.add_argument("--seconds", type=float, default=2, help="for each case and number of clients")
    parser.add_argument("--requests", type=int, default=10_000, help="the memory is read after this many requests")
    parser.add_argument("--only", default="", help="only cases with this in their name")
    parser.add_argument("--quick", action="store_true", help="3,000 events, and a second for each case")
    parser.add_argument("--full", action="store_true", help="10,000 to 1,000,000 events on both databases")
    parser.add_argument("--no-instructions", action="store_true", help="do not count instructions")
    parser.add_argument("--markdown", action="store_true", help="replace the results in benchmarks/results.md")
    parser.add_argument("--save", type=Path, metavar="FILE", help="save the results")
    parser.add_argument("--show", type=Path, nargs="+", metavar="FILE", help="show saved results, and measure nothing")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.events, arguments.seconds, arguments.requests = [3000], 1, 500
    if arguments.full:
        postgresql = os.environ.get("DATABASE_URL", "postgres://postgres@127.0.0.1/calendar")
        arguments.events, arguments.databases = [10_000, 100_000, 1_000_000], ["sqlite", postgresql]
    return arguments


@contextlib.contextmanager
def filled_database(url: str, amount: int) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """Yield the environment of the service with a temporary database of events, and the parameters of the cases."""
    with temporary_folder() as folder, temporary_database(url, folder) as database:
        environment = os.environ | {
            "DATABASE_URL": database,
            "DATA_DIR": str(folder),
            "DEBUG": "false",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "PYTHONPATH": str(ROOT),
            # So that the processes of PostgreSQL stay the same while their CPU time is counted.
            "DATABASE_CONN_MAX_AGE": "86400",
            # So that instructions are the same in each run.
            "PYTHONHASHSEED": "0",
        }
        log(f"Filling {amount:,} events …")
        program = [sys.executable, str(PROGRAMS / "fill.py"), "--events", str(amount)]
        filled = subprocess.run(program, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
        yield environment, json.loads(filled.stdout)


def run(amount: int, environment: dict[str, str], parameters: dict[str, Any], arguments: argparse.Namespace) -> Run:
    """Measure everything but growth."""
    done = Run(amount, parameters["database"])
    output = Path(environment["DATA_DIR"]) / "server.log"
    with run_server(environment | NO_CACHE, output) as (port, server):
        selected = [
            case for case in cases(parameters) if arguments.only in case.name and exists(port, case, parameters)
        ]
        if "reads" in arguments.parts:
            measure(port, get_request(port, f"{FLOOR}{BASE}/nothing"), done.empty, connections=8, seconds=1)
            for case in selected:
                log(case.name)
                database = environment["DATABASE_URL"]
                done.results.append(compare_with_floor(port, server, database, case, parameters, arguments.seconds))
    if "reads" in arguments.parts:
        measure_work(done.results, environment | NO_CACHE, parameters, arguments)
    if "cached" in arguments.parts:
        log("Stored responses …")
        with run_server(environment, output) as (port, server):
            done.cached = measure_cached(port, selected, parameters, arguments.seconds)
    if "start" in arguments.parts:
        done.start_seconds = measure_start(environment, output)
    if "memory" in arguments.parts:
        log(f"Sending {arguments.requests:,} requests …")
        done.requests = arguments.requests
        with run_server(environment, output) as (port, server):
            done.memory = memory_after(arguments.requests, port, server, selected, parameters)
    if "writes" in arguments.parts:
        # The last, because they change the database.
        numbers = itertools.count()
        for counts in MEASURED_WORKERS:
            log(f"Writes with {counts} …")
            write_port = free_port()
            separate = {"WEB_WRITE_WORKERS": str(counts.write_workers), "WRITE_PORT": str(write_port)}
            with run_server(environment | separate, output, workers=counts.workers) as (port, server):
                write_port = write_port if counts.write_workers else port
                seconds = arguments.seconds * 2
                done.writes += measure_writes(port, write_port, counts, numbers, parameters, seconds)
    return done


def measure_work(
    results: list[Result], environment: dict[str, str], parameters: dict[str, Any], arguments: argparse.Namespace
) -> None:
    """Set the queries, the bytes, the CPU time and, if callgrind is there, the instructions of each request."""
    log("Work for each request …")
    selected = [result.case for result in results]
    for prefix, name in (("", "service_work"), (FLOOR, "floor_work")):
        works = probe(selected, prefix, environment, parameters, seconds=arguments.seconds / 8)
        if callgrind.is_available() and not arguments.no_instructions:
            counts = probe(selected, prefix, environment, parameters, has_instructions=True)
            works = [work | count for work, count in zip(works, counts, strict=True)]
        for result, work in zip(results, works, strict=True):
            setattr(result, name, work)


def measure_growth(
    growth: Growth, amount: int, environment: dict[str, str], parameters: dict[str, Any], seconds: float
) -> None:
    """Measure the CPU time of each case with this number of events."""
    log(f"CPU time with {amount:,} events …")
    for prefix, times in (("", growth.times), (FLOOR, growth.floor_times)):
        selected = [case for case in growth_cases(parameters) if case.has_floor or not prefix]
        works = probe(selected, prefix, environment | NO_CACHE, parameters, seconds=seconds / 4)
        times[amount] = {
            case.name: work["cpu"] + work["backend"] for case, work in zip(selected, works, strict=True) if work
        }


def probe(
    selected: list[Case],
    prefix: str,
    environment: dict[str, str],
    parameters: dict[str, Any],
    *,
    seconds: float = 0,
    has_instructions: bool = False,
    repeats: int = 1,
) -> list[dict[str, float]]:
    """Return the work of each case, {} for those that fail; see probe.py."""
    requests = [{"path": prefix + case.path, "headers": case.headers(parameters)} for case in selected]
    with tempfile.TemporaryDirectory(dir=environment["DATA_DIR"]) as folder:
        program = [sys.executable, str(PROGRAMS / "probe.py"), "--seconds", str(seconds), "--repeats", str(repeats)]
        if has_instructions:
            program = callgrind.command([*program, "--instructions", folder], Path(folder))
        done = subprocess.run(
            program, cwd=ROOT, env=environment, input=json.dumps(requests).encode(), stdout=subprocess.PIPE, check=True
        )
    works: list[dict[str, float]] = json.loads(done.stdout)
    return works


def measure_start(environment: dict[str, str], output: Path) -> float:
    """Return the seconds from the start of the server to its first response, the median of some starts."""
    times = []
    for _ in range(STARTS):
        started = time.monotonic()
        with run_server(environment, output) as (port, _server):
            urllib.request.urlopen(f"http://127.0.0.1:{port}{BASE}/events", timeout=60).close()
            times.append(time.monotonic() - started)
    return statistics.median(times)


def log(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
