"""The content version: a value that changes with every commit that may change a public response.

Stored responses are valid for one version. See docs/speed.md.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from calendar_site.core.database.driver import run_as_health_check
from calendar_site.derived.models import ContentVersion
from calendar_site.derived.registry import DerivedData
from calendar_site.derived.triggers import Trigger, change_triggers

# Rows of the table on PostgreSQL, where transactions that write at the same time raise different ones.
SLOTS = 32

# Apps whose tables no public response contains, or that change only together with a counted table: former slugs.
UNCOUNTED_APPS = {
    "accounts", "admin", "auth", "axes", "contenttypes", "derived", "django_tasks_database", "form_drafts",
    "former_slugs", "idempotency", "limits", "mail", "otp_static", "otp_totp", "review", "saved_views", "sessions",
    "submissions", "tasks", "transfer",
}  # fmt: skip
# Tables that no public response contains, and those that triggers keep: these change only with counted tables.
UNCOUNTED_MODELS = {
    "custom_fields.HistoricalCustomField",
    "events.CategoryTally",
    "events.EventRendering",
    "events.EventTally",
    "events.HistoricalEvent",
    "events.HistoricalSeries",
    "events.IndexedCategory",
    "events.IndexedOrganizer",
    "events.IndexedTag",
    "events.IndexedTicketed",
    "events.IndexedVenue",
    "events.IndexedVenueCount",
    "events.LinkedRecordsVersion",
    "events.OrganizerActivity",
    "events.SampleRecord",
    "events.TagTally",
    "events.VenueActivity",
    # It changes only together with its event.
    "events.WithdrawnEvent",
    "media.HistoricalImage",
    "media.EmbeddedImage",
    "media.ImageFile",
    "media.OrphanedFile",
    "organizers.HistoricalOrganizer",
    "site_profile.HistoricalSiteProfile",
    "taxonomy.HistoricalCategory",
    "taxonomy.HistoricalTag",
    "venues.HistoricalVenue",
}

# The setting of PostgreSQL that names the transaction which has raised the version.
RAISED_BY = "event_calendar.version_raised_by"

_TABLE = ContentVersion._meta.db_table
_READ = f"SELECT SUM(version), MAX(changed_at) FROM {_TABLE}"
_READ_SLOTS = f"SELECT array_agg(version ORDER BY slot) FROM {_TABLE}"


class Version(NamedTuple):
    """A content version.

    `number` grows with every commit. `changed_at`, the Unix time of the last change, tells versions of a restored
    backup from those that followed it.
    """

    number: int
    changed_at: float

    @property
    def modified_at(self) -> datetime:
        return datetime.fromtimestamp(self.changed_at, UTC)


def read_version() -> Version | None:
    """Return the current version, None while it is not kept, as during migrations. One query.

    Not inside of a transaction: it may have raised the version already.
    """
    ((number, changed_at),) = run_as_health_check(_READ)
    return None if number is None else Version(int(number), changed_at)


def read_slots(database: BaseDatabaseWrapper) -> list[int]:
    """Return the numbers of all slots in a PostgreSQL database, none while no version is kept. One query.

    A replica has all content of the primary only if each of its numbers is as high. Two transactions may commit in one
    order and become visible in another, so that the sums are equal although the replica lacks a change.
    """
    with database.cursor() as cursor:
        cursor.execute(_READ_SLOTS)
        return cursor.fetchone()[0] or []


def forget_version(plan: Any = (), using: str = DEFAULT_DB_ALIAS, **kwargs: Any) -> None:
    """Keep no version while migrations run, because the triggers are dropped. `rebuild_version` keeps a new one."""
    if plan and using == DEFAULT_DB_ALIAS and _TABLE in connection.introspection.table_names():
        ContentVersion.objects.all().delete()


def rebuild_version() -> None:
    """Begin a version that this database has never had: it counts from the time in microseconds."""
    ContentVersion.objects.all().delete()
    now = time.time()
    ContentVersion.objects.bulk_create(
        ContentVersion(slot=slot, version=0 if slot else int(now * 1_000_000), changed_at=now) for slot in range(SLOTS)
    )


def count_differences() -> int:
    return SLOTS - ContentVersion.objects.count()


def counted_models() -> Iterable[type[Model]]:
    """Return the models whose tables count: all, unless they are listed as uncounted."""
    for model in apps.get_models(include_auto_created=True):
        options = model._meta
        is_counted = options.app_label not in UNCOUNTED_APPS and options.label not in UNCOUNTED_MODELS
        if is_counted and options.managed and not options.proxy:
            yield model


def version_triggers() -> list[Trigger]:
    tables = sorted({model._meta.db_table for model in counted_models()})
    statements = RAISE_ON_SQLITE if connection.vendor == "sqlite" else RAISE_ON_POSTGRESQL
    return [trigger for table in tables for trigger in change_triggers(f"version_{table}", table, statements)]


# There is one writer at a time, so one row is enough.
RAISE_ON_SQLITE = f"""
    UPDATE {_TABLE} SET version = version + 1, changed_at = (julianday('now') - 2440587.5) * 86400 WHERE slot = 0;
"""

# Transactions that write at the same time take different rows, so that none waits for another to commit. The second
# UPDATE waits, if there are more of them than rows. A transaction raises the version once, because PostgreSQL keeps old
# versions of the row until the commit, and thousands of them are slow. The setting is that of the transaction, and
# reverted with a savepoint.
RAISE_ON_POSTGRESQL = f"""
    IF current_setting('{RAISED_BY}', true) IS DISTINCT FROM pg_current_xact_id()::text THEN
        UPDATE {_TABLE} SET version = version + 1, changed_at = extract(epoch FROM clock_timestamp())
        WHERE slot = (SELECT slot FROM {_TABLE} ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED);
        IF NOT FOUND THEN
            UPDATE {_TABLE} SET version = version + 1, changed_at = extract(epoch FROM clock_timestamp())
            WHERE slot = pg_backend_pid() % {SLOTS};
        END IF;
        PERFORM set_config('{RAISED_BY}', pg_current_xact_id()::text, true);
    END IF;
"""

content_version = DerivedData(
    "content version", version_triggers, rebuild_version, count_differences, is_always_rebuilt=True
)
