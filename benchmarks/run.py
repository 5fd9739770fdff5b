"""Measure the served application against its floor: the same bytes from hand-written SQL on the same server.

For each number of events, the benchmark fills a database and starts one worker with the production configuration. It
requests each case over a few persistent connections, alternating between service and floor, so that both run under the
same conditions. It removes the database and all files afterwards.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import platform
import secrets
import signal
import statistics
import subprocess
import sys
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from load import Measurement, measure, request_for
from server import ROOT, run_server, temporary_database, temporary_folder, worker_memory

CONNECTIONS = 4
SLICE_SECONDS = 0.5
WARM_UP_SECONDS = 0.3
BASE = "/cal/events/v1"


class Case(NamedTuple):
    """A request that is measured."""

    name: str
    path: str
    is_signed_in: bool = False


class Result(NamedTuple):
    case: Case
    service: Measurement
    floor: Measurement

    @property
    def ratio(self) -> float:
        """The rate of the service divided by that of the floor: the median of all pairs of periods."""
        return statistics.median(
            ours / theirs for ours, theirs in zip(self.service.rates, self.floor.rates, strict=True)
        )


class Run(NamedTuple):
    """The results for one number of events."""

    amount: int
    database: str
    results: list[Result]
    ceiling: Measurement
    memory: dict[str, float]
    requests: int


def main() -> int:
    arguments = parse_arguments()
    # SIGTERM cleans up as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    runs = []
    for amount in arguments.events:
        runs.append(run(amount, arguments))
        if not arguments.markdown:
            print(format_plain(runs[-1]), flush=True)
    if arguments.markdown:
        print("\n\n".join([describe_machine(), *map(format_markdown, runs)]))
    return 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, nargs="+", default=[10_000, 100_000], help="Numbers of events.")
    parser.add_argument(
        "--database",
        default=os.environ.get("DATABASE_URL", ""),
        help="A PostgreSQL server's URL; the benchmark's database is made beside the one it names. Default: SQLite.",
    )
    parser.add_argument("--seconds", type=float, default=6, help="For each case, service and floor together.")
    parser.add_argument("--requests", type=int, default=10_000, help="After so many the worker's memory is read.")
    parser.add_argument("--only", default="", help="Only cases with this in their name.")
    parser.add_argument("--quick", action="store_true", help="A look in a minute: 3,000 events, a second each.")
    parser.add_argument("--markdown", action="store_true", help="Print the tables of docs/benchmarks.md.")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.events, arguments.seconds, arguments.requests = [3000], 1, 500
    return arguments


def run(amount: int, arguments: argparse.Namespace) -> Run:
    with temporary_folder() as folder, temporary_database(arguments.database, folder) as database:
        environment = os.environ | {
            "DATABASE_URL": database,
            "DATA_DIR": str(folder),
            "DEBUG": "false",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "PYTHONPATH": str(ROOT),
        }
        log(f"Filling {amount:,} events …")
        parameters = fill(amount, environment)
        selected = [case for case in cases(parameters) if arguments.only in case.name]
        with run_server(environment, folder / "server.log") as (port, _process):
            check_same(port, selected, parameters)
            ceiling = Measurement()
            measure(port, request_for(port, f"/floor{BASE}/nothing"), ceiling, connections=CONNECTIONS, seconds=1)
            results = [compare_with_floor(port, case, parameters, arguments.seconds) for case in selected]
        with run_server(environment, folder / "server.log") as (port, process):
            memory = measure_memory(port, process, selected, parameters, arguments.requests)
        return Run(amount, parameters["database"], results, ceiling, memory, arguments.requests)


def fill(amount: int, environment: dict[str, str]) -> dict[str, Any]:
    program = [sys.executable, str(Path(__file__).with_name("fill.py")), str(amount)]
    filled = subprocess.run(program, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(filled.stdout)


def cases(parameters: dict[str, Any]) -> list[Case]:
    today = datetime.now(UTC).date()
    month = (today.replace(day=1) + timedelta(days=32)).replace(day=1)
    end_of_month = (month + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    events = f"{BASE}/events"
    return [
        Case("events, default page", events),
        Case("events, 50 on a page", f"{events}?per_page=50"),
        Case("events, page 20", f"{events}?page=20"),
        Case("events, a month", f"{events}?start_date={month}&end_date={end_of_month}"),
        Case("events, search", f"{events}?search=jazz"),
        Case("events, one venue", f"{events}?venue={parameters['venue']}"),
        Case("events, one category", f"{events}?categories={parameters['category']}"),
        Case("events, running", f"{events}?ends_after={today}&starts_before={today + timedelta(days=30)}"),
        Case("events, default page, signed in", events, True),
        Case("events, 50 on a page, signed in", f"{events}?per_page=50", True),
        Case("venues", f"{BASE}/venues"),
        Case("categories", f"{BASE}/categories"),
        Case("one event by id", f"{events}/{parameters['event']}"),
        Case("one event by slug", f"{events}/by-slug/{parameters['slug']}"),
    ]


def headers_for(case: Case, parameters: dict[str, Any]) -> dict[str, str]:
    if not case.is_signed_in:
        return {}
    credentials = base64.b64encode(f"benchmark:{parameters['secret']}".encode()).decode()
    return {"Authorization": f"Basic {credentials}"}


def check_same(port: int, selected: list[Case], parameters: dict[str, Any]) -> None:
    """Exit if service and floor return different bytes: their rates would not be comparable."""
    for case in selected:
        answers = []
        for path in (case.path, f"/floor{case.path}"):
            request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers_for(case, parameters))
            with urllib.request.urlopen(request, timeout=60) as response:
                answers.append(response.read())
        if answers[0] != answers[1]:
            sys.exit(f"The floor does not answer what the service answers: {case.name}. Mend benchmarks/floor.py.")


def compare_with_floor(port: int, case: Case, parameters: dict[str, Any], seconds: float) -> Result:
    log(case.name)
    headers = headers_for(case, parameters)
    result = Result(case, Measurement(), Measurement())
    sides = [
        (request_for(port, case.path, headers), result.service),
        (request_for(port, f"/floor{case.path}", headers), result.floor),
    ]
    for request, _measured in sides:
        measure(port, request, Measurement(), connections=CONNECTIONS, seconds=WARM_UP_SECONDS)
    for _turn in range(max(int(seconds / SLICE_SECONDS / 2), 1)):
        for request, measurement in sides:
            measure(port, request, measurement, connections=CONNECTIONS, seconds=SLICE_SECONDS)
    return result


def measure_memory(
    port: int, process: int, selected: list[Case], parameters: dict[str, Any], amount: int
) -> dict[str, float]:
    """Return the memory of a new worker in megabytes, after `amount` requests distributed over all cases."""
    log(f"Sending {amount:,} requests …")
    for case in selected:
        request = request_for(port, case.path, headers_for(case, parameters))
        measure(port, request, Measurement(), connections=CONNECTIONS, max_requests=-(-amount // len(selected)))
    return worker_memory(process)


# --- Output


def log(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


HEADINGS = ("", "requests/s", "median ms", "99 % ms", "floor: requests/s", "median ms", "99 % ms", "of the floor")


def table_rows(results: list[Result]) -> list[tuple[str, ...]]:
    return [
        (
            result.case.name,
            *(text for side in (result.service, result.floor) for text in format_measurement(side)),
            f"{result.ratio:.0%}",
        )
        for result in results
    ]


def format_measurement(side: Measurement) -> tuple[str, str, str]:
    return f"{side.rate:.0f}", f"{side.latency(0.5) * 1000:.1f}", f"{side.latency(0.99) * 1000:.1f}"


def format_plain(run: Run) -> str:
    lines = [HEADINGS, *table_rows(run.results)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = "\n".join(
        "  ".join(cell.rjust(width) if place else cell.ljust(width) for place, (cell, width) in cells)
        for cells in (enumerate(zip(line, widths, strict=True)) for line in lines)
    )
    return f"\n{run.amount:,} events, {run.database}\n{text}\n{format_notes(run)}\n"


def format_markdown(run: Run) -> str:
    lines = [HEADINGS, ("---", *["--:"] * (len(HEADINGS) - 1)), *table_rows(run.results)]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"### {run.amount:,} events, {run.database}\n\n{text}\n\n{format_notes(run)}"


def format_notes(run: Run) -> str:
    busy = max(side.busy for result in run.results for side in (result.service, result.floor))
    sentences = [
        f"The same server answers {run.ceiling.rate:.0f} requests a second with nothing in them.",
        f"The generator was at work for {busy:.0%} of the time at the most.",
    ]
    if run.memory:
        sentences.append(
            f"The worker after {run.requests:,} requests: {run.memory['Rss']:.0f} MB resident, "
            f"{run.memory['Pss_Anon']:.0f} MB of it in no file."
        )
    return " ".join(sentences)


def describe_machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} processors ({platform.machine()}), {memory:.0f} GB of memory, {platform.system()}, "
        f"Python {platform.python_version()}, one worker of four threads, {CONNECTIONS} connections."
    )


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
