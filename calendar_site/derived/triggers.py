"""Triggers of the database, declared once for SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db import connection

# Begins the names of all triggers of this package, so that they can be found and removed.
PREFIX = "derived_"


class Trigger(NamedTuple):
    """Statements that run after each row of a table that an INSERT, UPDATE or DELETE changes.

    `statements` are SQL that both databases understand, with NEW and OLD, each ending in a semicolon.
    """

    name: str
    table: str
    # `INSERT`, `DELETE`, `UPDATE`, or `UPDATE OF` with the names of columns.
    event: str
    statements: str
    # A condition on NEW and OLD, such as `NEW.title IS DISTINCT FROM OLD.title`; "" for every row.
    condition: str = ""
    # On PostgreSQL, `STATEMENT` for a trigger that runs once for each statement, without NEW and OLD.
    for_each: str = "ROW"

    @property
    def sql(self) -> list[str]:
        """Return the statements that create the trigger."""
        name = PREFIX + self.name
        condition = f"WHEN ({self.condition})" if self.condition else ""
        if connection.vendor == "sqlite":
            return [
                f'CREATE TRIGGER "{name}" AFTER {self.event} ON "{self.table}" FOR EACH ROW {condition} '
                f"BEGIN {self.statements} END"
            ]
        return [
            f'CREATE FUNCTION "{name}"() RETURNS trigger LANGUAGE plpgsql '
            f"AS $trigger$ BEGIN {self.statements} RETURN NULL; END $trigger$",
            f'CREATE TRIGGER "{name}" AFTER {self.event} ON "{self.table}" FOR EACH {self.for_each} {condition} '
            f'EXECUTE FUNCTION "{name}"()',
        ]


def change_triggers(name: str, table: str, statements: str) -> list[Trigger]:
    """Return triggers that run after any change of a table: on PostgreSQL once for each statement, else for each row.

    `statements` must not contain NEW or OLD.
    """
    if connection.vendor == "sqlite":
        events = ("INSERT", "UPDATE", "DELETE")
        return [Trigger(f"{name}_{event.lower()}", table, event, statements) for event in events]
    return [Trigger(name, table, "INSERT OR UPDATE OR DELETE OR TRUNCATE", statements, for_each="STATEMENT")]


def are_installed(triggers: Iterable[Trigger]) -> bool:
    """Return whether all of the triggers exist in the database. One query."""
    if connection.vendor == "sqlite":
        sql = "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'"
    else:
        sql = (
            "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
            "WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace"
        )
    with connection.cursor() as cursor:
        cursor.execute(sql)
        installed = set(cursor.fetchall())
    return installed >= {(PREFIX + trigger.name, trigger.table) for trigger in triggers}


def create_triggers(triggers: Iterable[Trigger]) -> None:
    """Create the triggers, which must not exist yet."""
    with connection.cursor() as cursor:
        for trigger in triggers:
            for statement in trigger.sql:
                cursor.execute(statement)


def drop_triggers() -> None:
    """Drop all triggers of derived data, also those that no code declares any more."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in cursor.fetchall():
                if name.startswith(PREFIX):
                    cursor.execute(f'DROP TRIGGER "{name}"')
            return
        cursor.execute(
            "SELECT proname FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace "
            "WHERE nspname = current_schema() AND prorettype = 'trigger'::regtype"
        )
        for (name,) in cursor.fetchall():
            if name.startswith(PREFIX):
                # Drops the trigger that calls the function as well.
                cursor.execute(f'DROP FUNCTION "{name}" CASCADE')
