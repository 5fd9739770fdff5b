"""The address on which the server listens, from HOST and PORT."""

from __future__ import annotations

from calendar_site import environment as env

HOST = env.read_text("HOST", "127.0.0.1", kind="a host name or an IP address").strip("[]")
PORT = env.read_integer("PORT", 8000, minimum=1, maximum=65_535)
HOST_AND_PORT = f"[{HOST}]:{PORT}" if ":" in HOST else f"{HOST}:{PORT}"


def local_url() -> str:
    """Return the URL of the service for a browser on the same computer."""
    local_hosts = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104
    return f"http://{local_hosts[HOST]}:{PORT}" if HOST in local_hosts else f"http://{HOST_AND_PORT}"
