"""The configuration of gunicorn: `gunicorn --config python:calendar_site.serving.server`."""

import gc
import logging
import os
import re
import resource
import shutil
import sys
from typing import Any

from django.conf import settings

from calendar_site.configuration import environment as env
from calendar_site.configuration.listen_address import PORT, WRITE_PORT, host_and_port
from calendar_site.core.database.sqlite_file import missing_database_message
from calendar_site.serving import cpu_affinity, write_workers
from calendar_site.serving.free_memory import return_large_blocks
from calendar_site.serving.http_server import Worker
from calendar_site.serving.metrics_folder import create_metrics_folder

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")

wsgi_app = "calendar_site.wsgi:application"
proc_name = "event-calendar"

WEB_WRITE_WORKERS = env.read_integer("WEB_WRITE_WORKERS", 0, minimum=0)
# Ignored if systemd listens. A set, because gunicorn would try for seconds to listen twice: `when_ready` refuses that.
bind = sorted({host_and_port(PORT), host_and_port(WRITE_PORT)}) if WEB_WRITE_WORKERS else host_and_port(PORT)

# An event loop waits for clients, and threads run Django, so that a slow client blocks nothing (docs/decisions/0043).
worker_class = Worker
workers = env.read_integer("WEB_WORKERS", 2, minimum=1) + WEB_WRITE_WORKERS
threads = settings.WEB_THREADS
WEB_CPU_AFFINITY = env.read_boolean("WEB_CPU_AFFINITY", False)
if WEB_CPU_AFFINITY and not cpu_affinity.is_supported:
    sys.exit("WEB_CPU_AFFINITY requires Linux.")
# Load the application once, before the workers fork: they share its memory, and an invalid setting stops the start.
preload_app = True

keepalive = 5
# A worker whose main loop blocks for this long is replaced. Waiting threads do not count.
timeout = 60
# How long running requests may take to finish after SIGTERM: longer than the longest wait for the write lock.
graceful_timeout = settings.WRITE_WAIT_SECONDS + 10
# The heartbeat is a file that is touched every second: in memory, because a disk may be busy.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108

# Gunicorn trusts no headers about the client, not even from this machine: Django reads the headers of as many proxies
# as PROXY_COUNT says.
forwarded_allow_ips = ""
# The control socket is in the home directory, which two services may share.
control_socket_disable = True

# Middleware logs requests, because gunicorn knows neither client addresses nor secrets (calendar_site/middleware.py).
accesslog = None
# Importing the settings here stops the start with the message of an invalid setting only.
loglevel = settings.LOG_LEVEL.lower()


# The socket is closed twice, by gunicorn and by uvicorn.
STOP_MESSAGES = re.compile(r"^Error while closing socket|was sent SIGINT!$")

# The processes share their metrics in files, of which each start gets new ones. Set before the application is loaded.
METRICS_FOLDER = create_metrics_folder(worker_tmp_dir) if settings.METRICS_TOKEN else ""
if METRICS_FOLDER:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = METRICS_FOLDER


def tells_more_than_a_stop(record: logging.LogRecord) -> bool:
    """Return whether a message is about more than a stop with Ctrl+C, which reaches the workers as well."""
    return not STOP_MESSAGES.search(record.getMessage())


def child_exit(server: Any, worker: Any) -> None:
    """Forget the gauges of a worker that has stopped; its counters stay."""
    if METRICS_FOLDER:
        # Imported here: it reads the environment variable.
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)


def on_exit(server: Any) -> None:
    """Delete the files with the metrics."""
    if METRICS_FOLDER:
        shutil.rmtree(METRICS_FOLDER, ignore_errors=True)


def pre_fork(server: Any, worker: Any) -> None:
    """Exclude objects that were loaded at the start from garbage collection, which would find nothing to free.

    Choose the role and the processor of the worker, while this process knows those of the others.
    """
    gc.freeze()
    others = server.WORKERS.values()
    if WEB_WRITE_WORKERS:
        worker.is_for_writes = write_workers.is_next_for_writes(others, server.num_workers, WEB_WRITE_WORKERS)
    if WEB_CPU_AFFINITY:
        worker.processor = cpu_affinity.choose_processor(other.processor for other in others)


def post_fork(server: Any, worker: Any) -> None:
    """Set the sockets of the worker, and its priority and processor before it starts threads."""
    if WEB_WRITE_WORKERS:
        write_workers.keep_sockets_of_role(worker)
    if worker.is_for_writes:
        write_workers.lower_priority()
    if WEB_CPU_AFFINITY:
        cpu_affinity.bind_to_processor(worker.processor)


def when_ready(server: Any) -> None:
    """Refuse to start if requests of one kind would find no worker."""
    roles = {write_workers.is_write_socket(listener) for listener in server.LISTENERS}
    if WEB_WRITE_WORKERS and len(roles) < 2:
        sys.exit(f"WEB_WRITE_WORKERS requires a socket on WRITE_PORT ({WRITE_PORT}), and one on another port.")


def on_starting(server: Any) -> None:
    """Refuse to start without a database. Allow many open connections, because slow clients keep theirs open.

    Workers inherit how memory is returned.
    """
    return_large_blocks()
    logging.getLogger("gunicorn.error").addFilter(tells_more_than_a_stop)
    if message := missing_database_message():
        sys.exit(message)
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
