"""The metrics of the service, in the names and units of Prometheus. `/metrics` returns them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from prometheus_client import Counter, Histogram

from calendar_site.core.http.request_context import RequestContext, current_request

# Around what a cached response and a slow write take.
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

requests = Counter("calendar_requests", "Requests by route, method and status.", ("route", "method", "status"))
request_seconds = Histogram(
    "calendar_request_duration_seconds", "Time to respond to a request.", ("route",), buckets=SECONDS
)
queries = Counter("calendar_database_queries", "Database queries of requests, by route.", ("route",))
write_lock_wait_seconds = Histogram(
    "calendar_write_lock_wait_seconds", "Time that a write waited for the write lock.", buckets=SECONDS
)
response_cache = Counter(
    "calendar_response_cache", "Public requests, by whether there was a stored response (`hit` or `miss`).", ("result",)
)
refused_writes = Counter("calendar_refused_writes", "Writes that did not get the write lock in time.")

replica_reads = Counter(
    "calendar_replica_reads", "Anonymous reads by whether the replica was used, behind or lost.", ("replica",)
)


def count_request(context: RequestContext, route: str, status: int, seconds: float) -> None:
    """Count a response. `route` is a pattern, so that there are not as many time series as URLs."""
    # Clients choose the method freely.
    method = context.method if context.method in METHODS else "other"
    requests.labels(route, method, status).inc()
    request_seconds.labels(route).observe(seconds)
    queries.labels(route).inc(context.query_count)


def count_queries() -> None:
    """Count the queries of each request, on all connections that this process opens from now on."""
    connection_created.connect(_count_queries_of, dispatch_uid="count_queries")


def _count_queries_of(connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    if _count_query not in connection.execute_wrappers:
        connection.execute_wrappers.append(_count_query)


def _count_query(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
    request = current_request()
    if request is not None:
        request.query_count += 1
    return execute(sql, params, many, context)
