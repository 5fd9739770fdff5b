"""How the service is served: the configuration of gunicorn (`gunicorn --config python:calendar_site.server`)."""

import os

from calendar_site import environment as env

wsgi_app = "calendar_site.wsgi:application"
proc_name = "event-calendar"

HOST = env.text("HOST", "127.0.0.1")
PORT = env.integer("PORT", 8000, minimum=1)
bind = f"{HOST}:{PORT}"

# Threads, so that a slow client or a writer who waits for his turn holds up nobody else (docs/decisions/0006).
worker_class = "gthread"
workers = env.integer("WEB_WORKERS", 2, minimum=1)
threads = env.integer("WEB_THREADS", 4, minimum=1)
# The application is loaded once, before the workers fork: they share its memory, and a wrong setting stops the start.
preload_app = True

# Filters of a list travel in the address; this is the most that gunicorn allows.
limit_request_line = 8190
keepalive = 5
# A worker that has not said for so long that it lives is replaced. Longer than SQLite waits for its lock.
timeout = 60
# How long requests under way may take to end after SIGTERM; idle connections do not count.
graceful_timeout = 10
# The sign of life is a file that is touched every second: kept off the disk, which may be busy.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108

# Gunicorn trusts no header about the client, not even from this machine: Django reads what a proxy says, and
# only as many proxies back as PROXY_COUNT tells.
forwarded_allow_ips = ""
# Nobody steers the server through a socket in the home directory, where two services would meet.
control_socket_disable = True

accesslog = "-" if env.boolean("ACCESS_LOG", False) else None
# What django.request says is in the log already; gunicorn tells of starts, stops and faults.
loglevel = "info"
