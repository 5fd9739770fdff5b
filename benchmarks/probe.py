"""Measure requests inside one process, without a server: CPU time or instructions, queries and bytes.

Reads requests as JSON from standard input, and writes the results as JSON to standard output. With `--instructions`, it
must run under callgrind; see callgrind.py. The database is that of DATABASE_URL.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from callgrind import Counter

# Requests that fill caches, and that are not measured.
WARM_UP_REQUESTS = 3


class Request(NamedTuple):
    path: str
    headers: dict[str, str]


class Response(NamedTuple):
    status: str
    body: bytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.5, help="CPU time for each request")
    parser.add_argument("--repeats", type=int, default=3, help="how often instructions are counted")
    parser.add_argument("--instructions", type=Path, metavar="FOLDER", help="count instructions; callgrind's folder")
    arguments = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    application = Application()
    requests = [Request(**request) for request in json.load(sys.stdin)]
    # As the server does before it forks.
    gc.collect()
    gc.freeze()
    if arguments.instructions:
        counter = Counter(arguments.instructions)
        results = [instructions(application, request, counter, arguments.repeats) for request in requests]
    else:
        results = [cpu_time(application, request, arguments.seconds) for request in requests]
    json.dump(results, sys.stdout)


class Application:
    """The application as the server calls it."""

    def __init__(self) -> None:
        from calendar_site.wsgi import application

        self.application = application

    def send(self, request: Request) -> Response:
        path, _, query = request.path.partition("?")
        environ = {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "8000",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "127.0.0.1:8000",
            "HTTP_ACCEPT": "application/json",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
        } | {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in request.headers.items()}
        statuses: list[str] = []
        chunks = self.application(environ, lambda status, headers, error=None: statuses.append(status))
        try:
            body = b"".join(chunks)
        finally:
            close = getattr(chunks, "close", None)
            if close:
                close()
        return Response(statuses[0], body)


def cpu_time(application: Application, request: Request, seconds: float) -> dict[str, Any]:
    """Return the CPU time of a request in milliseconds, of this process and of the PostgreSQL server.

    {} if the request fails.
    """
    response = warm_up(application, request)
    if not response.status.startswith("200"):
        return {}
    with counted_queries() as queries:
        application.send(request)
    backend = backend_time()
    count, started = 0, time.process_time()
    while time.process_time() - started + backend_time() - backend < seconds or count < 3:
        application.send(request)
        count += 1
    return {
        "cpu": (time.process_time() - started) * 1000 / count,
        "backend": (backend_time() - backend) * 1000 / count,
        "queries": len(queries),
        "bytes": len(response.body),
    }


def instructions(application: Application, request: Request, counter: Counter, repeats: int) -> dict[str, Any]:
    """Return the instructions of a request in millions: the least of some repeats.

    Some requests do work that others do not, such as noting that an application password was used in this minute.
    """
    warm_up(application, request)
    gc.collect()
    # A full collection of everything so far, in some requests and not in others, takes more than the request.
    gc.freeze()
    counts = [counter.count(lambda: application.send(request)) for _ in range(repeats)]
    return {"instructions": min(counts) / 1e6}


def warm_up(application: Application, request: Request) -> Response:
    """Send a request some times, and return the last response."""
    for _ in range(WARM_UP_REQUESTS):
        response = application.send(request)
    return response


def backend_time() -> float:
    """Return the CPU time in seconds that the process of the PostgreSQL server for this connection has taken, or 0."""
    from django.db import connection

    if connection.vendor != "postgresql" or connection.connection is None:
        return 0
    with contextlib.suppress(OSError):
        # Nanoseconds, in contrast to /proc/…/stat.
        return int(Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text().split()[0]) / 1e9
    return 0


@contextlib.contextmanager
def counted_queries() -> Iterator[list[str]]:
    """Collect the statements that the database executes, whichever way they are sent."""
    import psycopg
    from django.db import connection

    statements: list[str] = []
    if connection.vendor == "sqlite":
        # Statements of triggers are passed as comments.
        connection.connection.set_trace_callback(lambda sql: None if sql.startswith("--") else statements.append(sql))
        yield statements
        connection.connection.set_trace_callback(None)
        return
    execute = psycopg.Cursor.execute

    def counting(cursor: Any, query: Any, *args: Any, **kwargs: Any) -> Any:
        statements.append(str(query))
        return execute(cursor, query, *args, **kwargs)

    psycopg.Cursor.execute = counting
    yield statements
    psycopg.Cursor.execute = execute


if __name__ == "__main__":
    main()
