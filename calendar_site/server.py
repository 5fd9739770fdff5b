"""The configuration of gunicorn: `gunicorn --config python:calendar_site.server`."""

import gc
import logging
import os
import socket
import struct
from typing import Any

from django.conf import settings

from calendar_site import environment as env
from calendar_site.listen_address import HOST_AND_PORT

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")

wsgi_app = "calendar_site.wsgi:application"
proc_name = "event-calendar"

bind = HOST_AND_PORT

# Threads, so that a slow client or a wait for the write lock blocks no other request (docs/decisions/0006).
worker_class = "gthread"
workers = env.read_integer("WEB_WORKERS", 2, minimum=1)
threads = settings.WEB_THREADS
# Load the application once, before the workers fork: they share its memory, and an invalid setting stops the start.
preload_app = True

# The query string holds the filters of a list; this is the maximum of gunicorn.
limit_request_line = 8190
keepalive = 5
# A worker whose main loop blocks for this long is replaced. Waiting threads do not count.
timeout = 60
# How long running requests may take to finish after SIGTERM. Idle connections do not count.
graceful_timeout = 10
# The heartbeat is a file that is touched every second: in memory, because a disk may be busy.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108
# How long a thread waits for a client that stops sending its request or reading its response.
CLIENT_SECONDS = env.read_integer("WEB_CLIENT_SECONDS", 15, minimum=1)

# Gunicorn trusts no headers about the client, not even from this machine: Django reads the headers of as many proxies
# as PROXY_COUNT says.
forwarded_allow_ips = ""
# The control socket is in the home directory, which two services may share.
control_socket_disable = True

# Middleware logs requests, because gunicorn knows neither client addresses nor secrets (calendar_site/middleware.py).
accesslog = None
# Importing the settings here stops the start with the message of an invalid setting only.
loglevel = settings.LOG_LEVEL.lower()


def pre_fork(server: Any, worker: Any) -> None:
    """Exclude objects that were loaded at the start from garbage collection, which would find nothing to free."""
    gc.freeze()


def when_ready(server: Any) -> None:
    """Limit how long an inactive client blocks a thread. Connections inherit these options from the listener."""
    timeout_value = struct.pack("ll", CLIENT_SECONDS, 0)
    for listener in server.LISTENERS:
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, timeout_value)
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, timeout_value)
        if hasattr(socket, "TCP_DEFER_ACCEPT"):
            # Browsers open connections in advance: these take a thread only once they send something.
            listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, CLIENT_SECONDS)
    logging.getLogger("gunicorn.error").addFilter(is_not_client_timeout)


def is_not_client_timeout(record: logging.LogRecord) -> bool:
    """Return False for the traceback of a client timeout: inactive clients could fill the log with these."""
    return record.exc_info is None or not isinstance(record.exc_info[1], BlockingIOError)
