"""How the service is served: the configuration of gunicorn (`gunicorn --config python:calendar_site.server`)."""

import gc
import logging
import os
import socket
import struct
from typing import Any

from django.conf import settings

from calendar_site import environment as env

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")

wsgi_app = "calendar_site.wsgi:application"
proc_name = "event-calendar"

HOST = env.text("HOST", "127.0.0.1", kind="a host name or an IP address").strip("[]")
PORT = env.integer("PORT", 8000, minimum=1, maximum=65_535)
bind = f"[{HOST}]:{PORT}" if ":" in HOST else f"{HOST}:{PORT}"

# Threads, so that a slow client or a writer who waits for his turn holds up nobody else (docs/decisions/0006).
worker_class = "gthread"
workers = env.integer("WEB_WORKERS", 2, minimum=1)
threads = env.integer("WEB_THREADS", 4, minimum=1)
# The application is loaded once, before the workers fork: they share its memory, and a wrong setting stops the start.
preload_app = True

# Filters of a list travel in the address; this is the most that gunicorn allows.
limit_request_line = 8190
keepalive = 5
# A worker whose main loop stands still for so long is replaced; threads that wait are no reason.
timeout = 60
# How long requests under way may take to end after SIGTERM; idle connections do not count.
graceful_timeout = 10
# The sign of life is a file that is touched every second: kept off the disk, which may be busy.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108
# How long a thread waits for a client that sends nothing more of its request, or takes nothing more of its answer.
CLIENT_SECONDS = env.integer("WEB_CLIENT_SECONDS", 15, minimum=1)

# Gunicorn trusts no header about the client, not even from this machine: Django reads what a proxy says, and
# only as many proxies back as PROXY_COUNT tells.
forwarded_allow_ips = ""
# Nobody steers the server through a socket in the home directory, where two services would meet.
control_socket_disable = True

accesslog = "-" if env.boolean("ACCESS_LOG", False) else None
# Read here, too, so that a wrong setting stops the start with its sentence alone.
loglevel = settings.LOG_LEVEL.lower()


def pre_fork(server: Any, worker: Any) -> None:
    """Leaves what was loaded at the start out of every search for garbage, which would find none among it."""
    gc.freeze()


def when_ready(server: Any) -> None:
    """Bounds how long a client that does nothing holds a thread; connections take this over from the listener."""
    patience = struct.pack("ll", CLIENT_SECONDS, 0)
    for listener in server.LISTENERS:
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, patience)
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, patience)
        if hasattr(socket, "TCP_DEFER_ACCEPT"):
            # A connection on which nothing has been said yet, as browsers make them, waits outside.
            listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, CLIENT_SECONDS)
    logging.getLogger("gunicorn.error").addFilter(is_worth_a_line)


def is_worth_a_line(record: logging.LogRecord) -> bool:
    """All but the tracebacks of clients whose time was over: strangers could fill the log with them."""
    return record.exc_info is None or not isinstance(record.exc_info[1], BlockingIOError)


def address() -> str:
    """Where a browser on this computer finds the service."""
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104
    return f"http://{everywhere[HOST]}:{PORT}" if HOST in everywhere else f"http://{bind}"
