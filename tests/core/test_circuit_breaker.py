"""The circuit breaker: after a failure nobody waits, then one tries."""

import pytest

from calendar_site.core.circuit_breaker import CircuitBreaker


@pytest.fixture
def monotonic_time(monkeypatch):
    """The monotonic time, as a list with one number that a test may change."""
    moments = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: moments[0])
    return moments


def test_server_that_works_is_always_used():
    breaker = CircuitBreaker(10)

    assert [breaker.allows_attempt() for _ in range(3)] == [True, True, True]


def test_server_that_failed_is_tried_once_after_each_pause(monotonic_time):
    breaker = CircuitBreaker(10)
    breaker.record_failure()
    seen = {}
    for seconds in (0, 9, 10, 11, 19, 20):
        monotonic_time[0] = 100.0 + seconds
        seen[seconds] = [breaker.allows_attempt(), breaker.allows_attempt()]

    assert seen == {
        0: [False, False],
        9: [False, False],
        10: [True, False],
        11: [False, False],
        19: [False, False],
        20: [True, False],
    }


def test_success_ends_the_pauses(monotonic_time):
    breaker = CircuitBreaker(10)
    breaker.record_failure()
    monotonic_time[0] = 110.0
    assert breaker.allows_attempt()
    breaker.record_success()

    assert [breaker.allows_attempt(), breaker.allows_attempt()] == [True, True]
