"""The tables of the benchmark, and the targets that hold or do not hold."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from load import Measurement
from reads import Result, Side
from results import Growth, Run
from writes import MAX_P99_SECONDS, MIN_PLAIN_RATE, MIN_RELATED_RATE, Writes

MIN_CACHED_RATE = 1500
MAX_MEMORY_MEGABYTES = 150
MEMORY_REQUESTS = 1_000_000
MAX_START_SECONDS = 2
MAX_GROWTH = 2
MAX_READER_SLOWDOWN = 2
# The names of cases whose work may grow: words in over 2,000 events, and combined filters.
UNBOUNDED_GROWTH = ("common word", "search, signed in", "one category and one venue")
RESULTS = re.compile(r"(<!-- results -->\n).*(<!-- end of results -->)", re.DOTALL)


class Table(NamedTuple):
    title: str
    headings: tuple[str, ...]
    rows: list[tuple[str, ...]]
    note: str = ""


class Target(NamedTuple):
    """A target of the project, and how it was met: None if it was not measured."""

    name: str
    holds: bool | None
    measured: str


# --- Tables


def tables(run: Run) -> list[Table]:
    name = f"{run.amount:,} events, {run.database}"
    found = [reads_table(name, run), work_table(name, run), cached_table(name, run), writes_table(name, run)]
    return [table for table in found if table.rows]


def reads_table(name: str, run: Run) -> Table:
    headings = ("", "requests/s", "of the floor", "median ms", "95 % ms", "99 % ms", "one client: requests/s", "of it")
    rows = []
    for result in run.results:
        service, floor = result.service.measurements[8], result.floor.measurements[8]
        alone, floor_alone = result.service.measurements[1], result.floor.measurements[1]
        rows.append(
            (
                result.case.name,
                beside(service.rate, floor.rate),
                f"{result.ratio():.0%}",
                *(beside(*(side.latency(at) * 1000 for side in (service, floor)), 1) for at in (0.5, 0.95, 0.99)),
                beside(alone.rate, floor_alone.rate),
                f"{result.ratio(1):.0%}",
            )
        )
    busy = max((side.busy for result in run.results for side in measurements(result)), default=0)
    note = (
        f"Each cell: the service / the floor. The same server answers {run.empty.rate:.0f} requests a second with "
        f"nothing in them. The load generator was busy for at most {busy:.0%} of the time."
    )
    return Table(f"Reads with an empty cache, eight clients: {name}", headings, rows, note)


def measurements(result: Result) -> Iterator[Measurement]:
    for side in (result.service, result.floor):
        yield from side.measurements.values()


def work_table(name: str, run: Run) -> Table:
    headings = (
        "",
        "CPU ms",
        "of it PostgreSQL",
        "with the server",
        "of the floor",
        "million instructions",
        "of it",
        "queries",
        "kB",
    )
    rows = []
    for result in run.results:
        ours, floor = result.service_work, result.floor_work
        counts = ours.get("instructions"), floor.get("instructions")
        rows.append(
            (
                result.case.name,
                beside(ours["cpu"] + ours["backend"], floor["cpu"] + floor["backend"], 2),
                beside(ours["backend"], floor["backend"], 2),
                beside(result.service.cpu_milliseconds(), result.floor.cpu_milliseconds(), 2),
                cpu_share(result),
                beside(counts[0], counts[1], 1) if counts[0] and counts[1] else "–",
                f"{counts[1] / counts[0]:.0%}" if counts[0] and counts[1] else "–",
                beside(ours["queries"], floor["queries"]),
                f"{ours['bytes'] / 1000:.1f}",
            )
        )
    note = (
        "Each cell: the service / the floor. CPU time and instructions of Django alone, in one process without a "
        "server; instructions are those of the worker, counted by callgrind, and their share is that of the floor."
    )
    return Table(f"Work for each request with an empty cache: {name}", headings, rows, note)


def cpu_share(result: Result) -> str:
    """Return the CPU time of the floor as a share of that of the service: on a busy machine, better than rates."""
    ours = result.service.cpu_milliseconds()
    return f"{result.floor.cpu_milliseconds() / ours:.0%}" if ours else "–"


def cached_table(name: str, run: Run) -> Table:
    headings = ("", "requests/s", "median ms", "95 % ms", "99 % ms", "one client: requests/s", "of the floor")
    floors = {result.case.name: result.floor.measurements[8].rate for result in run.results}
    rows = []
    for case, side in run.cached.items():
        eight, one = side.measurements[8], side.measurements[1]
        floor = floors.get(case)
        rows.append(
            (
                case,
                f"{eight.rate:.0f}",
                *(f"{eight.latency(at) * 1000:.1f}" for at in (0.5, 0.95, 0.99)),
                f"{one.rate:.0f}",
                f"{eight.rate / floor:.1f} times" if floor else "–",
            )
        )
    return Table(f"Repeated anonymous reads, eight clients: {name}", headings, rows)


def writes_table(name: str, run: Run) -> Table:
    headings = (
        *("creates of events", "clients", "workers", "creates/s", "median ms", "95 % ms", "99 % ms", "not 201"),
        "reader: 99 % ms, stored / new / meanwhile",
    )
    rows = [
        (
            writes.name,
            str(writes.clients),
            str(writes.workers),
            f"{writes.successes_per_second:.0f}",
            *(f"{writes.creates.latency(at) * 1000:.1f}" for at in (0.5, 0.95, 0.99)),
            ", ".join(f"{count} × {status}" for status, count in writes.creates.statuses.items() if status != 201)
            or "0",
            " / ".join(
                f"{reader.latency(0.99) * 1000:.1f}"
                for reader in (writes.reader_stored, writes.reader_alone, writes.reader)
            ),
        )
        for writes in run.writes
    ]
    note = (
        "Relations are a venue, an organizer, two categories, three tags and a ticket. The reader is one client: alone "
        "with a stored response, alone with new responses, and with new responses while events are created."
    )
    return Table(f"Writes: {name}", headings, rows, note)


def growth_table(growth: Growth) -> Table:
    amounts = sorted(growth.times)
    headings = ("CPU ms", *(f"{amount:,}" for amount in amounts), "factor", "factor of the floor")
    rows = []
    for name in growth.times[amounts[-1]]:
        cells = [cell(growth.times[amount].get(name)) for amount in amounts]
        rows.append((name, *cells, factor(growth.times, name), factor(growth.floor_times, name)))
    note = "Worker and PostgreSQL together, with an empty cache."
    return Table(f"Growth with the number of events: {growth.database}", headings, rows, note)


def cell(time: float | None) -> str:
    return f"{time:.2f}" if time else "–"


def factor(times: dict[int, dict[str, float]], name: str) -> str:
    found = growth_factor(times, name)
    return f"{found:.1f}" if found else "–"


def growth_factor(times: dict[int, dict[str, float]], name: str) -> float | None:
    """Return how much more time the largest number of events takes than the smallest one that has this case."""
    amounts = [amount for amount in sorted(times) if name in times[amount]]
    return times[amounts[-1]][name] / times[amounts[0]][name] if len(amounts) > 1 else None


def beside(service: float, floor: float, digits: int = 0) -> str:
    return f"{service:.{digits}f} / {floor:.{digits}f}"


# --- Targets


def targets(runs: list[Run], growths: list[Growth]) -> list[Target]:
    found: list[Target] = []
    for run in runs:
        database = run.database.split()[0]
        found += [
            Target(
                f"{database}: {result.case.name}, at least {result.case.target:.0%} of the floor",
                result.ratio() >= result.case.target,
                f"{result.ratio():.0%}",
            )
            for result in run.results
            if result.case.target
        ]
        found += cached_targets(database, run.cached)
        measured = [writes for writes in run.writes if writes.clients > 1]
        found += [target for writes in measured for target in write_targets(database, writes)]
        if run.memory:
            found.append(
                Target(
                    f"{database}: at most {MAX_MEMORY_MEGABYTES} MB after {MEMORY_REQUESTS:,} requests",
                    run.memory["Rss"] <= MAX_MEMORY_MEGABYTES if run.requests >= MEMORY_REQUESTS else None,
                    f"{run.memory['Rss']:.0f} MB after {run.requests:,}",
                )
            )
        if run.start_seconds:
            found.append(
                Target(
                    f"{database}: start in at most {MAX_START_SECONDS} s",
                    run.start_seconds <= MAX_START_SECONDS,
                    f"{run.start_seconds:.1f} s",
                )
            )
    for growth in growths:
        found += growth_targets(growth)
    return found


def cached_targets(database: str, cached: dict[str, Side]) -> list[Target]:
    return [
        Target(
            f"{database}: {name}, repeated, at least {MIN_CACHED_RATE:,} requests/s",
            side.measurements[8].rate >= MIN_CACHED_RATE,
            f"{side.measurements[8].rate:.0f}",
        )
        for name, side in cached.items()
    ]


def write_targets(database: str, writes: Writes) -> list[Target]:
    name = f"{database}: creates {writes.name}, eight clients, {writes.workers}"
    minimum = MIN_PLAIN_RATE if writes.name == "plain" else MIN_RELATED_RATE
    p99, alone = writes.creates.latency(0.99), writes.reader_alone.latency(0.99)
    slowdown = writes.reader.latency(0.99) / alone if alone else 0
    return [
        Target(
            f"{name}: at least {minimum}/s",
            writes.successes_per_second >= minimum,
            f"{writes.successes_per_second:.0f}",
        ),
        Target(f"{name}: 99 % below {MAX_P99_SECONDS * 1000:.0f} ms", p99 < MAX_P99_SECONDS, f"{p99 * 1000:.0f} ms"),
        Target(f"{name}: none fails", not writes.failures, f"{writes.failures} fail"),
        Target(f"{name}: a reader's 99 % at most doubles", slowdown <= MAX_READER_SLOWDOWN, f"{slowdown:.1f} times"),
    ]


def growth_targets(growth: Growth) -> list[Target]:
    database = growth.database.split()[0]
    amounts = sorted(growth.times)
    found = []
    for name in growth.times[amounts[-1]]:
        grown = growth_factor(growth.times, name)
        if grown is not None and not any(part in name for part in UNBOUNDED_GROWTH):
            found.append(
                Target(
                    f"{database}: {name}, CPU at most doubles from {amounts[0]:,} to {amounts[-1]:,} events",
                    grown <= MAX_GROWTH,
                    f"{grown:.1f} times",
                )
            )
    return found


def describe(target: Target) -> str:
    return {True: "holds", False: "does not hold", None: "not measured"}[target.holds]


def targets_table(runs: list[Run], growths: list[Growth]) -> Table:
    rows = [(target.name, describe(target), target.measured) for target in targets(runs, growths)]
    return Table("Targets", ("", "", "measured"), rows)


# --- Formats


def plain(runs: list[Run], growths: list[Growth]) -> str:
    found = [table for run in runs for table in tables(run)] + [growth_table(growth) for growth in growths]
    return "\n".join([*map(plain_table, found), *map(other_figures, runs)])


def plain_targets(runs: list[Run], growths: list[Growth]) -> str:
    return plain_table(targets_table(runs, growths))


def plain_table(table: Table) -> str:
    lines = [table.headings, *table.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = "\n".join(
        "  ".join(
            text.rjust(width) if place else text.ljust(width)
            for place, (text, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )
    return f"\n{table.title}\n{text}\n{table.note}"


def markdown(runs: list[Run], growths: list[Growth]) -> str:
    found = [table for run in runs for table in tables(run)] + [growth_table(growth) for growth in growths]
    return "\n\n".join(
        [
            describe_machine(),
            markdown_table(targets_table(runs, growths)),
            *map(other_figures, runs),
            *map(markdown_table, found),
        ]
    )


def markdown_table(table: Table) -> str:
    lines = [table.headings, ("---", *["--:"] * (len(table.headings) - 1)), *table.rows]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return "\n\n".join(part for part in (f"### {table.title}", table.note, text) if part)


def other_figures(run: Run) -> str:
    sentences = [f"{run.database}:"]
    if run.start_seconds:
        sentences.append(f"The service starts in {run.start_seconds:.1f} s.")
    if run.memory:
        sentences.append(
            f"After {run.requests:,} mixed requests, the worker uses {run.memory['Rss']:.0f} MB of memory, "
            f"{run.memory['Pss_Anon']:.0f} MB of it in no file."
        )
    return " ".join(sentences)


def describe_machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = os.getloadavg()[2]
    return (
        f"Measured on {datetime.now(UTC):%d %B %Y} on {os.cpu_count()} processors ({platform.machine()}) with "
        f"{memory:.0f} GB of memory, {platform.system()}, Python {platform.python_version()}, one worker with four "
        f"threads. The load of the machine at the end was {load:.1f}."
    )


def replace_results(page: Path, text: str) -> None:
    """Replace the part of a page between the marks of the results."""
    page.write_text(RESULTS.sub(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", page.read_text()))
