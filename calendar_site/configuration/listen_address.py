"""The addresses on which the server listens, from HOST, PORT and WRITE_PORT."""

from __future__ import annotations

from calendar_site.configuration import environment as env

HOST = env.read_text("HOST", "127.0.0.1", kind="a host name or an IP address").strip("[]")
PORT = env.read_integer("PORT", 8000, minimum=1, maximum=65_535)
# Only with WEB_WRITE_WORKERS.
WRITE_PORT = env.read_integer("WRITE_PORT", 8001, minimum=1, maximum=65_535)


def host_and_port(port: int) -> str:
    """Return HOST with a port, as in a URL."""
    return f"[{HOST}]:{port}" if ":" in HOST else f"{HOST}:{port}"


def local_url() -> str:
    """Return the URL of the service for a browser on the same computer."""
    local_hosts = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104
    return f"http://{local_hosts[HOST]}:{PORT}" if HOST in local_hosts else f"http://{host_and_port(PORT)}"
