"""Health checks: whether the process is alive, and whether it can serve requests."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path

from django.conf import settings
from django.core.cache import cache as default_cache
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse

from calendar_site.configuration.version import VERSION
from calendar_site.core.observability.repeated_faults import RepeatedFault
from calendar_site.replica.routing import has_replica, replica_delay_seconds

failed_check = RepeatedFault("A health check failed")
MANIFEST = "staticfiles.json"
MAX_REPLICA_DELAY_SECONDS = 60
# How long the response waits for a server on which the service does not depend.
OPTIONAL_SECONDS = 3
# Threads start with the first check, so that gunicorn can fork.
_pool = ThreadPoolExecutor(2, thread_name_prefix="health")
_last_checks: dict[Callable[[], object], Future[object]] = {}


class CheckFailed(Exception):
    """A check that found a problem by itself. The message is logged, but not in the response."""


def livez(request: HttpRequest) -> JsonResponse:
    """Report that the process responds to requests. A failure means that it should be restarted."""
    return _health_response({}, is_working=True)


def readyz(request: HttpRequest) -> JsonResponse:
    """Report whether this process can serve requests, with the result of each check but no details.

    Without its cache, its storage or its replica, the service still serves nearly everything: the status is 200.
    """
    results = {name: _passes(name, check) for name, check in CHECKS.items()}
    return _health_response(results, is_working=all(results[name] for name in REQUIRED), version=VERSION)


def _health_response(results: dict[str, bool], *, is_working: bool, **more: str) -> JsonResponse:
    if not is_working:
        status = "unavailable"
    elif all(results.values()):
        status = "ok"
    else:
        status = "degraded"
    checks = {name: "ok" if result else "failed" for name, result in results.items()}
    body = {"status": status, "checks": checks} if checks else {"status": status}
    return JsonResponse({**body, **more}, status=200 if is_working else 503, headers={"Cache-Control": "no-store"})


def _passes(name: str, check: Callable[[], object]) -> bool:
    try:
        check()
    # Storages raise errors of many libraries, and a health check must report all of them.
    except Exception as error:
        failed_check.log(CheckFailed(f"{name}: {error}"))
        return False
    return True


def _check_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


@cache
def _check_migrations() -> None:
    """Find unapplied migrations. Takes tens of milliseconds, so it is repeated only until there are none."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        raise CheckFailed(f"{len(plan)} migrations are not applied. Run: manage.py migrate")


def _check_cache() -> None:
    default_cache.set("readyz", 1, timeout=10)
    if default_cache.get("readyz") != 1:
        raise CheckFailed("A value that was stored is gone.")


def _check_replica() -> None:
    delay = replica_delay_seconds()
    if delay > MAX_REPLICA_DELAY_SECONDS:
        raise CheckFailed(f"The replica is {delay:.0f} seconds behind.")


def _check_storage() -> None:
    if settings.S3_BUCKET:
        default_storage.exists("readyz")
        return
    folder = Path(settings.MEDIA_ROOT)
    # The first upload creates the folder.
    if not os.access(folder if folder.exists() else folder.parent, os.W_OK | os.X_OK):
        raise CheckFailed("The directory of the images is not writable.")


def _check_static_files() -> None:
    if not settings.DEBUG and not (Path(settings.STATIC_ROOT) / MANIFEST).is_file():
        raise CheckFailed("There are no static files. Run: manage.py collectstatic")


def _in_time(check: Callable[[], object]) -> None:
    """Run a check in a thread. Raises CheckFailed after OPTIONAL_SECONDS; the next request waits for the same check.

    Clients of caches and stores repeat failed attempts, each with a timeout of its own.
    """
    last = _last_checks.get(check)
    if last is None or last.done():
        last = _last_checks[check] = _pool.submit(check)
    try:
        last.result(OPTIONAL_SECONDS)
    except TimeoutError as error:
        raise CheckFailed("No response.") from error


CHECKS: dict[str, Callable[[], object]] = {
    "database": _check_database,
    "migrations": _check_migrations,
    "cache": partial(_in_time, _check_cache),
    "storage": partial(_in_time, _check_storage),
    "static_files": _check_static_files,
}
if has_replica():
    CHECKS["replica"] = _check_replica
REQUIRED = ("database", "migrations", "static_files")
