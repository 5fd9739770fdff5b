"""Check that the server can listen at HOST and PORT: `make run` calls it before it installs anything.

Uses the standard library alone, because nothing is installed yet.
"""

import os
import socket
import sys


def why_not_free(host: str, port: int) -> str:
    """Return what prevents the server from listening there, "" if nothing does."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as server:
        # As the server does: a port whose last connections are being closed is free.
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            server.bind((host, port))
            # Another server that listens with the same option only refuses this.
            server.listen(1)
        except OSError as error:
            return error.strerror or str(error)
    return ""


def main() -> str | None:
    host, port = os.environ.get("HOST", "").strip("[] ") or "127.0.0.1", os.environ.get("PORT", "").strip() or "8000"
    # The settings explain other values later.
    reason = why_not_free(host, int(port)) if port.isdecimal() and 0 < int(port) <= 65_535 else ""
    if not reason:
        return None
    other = int(port) + 1 if int(port) < 65_535 else 8000
    return (
        f"The service cannot listen on port {port} of {host}: {reason}. Stop the program that uses it, or choose "
        f"another port: make run PORT={other}"
    )


if __name__ == "__main__":
    sys.exit(main())
