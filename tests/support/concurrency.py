"""Concurrent calls."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connections


def call_at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Return the results of calls that begin together, each in a thread and with a connection of its own."""
    barrier = Barrier(len(calls), timeout=30)

    def run(call: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as threads:
        return [done.result(timeout=60) for done in [threads.submit(run, call) for call in calls]]
