"""Send the worst requests that the service accepts, and print the CPU time and the memory that each takes.

Each request runs in a process of its own, forked from one with the service loaded, which the kernel ends if it takes
much more than MAX_CPU_SECONDS. Exits with status 1 if a request takes more than that, or more than
MAX_MEMORY, or if its response has more than MAX_SIZE.

What else the machine does changes the CPU time of a request up to threefold. Each process therefore times a loop before
and after its request, and its CPU time is converted to that of a processor that takes LOOP_SECONDS for the loop. The
measured time is printed as well.

With DATABASE_URL, the database must contain no records; without it, a temporary one is used.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import math
import os
import resource
import sys
import tempfile
import time
from http import HTTPStatus
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from worst_cases import API, MAX_DESCRIPTION, MAX_EXCERPT, MAX_TICKETS, WorstRequest, read_requests, write_requests

# Of one request.
MAX_CPU_SECONDS = 2
MAX_MEMORY = 200 * 1024 * 1024
# Of a response, before it is compressed (D53).
MAX_SIZE = 10_000_000
# Of ITERATIONS of an empty loop in Python 3.11: about the mean of the machine of results.md, whose loops take from
# 0.002 to 0.006 s.
LOOP_SECONDS = 0.004
ITERATIONS = 200_000
# Loops before a request, and as many after it. Their median counts: a virtual machine interrupts some of them, and its
# clock sometimes stands still.
LOOPS = 5
# The speed also changes during a request: what exceeds the limits is sent again.
ATTEMPTS = 3


class Result(NamedTuple):
    """The result of a request. Status 0: the process was killed, or did not respond.

    `cpu_seconds` are those of a processor that takes LOOP_SECONDS for the loop.
    """

    status: int
    size: int
    cpu_seconds: float
    measured_seconds: float
    memory: int

    @property
    def is_within_limits(self) -> bool:
        # A body that is too large would show nothing.
        is_answered = 200 <= self.status < 500 and self.status != HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        is_small = self.memory <= MAX_MEMORY and self.size <= MAX_SIZE
        return is_answered and is_small and self.cpu_seconds <= MAX_CPU_SECONDS


def fill_database() -> None:
    """Store what authors can store: records with the longest texts and the most links, of the worst kinds."""
    from calendar_site.accounts.models import User
    from calendar_site.content.services import save_content
    from events.models import Event
    from events.services import save_event
    from organizers.models import Organizer
    from taxonomy.models import Category, Tag
    from taxonomy.services import save_term
    from venues.models import Venue

    user = User.objects.get(username="author")
    operator = User(username="operator", is_superuser=True)
    # Each character has four bytes, in the database, in memory and in the response.
    text, excerpt = "\U0001f600" * MAX_DESCRIPTION, "\U0001f600" * MAX_EXCERPT
    names = [f"{number} " + "\U0001f600" * 150 for number in range(100)]
    description = "\U0001f600" * 5000
    terms = {
        model: [save_term(model(), changes={"name": name, "description": description}, user=operator) for name in group]
        for model, group in ((Category, names[:50]), (Tag, names))
    }
    linked = {
        model: [
            save_content(
                model(),
                changes={"title": f"{number}", "description": text, "excerpt": excerpt, "author_id": user.pk},
                user=operator,
            )
            for number in range(20)
        ]
        for model in (Venue, Organizer)
    }
    words = "".join(f"{letter}{digit} " for letter in "abcdefghijklmnopqrstuvwxyz" for digit in range(10))
    for number in range(80):
        changes: Any = {
            "title": f"Words {number}",
            "description": (words * 100)[:MAX_DESCRIPTION],
            "author_id": user.pk,
        }
        save_content(Venue(), changes=changes, user=operator)
    # As many as a calendar contains.
    for number in range(500):
        event = save_event(
            Event(),
            changes={
                "title": f"Event {number}",
                "start": _tomorrow(),
                "end": _tomorrow(),
                "author_id": user.pk,
                "description": text,
                "excerpt": excerpt,
                "venues": list(linked[Venue]),
                "organizers": list(linked[Organizer]),
                "categories": list(terms[Category]),
                "tags": list(terms[Tag]),
                "tickets": [
                    {"name": "\U0001f600" * (MAX_TICKETS // 100), "price": 1, "currency": "EUR"} for _ in range(100)
                ],
            },
            user=operator,
        )
        assert event.pk


def _tomorrow() -> Any:
    from datetime import timedelta

    from django.utils import timezone

    return timezone.now() + timedelta(days=1)


def create_clients() -> dict[str | None, Any]:
    """Return a client of each role, and an anonymous one."""
    from django.contrib.auth.models import Group
    from django.test import Client

    from calendar_site.accounts.models import User
    from calendar_site.accounts.services import create_application_password

    clients: dict[str | None, Any] = {None: Client(raise_request_exception=False)}
    for role in ("contributor", "author", "editor"):
        user = User.objects.create(username=role, is_staff=True)
        user.groups.add(Group.objects.get(name=role))
        _password, secret = create_application_password(user, "Worst requests")
        bearer = f"Bearer {secret.replace(' ', '')}"
        clients[role] = Client(headers={"Authorization": bearer}, raise_request_exception=False)
    return clients


def measure(client: Any, request: WorstRequest) -> Result:
    """Send the request in a process that the kernel ends if it takes much more than MAX_CPU_SECONDS."""
    from django.db import connections

    connections.close_all()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            os.write(writer, json.dumps(_send(client, request)).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        output = pipe.read()
    _pid, _status, usage = os.wait4(child, 0)
    measured = usage.ru_utime + usage.ru_stime
    if not output:
        return Result(0, 0, measured, measured, 0)
    status, size, memory, seconds, loop_seconds = json.loads(output)
    return Result(status, size, seconds * LOOP_SECONDS / loop_seconds, seconds, memory)


def _send(client: Any, request: WorstRequest) -> tuple[int, int, int, float, float]:
    """Return the status and size of the response, the memory and CPU time of the request, and the time of the loop."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    loops = _time_loops()
    # The kernel counts whole seconds, and those of the loops as well.
    limit = math.ceil(MAX_CPU_SECONDS * median(loops) / LOOP_SECONDS) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    start = time.process_time()
    response = client.generic(
        request.method, request.path, request.body, request.content_type, headers={"Accept-Encoding": "gzip"}
    )
    body = b"".join(response)
    size = len(gzip.decompress(body) if response.get("Content-Encoding") == "gzip" else body)
    seconds = time.process_time() - start
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    return response.status_code, size, memory, seconds, median(loops + _time_loops())


def _time_loops() -> list[float]:
    """Return the CPU time of each of LOOPS loops, in seconds."""
    times = []
    for _loop in range(LOOPS):
        start = time.process_time()
        for _number in range(ITERATIONS):
            pass
        times.append(time.process_time() - start)
    return times


def run(names: str = "") -> bool:
    """Measure all requests whose name contains `names`, print the results, and return whether all are within limits."""
    from django.core.management import call_command
    from django.db import transaction

    call_command("migrate", verbosity=0)
    clients = create_clients()
    # One transaction, because hundreds take longer.
    with transaction.atomic():
        fill_database()
    # What only the first request of a process does is not counted.
    clients["editor"].get(f"{API}/events?per_page=1")
    # As the server does before it forks its workers.
    gc.collect()
    gc.freeze()
    is_good = True
    print(f"{'status':>6} {'CPU':>7} {'measured':>9} {'memory':>8} {'size':>9}  request")
    for request in (*read_requests(), *write_requests()):
        if names in request.name:
            for _attempt in range(ATTEMPTS):
                result = measure(clients[request.role], request)
                if result.is_within_limits:
                    break
            is_good = is_good and result.is_within_limits
            print(
                f"{result.status:>6} {result.cpu_seconds:>6.2f}s {result.measured_seconds:>8.2f}s"
                f" {result.memory / 2**20:>5.0f} MB"
                f" {result.size / 2**10:>6.0f} kB  {request.name}{'' if result.is_within_limits else '  <- too much'}",
                flush=True,
            )
    return is_good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="?", default="", help="only requests whose name contains this text")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{Path(folder, 'worst.sqlite3')}")
        os.environ.setdefault("DATA_DIR", folder)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")
        os.environ["DEBUG"] = "true"
        sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
        import django

        django.setup()
        from django.conf import settings

        settings.DEBUG = False
        settings.ALLOWED_HOSTS = ["testserver"]
        sys.exit(0 if run(arguments.names) else 1)


if __name__ == "__main__":
    main()
