"""Watches: triggers that note which derived data becomes stale while its own triggers are dropped.

Migrations may change the tables and columns that triggers use, so they run without them. A watch uses no columns, so it
stays while columns are added. SQLite drops it with the table if a migration copies the table: its data counts as stale.
"""

from __future__ import annotations

from collections.abc import Iterable

from calendar_site.derived.models import InstalledData, StaleData
from calendar_site.derived.registry import DerivedData
from calendar_site.derived.triggers import Trigger, are_installed, change_triggers

_INSTALLED, _STALE = InstalledData._meta.db_table, StaleData._meta.db_table


def watches_of(watched: Iterable[DerivedData]) -> list[Trigger]:
    """Return the watches of the sources of the data."""
    names: dict[str, list[str]] = {}
    for data in watched:
        for table in data.sources:
            names.setdefault(table, []).append(f"'{data.name}'")
    return [
        watch
        for table, stale in sorted(names.items())
        for watch in change_triggers(
            f"watch_{table}",
            table,
            f"INSERT INTO {_STALE} (name) SELECT name FROM {_INSTALLED} "
            f"WHERE name IN ({', '.join(stale)}) AND name NOT IN (SELECT name FROM {_STALE});",
        )
    ]


def is_watched(data: DerivedData) -> bool:
    """Return whether all sources of the data have a watch."""
    return are_installed(watches_of([data]))


def stale_names() -> set[str]:
    """Return the names of the data of which a source has changed."""
    return set(StaleData.objects.values_list("name", flat=True))
