"""Install the triggers after migrations, and rebuild the data that they keep."""

from __future__ import annotations

from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.migrations.executor import MigrationExecutor

from calendar_site.core.write_lock import write_lock
from calendar_site.derived.models import InstalledData
from calendar_site.derived.registry import registered
from calendar_site.derived.triggers import create_triggers, drop_triggers


def remove_before_migrations(plan: Any = (), using: str = DEFAULT_DB_ALIAS, **kwargs: Any) -> None:
    """Drop the triggers, if there are migrations to run: they may change the tables and columns that triggers use."""
    if plan and using == DEFAULT_DB_ALIAS:
        drop_triggers()


def install_after_migrations(plan: Any = (), using: str = DEFAULT_DB_ALIAS, **kwargs: Any) -> None:
    """Install the triggers and rebuild the data, after migrations, and if the code declares other triggers.

    Does nothing if only some of the migrations are applied. The command `flush` also ends here, without a plan.
    """
    if using != DEFAULT_DB_ALIAS or InstalledData._meta.db_table not in connection.introspection.table_names():
        return
    installed = dict(InstalledData.objects.values_list("name", "fingerprint"))
    if not plan and installed == _fingerprints():
        return
    if (plan or installed) and _has_unapplied_migrations():
        return
    install()


def install() -> None:
    """Create all triggers and rebuild all data, in one transaction."""
    with write_lock():
        drop_triggers()
        for data in registered():
            create_triggers(data.triggers())
            data.rebuild()
        InstalledData.objects.all().delete()
        InstalledData.objects.bulk_create(
            InstalledData(name=name, fingerprint=fingerprint) for name, fingerprint in _fingerprints().items()
        )


def _fingerprints() -> dict[str, str]:
    return {data.name: data.fingerprint for data in registered()}


def _has_unapplied_migrations() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
