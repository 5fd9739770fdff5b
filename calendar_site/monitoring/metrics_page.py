"""`/metrics`: the metrics of all processes, in the text format of Prometheus."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from django.conf import settings
from django.db import DatabaseError
from django.db.utils import Error
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from calendar_site.replica.routing import has_replica, replica_delay_seconds
from calendar_site.tasks.queue import get_queue_state


class TaskCollector(Collector):
    """Counts the background tasks in the database, when somebody asks for the metrics."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        try:
            state = get_queue_state()
        except DatabaseError:
            # The other metrics are most interesting while the database is gone.
            return
        tasks = GaugeMetricFamily("calendar_background_tasks", "Background tasks by state.", labels=["state"])
        for name in ("due", "later", "running", "failed"):
            tasks.add_metric([name], getattr(state, name))
        yield tasks
        yield GaugeMetricFamily(
            "calendar_background_task_delay_seconds", "How long the oldest task has been due.", state.delay_seconds
        )


class ReplicaCollector(Collector):
    """Measures the delay of the replica, when somebody asks for the metrics."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        with suppress(Error):
            yield GaugeMetricFamily(
                "calendar_replica_delay_seconds", "How far the replica is behind.", replica_delay_seconds()
            )


def metrics_page(request: HttpRequest) -> HttpResponse:
    """Return the metrics to clients that send METRICS_TOKEN."""
    expected = f"Bearer {settings.METRICS_TOKEN}"
    if not constant_time_compare(request.headers.get("Authorization", ""), expected):
        headers = {"WWW-Authenticate": "Bearer", "Cache-Control": "no-store"}
        return HttpResponse("Send METRICS_TOKEN.\n", status=401, content_type="text/plain", headers=headers)
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)
    else:
        registry.register(REGISTRY)
    registry.register(TaskCollector())
    if has_replica():
        registry.register(ReplicaCollector())
    body = generate_latest(registry)
    return HttpResponse(body, content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})
