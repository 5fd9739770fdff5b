"""Install the triggers after migrations, and rebuild the data that is out of date."""

from __future__ import annotations

from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.migrations.executor import MigrationExecutor

from calendar_site.core.database.write_lock import write_lock
from calendar_site.derived.migration_plans import may_change_unnoticed
from calendar_site.derived.models import InstalledData, StaleData
from calendar_site.derived.registry import DerivedData, registered
from calendar_site.derived.triggers import are_installed, create_triggers, drop_triggers
from calendar_site.derived.watches import is_watched, stale_names, watches_of


def remove_before_migrations(plan: Any = (), apps: Any = None, using: str = DEFAULT_DB_ALIAS, **kwargs: Any) -> None:
    """Drop the triggers, if there are migrations to run: they may change the tables and columns that triggers use.

    Watches take their place for the data that is up to date.
    """
    if not plan or using != DEFAULT_DB_ALIAS:
        return
    with write_lock():
        kept = [] if not _has_tables() or may_change_unnoticed(plan, apps) else _up_to_date()
        drop_triggers()
        if _has_tables():
            InstalledData.objects.exclude(name__in=[data.name for data in kept]).update(fingerprint="")
        create_triggers(watches_of(kept))


def install_after_migrations(plan: Any = (), using: str = DEFAULT_DB_ALIAS, **kwargs: Any) -> None:
    """Install the triggers after migrations, and if the code declares other triggers, and rebuild outdated data.

    Does nothing if only some of the migrations are applied. The command `flush` also ends here, without a plan.
    """
    if using != DEFAULT_DB_ALIAS or not _has_tables():
        return
    if not plan and all(are_installed(data.triggers()) for data in registered()) and _has_current_fingerprints():
        return
    if (plan or InstalledData.objects.exists()) and _has_unapplied_migrations():
        return
    install(_up_to_date())


def install(kept: list[DerivedData] | None = None) -> None:
    """Create all triggers and rebuild all data, in one transaction.

    Data in `kept` is not rebuilt, unless a source of it has changed, or changes because other data is rebuilt. It must
    have its triggers or watches.
    """
    with write_lock():
        drop_triggers()
        create_triggers(watches_of(kept or []))
        for data in registered():
            if data not in (kept or []) or data.name in stale_names():
                data.rebuild()
        drop_triggers()
        for data in registered():
            create_triggers(data.triggers())
        StaleData.objects.all().delete()
        InstalledData.objects.all().delete()
        InstalledData.objects.bulk_create(
            InstalledData(name=name, fingerprint=fingerprint) for name, fingerprint in _fingerprints().items()
        )


def _up_to_date() -> list[DerivedData]:
    """Return the data that is as the code declares it, and whose triggers or watches have noticed every change."""
    fingerprints, stale = _installed_fingerprints(), stale_names()
    all_triggers = [trigger for data in registered() for trigger in data.triggers()]
    return [
        data
        for data in registered()
        # PostgreSQL keeps data without triggers, and rebuilding it costs nothing.
        if data.sources
        and not data.is_always_rebuilt
        and data.name not in stale
        and fingerprints.get(data.name) == data.fingerprint
        # Without triggers of its own, those of all others show that no migration has begun since the last rebuild.
        and (are_installed(data.triggers() or all_triggers) or is_watched(data))
    ]


def _has_current_fingerprints() -> bool:
    return _installed_fingerprints() == _fingerprints()


def _installed_fingerprints() -> dict[str, str]:
    return dict(InstalledData.objects.values_list("name", "fingerprint"))


def _fingerprints() -> dict[str, str]:
    return {data.name: data.fingerprint for data in registered()}


def _has_tables() -> bool:
    tables = connection.introspection.table_names()
    return InstalledData._meta.db_table in tables and StaleData._meta.db_table in tables


def _has_unapplied_migrations() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
