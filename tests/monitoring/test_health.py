"""Health checks: what load balancers and process managers see."""

from threading import Event

import pytest
from django.core.files.storage import default_storage
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from redis.exceptions import ConnectionError as RedisConnectionError

from calendar_site.configuration.version import VERSION
from calendar_site.monitoring import health

ALL_PASS = dict.fromkeys(("database", "migrations", "cache", "storage", "static_files"), "ok")


@pytest.fixture(autouse=True)
def _fresh_checks(settings, tmp_path):
    """Migrations are checked again, and everything that the checks look for is there."""
    health._check_migrations.cache_clear()
    settings.STATIC_ROOT = settings.MEDIA_ROOT = tmp_path
    (tmp_path / "staticfiles.json").touch()
    yield
    health._check_migrations.cache_clear()


def test_live_process_needs_no_database(client, django_assert_num_queries):
    response = client.get("/livez")

    assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_service_with_everything_is_ready(db, client):
    response = client.get("/readyz")

    assert (response.status_code, response["Cache-Control"]) == (200, "no-store")
    assert response.json() == {"status": "ok", "checks": ALL_PASS, "version": VERSION}


def test_ready_check_costs_one_query_once_the_migrations_are_applied(db, client, django_assert_num_queries):
    client.get("/readyz")

    with django_assert_num_queries(1):
        client.get("/readyz")


@pytest.mark.parametrize("path", ["/livez", "/readyz"])
def test_probe_needs_no_host_https_or_language(db, client, settings, path):
    settings.SECURE_SSL_REDIRECT = True
    settings.ALLOWED_HOSTS = []

    response = client.get(path, headers={"Host": "10.0.0.7:8000", "Accept-Language": "de"})

    assert response.status_code == 200
    assert "Set-Cookie" not in response
    assert len(response["X-Request-ID"]) == 32


def fail_database(monkeypatch):
    def fail(*_args, **_kwargs):
        raise OperationalError("could not connect to postgres://calendar:hidden@10.0.0.8/")

    monkeypatch.setattr(connection, "cursor", fail)
    monkeypatch.setattr(health, "MigrationExecutor", fail)


def forget_migration(monkeypatch):
    MigrationRecorder.Migration.objects.filter(app="events").order_by("pk").last().delete()


def fail_cache(monkeypatch):
    class BrokenCache:
        def set(self, *_args, **_kwargs):
            raise RedisConnectionError("redis://:hidden@10.0.0.9/ is gone")

    monkeypatch.setattr(health, "default_cache", BrokenCache())


def fail_storage(monkeypatch):
    monkeypatch.setattr(health.os, "access", lambda *_args: False)
    assert default_storage


def remove_static_files(monkeypatch):
    monkeypatch.setattr(health, "MANIFEST", "none.json")


@pytest.mark.parametrize(
    ("break_it", "status", "summary", "failed"),
    [
        (fail_database, 503, "unavailable", {"database", "migrations"}),
        (forget_migration, 503, "unavailable", {"migrations"}),
        (remove_static_files, 503, "unavailable", {"static_files"}),
        (fail_cache, 200, "degraded", {"cache"}),
        (fail_storage, 200, "degraded", {"storage"}),
    ],
)
def test_failed_check(db, client, settings, monkeypatch, break_it, status, summary, failed):
    settings.DEBUG = False
    with monkeypatch.context() as patch:
        break_it(patch)
        response = client.get("/readyz")
    recovered = client.get("/readyz")

    assert response.status_code == status
    checks = ALL_PASS | dict.fromkeys(failed, "failed")
    assert response.json() == {"status": summary, "checks": checks, "version": VERSION}
    assert b"hidden" not in response.content
    assert recovered.status_code == (503 if break_it is forget_migration else 200)


def test_store_that_does_not_respond_does_not_delay_the_check(db, client, settings, monkeypatch):
    settings.DEBUG = False
    responds, calls = Event(), []

    def wait(*_args):
        calls.append(1)
        return responds.wait(30)

    monkeypatch.setattr(health, "OPTIONAL_SECONDS", 0.05)
    monkeypatch.setattr(health.os, "access", wait)
    frozen = [client.get("/readyz").json() for _ in range(3)]
    responds.set()
    monkeypatch.setattr(health, "OPTIONAL_SECONDS", 10)

    assert frozen == [{"status": "degraded", "checks": ALL_PASS | {"storage": "failed"}, "version": VERSION}] * 3
    assert len(calls) == 1
    assert client.get("/readyz").json() == {"status": "ok", "checks": ALL_PASS, "version": VERSION}
