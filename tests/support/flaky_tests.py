"""A pytest plugin that notes each test that only passed when it ran a second time, in the file named by FLAKY_TESTS.

`.ci/run` prints the file at its end. Only tests of browsers and of processes that break are repeated.
"""

import os

import pytest


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    path = os.environ.get("FLAKY_TESTS")
    # With several workers, each report reaches a worker as well as the process that controls it.
    if path and report.outcome == "rerun" and "PYTEST_XDIST_WORKER" not in os.environ:
        with open(path, "a", encoding="utf-8") as flaky:
            flaky.write(f"{report.nodeid}\n")
