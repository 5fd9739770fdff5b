"""The derived data of all apps."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from calendar_site.derived.triggers import Trigger


@dataclass(frozen=True)
class DerivedData:
    """A table or columns that can be rebuilt from the rows they are derived from.

    Triggers keep it up to date, or services if it has `untriggered_sources`.
    """

    name: str
    # Returns the triggers for the database in use.
    triggers: Callable[[], list[Trigger]]
    # Computes everything anew. Runs inside `write_lock()`.
    rebuild: Callable[[], None]
    # Returns how many rows differ from what `rebuild` would compute.
    count_differences: Callable[[], int]
    # Raise it if the stored values change without a change of the triggers: the data is rebuilt after `migrate`.
    format: int = 1
    # Whether to rebuild it each time that any data is rebuilt or migrations have run.
    is_always_rebuilt: bool = False
    # The tables from which it is derived, if it has no triggers.
    untriggered_sources: frozenset[str] = frozenset()

    @property
    def fingerprint(self) -> str:
        """Return a value that changes with the triggers and the format."""
        statements = [statement for trigger in self.triggers() for statement in trigger.sql]
        return hashlib.sha256("\n".join([str(self.format), *statements]).encode()).hexdigest()

    @property
    def sources(self) -> set[str]:
        """Return the tables from which the data is derived: those with its triggers, and others."""
        return {*self.untriggered_sources, *(trigger.table for trigger in self.triggers())}


_registered: dict[str, DerivedData] = {}


def register(data: DerivedData) -> None:
    """Register derived data, in `AppConfig.ready()`. Data is rebuilt in the order of registration."""
    _registered[data.name] = data


def registered() -> list[DerivedData]:
    return list(_registered.values())
