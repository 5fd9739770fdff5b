"""The tables of the benchmark, and its targets."""

import sys
from pathlib import Path

import pytest

# The programs of the benchmark import each other by their names.
sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

import report
from cases import Case
from load import Measurement
from reads import Result
from results import Growth, Run
from writes import WorkerCounts, Writes


def measurement(rate, milliseconds=1.0, status=200):
    """A second with `rate` responses."""
    one = Measurement(latencies=[milliseconds / 1000] * rate, rates=[rate], elapsed=1)
    one.statuses[status] = rate
    return one


def read(rate, floor_rate):
    result = Result(Case("venues", "/venues", target=0.6))
    for connections in (8, 1):
        result.service.measurements[connections] = measurement(rate)
        result.floor.measurements[connections] = measurement(floor_rate)
    result.service_work = {"cpu": 2.0, "backend": 0.5, "queries": 3, "bytes": 7800, "instructions": 8.0}
    result.floor_work = {"cpu": 1.0, "backend": 0.25, "queries": 2, "bytes": 7800, "instructions": 4.0}
    return result


def outcomes(runs, growths=()):
    return {target.name: (report.describe(target), target.measured) for target in report.targets(runs, list(growths))}


@pytest.mark.parametrize(("rate", "outcome"), [(59, "does not hold"), (60, "holds")])
def test_reads_are_compared_with_the_floor(rate, outcome):
    run = Run(10_000, "sqlite 3.40", results=[read(rate, 100)])

    assert outcomes([run]) == {"sqlite: venues, at least 60% of the floor": (outcome, f"{rate}%")}


def test_writes_hold_if_they_are_many_and_fast_and_none_fails():
    fast = Writes(
        "plain",
        8,
        WorkerCounts(1, 1),
        measurement(210, 100, 201),
        measurement(50, 19),
        measurement(50, 10),
        measurement(50, 1),
    )
    slow = Writes(
        "plain",
        8,
        WorkerCounts(1, 1),
        measurement(150, 260, 503),
        measurement(50, 21),
        measurement(50, 10),
        measurement(50, 1),
    )

    assert [target.holds for target in report.write_targets("sqlite", fast)] == [True, True, True, True]
    assert [target.holds for target in report.write_targets("sqlite", slow)] == [False, False, False, False]


def test_growth_is_measured_from_the_fewest_events_that_have_a_case():
    times = {
        10_000: {"venues": 2.0, "events, search of a common word": 5.0},
        1_000_000: {"venues": 4.2, "events, page 500": 9.0, "events, search of a common word": 500.0},
    }

    found = outcomes([], [Growth("postgresql 15", times, times)])

    assert found == {
        "postgresql: venues, CPU at most doubles from 10,000 to 1,000,000 events": ("does not hold", "2.1 times")
    }


def test_memory_is_not_judged_after_fewer_requests():
    run = Run(10_000, "sqlite 3.40", requests=5000, memory={"Rss": 120.4, "Pss_Anon": 80})

    name = "sqlite: at most 150 MB after 1,000,000 requests"
    assert outcomes([run]) == {name: ("not measured", "120 MB after 5,000")}
    run.requests = 1_000_000
    assert outcomes([run]) == {name: ("holds", "120 MB after 1,000,000")}


def test_results_replace_the_part_of_the_page_between_the_marks(tmp_path):
    page = tmp_path / "benchmarks.md"
    page.write_text("# Benchmarks\n<!-- results -->\nOld\n<!-- end of results -->\n## Admin\n")

    report.replace_results(page, report.markdown([Run(10_000, "sqlite 3.40", results=[read(50, 100)])], []))

    text = page.read_text()
    assert text.startswith("# Benchmarks\n<!-- results -->\n\nMeasured on ")
    assert text.endswith("\n\n<!-- end of results -->\n## Admin\n")
    assert "Old" not in text
    assert "| venues | 50 / 100 | 50% | 1.0 / 1.0 | 1.0 / 1.0 | 1.0 / 1.0 | 50 / 100 | 50% |" in text
    assert "| venues | 2.50 / 1.25 | 0.50 / 0.25 | 0.00 / 0.00 | – | 8.0 / 4.0 | 50% | 3 / 2 | 7.8 |" in text
