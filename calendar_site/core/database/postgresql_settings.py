"""Django's configuration of a connection to PostgreSQL."""

from __future__ import annotations

from typing import Any

# Find out within half a minute that the server is gone.
CLIENT_OPTIONS = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}

PREPARE_THRESHOLD = 5


def postgresql_settings(
    database: dict[str, Any], *, max_age: int, pool_size: int, has_sessions: bool
) -> dict[str, Any]:
    """Return the complete settings of `database`, whose own options take precedence.

    Each thread keeps its connection for `max_age` seconds, or all threads of the process share `pool_size` connections.
    Without sessions, a pooler may run each transaction on another connection to the server.
    """
    options = {**CLIENT_OPTIONS, **database.get("OPTIONS", {})}
    configured = {**database, "OPTIONS": options, "CONN_MAX_AGE": max_age, "CONN_HEALTH_CHECKS": True}
    if pool_size:
        # A thread waits for a free connection as long as for a new one.
        options["pool"] = {"min_size": 0, "max_size": pool_size, "timeout": options["connect_timeout"]}
        # Connections go back to the pool at the end of a request.
        configured["CONN_MAX_AGE"] = 0
    # After as many uses on a connection, statements are prepared that keep their plans (`core.database.driver`).
    options["prepare_threshold"] = PREPARE_THRESHOLD if has_sessions else None
    if not has_sessions:
        configured["DISABLE_SERVER_SIDE_CURSORS"] = True
    return configured


def replica_settings(database: dict[str, Any], *, max_age: int, has_sessions: bool) -> dict[str, Any]:
    """Return the complete settings of a replica, to which each thread has a connection of its own."""
    options = {"connect_timeout": 2, **database.get("OPTIONS", {})}
    configured = postgresql_settings(
        {**database, "OPTIONS": options}, max_age=max_age, pool_size=0, has_sessions=has_sessions
    )
    # Each request reads the content version first, which checks the connection as well.
    return {**configured, "CONN_HEALTH_CHECKS": False}
