"""Anonymous reads from a replica of the database, while it has everything that the primary has.

For the time of such a request, the default connection of its thread is the one to the replica, so that no code needs to
know about it. See docs/decisions/0057-read-replica.md.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import MiddlewareNotUsed
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import Error
from django.http import HttpRequest, HttpResponse

from calendar_site.core.circuit_breaker import CircuitBreaker
from calendar_site.core.database.faults import is_unavailable, was_canceled
from calendar_site.core.database.limits import shorter_wait
from calendar_site.core.http.public_requests import is_public
from calendar_site.core.observability import metrics
from calendar_site.core.observability.repeated_faults import RepeatedFault
from calendar_site.derived.content_version import read_slots

ALIAS = "replica"
# How long a request waits for the replica before it uses the primary. The second limit is that of a new connection.
CHECK_SECONDS = 2
# How long a replica that did not respond is not asked again.
RETRY_SECONDS = 10

GetResponse = Callable[[HttpRequest], HttpResponse]

unavailable_replica = RepeatedFault("The replica is unavailable, and the primary responds instead")


def read_from_replica(get_response: GetResponse) -> GetResponse:
    """Run public reads on the replica if it is up to date, and repeat them on the primary if it fails meanwhile."""
    if not has_replica():
        raise MiddlewareNotUsed

    def middleware(request: HttpRequest) -> HttpResponse:
        if not is_public(request):
            return get_response(request)
        outcome = replica.compare(read_slots(connections[DEFAULT_DB_ALIAS]))
        if outcome == "current":
            with replica_as_default() as reads:
                response = get_response(request)
            if not reads.have_failed:
                metrics.replica_reads.labels("used").inc()
                return response
            outcome = "lost"
        metrics.replica_reads.labels(outcome).inc()
        return get_response(request)

    return middleware


def has_replica() -> bool:
    """Return whether DATABASE_REPLICA_URL is set."""
    return ALIAS in connections.settings


@dataclass
class Reads:
    """The queries of a request on the replica."""

    have_failed: bool = False

    def watch(self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        """Run a query, and note whether it failed because it ran on the replica."""
        try:
            return execute(sql, params, many, context)
        except Error as error:
            # A query that reaches the time limit here would do so on the primary as well.
            if was_canceled(error):
                raise
            self.have_failed = True
            if is_unavailable(error):
                replica.note_loss(error)
            raise


@contextmanager
def replica_as_default() -> Iterator[Reads]:
    """Make the connection to the replica the default connection of this thread inside the block."""
    reads, primary = Reads(), connections[DEFAULT_DB_ALIAS]
    with connections[ALIAS].execute_wrapper(reads.watch):
        connections[DEFAULT_DB_ALIAS] = connections[ALIAS]
        try:
            yield reads
        finally:
            connections[DEFAULT_DB_ALIAS] = primary


class Replica:
    """The state of the replica, as this process has last seen it."""

    def __init__(self) -> None:
        self._breaker = CircuitBreaker(RETRY_SECONDS)

    def compare(self, versions: list[int]) -> str:
        """Return whether the replica is `current`, with all content of these versions, or `behind`, or `lost`."""
        if not self._breaker.allows_attempt():
            return "lost"
        try:
            seen = read_replica_slots()
        except Error as error:
            self.note_loss(error)
            return "lost"
        self._breaker.record_success()
        has_all = len(seen) == len(versions) > 0 and all(map(operator.ge, seen, versions))
        return "current" if has_all else "behind"

    def note_loss(self, error: Error) -> None:
        """Do not ask the replica again for RETRY_SECONDS."""
        unavailable_replica.log(error)
        self._breaker.record_failure()


replica = Replica()


def read_replica_slots() -> list[int]:
    """Return the content version of the replica, within a few seconds. Raises Error if it does not respond.

    This is also the check of a kept connection: one that was lost meanwhile is opened anew.
    """
    is_kept = connections[ALIAS].connection is not None
    try:
        with waiting_for_replica() as connection:
            return read_slots(connection)
    except Error:
        if not is_kept:
            raise
    with waiting_for_replica() as connection:
        return read_slots(connection)


@contextmanager
def waiting_for_replica() -> Iterator[BaseDatabaseWrapper]:
    """Yield the connection to the replica, on which each query has CHECK_SECONDS. An error closes it."""
    connection = connections[ALIAS]
    try:
        connection.ensure_connection()
        with shorter_wait(connection, CHECK_SECONDS):
            yield connection
    except Error:
        connection.close()
        raise


def replica_delay_seconds() -> float:
    """Return how old the last transaction of the replica is that it has applied, 0 if it has applied all it received.

    Raises Error if it does not respond.
    """
    with waiting_for_replica() as connection, connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT CASE
                WHEN NOT pg_is_in_recovery() OR pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
                ELSE COALESCE(EXTRACT(EPOCH FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0)
            END
            """
        )
        return float(cursor.fetchone()[0])
