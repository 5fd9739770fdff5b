"""Limits of connections to the database: how long each side waits for the other, and how many pages SQLite keeps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import psycopg
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from psycopg.pq import TransactionStatus

# How much longer than the server the client waits, so that a working server reports the timeout itself.
GRACE_SECONDS = 3
# A machine that disappears during a write must not keep the write lock for the two hours of TCP's own defaults.
KEEPALIVES = {"tcp_keepalives_idle": "30", "tcp_keepalives_interval": "10", "tcp_keepalives_count": "3"}
# 500 KiB for each connection, instead of SQLite's 2,000: reading other pages from the system takes as long
# (docs/speed.md).
LIMIT_PAGE_CACHE = "PRAGMA cache_size = -500"


def limit_requests() -> None:
    """Limit all connections that this process opens from now on. Commands do not call this: migrations take long."""
    connection_created.connect(limit_page_cache, dispatch_uid="limit_page_cache")
    if settings.DATABASE_TIMEOUT_SECONDS:
        connection_created.connect(limit_connection, dispatch_uid="limit_connection")


def limit_page_cache(connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    """Limit the pages of the database that an SQLite connection keeps: each thread has a connection."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(LIMIT_PAGE_CACHE)


def limit_tasks() -> None:
    """Limit the connections of a worker: transactions must not stay idle, but statements may take long."""
    if settings.DATABASE_TIMEOUT_SECONDS:
        connection_created.connect(limit_idle_time, dispatch_uid="limit_connection")


def limit_idle_time(connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    """Limit how long the server waits for the client, so that a vanished client does not keep its locks."""
    if connection.vendor == "postgresql" and _is_new(connection.connection):
        _set_session(connection, {})


def limit_connection(connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    """Limit statements and idle transactions on the server, and, if the server itself hangs, in the client."""
    if connection.vendor != "postgresql" or not _is_new(connection.connection):
        return
    # The server keeps the connection alive while its process is frozen, so only the client can end the wait.
    raw: psycopg.Connection[Any] = connection.connection
    seconds = settings.DATABASE_TIMEOUT_SECONDS + GRACE_SECONDS
    raw.wait = partial(wait_or_close, raw, raw.wait, seconds)  # type: ignore[method-assign]
    _set_session(connection, {"statement_timeout": f"{settings.DATABASE_TIMEOUT_SECONDS}s"})


def _is_new(raw: psycopg.Connection[Any]) -> bool:
    """Return whether this connection has no limits yet. A pool gives out the same one again and again."""
    is_new = not getattr(raw, "is_limited", False)
    raw.is_limited = True  # type: ignore[attr-defined]
    return is_new


def _set_session(connection: BaseDatabaseWrapper, limits: dict[str, str]) -> None:
    """Set these limits and those of idle transactions, unless a pooler would hand the session to other clients."""
    if settings.DATABASE_TRANSACTION_POOLING:
        return
    seconds = settings.DATABASE_TIMEOUT_SECONDS
    limits = {**limits, "idle_in_transaction_session_timeout": f"{seconds}s", **KEEPALIVES}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config(name, value, false) FROM unnest(%s::text[], %s::text[]) AS limits (name, value)",
            [list(limits), list(limits.values())],
        )


def wait_or_close(
    connection: psycopg.Connection[Any], wait: Any, seconds: float, generator: Any, *args: Any, **kwargs: Any
) -> Any:
    """Wait for the response to a query, and close the connection if there is none in time. Raises OperationalError."""
    try:
        return wait(generator, *args, **{"timeout": seconds, **kwargs})
    except psycopg.OperationalError:
        if connection.info.transaction_status == TransactionStatus.ACTIVE:
            connection.close()
        raise


@contextmanager
def shorter_wait(connection: BaseDatabaseWrapper, seconds: float) -> Iterator[None]:
    """Wait for each response on this open connection for at most `seconds` inside the block."""
    raw: psycopg.Connection[Any] = connection.connection
    usual = raw.wait
    raw.wait = partial(wait_or_close, raw, type(raw).wait.__get__(raw), seconds)  # type: ignore[method-assign]
    try:
        yield
    finally:
        raw.wait = usual  # type: ignore[method-assign]
